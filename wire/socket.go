package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// dialSocket connects to unix:PATH or tcp:HOST:PORT.
func dialSocket(ctx context.Context, network, name, address string, o DialOptions) (Transport, error) {
	if network == "unix" && strings.HasPrefix(name, "///") { // written like a URL
		name = name[2:]
	}
	switch _, _, err := net.SplitHostPort(name); {
	case name == "":
		return nil, &AddressError{address, "nothing follows " + network + ":"}
	case strings.HasPrefix(name, "//"):
		return nil, &AddressError{address, "write " + network + ":" + strings.TrimLeft(name, "/")}
	case network == "tcp" && err != nil:
		return nil, &AddressError{address, "write tcp:HOST:PORT"}
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, network, name)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		var op *net.OpError
		if errors.As(err, &op) { // the address is said once, by DialError
			err = op.Err
		}
		return nil, &DialError{address, err}
	}
	return NewSocket(conn, address, o), nil
}

// NewSocket is a Transport of lines over a connected socket, which it closes.
func NewSocket(conn net.Conn, address string, o DialOptions) Transport {
	return &socket{conn: conn, address: address, lines: NewLineReader(conn, o.MaxFrame)}
}

type socket struct {
	conn    net.Conn
	address string
	lines   *LineReader

	writing sync.Mutex
	closing sync.Once
}

// ReadLine is Transport's. Our own Close is the end of the stream.
func (s *socket) ReadLine() (Line, error) {
	line, err := s.lines.ReadLine()
	if errors.Is(err, net.ErrClosed) {
		err = io.EOF
	}
	return line, err
}

// WriteMessage is Transport's.
func (s *socket) WriteMessage(msg []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return writeLine(s.conn, msg)
}

// writeLine writes a message and its end: in one piece, so that a peer that
// reads what is there reads all of it, but without a copy of what is long.
func writeLine(w io.Writer, msg []byte) error {
	const long = 64 << 10
	if len(msg) < long {
		line := make([]byte, 0, len(msg)+1)
		_, err := w.Write(append(append(line, msg...), '\n'))
		return err
	}
	if _, err := w.Write(msg); err != nil {
		return err
	}
	_, err := w.Write([]byte{'\n'})
	return err
}

// Close ends the connection; what was written is still delivered. A write that
// is stuck ends with an error.
func (s *socket) Close(context.Context) error {
	var err error
	s.closing.Do(func() {
		_ = s.conn.SetWriteDeadline(time.Now())
		s.writing.Lock() // after a write that is under way
		defer s.writing.Unlock()
		if half, ok := s.conn.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite() // the peer sees an end, not a reset
		}
		err = s.conn.Close()
	})
	return err
}

// Exit is Transport's: the peer is no process of ours.
func (s *socket) Exit() (Exit, bool) { return Exit{}, false }

// StderrTail is Transport's: the peer's stderr is not ours to see.
func (s *socket) StderrTail() []byte { return nil }

// Address is Transport's.
func (s *socket) Address() string { return s.address }
