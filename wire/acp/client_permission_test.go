package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

const askOptions = `[{"optionId":"n","name":"No","kind":"reject_once"},{"optionId":"y","name":"Yes","kind":"allow_once"}]`

func askParams(v Version, session string) string {
	if v == V2 {
		return fmt.Sprintf(`{"sessionId":%q,"title":"May I?","subject":{"type":"tool_call","toolCall":{"toolCallId":"c"}},"options":%s}`, session, askOptions)
	}
	return fmt.Sprintf(`{"sessionId":%q,"toolCall":{"toolCallId":"c"},"options":%s}`, session, askOptions)
}

const (
	chosenYes = `{"outcome":{"outcome":"selected","optionId":"y"}}`
	chosenNo  = `{"outcome":{"outcome":"selected","optionId":"n"}}`
	noChoice  = `{"outcome":{"outcome":"cancelled"}}`
)

// expectAnswer reads the client's answer to a request of the agent's.
func (a *scripted) expectAnswer(id, result string) {
	m := a.next()
	if string(m.ID) != id || m.Method != "" || string(m.Result) != result {
		a.t.Errorf("the client sent %s, want the answer %s to %s", m.Raw, result, id)
	}
}

func (a *scripted) expectError(id string, code int) {
	m := a.next()
	var e struct{ Code int }
	_ = json.Unmarshal(m.Error, &e)
	if string(m.ID) != id || e.Code != code {
		a.t.Errorf("the client sent %s, want error %d to %s", m.Raw, code, id)
	}
}

// finish ends a turn that was begun with m.
func (a *scripted) finish(v Version, m wire.Message, reason string) {
	if v == V1 {
		a.Reply(m, fmt.Sprintf(`{"stopReason":%q}`, reason))
		return
	}
	a.Reply(m, `{"messageId":"u"}`)
	a.state("s", fmt.Sprintf(`"state":"idle","stopReason":%q`, reason))
}

func TestP78P79PermissionByPolicy(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		for want, policy := range map[string]Policy{chosenNo: RejectAll(), chosenYes: AllowKinds("edit")} {
			var asked, answered []string
			o := Options{Permission: policy, Events: Events{
				PermissionAsked:   func(r PermissionRequest) { asked = append(asked, r.ToolKind) },
				PermissionOutcome: func(r PermissionRequest, o Outcome) { answered = append(answered, o.OptionID) },
			}}
			inSession(t, v, o, func(a *scripted) {
				m := a.expect("session/prompt")
				a.update("s", `{"sessionUpdate":"tool_call","toolCallId":"c","kind":"edit","title":"T"}`)
				// No state_update says requires_action.
				a.ask(`"a-0"`, "session/request_permission", askParams(v, "s"))
				a.expectAnswer(`"a-0"`, want)
				a.finish(v, m, "end_turn")
			}, func(t *testing.T, c *Client, s *Session) {
				if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "end_turn" {
					t.Errorf("got %+v, %v", r, err)
				}
			})
			if len(asked) != 1 || asked[0] != "edit" || len(answered) != 1 {
				t.Errorf("asked %q, answered %q", asked, answered)
			}
		}
	})
}

// Requests of the agent are answered at any time, also inside our own setup,
// and their ids are a space of their own.
func TestReverseRequestsInsideSetup(t *testing.T) {
	withAgent(t, V1, `{}`, Options{}, func(a *scripted) {
		m := a.expect("session/new")
		a.ask(string(m.ID), "session/request_permission", askParams(V1, "s"))
		a.expectAnswer(string(m.ID), chosenNo)
		a.ask("1.0", "elicitation/create", `{}`)
		a.expectError("1.0", CodeMethodNotFound)
		a.ask("9007199254740993", "_acme/frob", `{}`)
		a.expectError("9007199254740993", CodeMethodNotFound)
		a.ask("3", "session/request_permission", `{"options":7}`)
		a.expectError("3", CodeInvalidParams)
		a.Reply(m, `{"sessionId":"s"}`)
	}, func(t *testing.T, c *Client) {
		if s, err := c.NewSession(t.Context(), cwd); err != nil || s.ID != "s" {
			t.Errorf("got %+v, %v", s, err)
		}
	})
}

// waiting is a policy that waits for a person who never answers. It counts
// how often it was asked.
func waiting(asked *atomic.Int32) Policy {
	return AskWith(func(ctx context.Context, _ PermissionRequest) (string, error) {
		asked.Add(1)
		<-ctx.Done()
		return "y", nil
	})
}

