package acp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/acptool/acptool/wire"
)

const (
	cancelPatience = 5 * time.Second // for the confirmed end of a cancelled turn
	drainAtMost    = 2 * time.Second
)

// TurnResult is how a turn ended.
type TurnResult struct {
	SessionID  string          `json:"sessionId"`
	StopReason string          `json:"stopReason"`      // as it came; "" if none was given
	Usage      json.RawMessage `json:"usage,omitempty"` // as it came, or nil
	MessageID  string          `json:"-"`               // v2: the id the agent gave to the prompt
	Error      *AgentError     `json:"-"`               // the error object that came with an idle of reason "error"
	Ended      bool            `json:"-"`               // the agent said that the turn has ended
}

// activeTurn is a prompt that was sent.
type activeTurn struct {
	turn     *Turn
	answered bool
	over     bool
	done     chan struct{} // closed when over
}

// settle closes done once the turn has ended. With order held.
func (a *activeTurn) settle() {
	if _, ended := a.turn.Done(); ended && !a.over {
		a.over = true
		close(a.done)
	}
}

// Prompt sends one prompt and follows its turn to the end, late updates
// included. When ctx ends first, session/cancel is sent and the confirmed end
// awaited for up to 5 s; the result then holds what is known, and the error is
// ctx's cause. A lost answer is an *UncertainError; a prompt is never sent
// twice but after -32000 with Options.Auth, which says that it was not taken.
func (c *Client) Prompt(ctx context.Context, s *Session, blocks []json.RawMessage) (TurnResult, error) {
	if err := c.peer.Offers("session/prompt"); err != nil {
		return TurnResult{}, err
	}
	if err := c.peer.Caps.CheckBlocks(blocks); err != nil {
		return TurnResult{}, err
	}
	if len(blocks) == 0 {
		return TurnResult{}, usagef("the prompt is empty")
	}
	var result TurnResult
	err := c.withAuth(ctx, func() (err error) {
		result, err = c.promptOnce(ctx, s, blocks)
		return err
	})
	return result, err
}

func (c *Client) promptOnce(ctx context.Context, s *Session, blocks []json.RawMessage) (TurnResult, error) {
	const method = "session/prompt"
	ctx, stop := c.watchSilence(ctx, method)
	defer stop()
	if ctx.Err() != nil {
		return TurnResult{SessionID: s.ID}, ended(ctx, method)
	}
	params, err := encode(struct {
		SessionID string            `json:"sessionId"`
		Prompt    []json.RawMessage `json:"prompt"`
	}{s.ID, blocks})
	if err != nil {
		return TurnResult{}, err
	}
	a, p, err := c.startTurn(s, params)
	if err != nil {
		return TurnResult{SessionID: s.ID}, c.failure(method, s.ID, err)
	}
	err = c.awaitTurn(ctx, s, a, p)
	if err == nil && c.o.Drain > 0 {
		c.drain(ctx)
	}
	c.order.Lock()
	defer c.order.Unlock()
	s.phase = Between
	result := TurnResult{SessionID: s.ID, MessageID: a.turn.MessageID(), Usage: a.turn.Usage()}
	reason, ended := a.turn.Done()
	result.StopReason, result.Ended = string(reason), ended
	if object := asObject(a.turn.Err()); object != nil && err == nil {
		result.Error = agentError(method, object)
	}
	for _, w := range a.turn.Warnings() {
		c.warn(method + ": " + w.String())
	}
	return result, err
}

