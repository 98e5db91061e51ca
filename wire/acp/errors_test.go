package acp

import (
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

func TestErrorTexts(t *testing.T) {
	agent := &AgentError{Method: "session/new", Code: -32603, Message: "Internal error", Data: json.RawMessage(`{"a":1}`)}
	auth := func(message string) error {
		return &AuthRequiredError{Agent: &AgentError{Method: "session/new", Code: -32000, Message: message}}
	}
	tests := []struct {
		err  error
		want string
	}{
		{usagef("no %s", "x"), "no x"},
		{&UnsupportedError{What: "session/status", Capability: "capabilities.session.status", Protocol: V2}, "the agent does not offer session/status (it does not advertise capabilities.session.status)"},
		{&UnsupportedError{What: "session/load", Protocol: V2}, "protocol version 2 has no session/load"},
		{agent, `session/new: the agent answered with error -32603: Internal error (data {"a":1})`},
		{&AgentError{Code: 1, Message: "x", Data: json.RawMessage("null")}, "the agent answered with error 1: x"},
		{auth("Authentication required"), "session/new: authentication required"},
		{auth("log in, please"), "session/new: authentication required: log in, please"},
		{&UnknownSessionError{SessionID: "s", Agent: &AgentError{Method: "session/status", Code: -32002, Message: "Resource not found", Data: json.RawMessage(`{"sessionId":"s"}`)}},
			`session/status: the agent does not know session s (error -32002: Resource not found, data {"sessionId":"s"})`},
		{&ProtocolError{Method: "initialize", Message: "the answer is no object"}, "initialize: the answer is no object"},
		{&ProtocolError{Message: "a bad line"}, "a bad line"},
		{&VersionError{Ours: []int{1, 2}, Theirs: []int{3}}, "no common protocol version: we speak 1, 2, the agent 3"},
		{&TimeoutError{Phase: "initialize", After: 30 * time.Second}, "timed out after 30s in initialize"},
		{&TimeoutError{After: time.Second}, "timed out after 1s in the command"},
		{&TimeoutError{Phase: "session/prompt", After: time.Minute, Idle: true}, "timed out: nothing received for 1m0s during session/prompt"},
		{&UnreachableError{io.ErrUnexpectedEOF}, "unexpected EOF"},
		{&GoneError{Method: "session/new", Err: io.EOF}, "session/new: the agent went away: EOF"},
		{&UncertainError{Err: &GoneError{Method: "session/prompt", Err: io.EOF}}, "session/prompt: the agent went away: EOF; whether the agent took the prompt is unknown"},
		{&TerminalAuthError{Method: AuthMethod{ID: "t"}}, `login method "t" works in a terminal only`},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("%T:\n got %s\nwant %s", tt.err, got, tt.want)
		}
	}
}

func TestParseChoice(t *testing.T) {
	for s, want := range map[string]Choice{"": Auto, "auto": Auto, "1": Only1, "2": Only2} {
		if got, err := ParseChoice(s); err != nil || got != want || s != "" && got.String() != s {
			t.Errorf("%q: got %s, %v", s, got, err)
		}
	}
	var u *UsageError
	if _, err := ParseChoice("3"); !errors.As(err, &u) {
		t.Errorf("got %v", err)
	}
}

// What is lost on the way is told by kind, whatever the transport.
func TestFailuresByKind(t *testing.T) {
	c := &Client{}
	var (
		gone     *GoneError
		protocol *ProtocolError
		agent    *AgentError
	)
	tests := []struct {
		err  error
		want any
	}{
		{&wire.ClosedError{StderrTail: []byte("x")}, &gone},
		{&wire.ClosedError{Err: &wire.FrameTooLongError{}}, &protocol},
		{&wire.UndeliveredError{ID: "1", Err: io.EOF}, &gone},
		{&wire.MalformedResponseError{Method: "m", Line: []byte("{}"), Reason: "neither"}, &protocol},
		{&wire.RPCError{Code: 1}, &agent},
	}
	for _, tt := range tests {
		if err := c.failure("m", "", tt.err); !errors.As(err, tt.want) {
			t.Errorf("%T: got %T", tt.err, err)
		}
	}
	if err := c.failure("m", "", io.ErrNoProgress); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

func TestMalformedResponse(t *testing.T) {
	withAgent(t, V1, `{}`, Options{}, func(a *scripted) {
		m := a.expect("session/new")
		a.Send(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{},"error":{"code":1,"message":"x"}}`)
	}, func(t *testing.T, c *Client) {
		var p *ProtocolError
		if _, err := c.NewSession(t.Context(), cwd); !errors.As(err, &p) || len(p.Line) == 0 {
			t.Errorf("got %v", err)
		}
	})
}

// Two sessions are created at once: what came early for one is told when that
// one is known.
func TestEarlyUpdatesOfTwoSessions(t *testing.T) {
	var seen seenUpdates
	withAgent(t, V1, `{}`, Options{Events: Events{Update: seen.add}}, func(a *scripted) {
		one, two := a.expect("session/new"), a.expect("session/new")
		a.update("b", `{"sessionUpdate":"b1"}`)
		a.update("a", `{"sessionUpdate":"a1"}`)
		a.Reply(one, `{"sessionId":"a"}`)
		a.update("b", `{"sessionUpdate":"b2"}`)
		a.Reply(two, `{"sessionId":"b"}`)
	}, func(t *testing.T, c *Client) {
		done := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := c.NewSession(t.Context(), cwd)
				done <- err
			}()
		}
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
	seen.want(t, "early a1", "early b1", "early b2")
}
