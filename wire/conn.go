package wire

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
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
	Noise     func(line []byte) // told of lines that are no messages, on the goroutine that reads
	Warn      func(text string) // told of breaches that do no harm, on the goroutine that reads
	Start     time.Time         // what Entry.T counts from; zero: now
}

// Conn is a JSON-RPC connection to a peer: our requests and the peer's, each
// with ids of their own.
//
// It has two goroutines: one reads until the peer's stream ends, one writes
// what stands in the queue until Close. Since nobody waits for a write, a peer
// that does not read cannot keep us from reading.
type Conn struct {
	t        Transport
	o        ConnOptions
	start    time.Time
	received atomic.Int64 // when the last line came, since start
	out      *outbox
	done     chan struct{} // closed when reading has ended and all pending requests have failed
	reader   chan struct{} // closed when the reading goroutine has ended
	closing  sync.Once
	closeErr error

	observing sync.Mutex // held while observers are told
	exitTold  bool
	lastT     time.Duration // of the last entry

	mu       sync.Mutex
	lastID   int
	pending  map[ID]*Pending
	incoming map[ID]*Responder // requests of the peer that are not answered yet
	end      *ClosedError      // set before done is closed
	local    bool              // Close was called
	batches  bool              // a batch was warned about
	spares   bool              // responses with both members were warned about
}

// NewConn begins to read from t. The connection must be closed.
func NewConn(t Transport, o ConnOptions) *Conn {
	c := &Conn{
		t: t, o: o, start: o.Start,
		done:     make(chan struct{}),
		reader:   make(chan struct{}),
		pending:  map[ID]*Pending{},
		incoming: map[ID]*Responder{},
	}
	now := time.Now()
	if c.start.IsZero() {
		c.start = now
	}
	c.received.Store(int64(now.Sub(c.start)))
	c.out = newOutbox(c.write)
	if s, ok := t.(interface{ TellStderr(func([]byte)) }); ok && len(o.Observers) > 0 {
		s.TellStderr(func(b []byte) { c.observe(Entry{From: Agent, Kind: EntryStderr, Data: b}) })
	}
	go c.read()    // ends with the peer's stream, at the latest through Close
	go c.out.run() // ends through Close
	return c
}

// Call sends a request and waits for its response: *RPCError if that is an
// error, *MalformedResponseError if it is no valid one, *ClosedError if the
// connection ended first, *UndeliveredError if only this request was lost,
// ctx's error if ctx ended. params is marshalled, but a
// json.RawMessage or []byte is sent as it is, and nil sends no params.
//
// When Call returns, the Handler has seen everything that came before the
// response.
func (c *Conn) Call(ctx context.Context, method string, params any) (Message, error) {
	p, err := c.Start(method, params)
	if err != nil {
		return Message{}, err
	}
	m, err := p.Wait(ctx)
	if err != nil && ctx.Err() != nil {
		p.Forget()
	}
	return m, err
}

// Start sends a request and returns without waiting.
func (c *Conn) Start(method string, params any) (*Pending, error) {
	return c.StartFunc(method, params, nil)
}

// StartFunc is Start for who needs a response at its place in the order of the
// wire: on is called with it on the goroutine that reads, after the Handler has
// seen all that came before it and before anything that came after, and before
// Pending.Done is closed. An error response comes as an *RPCError, a malformed
// one as a *MalformedResponseError; where the connection ends first, on is not
// called. on must not wait for the peer.
func (c *Conn) StartFunc(method string, params any, on func(Message, error)) (*Pending, error) {
	body, err := encode(params)
	if err != nil {
		return nil, fmt.Errorf("params of %s: %w", method, err)
	}
	p := &Pending{Method: method, c: c, on: on, done: make(chan struct{})}
	c.mu.Lock()
	if err := c.gone(); err != nil {
		c.mu.Unlock()
		return nil, err
	}
	c.lastID++
	p.ID = ID(fmt.Sprint(c.lastID))
	c.pending[p.ID] = p
	c.mu.Unlock()
	c.out.add(outgoing{msg: requestFrame(p.ID, method, body), request: p})
	return p, nil
}

// Notify sends a notification. It returns when the message stands in the queue
// to be sent; Flush waits until it is sent.
func (c *Conn) Notify(method string, params any) error {
	body, err := encode(params)
	if err != nil {
		return fmt.Errorf("params of %s: %w", method, err)
	}
	return c.send(requestFrame("", method, body))
}

// send queues one message, unless the connection has ended.
func (c *Conn) send(msg []byte) error {
	c.mu.Lock()
	err := c.gone()
	c.mu.Unlock()
	if err != nil {
		return err
	}
	c.out.add(outgoing{msg: msg})
	return nil
}

// gone says why nothing can be sent any more. c.mu is held.
func (c *Conn) gone() error {
	if c.end != nil {
		return c.end
	}
	if c.local {
		return &ClosedError{Address: c.t.Address(), Local: true}
	}
	return nil
}

// Flush waits until all that was sent before has been written to the peer,
// and returns the error that writing met.
func (c *Conn) Flush(ctx context.Context) error {
	written := make(chan error, 1)
	c.out.add(outgoing{written: written})
	select {
	case err := <-written:
		if f, ok := c.t.(interface{ Flush(context.Context) error }); ok && err == nil {
			err = f.Flush(ctx) // a transport with a queue of its own
		}
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Done is closed when nothing more will come from the peer.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err says why the connection ended; it is nil until Done is closed.
func (c *Conn) Err() *ClosedError {
	select {
	case <-c.done:
		return c.end
	default:
		return nil
	}
}

// LastReceived is when the last line came from the peer (or the connection
// began).
func (c *Conn) LastReceived() time.Time { return c.start.Add(time.Duration(c.received.Load())) }

// Transport is what the connection runs over.
func (c *Conn) Transport() Transport { return c.t }

// flushPatience is how long Close waits for what is still queued: a peer that
// does not read must not hold us.
const flushPatience = time.Second

// Close sends what is still queued, ends the connection in order and waits
// until all that belongs to it has ended. ctx's end hurries it, also that of a
// second Close while the first is under way. It must not be called by a
// Handler.
func (c *Conn) Close(ctx context.Context) error {
	hurried := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(hurried)
		_ = c.t.Close(ctx)
	})
	c.closing.Do(func() {
		c.mu.Lock()
		c.local = true
		c.mu.Unlock()
		flush, cancel := context.WithTimeout(ctx, flushPatience)
		_ = c.Flush(flush) // what could not be sent is not news any more
		cancel()
		c.observe(Entry{From: Client, Kind: EntryEOF})
		c.closeErr = c.t.Close(ctx)
		<-c.reader
		c.out.close()
		c.tellExit()
	})
	if !stop() {
		<-hurried
	}
	return c.closeErr
}
