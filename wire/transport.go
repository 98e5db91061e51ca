package wire

import "context"

// Line is one line as it was read: its bytes without the line end, and that
// end ("\n", "\r\n", or "" at the end of the stream).
type Line struct {
	Bytes []byte
	EOL   string
}

// Transport carries lines (one JSON-RPC message each, or noise) to and from an
// agent. One goroutine reads; writes are safe from several.
//
// A Transport may have more methods, which a Conn uses: Exited, closed when the
// agent's process has ended; TellStderr, which has a function told of what
// comes on its stderr; Flush, which waits until what WriteMessage only queued
// has been sent.
type Transport interface {
	// ReadLine returns the next line; its bytes stay valid and are the
	// caller's. io.EOF when the agent has closed its side and all was read.
	ReadLine() (Line, error)
	// WriteMessage sends one message, which holds no newline.
	WriteMessage(msg []byte) error
	// Close ends the connection in order (for a child: the shutdown ladder)
	// and waits for it. It is safe to call more than once and from another
	// goroutine than the reader. ctx's end skips to the last rung.
	Close(ctx context.Context) error
	// Exit is how the agent's process ended, if it is a process of ours and
	// has ended.
	Exit() (Exit, bool)
	// StderrTail is the last of what the agent wrote on stderr.
	StderrTail() []byte
	// Address names the peer for messages: a command line or an address.
	Address() string
}
