package acp

import (
	"context"
	"slices"
	"time"

	"github.com/acptool/acptool/wire"
)

// asking is a permission request that is not answered yet.
type asking struct {
	request   PermissionRequest
	responder *wire.Responder
	ours      bool // for a session of this connection; not so for a subagent's
	cancel    context.CancelFunc
}

// permission answers session/request_permission. On the goroutine that reads.
func (c *Client) permission(m wire.Message, r *wire.Responder) {
	c.order.Lock()
	s := c.sessions[str(asObject(m.Params)["sessionId"])]
	request, err := DecodePermission(m.Params, func(toolCallID string) string {
		if s == nil {
			return ""
		}
		return s.kinds[toolCallID]
	})
	if err == nil && c.o.Events.PermissionAsked != nil {
		c.o.Events.PermissionAsked(request)
	}
	c.order.Unlock()
	if err != nil {
		c.warn(err.Error())
		_ = r.Error(CodeInvalidParams, err.Error(), nil)
		c.toldRequest(m, err)
		return
	}
	a := &asking{request: request, responder: r, ours: s != nil}
	ctx, cancel := context.WithCancel(c.life)
	a.cancel = cancel
	c.mu.Lock()
	c.asked = append(c.asked, a)
	cancelled := c.cancelled[request.SessionID] || c.life.Err() != nil
	c.mu.Unlock()
	policy := c.o.Permission
	switch {
	case cancelled:
		c.answer(a, cancelledOutcome)
	case !policy.waits:
		c.answer(a, policy.Decide(ctx, a.request))
	default:
		c.work.Add(1)
		go func() { // ends when the person has answered or need not any more
			defer c.work.Done()
			c.answer(a, policy.Decide(ctx, a.request))
		}()
		c.work.Add(1)
		go func() { // ends when the request is answered
			defer c.work.Done()
			select {
			case <-r.Cancelled():
				c.answer(a, cancelledOutcome)
			case <-ctx.Done():
			}
		}()
	}
}

// answer answers a request unless it is answered already.
func (c *Client) answer(a *asking, o Outcome) {
	if c.settle(a, o) {
		c.toldOutcome(a, o)
	}
}

// settle sends the answer; false if there was one.
func (c *Client) settle(a *asking, o Outcome) bool {
	c.mu.Lock()
	i := slices.Index(c.asked, a)
	if i >= 0 {
		c.asked = slices.Delete(c.asked, i, i+1)
		c.settled = time.Now()
	}
	c.mu.Unlock()
	if i < 0 {
		return false
	}
	a.cancel()
	_ = a.responder.Result(o)
	return true
}

func (c *Client) toldOutcome(a *asking, o Outcome) {
	c.order.Lock()
	defer c.order.Unlock()
	if c.o.Events.PermissionOutcome != nil {
		c.o.Events.PermissionOutcome(a.request, o)
	}
}

// cancelAsked answers the pending requests that match as cancelled, all of
// them before any event is told.
func (c *Client) cancelAsked(match func(*asking) bool) {
	c.mu.Lock()
	pending := slices.Clone(c.asked)
	c.mu.Unlock()
	pending = slices.DeleteFunc(pending, func(a *asking) bool { return !match(a) || !c.settle(a, cancelledOutcome) })
	for _, a := range pending {
		c.toldOutcome(a, cancelledOutcome)
	}
}

// agentsTurn is when the agent last was given an answer to wait for no more;
// now, while a person is asked.
func (c *Client) agentsTurn() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.o.Permission.waits && len(c.asked) > 0 {
		return time.Now()
	}
	return c.settled
}