func TestP94PendingPermissionsAreCancelled(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		var asked atomic.Int32
		inSession(t, v, Options{Permission: waiting(&asked)}, func(a *scripted) {
			m := a.expect("session/prompt")
			a.ask("1", "session/request_permission", askParams(v, "s"))
			a.ask("2", "session/request_permission", askParams(v, "s"))
			a.ask("3", "session/request_permission", askParams(v, "child"))
			a.expect("session/cancel")
			for _, id := range []string{"1", "2", "3"} {
				a.expectAnswer(id, noChoice)
			}
			a.ask("4", "session/request_permission", askParams(v, "s"))
			a.expectAnswer("4", noChoice)
			a.finish(v, m, "cancelled")
			m = a.expect("session/prompt")
			a.ask("5", "session/request_permission", askParams(v, "s"))
			pass(time.Second)
			a.finish(v, m, "end_turn")
		}, func(t *testing.T, c *Client, s *Session) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(errStop) })
			if r, err := c.Prompt(ctx, s, text("x")); !errors.Is(err, errStop) || r.StopReason != "cancelled" {
				t.Errorf("got %+v, %v", r, err)
			}
			// A new turn is asked about anew.
			if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "end_turn" {
				t.Errorf("got %+v, %v", r, err)
			}
		})
		if n := asked.Load(); n != 4 { // all but the one after the cancel
			t.Errorf("asked %d times", n)
		}
	})
}

func TestCancelledRequestsAreAnswered(t *testing.T) {
	serve := &served{}
	inSession(t, V1, Options{Permission: waiting(new(atomic.Int32)), Methods: serve}, func(a *scripted) {
		m := a.expect("session/prompt")
		a.ask("1", "session/request_permission", askParams(V1, "s"))
		a.Send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
		a.expectAnswer("1", noChoice)
		a.ask("2", "terminal/wait_for_exit", `{"hang":true}`)
		a.Send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":2}}`)
		a.expectError("2", CodeCancelled)
		a.finish(V1, m, "end_turn")
	}, func(t *testing.T, c *Client, s *Session) {
		if _, err := c.Prompt(t.Context(), s, text("x")); err != nil {
			t.Error(err)
		}
	})
}

func TestSilenceWhileAPersonIsAsked(t *testing.T) {
	ask := AskWith(func(ctx context.Context, _ PermissionRequest) (string, error) {
		pass(time.Hour)
		return "y", nil
	})
	inSession(t, V1, Options{Permission: ask, IdleTimeout: time.Minute}, func(a *scripted) {
		m := a.expect("session/prompt")
		a.ask("1", "session/request_permission", askParams(V1, "s"))
		a.expectAnswer("1", chosenYes)
		a.finish(V1, m, "end_turn")
	}, func(t *testing.T, c *Client, s *Session) {
		if _, err := c.Prompt(t.Context(), s, text("x")); err != nil {
			t.Error(err)
		}
	})
}

// served is ClientMethods for the tests.
type served struct {
	mu    sync.Mutex
	calls []string
}

func (s *served) Advertise() (map[string]any, []string) {
	return map[string]any{"fs": map[string]any{"readTextFile": true}, "terminal": true}, []string{"fs/read_text_file", "terminal/wait_for_exit"}
}

func (s *served) Serve(ctx context.Context, method string, params json.RawMessage) (any, error) {
	s.mu.Lock()
	s.calls = append(s.calls, method)
	s.mu.Unlock()
	o := asObject(params)
	switch {
	case o["hang"] != nil:
		<-ctx.Done()
		return nil, ctx.Err()
	case o["refuse"] != nil:
		return nil, &wire.RPCError{Code: CodeNotFound, Message: "no such file"}
	case o["fail"] != nil:
		return nil, errors.New("disk on fire")
	}
	return map[string]string{"content": "hello"}, nil
}

func TestP83ClientMethodsOnlyIfAdvertised(t *testing.T) {
	serve := &served{}
	var told []string
	o := Options{Methods: serve, Events: Events{Request: func(m wire.Message, err error) { told = append(told, m.Method) }}}
	script := func(v Version) func(*scripted) {
		return func(a *scripted) {
			m := a.expect("session/prompt")
			for i, ask := range []struct {
				method, params string
				code           int
			}{
				{"fs/read_text_file", `{}`, 0},
				{"fs/read_text_file", `{"refuse":1}`, CodeNotFound},
				{"fs/read_text_file", `{"fail":1}`, CodeInternal},
				{"fs/write_text_file", `{}`, CodeMethodNotFound},
				{"elicitation/create", `{}`, CodeMethodNotFound},
			} {
				id := fmt.Sprint(i)
				a.ask(id, ask.method, ask.params)
				switch {
				case v == V2:
					a.expectError(id, CodeMethodNotFound)
				case ask.code == 0:
					a.expectAnswer(id, `{"content":"hello"}`)
				default:
					a.expectError(id, ask.code)
				}
			}
			a.finish(v, m, "end_turn")
		}
	}
	both(t, func(t *testing.T, v Version) {
		serve.calls, told = nil, nil
		inSession(t, v, o, script(v), func(t *testing.T, c *Client, s *Session) {
			if _, err := c.Prompt(t.Context(), s, text("x")); err != nil {
				t.Error(err)
			}
		})
		if want := map[Version]int{V1: 3, V2: 0}[v]; len(serve.calls) != want || len(told) != 5 {
			t.Errorf("served %q, told %q", serve.calls, told)
		}
	})
	params, err := InitializeParams(Auto, us, serve, nil)
	caps := asObject(asObject(params)["clientCapabilities"])
	if err != nil || string(caps["fs"]) != `{"readTextFile":true}` || string(caps["terminal"]) != "true" {
		t.Errorf("advertised %s, %v", params, err)
	}
}
