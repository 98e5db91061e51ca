// Package wiretest helps to test what speaks through package wire: an
// in-memory connection, and an agent that follows a script.
package wiretest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/acptool/acptool/wire"
)

// End is one end of an in-memory connection. It is a wire.Transport. What is
// written at one end can be read at the other; writing never blocks.
type End struct {
	in, out *stream // in: what the other end wrote
	state   *state  // shared by both ends
}

// state is what is known of the "process" behind the agent's end.
type state struct {
	mu     sync.Mutex
	exit   *wire.Exit
	stderr []byte
	tell   func([]byte)
}

// Pipe returns the two ends of a new connection: one for the code under test,
// and one that the test plays the agent on (ReadMessage, Send, Reply, Die, …).
func Pipe() (client, agent *End) {
	a, b := newStream(), newStream()
	s := &state{}
	return &End{in: a, out: b, state: s}, &End{in: b, out: a, state: s}
}

// stream is one direction: bytes without bound.
type stream struct {
	mu     sync.Mutex
	change sync.Cond
	buf    bytes.Buffer
	closed bool
	lines  *wire.LineReader
}

func newStream() *stream {
	s := &stream{}
	s.change.L = &s.mu
	s.lines = wire.NewLineReader(s, 0)
	return s
}

func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.buf.Len() == 0 && !s.closed {
		s.change.Wait()
	}
	if s.buf.Len() == 0 {
		return 0, io.EOF
	}
	return s.buf.Read(p)
}

func (s *stream) write(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return io.ErrClosedPipe
	}
	s.buf.Write(b)
	s.change.Broadcast()
	return nil
}

func (s *stream) close() {
	s.mu.Lock()
	s.closed = true
	s.change.Broadcast()
	s.mu.Unlock()
}

// ReadLine is wire.Transport's.
func (e *End) ReadLine() (wire.Line, error) { return e.in.lines.ReadLine() }

// WriteMessage is wire.Transport's.
func (e *End) WriteMessage(msg []byte) error {
	if bytes.IndexByte(msg, '\n') >= 0 {
		return fmt.Errorf("a message with a newline: %q", msg)
	}
	return e.out.write(append(bytes.Clone(msg), '\n'))
}

// Close closes both directions: each end reads what was written before, then
// io.EOF.
func (e *End) Close(context.Context) error {
	e.in.close()
	e.out.close()
	return nil
}

// CloseWrite tells the other end that nothing more will come.
func (e *End) CloseWrite() { e.out.close() }

// Exit is wire.Transport's: what the agent's end gave to Die.
func (e *End) Exit() (wire.Exit, bool) {
	e.state.mu.Lock()
	defer e.state.mu.Unlock()
	if e.state.exit == nil {
		return wire.Exit{}, false
	}
	return *e.state.exit, true
}

// StderrTail is wire.Transport's: what the agent's end gave to Stderr.
func (e *End) StderrTail() []byte {
	e.state.mu.Lock()
	defer e.state.mu.Unlock()
	return bytes.Clone(e.state.stderr)
}

// TellStderr has f told of what the agent's end gives to Stderr from now on.
func (e *End) TellStderr(f func([]byte)) {
	e.state.mu.Lock()
	defer e.state.mu.Unlock()
	e.state.tell = f
}

// Address is wire.Transport's.
func (e *End) Address() string { return "pipe" }

// ReadMessage reads the next line, which must be one message.
func (e *End) ReadMessage() (wire.Message, error) {
	line, err := e.ReadLine()
	if err != nil {
		return wire.Message{}, err
	}
	return wire.Parse(line.Bytes)
}

// Send writes one line, for example a message or noise. It is not an error if
// the other end has gone.
func (e *End) Send(line string) { _ = e.out.write([]byte(line + "\n")) }

// SendRaw writes bytes as they are, with no line end added.
func (e *End) SendRaw(b []byte) { _ = e.out.write(b) }

// Reply answers a request with a result, given as JSON.
func (e *End) Reply(req wire.Message, result string) {
	e.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, result))
}

// ReplyError answers a request with an error; data is JSON or "".
func (e *End) ReplyError(req wire.Message, code int, message, data string) {
	if data != "" {
		data = `,"data":` + data
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(message)
	e.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s"%s}}`, req.ID, code, quoted, data))
}

// Stderr is what the agent writes on its stderr.
func (e *End) Stderr(text string) {
	e.state.mu.Lock()
	e.state.stderr = append(e.state.stderr, text...)
	tell := e.state.tell
	e.state.mu.Unlock()
	if tell != nil {
		tell([]byte(text))
	}
}

// Die ends the agent's process: the other end reads what was sent before, then
// io.EOF, and has the Exit.
func (e *End) Die(exit wire.Exit) {
	e.state.mu.Lock()
	if e.state.exit == nil {
		e.state.exit = &exit
	}
	e.state.mu.Unlock()
	e.in.close()
	e.out.close()
}
