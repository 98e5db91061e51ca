package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/acptool/acptool/wire/scan"
)

// outgoing is something in the queue: a message, or a mark that tells when
// all before it was written.
type outgoing struct {
	msg     []byte
	request *Pending // fails if msg cannot be written
	written chan<- error
}

// outbox is the queue of what is to be sent. One goroutine writes; nobody who
// adds to it waits.
type outbox struct {
	write func(outgoing) error

	mu     sync.Mutex
	queue  []outgoing
	closed bool
	err    error // the first that writing met

	wake chan struct{} // holds one token if there may be something to do
	done chan struct{} // closed when run has ended
}

func newOutbox(write func(outgoing) error) *outbox {
	return &outbox{write: write, wake: make(chan struct{}, 1), done: make(chan struct{})}
}

func (b *outbox) add(o outgoing) {
	b.mu.Lock()
	closed, err := b.closed, b.err
	if !closed {
		b.queue = append(b.queue, o)
	}
	b.mu.Unlock()
	if closed {
		if o.written != nil {
			o.written <- err
		}
		return
	}
	b.signal()
}

func (b *outbox) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// run writes until close.
func (b *outbox) run() {
	defer close(b.done)
	for range b.wake {
		b.mu.Lock()
		work, closed := b.queue, b.closed
		b.queue = nil
		b.mu.Unlock()
		for _, o := range work {
			if o.written != nil {
				b.mu.Lock()
				err := b.err
				b.mu.Unlock()
				o.written <- err
				continue
			}
			if err := b.write(o); err != nil {
				b.mu.Lock()
				b.err = errors.Join(b.err, err)
				b.mu.Unlock()
			}
		}
		if closed {
			return
		}
	}
}

// close waits until what is queued has been tried.
func (b *outbox) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.signal()
	<-b.done
}

// write sends one message, on the outbox's goroutine. The observers see it
// first: an answer never stands before its question.
func (c *Conn) write(o outgoing) error {
	c.mu.Lock()
	ended := c.end
	c.mu.Unlock()
	if ended != nil { // all requests have failed already
		return ended
	}
	c.observe(Entry{From: Client, Kind: EntryLine, Data: o.msg, EOL: "\n"})
	err := c.t.WriteMessage(o.msg)
	if err == nil {
		return nil
	}
	// Mostly the peer is gone, and reading finds out more about it.
	timer := time.NewTimer(exitPatience)
	select {
	case <-c.done:
	case <-timer.C:
	}
	timer.Stop()
	if o.request != nil && c.take(o.request.ID) != nil {
		o.request.finish(Message{}, c.closedError(err))
	}
	return err
}

// encode makes JSON without a newline of a value; raw JSON stays as it is.
func encode(v any) (json.RawMessage, error) {
	var raw []byte
	switch v := v.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		raw = v
	case []byte:
		raw = v
	default:
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			return nil, err
		}
		return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
	}
	if len(raw) == 0 {
		return nil, nil
	}
	if !scan.IsValid(raw) {
		return nil, errNotJSON
	}
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw, nil
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// requestFrame is a request, or a notification if id is "".
func requestFrame(id ID, method string, params json.RawMessage) []byte {
	name, _ := encode(method)
	b := make([]byte, 0, 64+len(name)+len(params))
	b = append(b, `{"jsonrpc":"2.0"`...)
	if id != "" {
		b = append(append(b, `,"id":`...), id...)
	}
	b = append(append(b, `,"method":`...), name...)
	if params != nil {
		b = append(append(b, `,"params":`...), params...)
	}
	return append(b, '}')
}

// responseFrame is a response; member is "result" or "error".
func responseFrame(id ID, member string, value json.RawMessage) []byte {
	b := make([]byte, 0, 64+len(id)+len(value))
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), id...)
	b = append(append(b, `,"`...), member...)
	b = append(append(b, `":`...), value...)
	return append(b, '}')
}
