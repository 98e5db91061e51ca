package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/acptool/acptool/wire/scan"
)

// exitPatience is how long the end of the agent's process is waited for after
// its stdout ended, so that the error can tell how it ended.
const exitPatience = 500 * time.Millisecond

func (c *Conn) read() {
	defer close(c.reader)
	for {
		line, err := c.t.ReadLine()
		var lost *UndeliveredError
		if errors.As(err, &lost) { // one request failed, and the connection goes on
			if p := c.take(lost.ID); p != nil {
				p.finish(Message{}, lost)
			}
			continue
		}
		if err != nil {
			c.ended(err)
			return
		}
		at := time.Since(c.start)
		c.received.Store(int64(at))
		c.observe(Entry{T: at, From: Agent, Kind: EntryLine, Data: line.Bytes, EOL: line.EOL})
		c.line(line.Bytes)
	}
}

// observe tells the observers, one at a time. An entry without a time is of
// now; time does not go back from one to the next.
func (c *Conn) observe(e Entry) {
	if len(c.o.Observers) == 0 {
		return
	}
	c.observing.Lock()
	defer c.observing.Unlock()
	if e.T == 0 {
		e.T = time.Since(c.start)
	}
	e.T = max(e.T, c.lastT)
	c.lastT = e.T
	for _, o := range c.o.Observers {
		o.Observe(e)
	}
}

// tellExit tells the observers how the agent's process ended, once.
func (c *Conn) tellExit() {
	exit, ok := c.t.Exit()
	c.observing.Lock()
	told := c.exitTold
	c.exitTold = told || ok
	c.observing.Unlock()
	if ok && !told {
		c.observe(Entry{From: Agent, Kind: EntryExit, Exit: exit})
	}
}

// ended fails all that is pending.
func (c *Conn) ended(err error) {
	c.observe(Entry{From: Agent, Kind: EntryEOF})
	if p, ok := c.t.(interface{ Exited() <-chan struct{} }); ok {
		timer := time.NewTimer(exitPatience)
		select {
		case <-p.Exited():
		case <-timer.C:
		}
		timer.Stop()
	}
	end := c.closedError(err) // waits for the last of stderr, which comes before the exit
	c.tellExit()
	c.mu.Lock()
	end.Local = c.local
	c.end = end
	pending := c.pending
	c.pending = map[ID]*Pending{}
	c.mu.Unlock()
	for _, p := range pending {
		p.finish(Message{}, end)
	}
	close(c.done)
}

func (c *Conn) closedError(err error) *ClosedError {
	if errors.Is(err, io.EOF) {
		err = nil
	}
	end := &ClosedError{Address: c.t.Address(), StderrTail: c.t.StderrTail(), Err: err}
	end.Exit, end.Exited = c.t.Exit()
	return end
}

// line acts on one line of the peer.
func (c *Conn) line(b []byte) {
	d := Decode(b)
	if d.Malformed != nil && c.malformed(d) {
		return
	}
	if d.Noise != nil && c.o.Noise != nil {
		c.o.Noise(d.Noise)
	}
	if !d.Batch {
		for _, m := range d.Messages {
			c.message(m, nil)
		}
		return
	}
	if !c.batches {
		c.batches = true
		c.warn("the peer sends batches, which ACP does not have")
	}
	if d.Err != nil {
		c.warn(d.Err.Error())
	}
	answers := &batch{c: c}
	for _, m := range d.Messages {
		if m.Kind() == KindRequest {
			answers.missing++
		}
	}
	answers.answers = make([][]byte, 0, answers.missing)
	for _, m := range d.Messages {
		c.message(m, answers)
	}
}

func (c *Conn) warn(text string) {
	if c.o.Warn != nil {
		c.o.Warn(text)
	}
}

// message acts on one message; in is the batch that it came in.
func (c *Conn) message(m Message, in *batch) {
	switch m.Kind() {
	case KindResponse:
		if m.spare && !c.spares {
			c.spares = true
			c.warn("the peer's responses hold both result and error, of which one is null (JSON-RPC allows one of them only)")
		}
		c.response(m)
	case KindNotification:
		if m.Method == "$/cancel_request" {
			c.cancelled(m)
		}
		if c.o.Handler != nil {
			c.o.Handler.Notification(m)
		}
	case KindRequest:
		r := &Responder{c: c, request: m, batch: in, cancelled: make(chan struct{})}
		c.mu.Lock()
		c.incoming[m.ID] = r
		c.mu.Unlock()
		if c.o.Handler == nil {
			_ = r.Error(CodeMethodNotFound, "method not found: "+m.Method, nil)
			return
		}
		c.o.Handler.Request(m, r)
	}
}

// cancelled marks the request that a $/cancel_request takes back.
func (c *Conn) cancelled(m Message) {
	id := ID(scan.Member(m.Params, "requestId"))
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.incoming[id]; r != nil && !r.taken {
		r.taken = true
		close(r.cancelled)
	}
}

// response gives a response to whom it belongs to.
func (c *Conn) response(m Message) {
	p := c.take(m.ID)
	if p == nil {
		c.warn(unasked(m))
		return
	}
	if m.Error == nil {
		p.finish(m, nil)
		return
	}
	e, err := DecodeError(m.Error)
	if err != nil {
		p.finish(m, &MalformedResponseError{Method: p.Method, Line: m.Raw, Reason: err.Error()})
		return
	}
	p.finish(m, e)
}

// take removes and returns the request with this id, nil if there is none.
// A number counts as its value: some peers keep all numbers as floats and
// send 1.0 for 1. Nothing else is taken for something that it is not.
func (c *Conn) take(id ID) *Pending {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pending[id]
	if p == nil && id != "" && id[0] != '"' {
		if f, err := strconv.ParseFloat(string(id), 64); err == nil {
			p = c.pending[ID(strconv.FormatFloat(f, 'f', -1, 64))]
		}
	}
	if p != nil {
		delete(c.pending, p.ID)
	}
	return p
}

// unasked describes a response that belongs to no request.
func unasked(m Message) string {
	what := "a response to a request that was not made"
	if m.Error == nil {
		return fmt.Sprintf("%s (id %s)", what, m.ID)
	}
	e, err := DecodeError(m.Error)
	switch {
	case err != nil:
		return fmt.Sprintf("%s (id %s, error %s)", what, m.ID, m.Error)
	case m.ID == "null": // JSON-RPC 2.0, section 5: the id could not be read
		return fmt.Sprintf("the peer could not read something that we sent: %v", e)
	}
	return fmt.Sprintf("%s (id %s): %v", what, m.ID, e)
}

// malformed fails the request that a malformed response belongs to, and
// reports whether there is one.
func (c *Conn) malformed(d Decoded) bool {
	p := c.take(d.Malformed.ID)
	if p == nil {
		return false
	}
	reason := "neither result nor error"
	if d.Malformed.Result != nil {
		reason = "both result and error"
	}
	p.finish(Message{}, &MalformedResponseError{Method: p.Method, Line: d.Malformed.Raw, Reason: reason})
	return true
}

// DecodeError reads the error of a response. It must be an object with a
// number for a code; a missing message is tolerated.
func DecodeError(raw json.RawMessage) (*RPCError, error) {
	var e struct {
		Code    *float64        `json:"code"`
		Message any             `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(raw, &e); err != nil || e.Code == nil || *e.Code != float64(int(*e.Code)) {
		return nil, errors.New("the error is no object with a code")
	}
	text, ok := e.Message.(string)
	if !ok && e.Message != nil {
		return nil, errors.New("the error's message is no string")
	}
	return &RPCError{Code: int(*e.Code), Message: text, Data: e.Data}, nil
}
