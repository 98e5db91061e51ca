package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/acptool/acptool/wire"
)

// Status asks session/status and nothing else. An unknown session is an
// *UnknownSessionError.
func (c *Client) Status(ctx context.Context, sessionID string) (SessionStatus, error) {
	result, err := c.request(ctx, "session/status", sessionID, struct {
		SessionID string `json:"sessionId"`
	}{sessionID}, nil)
	if err != nil {
		return SessionStatus{}, err
	}
	return DecodeSessionStatus(c.peer.Protocol, result)
}

// AuthStatus asks auth/status.
func (c *Client) AuthStatus(ctx context.Context) (AuthStatus, error) {
	result, err := c.request(ctx, "auth/status", "", struct{}{}, nil)
	if err != nil {
		return AuthStatus{}, err
	}
	return DecodeAuthStatus(result)
}

// ProbeResult is what trying session/new told of the authentication. That a
// session could be created proves nothing (auth-status RFD, "Unreliable
// detection").
type ProbeResult struct {
	AuthRequired *AuthRequiredError // session/new was answered -32000
	SessionID    string             // the session that was created, "" if none
	Closed       bool               // and closed again
}

// Probe tries session/new and closes that session if the agent can. It never
// logs in.
func (c *Client) Probe(ctx context.Context, s Setup) (ProbeResult, error) {
	session, err := c.newSession(ctx, s)
	var required *AuthRequiredError
	if errors.As(err, &required) {
		return ProbeResult{AuthRequired: required}, nil
	}
	if err != nil {
		return ProbeResult{}, err
	}
	r := ProbeResult{SessionID: session.ID}
	if c.peer.Offers("session/close") == nil {
		// An error here changes nothing about the answer.
		_, err := c.CloseSession(ctx, session.ID)
		r.Closed = err == nil
	}
	return r, nil
}

// Authenticate logs in with a method of the agent's; it is called only when
// the user asked for it. A method that runs in a terminal is a
// *TerminalAuthError and never passed on.
func (c *Client) Authenticate(ctx context.Context, methodID string) error {
	var names []string
	for _, m := range c.peer.AuthMethods {
		if m.ID != methodID {
			names = append(names, m.ID)
			continue
		}
		if m.Terminal() {
			return &TerminalAuthError{Method: m, Command: terminalCommand(c.conn.Transport().Address(), m)}
		}
		method := "authenticate"
		if c.peer.Protocol == V2 {
			method = "auth/login"
		}
		_, err := c.request(ctx, method, "", struct {
			MethodID string `json:"methodId"`
		}{methodID}, nil)
		return err
	}
	e := usagef("the agent has no login method %q", methodID)
	if e.Hint = "the agent offers none"; len(names) > 0 {
		e.Hint = "the agent offers: " + strings.Join(names, ", ")
	}
	return e
}

// terminalCommand is the line to run for a method of type terminal: the
// agent's own command with the method's arguments added.
func terminalCommand(address string, m AuthMethod) string {
	var b strings.Builder
	names := make([]string, 0, len(m.Env))
	for name := range m.Env {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(&b, "%s=%s ", name, wire.Quote(m.Env[name]))
	}
	b.WriteString(address)
	for _, arg := range m.Args {
		b.WriteByte(' ')
		b.WriteString(wire.Quote(arg))
	}
	return b.String()
}

// Logout logs out: logout in version 1, auth/logout in version 2.
func (c *Client) Logout(ctx context.Context) (json.RawMessage, error) {
	method := "logout"
	if c.peer.Protocol == V2 {
		method = "auth/logout"
	}
	return c.request(ctx, method, "", struct{}{}, nil)
}
