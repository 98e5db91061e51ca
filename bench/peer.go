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
func peer(args []string) int {
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
	if _, err := os.Stdin.Read(make([]byte, 64)); err != nil {
		return 1
	}
	if err := writeFrames(os.Stdout, n, size); err != nil {
		return 1
	}
	io.Copy(io.Discard, os.Stdin) // until the client closes
	return 0
}

// frame makes a message of exactly size bytes with its newline: one chunk of
// an agent's text.
func frame(size int) []byte {
	head := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_7f3a","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"`
	tail := "\"}}}}\n"
	text := "The quick fix is to move the check before the loop; then `n` is never read twice. "
	fill := max(size-len(head)-len(tail), 0)
	return fmt.Appendf(nil, "%s%s%s", head, bytes.Repeat([]byte(text), fill/len(text)+1)[:fill], tail)
}

// writeFrames writes n frames in large pieces.
func writeFrames(w io.Writer, n, size int) error {
	f := frame(size)
	per := max((64<<10)/len(f), 1)
	piece := bytes.Repeat(f, per)
	for n > 0 {
		k := min(n, per)
		if _, err := w.Write(piece[:k*len(f)]); err != nil {
			return err
		}
		n -= k
	}
	return nil
}
