package wire

import (
	"context"
	"errors"
	"time"
)

// Handler receives what the peer sends of its own accord. It is called on the
// goroutine that reads, in the order of the wire; while it runs nothing else
// is read, so it must not wait for an answer of the peer (Conn.Call).
type Handler interface {
	Notification(Message)
	// Request must see to it that the Responder is answered, now or later.
	Request(Message, *Responder)
}

// ConnOptions are what a Conn is made with; every member may be left out.
type ConnOptions struct {
	Handler   Handler           // nil: requests are answered "method not found"
	Observers []Observer        // told of every line in both directions, stderr, EOF and exit
	Noise     func(line []byte) // told of lines that are no messages
	Warn      func(text string) // told of breaches that do no harm
	Start     time.Time         // what Entry.T counts from; zero: now
}

// Conn is a JSON-RPC connection to a peer: our requests and the peer's, each
// with ids of their own.
type Conn struct{}

// NewConn begins to read from t. The connection must be closed.
func NewConn(t Transport, o ConnOptions) *Conn { return &Conn{} }

var errNotBuilt = errors.New("wire: not built yet")

// Call sends a request and waits for its response: *RPCError if that is an
// error, *ClosedError if the connection ended first, ctx's error if ctx did.
// params is marshalled, but a json.RawMessage or []byte is sent as it is, and
// nil sends no params.
//
// When Call returns, the Handler has seen everything that came before the
// response.
func (c *Conn) Call(ctx context.Context, method string, params any) (Message, error) {
	return Message{}, errNotBuilt
}

// Start sends a request and returns without waiting.
func (c *Conn) Start(method string, params any) (*Pending, error) { return nil, errNotBuilt }

// Notify sends a notification. It returns when the message stands in the queue
// to be sent; Flush waits until it is sent.
func (c *Conn) Notify(method string, params any) error { return errNotBuilt }

// Flush waits until all that was sent before has been written to the peer,
// and returns the error that writing met.
func (c *Conn) Flush(ctx context.Context) error { return errNotBuilt }

// Done is closed when nothing more will come from the peer.
func (c *Conn) Done() <-chan struct{} { return nil }

// Err says why the connection ended, once Done is closed.
func (c *Conn) Err() *ClosedError { return nil }

// LastReceived is when the last line came from the peer (or the connection
// began).
func (c *Conn) LastReceived() time.Time { return time.Time{} }

// Transport is what the connection runs over.
func (c *Conn) Transport() Transport { return nil }

// Close sends what is still queued, ends the connection in order and waits
// until all that belongs to it has ended. ctx's end hurries it.
func (c *Conn) Close(ctx context.Context) error { return errNotBuilt }

// Pending is a request that was sent.
type Pending struct {
	ID     ID
	Method string
}

// Wait waits for the response, as Call does. After ctx's end the response may
// still be waited for again.
func (p *Pending) Wait(ctx context.Context) (Message, error) { return Message{}, errNotBuilt }

// Done is closed when Wait would return at once.
func (p *Pending) Done() <-chan struct{} { return nil }

// Forget gives the request up: a response that still comes is dropped without
// a warning.
func (p *Pending) Forget() {}

// Responder answers one request of the peer, once: later answers do nothing.
// It may be kept and used from any goroutine.
type Responder struct{}

// Result answers with a result. v is marshalled as params are in Call; nil
// means null.
func (r *Responder) Result(v any) error { return errNotBuilt }

// Error answers with an error; data may be nil.
func (r *Responder) Error(code int, msg string, data any) error { return errNotBuilt }

// Request is the request to be answered.
func (r *Responder) Request() Message { return Message{} }

// Cancelled is closed when the peer takes its request back
// ($/cancel_request); the request must be answered all the same. The
// notification goes to the Handler as well.
func (r *Responder) Cancelled() <-chan struct{} { return nil }
