package acp

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

// Two sessions whose turns interleave on one connection end each by its own.
func TestU01P33SessionsApart(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		withAgent(t, v, capsAll(v), Options{}, func(a *scripted) {
			a.answer("session/new", `{"sessionId":"one"}`)
			a.answer("session/new", `{"sessionId":"two"}`)
			prompts := map[string]wire.Message{}
			for range 2 {
				m := a.expect("session/prompt")
				prompts[str(asObject(m.Params)["sessionId"])] = m
			}
			for _, end := range [][2]string{{"two", "refusal"}, {"one", "max_tokens"}} {
				id, reason := end[0], end[1]
				if v == V1 {
					a.Reply(prompts[id], `{"stopReason":"`+reason+`"}`)
				} else {
					a.Reply(prompts[id], `{"messageId":"`+id+`"}`)
					a.state(id, `"state":"running"`)
					a.state(id, `"state":"idle","stopReason":"`+reason+`"`)
				}
				pass(time.Second)
			}
		}, func(t *testing.T, c *Client) {
			var sessions []*Session
			for range 2 {
				s, err := c.NewSession(t.Context(), cwd)
				if err != nil {
					t.Fatal(err)
				}
				sessions = append(sessions, s)
			}
			results := make(chan TurnResult, 2)
			for _, s := range sessions {
				go func() {
					r, err := c.Prompt(context.Background(), s, text("the same"))
					if err != nil {
						t.Error(err)
					}
					results <- r
				}()
			}
			want := map[string]string{"one": "max_tokens", "two": "refusal"}
			for _, id := range []string{"two", "one"} {
				if r := <-results; r.SessionID != id || r.StopReason != want[id] {
					t.Errorf("got %+v", r)
				}
			}
		})
	})
}

// Nothing is sent back for a notice or any other update, and none of these
// ends a turn.
func TestP57P87P90NothingFollowsAnUpdate(t *testing.T) {
	sent := inSession(t, V2, Options{}, func(a *scripted) {
		a.answer("session/prompt", `{"messageId":"u"}`)
		a.state("s", `"state":"running"`)
		for _, update := range []string{
			`{"sessionUpdate":"notice","severity":"error","title":"All is lost"}`,
			`{"sessionUpdate":"subagent_update","sessionId":"child","state":{"state":"idle","stopReason":"end_turn"}}`,
			`{"sessionUpdate":"compaction_update","compactionId":"c","status":"completed"}`,
			`{"sessionUpdate":"state_update","state":"unknown"}`,
			`{"sessionUpdate":"state_update","state":7}`,
			`{"sessionUpdate":"_later","state":"idle","stopReason":"end_turn"}`,
		} {
			a.update("s", update)
		}
		a.state("child", `"state":"idle","stopReason":"end_turn"`)
		pass(time.Minute)
		a.state("s", `"state":"idle","stopReason":"refusal"`)
	}, func(t *testing.T, c *Client, s *Session) {
		start := time.Now()
		r, err := c.Prompt(t.Context(), s, text("x"))
		if took := time.Since(start); err != nil || r.StopReason != "refusal" || took != time.Minute {
			t.Errorf("got %+v, %v after %s", r, err, took)
		}
	})
	wantSent(t, sent, "session/prompt")
}

