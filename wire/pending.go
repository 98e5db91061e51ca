package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// Pending is a request that was sent.
type Pending struct {
	ID     ID
	Method string

	c    *Conn
	on   func(Message, error)
	done chan struct{}
	msg  Message // these two are set before done is closed
	err  error

	mu     sync.Mutex
	forgot bool
}

// finish delivers the outcome. It is called once, by who removed p from the
// pending requests.
func (p *Pending) finish(m Message, err error) {
	p.msg, p.err = m, err
	if _, closed := err.(*ClosedError); p.on != nil && !closed {
		p.mu.Lock()
		forgot := p.forgot
		p.mu.Unlock()
		if !forgot {
			p.on(m, err)
		}
	}
	close(p.done)
}

// Wait waits for the response, as Call does. After ctx's end the response may
// still be waited for again. A response that is there already counts, even if
// ctx has ended.
func (p *Pending) Wait(ctx context.Context) (Message, error) {
	select {
	case <-p.done:
		return p.msg, p.err
	default:
	}
	select {
	case <-p.done:
		return p.msg, p.err
	case <-ctx.Done():
		return Message{}, context.Cause(ctx)
	}
}

// Done is closed when Wait would return at once.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Forget gives the request up: a response that still comes is dropped without
// a warning, and not given to StartFunc's function.
func (p *Pending) Forget() {
	p.mu.Lock()
	p.forgot = true
	p.mu.Unlock()
}

// Responder answers one request of the peer, once: later answers do nothing.
// It may be kept and used from any goroutine.
type Responder struct {
	c         *Conn
	request   Message
	batch     *batch
	cancelled chan struct{}
	taken     bool // cancelled is closed; under c.mu

	mu       sync.Mutex
	answered bool
}

// Request is the request to be answered.
func (r *Responder) Request() Message { return r.request }

// Cancelled is closed when the peer takes its request back
// ($/cancel_request); the request must be answered all the same. The
// notification goes to the Handler as well.
func (r *Responder) Cancelled() <-chan struct{} { return r.cancelled }

// Result answers with a result. v is marshalled as params are in Call; nil
// means null.
func (r *Responder) Result(v any) error {
	value, err := encode(v)
	if err != nil {
		return fmt.Errorf("result of %s: %w", r.request.Method, err)
	}
	if value == nil {
		value = json.RawMessage("null")
	}
	return r.answer("result", value)
}

// Error answers with an error; data is marshalled likewise, nil means none.
func (r *Responder) Error(code int, msg string, data any) error {
	raw, err := encode(data)
	if err != nil {
		return fmt.Errorf("error of %s: %w", r.request.Method, err)
	}
	value, err := encode(&RPCError{Code: code, Message: msg, Data: raw})
	if err != nil {
		return err
	}
	return r.answer("error", value)
}

func (r *Responder) answer(member string, value json.RawMessage) error {
	r.mu.Lock()
	answered := r.answered
	r.answered = true
	r.mu.Unlock()
	if answered {
		return nil
	}
	c := r.c
	c.mu.Lock()
	if c.incoming[r.request.ID] == r {
		delete(c.incoming, r.request.ID)
	}
	c.mu.Unlock()
	frame := responseFrame(r.request.ID, member, value)
	if r.batch != nil {
		return r.batch.add(frame)
	}
	return c.send(frame)
}

// batch gathers the answers to the requests of one array: JSON-RPC 2.0
// (section 6) wants them in one array, too.
type batch struct {
	c       *Conn
	mu      sync.Mutex
	missing int
	answers [][]byte
}

func (b *batch) add(frame []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers = append(b.answers, frame)
	if b.missing--; b.missing > 0 {
		return nil
	}
	all := []byte{'['}
	for i, a := range b.answers {
		if i > 0 {
			all = append(all, ',')
		}
		all = append(all, a...)
	}
	return b.c.send(append(all, ']'))
}
