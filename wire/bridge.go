package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"
)

// TransportSide makes a Side of a Transport that carries messages rather than
// bytes: each line that is written goes out as one message, each message comes
// in as one line. The bytes within a line are the same on both sides. What
// cannot be carried is told to warn: a line that is not UTF-8 cannot be text,
// and a request that fails alone has no place in a stream of lines.
//
// Messages have no half-close: closing Out ends the connection once the
// requests that were sent are answered, or after 5 s.
func TransportSide(t Transport, warn func(string)) Side {
	if warn == nil {
		warn = func(string) {}
	}
	b := &bridge{t: t, warn: warn, pending: map[ID]bool{}}
	return Side{In: (*bridgeIn)(b), Out: (*bridgeOut)(b)}
}

// DialSide connects to an address as one end of a pass-through: a socket of
// lines as it is, anything else through TransportSide. The errors are Dial's.
// The function that it returns ends the connection.
func DialSide(ctx context.Context, address string, o DialOptions, warn func(string)) (Side, func(), error) {
	t, err := Dial(ctx, address, o)
	if err != nil {
		return Side{}, nil, err
	}
	if s, ok := t.(*socket); ok {
		if c, ok := s.conn.(Socket); ok {
			return SocketSide(c), func() { _ = c.Close() }, nil
		}
	}
	side := TransportSide(t, warn)
	return side, func() { _ = side.In.Close() }, nil
}

type bridge struct {
	t     Transport
	warn  func(string)
	rest  []byte // of the line that is being read
	part  []byte // of the line that is being written
	close sync.Once

	mu      sync.Mutex
	pending map[ID]bool // requests that wait for their answer
	last    *time.Timer // set once nothing more will be sent
}

// answerPatience is how long answers are waited for when nothing more will be
// asked, as long as an agent has to end after its stdin was closed.
const answerPatience = 5 * time.Second

func (b *bridge) end() {
	b.close.Do(func() {
		b.mu.Lock()
		if b.last != nil {
			b.last.Stop()
		}
		b.mu.Unlock()
		_ = b.t.Close(context.Background())
	})
}

// asked and answered keep account of requests.
func (b *bridge) asked(line []byte) {
	if m, err := Parse(line); err == nil && m.Kind() == KindRequest {
		b.mu.Lock()
		b.pending[m.ID] = true
		b.mu.Unlock()
	}
}

func (b *bridge) answered(line []byte) {
	m, err := Parse(line)
	if err != nil || m.Kind() != KindResponse {
		return
	}
	b.mu.Lock()
	delete(b.pending, m.ID)
	done := b.last != nil && len(b.pending) == 0
	b.mu.Unlock()
	if done {
		go b.end() // ends with the connection; the reader goes on meanwhile
	}
}

// finish ends the connection as soon as nothing is owed.
func (b *bridge) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last != nil {
		return
	}
	wait := answerPatience
	if len(b.pending) == 0 {
		wait = 0
	}
	b.last = time.AfterFunc(wait, b.end)
}

type bridgeIn bridge

// Read gives the next bytes of the agent's lines.
func (b *bridgeIn) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		line, err := b.t.ReadLine()
		if lost, ok := err.(*UndeliveredError); ok {
			b.warn(lost.Error())
			continue
		}
		if err != nil {
			return 0, err
		}
		(*bridge)(b).answered(line.Bytes)
		b.rest = append(line.Bytes, '\n')
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// Close ends the connection, which ends a Read.
func (b *bridgeIn) Close() error {
	(*bridge)(b).end()
	return nil
}

type bridgeOut bridge

// Write sends each line that is complete.
func (b *bridgeOut) Write(p []byte) (int, error) {
	for rest := p; ; {
		line, after, whole := bytes.Cut(rest, []byte{'\n'})
		b.part = append(b.part, line...)
		if !whole {
			return len(p), nil
		}
		if err := b.send(); err != nil {
			return len(p) - len(after), err
		}
		rest = after
	}
}

// send sends the line that is complete. Blank lines are no messages.
func (b *bridgeOut) send() error {
	line := b.part
	b.part = nil
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	switch {
	case len(line) == 0:
		return nil
	case !utf8.Valid(line):
		b.warn(fmt.Sprintf("a line of %d bytes is not UTF-8 and cannot be sent as a message", len(line)))
		return nil
	}
	(*bridge)(b).asked(line)
	return b.t.WriteMessage(line)
}

// Close sends a last line that has no end. What was asked is still answered.
func (b *bridgeOut) Close() error {
	var err error
	if len(b.part) > 0 {
		err = b.send()
	}
	(*bridge)(b).finish()
	return err
}

var (
	_ io.ReadCloser  = (*bridgeIn)(nil)
	_ io.WriteCloser = (*bridgeOut)(nil)
)
