package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/wiretest"
)

// connectTo connects to agents that follow scripts, one per connection.
func connectTo(t *testing.T, o Options, scripts ...func(*scripted)) (c *Client, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var wait sync.WaitGroup
		dialled := 0
		c, err = Connect(t.Context(), func(context.Context) (wire.Transport, error) {
			if dialled == len(scripts) {
				t.Error("dialled too often")
				return nil, errors.New("no more agents")
			}
			client, end := wiretest.Pipe()
			script := scripts[dialled]
			dialled++
			wait.Go(func() {
				a := &scripted{End: end, t: t}
				script(a)
				for {
					a.next()
				}
			})
			return client, nil
		}, o)
		if c != nil {
			_ = c.Close(context.Background())
		}
		wait.Wait()
		if dialled != len(scripts) {
			t.Errorf("dialled %d times, want %d", dialled, len(scripts))
		}
	})
	return c, err
}

func offered(m wire.Message) string { return string(asObject(m.Params)["protocolVersion"]) }

func TestConnectBothVersions(t *testing.T) {
	for _, v := range []Version{V1, V2} {
		c, err := connectTo(t, Options{}, func(a *scripted) {
			if m := a.initialize(v, `{}`); offered(m) != "2" {
				t.Errorf("offered %s", m.Params)
			}
		})
		if err != nil || c.Peer().Protocol != v {
			t.Errorf("version %d: got %+v, %v", v, c, err)
		}
	}
}