// startTurn sends the prompt and begins its turn at that very moment, so that
// each update counts as before or after it.
func (c *Client) startTurn(s *Session, params json.RawMessage) (*activeTurn, *wire.Pending, error) {
	c.mu.Lock()
	delete(c.cancelled, s.ID)
	c.mu.Unlock()
	c.order.Lock()
	defer c.order.Unlock()
	if s.turn != nil && !s.turn.over && s.phase == InTurn {
		return nil, nil, errors.New("a turn is running already")
	}
	a := &activeTurn{turn: NewTurn(c.peer.Protocol), done: make(chan struct{})}
	a.turn.Prior(s.state)
	s.turn, s.phase = a, InTurn
	p, err := c.conn.StartFunc("session/prompt", params, func(m wire.Message, err error) {
		c.order.Lock()
		defer c.order.Unlock()
		var rpc *wire.RPCError
		switch {
		case err == nil:
			a.turn.Result(m.Result)
		case errors.As(err, &rpc):
			object, _ := encode(rpc)
			a.turn.Failed(object)
		default:
			return
		}
		a.answered = true
		a.settle()
		if a.over && s.turn == a {
			s.phase = Late
		}
	})
	if err != nil {
		s.phase = Between
	}
	return a, p, err
}

// awaitTurn waits for the answer and for the end of the turn.
func (c *Client) awaitTurn(ctx context.Context, s *Session, a *activeTurn, p *wire.Pending) error {
	const method = "session/prompt"
	if !answered(ctx, p) {
		c.cancelTurn(s, a)
		p.Forget()
		return ended(ctx, method)
	}
	if _, err := p.Wait(ctx); err != nil {
		err = c.failure(method, s.ID, err)
		var gone *GoneError
		if errors.As(err, &gone) {
			return &UncertainError{SessionID: s.ID, Err: err}
		}
		return err
	}
	// "A successful prompt response is not an idle signal" (v2 prompt
	// lifecycle): the end comes by the turn.
	select {
	case <-a.done:
		return nil
	case <-ctx.Done():
		c.cancelTurn(s, a)
		return ended(ctx, method)
	case <-c.conn.Done():
	}
	select {
	case <-a.done:
		return nil
	default:
		return c.failure(method, s.ID, c.conn.Err())
	}
}

// cancelTurn sends session/cancel and waits for the end that confirms it:
// "Agents MUST … report the semantically meaningful cancelled stop reason …,
// so that Clients can reliably confirm the cancellation".
func (c *Client) cancelTurn(s *Session, a *activeTurn) {
	patience, cancel := context.WithTimeout(context.Background(), cancelPatience)
	defer cancel()
	if c.Cancel(patience, s.ID) != nil {
		return
	}
	select {
	case <-a.done:
	case <-c.conn.Done():
	case <-patience.Done():
	}
}

// Cancel sends session/cancel for a session, and answers its pending permission
// requests, and those still to come in this turn, as cancelled: "The Client
// MUST respond to all pending session/request_permission requests with the
// cancelled outcome".
func (c *Client) Cancel(ctx context.Context, sessionID string) error {
	const method = "session/cancel"
	if err := c.peer.Offers(method); err != nil {
		return err
	}
	c.mu.Lock()
	c.cancelled[sessionID] = true
	c.mu.Unlock()
	err := c.conn.Notify(method, struct {
		SessionID string `json:"sessionId"`
	}{sessionID})
	if err != nil {
		return c.failure(method, sessionID, err)
	}
	c.cancelAsked(func(a *asking) bool { return a.request.SessionID == sessionID || !a.ours })
	return c.flush(ctx, method)
}

// drain waits until nothing came for Options.Drain, 2 s at most.
func (c *Client) drain(ctx context.Context) {
	start := time.Now()
	for {
		last := latest(start, c.conn.LastReceived())
		rest := min(time.Until(last.Add(c.o.Drain)), time.Until(start.Add(drainAtMost)))
		if rest <= 0 {
			return
		}
		timer := time.NewTimer(rest)
		select {
		case <-timer.C:
		case <-c.conn.Done():
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return
		}
		select {
		case <-c.conn.Done():
			return
		default:
		}
	}
}

// agentError reads a JSON-RPC error object.
func agentError(method string, o object) *AgentError {
	e := &AgentError{Method: method, Message: str(o["message"]), Data: o["data"]}
	_ = json.Unmarshal(o["code"], &e.Code)
	return e
}
