// Package wiretest helps to test what speaks through package wire: an
// in-memory connection, and an agent that follows a script.
package wiretest

import (
	"context"
	"errors"

	"github.com/acptool/acptool/wire"
)

// End is one end of an in-memory connection. It is a wire.Transport. What is
// written at one end can be read at the other; writing never blocks.
type End struct{}

// Pipe returns the two ends of a new connection: one for the code under test,
// and one that the test plays the agent on (ReadMessage, Send, SendLine, …).
func Pipe() (client, agent *End) { return &End{}, &End{} }

var errNotBuilt = errors.New("wiretest: not built yet")

// ReadLine is wire.Transport's.
func (e *End) ReadLine() (wire.Line, error) { return wire.Line{}, errNotBuilt }

// WriteMessage is wire.Transport's.
func (e *End) WriteMessage(msg []byte) error { return errNotBuilt }

// Close closes both directions: the other end reads what was written, then
// io.EOF; this end reads io.EOF.
func (e *End) Close(context.Context) error { return errNotBuilt }

// CloseWrite tells the other end that nothing more will come.
func (e *End) CloseWrite() {}

// Exit is wire.Transport's: what the other end gave to Die.
func (e *End) Exit() (wire.Exit, bool) { return wire.Exit{}, false }

// StderrTail is wire.Transport's: what the other end gave to Stderr.
func (e *End) StderrTail() []byte { return nil }

// Address is wire.Transport's.
func (e *End) Address() string { return "pipe" }

// ReadMessage reads the next line, which must be one message.
func (e *End) ReadMessage() (wire.Message, error) { return wire.Message{}, errNotBuilt }

// Send writes one line, for example a message or noise.
func (e *End) Send(line string) {}

// Reply answers a request with a result, given as JSON.
func (e *End) Reply(req wire.Message, result string) {}

// ReplyError answers a request with an error; data is JSON or "".
func (e *End) ReplyError(req wire.Message, code int, message, data string) {}

// Stderr is what the agent writes on its stderr.
func (e *End) Stderr(text string) {}

// Die ends the agent's process: the other end reads io.EOF and has the Exit.
func (e *End) Die(exit wire.Exit) {}