func TestConnectRetriesWithVersion1(t *testing.T) {
	refuse := func(a *scripted) { a.ReplyError(a.expect("initialize"), -32602, "Invalid params", "") }
	c, err := connectTo(t, Options{}, refuse, func(a *scripted) {
		if m := a.initialize(V1, `{}`); offered(m) != "1" || asObject(m.Params)["info"] != nil {
			t.Errorf("offered %s", m.Params)
		}
	})
	if err != nil || c.Peer().Protocol != V1 {
		t.Errorf("got %v", err)
	}
	_, err = connectTo(t, Options{}, refuse, refuse)
	var agent *AgentError
	if !errors.As(err, &agent) || agent.Code != -32602 || agent.Method != "initialize" {
		t.Errorf("refused twice: %v", err)
	}
	for _, o := range []Options{{Protocol: Only1}, {Protocol: Only2}, {InitParams: json.RawMessage(`{"protocolVersion":7}`)}} {
		if _, err := connectTo(t, o, refuse); !errors.As(err, &agent) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestConnectVersionsNamed(t *testing.T) {
	refuse := func(data string) func(*scripted) {
		return func(a *scripted) { a.ReplyError(a.expect("initialize"), CodeUnsupportedVersion, "no", data) }
	}
	_, err := connectTo(t, Options{}, refuse(`{"requested":2,"supported":[3,4]}`))
	if err == nil || err.Error() != "no common protocol version: we speak 1, 2, the agent 3, 4" {
		t.Errorf("got %v", err)
	}
	_, err = connectTo(t, Options{Protocol: Only2}, refuse(`{"requested":2,"supported":[1]}`))
	if err == nil || err.Error() != "no common protocol version: we speak 2, the agent 1" {
		t.Errorf("got %v", err)
	}
	_, err = connectTo(t, Options{}, refuse(``), refuse(``))
	if err == nil || err.Error() != "no common protocol version: we speak 1, 2, the agent did not say which" {
		t.Errorf("got %v", err)
	}
	c, err := connectTo(t, Options{}, refuse(`{"supported":[1]}`), func(a *scripted) { a.initialize(V1, `{}`) })
	if err != nil || c.Peer().Protocol != V1 {
		t.Errorf("got %v", err)
	}
}

func TestConnectEchoAgent(t *testing.T) {
	var warned []string
	o := Options{Events: Events{Warn: func(s string) { warned = append(warned, s) }}}
	c, err := connectTo(t, o, func(a *scripted) {
		a.answer("initialize", `{"protocolVersion":2,"agentCapabilities":{"loadSession":true}}`)
	})
	if err != nil || c.Peer().Protocol != V1 || !c.Peer().Caps.Load() || len(warned) != 1 {
		t.Errorf("got %v, warned %q", err, warned)
	}
}

func TestConnectToOtherServers(t *testing.T) {
	_, err := connectTo(t, Options{}, func(a *scripted) {
		a.answer("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{}}`)
	})
	var p *ProtocolError
	if !errors.As(err, &p) || !strings.Contains(p.Message, "Model Context Protocol") {
		t.Errorf("MCP: %v", err)
	}
	noise := 0
	_, err = connectTo(t, Options{Noise: func([]byte) { noise++ }}, func(a *scripted) {
		a.expect("initialize")
		a.Send("Content-Length: 52\r")
	})
	if !errors.As(err, &p) || !strings.Contains(p.Message, "Language Server Protocol") || noise != 1 {
		t.Errorf("LSP: %v, %d lines of noise", err, noise)
	}
}

func TestConnectFailures(t *testing.T) {
	bad := errors.New("no such program")
	_, err := Connect(t.Context(), func(context.Context) (wire.Transport, error) { return nil, bad }, Options{})
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) || !errors.Is(err, bad) {
		t.Errorf("got %v", err)
	}
	var gone *GoneError
	_, err = connectTo(t, Options{}, func(a *scripted) {
		a.Stderr("cannot start\n")
		a.Die(wire.Exit{Code: 3})
	})
	if !errors.As(err, &gone) || gone.Method != "initialize" || string(gone.Stderr) != "cannot start\n" {
		t.Errorf("got %v", err)
	}
}

func TestTimeoutsNameThePhase(t *testing.T) {
	_, err := connectTo(t, Options{InitTimeout: 30 * time.Second}, nothing)
	var timeout *TimeoutError
	if !errors.As(err, &timeout) || timeout.Phase != "initialize" || timeout.After != 30*time.Second || timeout.Idle {
		t.Errorf("got %v", err)
	}
	_, err = connectTo(t, Options{IdleTimeout: time.Second}, nothing)
	if !errors.As(err, &timeout) || timeout.Phase != "initialize" || timeout.After != time.Second || !timeout.Idle {
		t.Errorf("got %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		_, err := Connect(t.Context(), func(ctx context.Context) (wire.Transport, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, Options{InitTimeout: time.Second})
		if !errors.As(err, &timeout) || timeout.Phase != "connect" {
			t.Errorf("got %v", err)
		}
	})
	withAgent(t, V1, `{}`, Options{}, nothing, func(t *testing.T, c *Client) {
		ctx, cancel := WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := c.NewSession(ctx, cwd)
		if !errors.As(err, &timeout) || timeout.Phase != "session/new" || timeout.After != 10*time.Second {
			t.Errorf("got %v", err)
		}
	})
}

// Silence ends a wait only after it has lasted the whole limit since the last
// line.
func TestIdleTimeoutIsSinceTheLastLine(t *testing.T) {
	o := Options{IdleTimeout: 10 * time.Second}
	withAgent(t, V1, `{}`, o, func(a *scripted) {
		m := a.expect("session/new")
		for range 5 {
			pass(9 * time.Second)
			a.Send(`still here`)
		}
		a.Reply(m, `{"sessionId":"s"}`)
		a.expect("session/prompt")
		pass(9 * time.Second)
		a.Send("and here")
	}, func(t *testing.T, c *Client) {
		s, err := c.NewSession(t.Context(), cwd)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err = c.Prompt(t.Context(), s, text("hello"))
		var timeout *TimeoutError
		if !errors.As(err, &timeout) || !timeout.Idle || timeout.Phase != "session/prompt" {
			t.Errorf("got %v", err)
		}
		// 9 s, 10 s of silence, and 5 s for the confirmed end that never came.
		if took := time.Since(start); took != 24*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestU02NothingBeforeInitializeIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, end := wiretest.Pipe()
		a := &scripted{End: end, t: t}
		var wait sync.WaitGroup
		answered := false
		wait.Go(func() {
			m := a.expect("initialize")
			pass(20 * time.Second)
			answered = true
			a.Reply(m, fmt.Sprintf(result1, `{}`))
			a.expect("session/new")
			if !answered {
				t.Error("session/new came before the answer")
			}
		})
		c, err := Connect(t.Context(), func(context.Context) (wire.Transport, error) { return client, nil }, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !answered {
			t.Error("connected before the answer")
		}
		ctx, cancel := WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, _ = c.NewSession(ctx, cwd)
		_ = c.Close(context.Background())
		wait.Wait()
	})
}

func TestCallAndNotify(t *testing.T) {
	sent := withAgent(t, V1, `{"_meta":{"acme":{}}}`, Options{}, func(a *scripted) {
		a.answer("_acme/ping", `{"pong":1.50}`)
		a.answer("session/frob", `null`)
		a.ReplyError(a.expect("_acme/ping"), 1234, "no", `{"why":"x"}`)
	}, func(t *testing.T, c *Client) {
		ctx := t.Context()
		got, err := c.Call(ctx, "_acme/ping", json.RawMessage(`{"b":2,"a":1}`), false)
		if err != nil || string(got) != `{"pong":1.50}` {
			t.Errorf("got %s, %v", got, err)
		}
		var u *UnsupportedError
		if _, err := c.Call(ctx, "session/frob", nil, false); !errors.As(err, &u) {
			t.Errorf("got %v", err)
		}
		if err := c.Notify(ctx, "session/frob", nil, false); !errors.As(err, &u) {
			t.Errorf("got %v", err)
		}
		if _, err := c.Call(ctx, "session/frob", nil, true); err != nil {
			t.Error(err)
		}
		var agent *AgentError
		if _, err := c.Call(ctx, "_acme/ping", nil, false); !errors.As(err, &agent) || agent.Code != 1234 || string(agent.Data) != `{"why":"x"}` {
			t.Errorf("got %v", err)
		}
		if err := c.Notify(ctx, "_acme/tick", json.RawMessage(`{"n":1}`), false); err != nil {
			t.Error(err)
		}
		var usage *UsageError
		if _, err := c.Call(ctx, "initialize", nil, true); !errors.As(err, &usage) {
			t.Errorf("got %v", err)
		}
	})
	wantSent(t, sent, "_acme/ping", "session/frob", "_acme/ping", "_acme/tick")
	if string(sent[0].Params) != `{"b":2,"a":1}` || sent[1].Params != nil || string(sent[3].Params) != `{"n":1}` {
		t.Errorf("params %s, %s, %s", sent[0].Params, sent[1].Params, sent[3].Params)
	}
}

func TestUnknownSessionIsToldByItsData(t *testing.T) {
	tests := map[string]bool{
		``: true, `null`: true, `{}`: true,
		`{"sessionId":"s-1"}`: true, `{"sessionId":"other"}`: false,
		`{"uri":"s-1"}`: true, `{"uri":"acp://session/s-1"}`: true, `{"uri":"file:///a"}`: false,
		`{"path":"/a"}`: false, `{"details":"Session not found"}`: true, `{"sessionId":"s-1","path":"/a"}`: true,
		`"session s-1"`: true, `"not found"`: true, `"/a/b"`: false, `[1]`: true, `7`: true,
	}
	for data, want := range tests {
		if got := namesOnlySession(json.RawMessage(data), "s-1"); got != want {
			t.Errorf("%s: got %v", data, got)
		}
	}
}
