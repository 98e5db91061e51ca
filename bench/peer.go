package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
)

// peer plays the other side of a connection, as a process of its own:
//
//	peer frames N SIZE   waits for a line, then says N frames of SIZE bytes
//	peer turn N          is an agent whose turn has N chunks
func peer(args []string) int {
	if args[0] == "turn" && len(args) == 2 {
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return 2
		}
		return turn(n)
	}
	if args[0] != "frames" || len(args) != 3 {
		return 2
	}
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return 2
	}
	size, err := strconv.Atoi(args[2])
	if err != nil {
		return 2
	}
	say := bulk(n, size)
	if _, err := os.Stdin.Read(make([]byte, 64)); err != nil {
		return 1
	}
	if say() != nil {
		return 1
	}
	io.Copy(io.Discard, os.Stdin) // until the client closes
	return 0
}

// piece is how much a peer writes at once. It must stay small beside a large
// frame, since a process's peak memory counts those of its children.
const piece = 64 << 10

// bulk prepares to say n frames, so that only the saying is measured.
func bulk(n, size int) func() error {
	write := func(p []byte) error { _, err := os.Stdout.Write(p); return err }
	if size <= piece {
		f := frame(size)
		per := piece / len(f)
		many := bytes.Repeat(f, per)
		return func() error {
			for ; n > 0; n -= per {
				if err := write(many[:min(n, per)*len(f)]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	text := bytes.Repeat([]byte(sentence), piece/len(sentence)+1)[:piece]
	return func() error {
		for ; n > 0; n-- {
			err := write([]byte(frameHead))
			for left := size - len(frameHead) - len(frameTail); left > 0 && err == nil; left -= piece {
				err = write(text[:min(left, piece)])
			}
			if err == nil {
				err = write([]byte(frameTail))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// A frame is one chunk of an agent's text, as agents send most often.
const (
	frameHead = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_7f3a","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"`
	frameTail = "\"}}}}\n"
	sentence  = "The quick fix is to move the check before the loop; then `n` is never read twice. "
)

// frame makes one of size bytes with its newline, or the smallest one.
func frame(size int) []byte {
	fill := max(size-len(frameHead)-len(frameTail), 0)
	return fmt.Appendf(nil, "%s%s%s", frameHead, bytes.Repeat([]byte(sentence), fill/len(sentence)+1)[:fill], frameTail)
}
