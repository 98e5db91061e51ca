package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/acptool/acptool/wire"
)

// When says where in a session's life an update came.
type When uint8

const (
	Between When = iota // no turn was running: after setup, between turns
	Early               // before the session's id was known
	History             // while the session was being taken up
	InTurn              // during a turn of ours
	Late                // after the turn's end
)

// Update is one session/update as it came.
type Update struct {
	SessionID string
	Session   *Session        // nil for a session that this connection neither created nor took up
	Kind      string          // the value of sessionUpdate
	Update    json.RawMessage // params.update
	Params    json.RawMessage
	When      When
}

// held is what came for a session that may be the one whose creation is still
// being answered.
type held struct {
	sessionID string
	tell      func(*Session) // with order held
}

// handler is the client as the connection sees it: called on the goroutine
// that reads.
type handler struct{ c *Client }

func (h handler) Notification(m wire.Message) {
	c := h.c
	c.order.Lock()
	defer c.order.Unlock()
	if m.Method == "session/update" {
		peeked, ok := Peek(m.Raw)
		if ok && len(peeked.Session) > 0 && len(peeked.Update) > 0 && peeked.Update[0] == '{' {
			u := Update{SessionID: string(peeked.Session), Kind: string(peeked.Kind), Update: peeked.Update, Params: m.Params}
			c.forSession(u.SessionID, func(s *Session) { c.update(s, u) })
			return
		}
		c.warn(fmt.Sprintf("session/update without a session or an update: %s", m.Params))
	}
	if c.o.Events.Notification != nil {
		c.o.Events.Notification(m)
	}
}

// forSession tells now, or once the session is known, if it may be one whose
// creation is in flight. With order held.
func (c *Client) forSession(sessionID string, tell func(*Session)) {
	s := c.sessions[sessionID]
	if s == nil && c.settingUp > 0 {
		c.held = append(c.held, held{sessionID, tell})
		return
	}
	tell(s)
}

// release tells what was held, in order. With order held.
func (c *Client) release() {
	if c.settingUp > 0 && c.sessions != nil {
		// Another creation is in flight: what is not known yet waits for it.
		c.held = slices.DeleteFunc(c.held, func(h held) bool {
			s := c.sessions[h.sessionID]
			if s != nil {
				c.early(s, h)
			}
			return s != nil
		})
		return
	}
	waiting := c.held
	c.held = nil
	for _, h := range waiting {
		c.early(c.sessions[h.sessionID], h)
	}
}

func (c *Client) early(s *Session, h held) {
	if s == nil {
		h.tell(nil)
		return
	}
	phase := s.phase
	s.phase = Early
	h.tell(s)
	s.phase = phase
}

// update takes what the connection itself needs to know from an update, and
// tells of it. With order held.
func (c *Client) update(s *Session, u Update) {
	if s != nil {
		u.Session, u.When = s, s.phase
		s.take(u)
	}
	if c.o.Events.Update != nil {
		c.o.Events.Update(u)
	}
}

// take keeps the state, the turn, the configuration and the kinds of tool
// calls. Folding is for who shows the session.
func (s *Session) take(u Update) {
	change := Change{Kind: u.Kind}
	switch u.Kind {
	case "user_message", "user_message_chunk":
		change.messageID = str(asObject(u.Update)["messageId"])
	case "state_update":
		if state, ok := DecodeState(u.Update); ok {
			change.State, s.state = &state, state
		}
	case "config_option_update":
		s.setup(u.Update)
	case "tool_call", "tool_call_update":
		o := asObject(u.Update)
		if id, kind := str(o["toolCallId"]), str(o["kind"]); kind != "" {
			if s.kinds == nil {
				s.kinds = map[string]string{}
			}
			s.kinds[id] = kind
		}
	}
	if a := s.turn; a != nil && !a.over {
		a.turn.Update(change)
		if a.settle(); a.over {
			s.phase = Late
		}
	}
}

// Request answers every request of the agent, at any time: permission by the
// policy, methods that were advertised by who serves them, anything else as
// not found.
func (h handler) Request(m wire.Message, r *wire.Responder) {
	c := h.c
	if m.Method == "session/request_permission" {
		c.permission(m, r)
		return
	}
	if c.o.Methods != nil && c.peer.Protocol == V1 {
		if _, methods := c.o.Methods.Advertise(); slices.Contains(methods, m.Method) {
			c.work.Add(1)
			go func() { // ends when Serve does; Close waits for it
				defer c.work.Done()
				c.serve(m, r)
			}()
			return
		}
	}
	e := &wire.RPCError{Code: CodeMethodNotFound, Message: "method not found: " + m.Method}
	_ = r.Error(e.Code, e.Message, nil)
	c.toldRequest(m, e)
}

// serve answers one request by the client's methods. A request that the agent
// takes back ($/cancel_request) is answered -32800 at once.
func (c *Client) serve(m wire.Message, r *wire.Responder) {
	ctx, cancel := context.WithCancel(c.life)
	defer cancel()
	returned := make(chan struct{})
	c.work.Add(1)
	go func() { // ends when Serve has returned
		defer c.work.Done()
		select {
		case <-r.Cancelled():
			_ = r.Error(CodeCancelled, "request cancelled", nil)
			cancel()
		case <-returned:
		}
	}()
	result, err := c.o.Methods.Serve(ctx, m.Method, m.Params)
	close(returned)
	var rpc *wire.RPCError
	switch {
	case err == nil:
		_ = r.Result(result)
	case errors.As(err, &rpc):
		_ = r.Error(rpc.Code, rpc.Message, rpc.Data)
	default:
		_ = r.Error(CodeInternal, err.Error(), nil)
	}
	c.toldRequest(m, err)
}

func (c *Client) toldRequest(m wire.Message, err error) {
	if c.o.Events.Request == nil {
		return
	}
	c.order.Lock()
	defer c.order.Unlock()
	c.o.Events.Request(m, err)
}
