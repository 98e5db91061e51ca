package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/acptool/acptool/wire"
)

// request sends a request that the agent advertised, and nothing otherwise:
// "Clients MUST NOT call session/status unless the Agent advertises this
// capability" (session-status RFD), and so for every method.
func (c *Client) request(ctx context.Context, method, sessionID string, params any, on func(json.RawMessage) error) (json.RawMessage, error) {
	if err := c.peer.Offers(method); err != nil {
		return nil, err
	}
	return c.send(ctx, method, sessionID, params, on)
}

// send sends a request and waits for its result. on, if given, sees the result
// first, on the goroutine that reads, so in its place in the order of the
// wire; its error fails the request.
func (c *Client) send(ctx context.Context, method, sessionID string, params any, on func(json.RawMessage) error) (json.RawMessage, error) {
	ctx, stop := c.watchSilence(ctx, method)
	defer stop()
	if ctx.Err() != nil {
		return nil, ended(ctx, method)
	}
	var refused error
	p, err := c.conn.StartFunc(method, params, func(m wire.Message, err error) {
		if err == nil && on != nil {
			refused = on(m.Result)
		}
	})
	if err != nil {
		return nil, c.failure(method, sessionID, err)
	}
	if !answered(ctx, p) {
		p.Forget()
		return nil, ended(ctx, method)
	}
	m, err := p.Wait(ctx)
	if err != nil {
		return nil, c.failure(method, sessionID, err)
	}
	return m.Result, refused
}

// answered waits for the response; false if ctx ended first.
func answered(ctx context.Context, p *wire.Pending) bool {
	select {
	case <-p.Done():
		return true
	case <-ctx.Done():
	}
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}

// watchSilence gives a context that ends when nothing was received for
// IdleTimeout. While a person is asked for permission, silence is ours and
// does not count.
func (c *Client) watchSilence(ctx context.Context, phase string) (context.Context, func()) {
	limit := c.o.IdleTimeout
	ctx, cancel := context.WithCancelCause(ctx)
	if limit <= 0 {
		return ctx, func() { cancel(nil) }
	}
	start := time.Now()
	go func() { // ends with ctx
		timer := time.NewTimer(limit)
		defer timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
			last := latest(start, c.conn.LastReceived(), c.agentsTurn())
			rest := limit - time.Since(last)
			if rest <= 0 {
				cancel(&TimeoutError{Phase: phase, After: limit, Idle: true})
				return
			}
			timer.Reset(rest)
		}
	}()
	return ctx, func() { cancel(nil) }
}

func latest(times ...time.Time) time.Time {
	return slices.MaxFunc(times, time.Time.Compare)
}

// ended is the error for a context that ended in a phase.
func ended(ctx context.Context, phase string) error {
	cause := context.Cause(ctx)
	var t *TimeoutError
	if errors.As(cause, &t) && t.Phase == "" {
		return &TimeoutError{Phase: phase, After: t.After, Idle: t.Idle}
	}
	return cause
}

// failure classifies what went wrong with a request.
func (c *Client) failure(method, sessionID string, err error) error {
	var (
		rpc       *wire.RPCError
		closed    *wire.ClosedError
		lost      *wire.UndeliveredError
		malformed *wire.MalformedResponseError
		tooLong   *wire.FrameTooLongError
	)
	switch {
	case errors.As(err, &rpc):
		return c.refusal(method, sessionID, rpc)
	case errors.As(err, &malformed):
		return &ProtocolError{Method: method, Message: malformed.Reason, Line: malformed.Line}
	case errors.As(err, &tooLong):
		return &ProtocolError{Method: method, Message: tooLong.Error()}
	case errors.As(err, &closed):
		if method == "initialize" && closed.Err != nil {
			// Over HTTP the first request is what connects.
			var dial *wire.DialError
			var other *wire.NotACPError
			if errors.As(closed.Err, &dial) || errors.As(closed.Err, &other) {
				return &UnreachableError{closed.Err}
			}
		}
		return &GoneError{Method: method, Err: closed, Stderr: closed.StderrTail}
	case errors.As(err, &lost):
		return &GoneError{Method: method, Err: lost}
	}
	return fmt.Errorf("%s: %w", method, err)
}

// refusal classifies an error answer.
func (c *Client) refusal(method, sessionID string, rpc *wire.RPCError) error {
	e := &AgentError{Method: method, Code: rpc.Code, Message: rpc.Message, Data: rpc.Data}
	switch {
	case rpc.Code == CodeAuthRequired:
		return &AuthRequiredError{Agent: e, Methods: c.peer.AuthMethods}
	case rpc.Code == CodeNotFound && sessionID != "" && namesOnlySession(rpc.Data, sessionID):
		return &UnknownSessionError{SessionID: sessionID, Agent: e}
	}
	return e
}

// namesOnlySession says whether the data of a -32002 is about the session and
// nothing else: version 1 agents use the code for files too, the RFD puts the
// session's id in data.sessionId, the SDK in data.uri.
func namesOnlySession(data json.RawMessage, sessionID string) bool {
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return true
	}
	switch data[0] {
	case '"':
		s := str(data)
		return strings.Contains(s, sessionID) || !strings.ContainsAny(s, "/\\")
	case '{':
	default:
		return true
	}
	o := asObject(data)
	if raw, ok := o["sessionId"]; ok && string(raw) != "null" {
		return str(raw) == sessionID
	}
	for _, name := range []string{"uri", "url", "path", "file", "filePath", "filename", "resource", "resourceUri", "terminalId", "toolCallId", "messageId"} {
		if raw, ok := o[name]; ok && string(raw) != "null" && !strings.Contains(str(raw), sessionID) {
			return false
		}
	}
	return true
}

// withAuth makes a request and, if it is answered -32000 and the user named a
// login method, logs in and makes it once more. "Never a login unasked."
func (c *Client) withAuth(ctx context.Context, make func() error) error {
	err := make()
	var required *AuthRequiredError
	if c.o.Auth == "" || !errors.As(err, &required) {
		return err
	}
	if err := c.Authenticate(ctx, c.o.Auth); err != nil {
		return err
	}
	return make()
}

// Call sends any request. Unless unadvertised, a method that the agent does
// not offer is an *UnsupportedError and not sent.
func (c *Client) Call(ctx context.Context, method string, params json.RawMessage, unadvertised bool) (json.RawMessage, error) {
	if method == "initialize" {
		return nil, usagef("initialize was sent already: there is one per connection")
	}
	if !unadvertised {
		if err := c.peer.Offers(method); err != nil {
			return nil, err
		}
	}
	var out json.RawMessage
	err := c.withAuth(ctx, func() (err error) {
		out, err = c.send(ctx, method, str(asObject(params)["sessionId"]), orNil(params), nil)
		return err
	})
	return out, err
}

// Notify sends any notification and returns when it was written.
func (c *Client) Notify(ctx context.Context, method string, params json.RawMessage, unadvertised bool) error {
	if !unadvertised {
		if err := c.peer.Offers(method); err != nil {
			return err
		}
	}
	if err := c.conn.Notify(method, orNil(params)); err != nil {
		return c.failure(method, "", err)
	}
	return c.flush(ctx, method)
}

func (c *Client) flush(ctx context.Context, method string) error {
	if err := c.conn.Flush(ctx); err != nil {
		if ctx.Err() != nil {
			return ended(ctx, method)
		}
		return c.failure(method, "", err)
	}
	return nil
}

// orNil keeps an empty RawMessage from being sent as params.
func orNil(params json.RawMessage) any {
	if len(params) == 0 {
		return nil
	}
	return params
}