// A permission request stays open while the state is unknown.
func TestP90UnknownResolvesNothing(t *testing.T) {
	var asked atomic.Int32
	answered := 0
	o := Options{Permission: waiting(&asked), Events: Events{PermissionOutcome: func(PermissionRequest, Outcome) { answered++ }}}
	inSession(t, V2, o, func(a *scripted) {
		a.answer("session/prompt", `{"messageId":"u"}`)
		a.state("s", `"state":"running"`)
		a.ask("1", "session/request_permission", askParams(V2, "s"))
		a.state("s", `"state":"unknown"`)
		pass(time.Minute)
		if answered != 0 {
			t.Error("the request was answered")
		}
		a.state("s", `"state":"idle","stopReason":"end_turn"`)
	}, func(t *testing.T, c *Client, s *Session) {
		if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "end_turn" {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

func TestU26CloseDuringATurn(t *testing.T) {
	inSession(t, V2, Options{}, func(a *scripted) {
		a.answer("session/prompt", `{"messageId":"u"}`)
		a.state("s", `"state":"running"`)
		m := a.expect("session/close")
		a.state("s", `"state":"idle","stopReason":"cancelled"`)
		a.Reply(m, `{}`)
	}, func(t *testing.T, c *Client, s *Session) {
		closed := make(chan error, 1)
		time.AfterFunc(time.Second, func() {
			_, err := c.CloseSession(context.Background(), "s")
			closed <- err
		})
		r, err := c.Prompt(t.Context(), s, text("x"))
		if err != nil || r.StopReason != "cancelled" {
			t.Errorf("got %+v, %v", r, err)
		}
		if err := <-closed; err != nil {
			t.Error(err)
		}
	})
}

// What a session/update lacks is told, and the rest goes on.
func TestUpdatesThatAreNone(t *testing.T) {
	var warned []string
	var told []string
	var seen seenUpdates
	o := Options{Events: Events{
		Update:       seen.add,
		Warn:         func(s string) { warned = append(warned, s) },
		Notification: func(m wire.Message) { told = append(told, m.Method) },
	}}
	withAgent(t, V1, `{}`, o, func(a *scripted) {
		a.Send(`{"jsonrpc":"2.0","method":"session/update","params":{"update":{}}}`)
		a.Send(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":7}}`)
		a.Send(`{"jsonrpc":"2.0","method":"_auth/status_update","params":{}}`)
		a.update("s", `{}`)
		a.answer("session/new", `{"sessionId":"s"}`)
	}, func(t *testing.T, c *Client) {
		pass(time.Second)
		if _, err := c.NewSession(t.Context(), cwd); err != nil {
			t.Error(err)
		}
	})
	seen.want(t, "foreign ")
	if len(warned) != 2 || len(told) != 3 || told[2] != "_auth/status_update" {
		t.Errorf("warned %q, told %q", warned, told)
	}
}

// Ids are opaque, and the same however they are spelled on the wire.
func TestU05U16IdsAreOpaque(t *testing.T) {
	const id = `a/b "é" 😀`
	var seen seenUpdates
	sent := withAgent(t, V2, caps2All, Options{Events: Events{Update: seen.add}}, func(a *scripted) {
		a.answer("session/new", `{"sessionId":"a\/b \"\u00e9\" \ud83d\ude00"}`)
		a.Send(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"a/b \"é\" \ud83d\ude00","update":{"sessionUpdate":"usage_update"}}}`)
		a.answer("session/prompt", `{"messageId":"u\u0031"}`)
		a.update(id, `{"sessionUpdate":"state_update","state":"running"}`)
		a.update(id, `{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}`)
	}, func(t *testing.T, c *Client) {
		s, err := c.NewSession(t.Context(), cwd)
		if err != nil || s.ID != id {
			t.Fatalf("got %+v, %v", s, err)
		}
		pass(time.Second)
		if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.MessageID != "u1" || r.SessionID != id {
			t.Errorf("got %+v, %v", r, err)
		}
	})
	if got := str(asObject(sent[1].Params)["sessionId"]); got != id {
		t.Errorf("got %s", got)
	}
	seen.want(t, "between usage_update", "turn state_update", "turn state_update")
}

// A known session may be taken up again on the same connection, and a refusal
// leaves it as it was.
func TestResumeOfAKnownSession(t *testing.T) {
	inSession(t, V2, Options{}, func(a *scripted) {
		a.ReplyError(a.expect("session/resume"), CodeInternal, "no", "")
		a.turn(V2, "end_turn")
		a.answer("session/resume", `{"configOptions":[{"configId":"a","type":"select"}]}`)
		a.answer("session/set_config_option", `{}`)
	}, func(t *testing.T, c *Client, s *Session) {
		if _, err := c.Resume(t.Context(), "s", cwd, true); err == nil {
			t.Error("no error")
		}
		if _, err := c.Prompt(t.Context(), s, text("x")); err != nil {
			t.Error(err)
		}
		again, err := c.Resume(t.Context(), "s", cwd, false)
		if err != nil || again != s {
			t.Errorf("got %p, want %p, %v", again, s, err)
		}
		if err := c.SetConfig(t.Context(), s, "a", "b"); err != nil {
			t.Error(err)
		}
	})
}

func TestOverlappingPromptsAreRefused(t *testing.T) {
	sent := inSession(t, V1, Options{}, func(a *scripted) {
		m := a.expect("session/prompt")
		pass(time.Minute)
		a.Reply(m, `{"stopReason":"end_turn"}`)
	}, func(t *testing.T, c *Client, s *Session) {
		second := make(chan error, 1)
		time.AfterFunc(time.Second, func() {
			_, err := c.Prompt(context.Background(), s, text("y"))
			second <- err
		})
		if _, err := c.Prompt(t.Context(), s, text("x")); err != nil {
			t.Error(err)
		}
		if err := <-second; err == nil {
			t.Error("the second prompt was sent")
		}
	})
	wantSent(t, sent, "session/prompt")
}

// A result keeps its digits, and the agent's error objects any member.
func TestAgentErrorOfAnObject(t *testing.T) {
	e := agentError("m", asObject(json.RawMessage(`{"code":-5,"message":"x","data":[1.50]}`)))
	if e.Code != -5 || e.Message != "x" || string(e.Data) != "[1.50]" {
		t.Errorf("got %+v", e)
	}
}
