package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

// inSession runs a test in a new session "s".
func inSession(t *testing.T, v Version, o Options, script func(*scripted), test func(*testing.T, *Client, *Session)) []wire.Message {
	t.Helper()
	sent := withAgent(t, v, capsAll(v), o, func(a *scripted) {
		a.answer("session/new", `{"sessionId":"s"}`)
		script(a)
	}, func(t *testing.T, c *Client) {
		s, err := c.NewSession(t.Context(), cwd)
		if err != nil {
			t.Fatal(err)
		}
		test(t, c, s)
	})
	return sent[1:]
}

// turn plays one whole turn.
func (a *scripted) turn(v Version, reason string) {
	m := a.expect("session/prompt")
	if v == V1 {
		a.say("s", "text")
		a.Reply(m, fmt.Sprintf(`{"stopReason":%q}`, reason))
		return
	}
	a.Reply(m, `{"messageId":"u"}`)
	a.state("s", `"state":"running"`)
	a.say("s", "text")
	a.state("s", fmt.Sprintf(`"state":"idle","stopReason":%q`, reason))
}

func TestP24PromptOnTheWire(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		sent := inSession(t, v, Options{}, func(a *scripted) { a.turn(v, "end_turn") }, func(t *testing.T, c *Client, s *Session) {
			blocks := append(text("a<b"), json.RawMessage(`{"type":"resource_link","name":"n","uri":"file:///n"}`))
			r, err := c.Prompt(t.Context(), s, blocks)
			if err != nil || r.StopReason != "end_turn" || !r.Ended {
				t.Errorf("got %+v, %v", r, err)
			}
		})
		wantSent(t, sent, "session/prompt")
		want := `{"sessionId":"s","prompt":[{"type":"text","text":"a<b"},{"type":"resource_link","name":"n","uri":"file:///n"}]}`
		if got := string(sent[0].Params); got != want {
			t.Errorf("got %s", got)
		}
	})
}

func TestP25PromptIsRestricted(t *testing.T) {
	sent := inSession(t, V2, Options{}, nothing, func(t *testing.T, c *Client, s *Session) {
		var u *UnsupportedError
		if _, err := c.Prompt(t.Context(), s, []json.RawMessage{json.RawMessage(`{"type":"image","data":"","mimeType":"image/png"}`)}); !errors.As(err, &u) {
			t.Errorf("got %v", err)
		}
		var usage *UsageError
		if _, err := c.Prompt(t.Context(), s, nil); !errors.As(err, &usage) {
			t.Errorf("got %v", err)
		}
	})
	wantSent(t, sent)
}

func TestP02P36TheAnswerEndsNothing(t *testing.T) {
	inSession(t, V2, Options{}, func(a *scripted) {
		a.answer("session/prompt", `{"messageId":"u"}`)
		pass(time.Minute)
		a.state("s", `"state":"running"`)
		pass(time.Minute)
		a.state("s", `"state":"idle","stopReason":"max_tokens","usage":{"totalTokens":3}`)
	}, func(t *testing.T, c *Client, s *Session) {
		start := time.Now()
		r, err := c.Prompt(t.Context(), s, text("x"))
		if err != nil || r.StopReason != "max_tokens" || r.MessageID != "u" || string(r.Usage) != `{"totalTokens":3}` {
			t.Errorf("got %+v, %v", r, err)
		}
		if took := time.Since(start); took != 2*time.Minute {
			t.Errorf("took %s", took)
		}
	})
}

// An agent that echoes no user message has nothing but the place of its answer
// to tell an idle before the prompt from the one that ends it.
func TestP30TheAnswersPlaceAmongTheUpdatesCounts(t *testing.T) {
	inSession(t, V2, Options{}, func(a *scripted) {
		m := a.expect("session/prompt")
		a.state("s", `"state":"running"`)
		a.state("s", `"state":"idle","stopReason":"end_turn"`) // of work before
		a.Reply(m, `{"messageId":"u"}`)
		a.state("s", `"state":"running"`)
		a.state("s", `"state":"idle","stopReason":"refusal"`)
	}, func(t *testing.T, c *Client, s *Session) {
		if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "refusal" {
			t.Errorf("got %+v, %v", r, err)
		}
	})
	inSession(t, V2, Options{}, func(a *scripted) {
		m := a.expect("session/prompt")
		a.update("s", `{"sessionUpdate":"user_message","messageId":"u","content":[]}`)
		a.state("s", `"state":"running"`)
		a.state("s", `"state":"idle","stopReason":"end_turn"`)
		a.Reply(m, `{"messageId":"u"}`)
	}, func(t *testing.T, c *Client, s *Session) {
		if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "end_turn" {
			t.Errorf("echo first: got %+v, %v", r, err)
		}
	})
}

func TestS20StatusSnapshotEndsNoTurn(t *testing.T) {
	inSession(t, V2, Options{}, func(a *scripted) {
		a.answer("session/prompt", `{"messageId":"u"}`)
		a.state("s", `"state":"running"`)
		a.answer("session/status", `{"status":"active","state":{"state":"idle","stopReason":"end_turn","usage":{"totalTokens":9}}}`)
		pass(time.Second)
		a.state("s", `"state":"idle","stopReason":"refusal"`)
	}, func(t *testing.T, c *Client, s *Session) {
		asked := make(chan error, 1)
		go func() {
			pass(time.Millisecond) // after the prompt
			_, err := c.Status(context.Background(), "s")
			asked <- err
		}()
		r, err := c.Prompt(t.Context(), s, text("x"))
		if err != nil || r.StopReason != "refusal" || r.Usage != nil {
			t.Errorf("got %+v, %v", r, err)
		}
		if err := <-asked; err != nil {
			t.Error(err)
		}
	})
}

func TestS22ResumeSnapshotIsNoCompletion(t *testing.T) {
	withAgent(t, V2, caps2All, Options{}, func(a *scripted) {
		m := a.expect("session/resume")
		a.state("s", `"state":"idle","stopReason":"end_turn"`)
		a.Reply(m, `{}`)
		m = a.expect("session/prompt")
		a.Reply(m, `{"messageId":"u"}`)
		a.state("s", `"state":"idle"`) // repeated
		a.state("s", `"state":"running"`)
		a.state("s", `"state":"idle","stopReason":"refusal"`)
	}, func(t *testing.T, c *Client) {
		s, err := c.Resume(t.Context(), "s", cwd, false)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "refusal" {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

// An idle without a reason counts where it follows work, also work that was
// told of before the prompt.
func TestIdleFollowsTheStateBefore(t *testing.T) {
	inSession(t, V2, Options{}, func(a *scripted) {
		a.state("s", `"state":"running"`)
		a.answer("session/prompt", `{"messageId":"u"}`)
		a.state("s", `"state":"idle"`)
	}, func(t *testing.T, c *Client, s *Session) {
		pass(time.Second)
		if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "" || !r.Ended {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

func TestS24StateEndsNoTurnInVersion1(t *testing.T) {
	inSession(t, V1, Options{}, func(a *scripted) {
		m := a.expect("session/prompt")
		a.state("s", `"state":"running"`)
		a.state("s", `"state":"idle","stopReason":"end_turn"`)
		pass(time.Minute)
		a.Reply(m, `{"stopReason":"refusal","usage":{"totalTokens":1}}`)
	}, func(t *testing.T, c *Client, s *Session) {
		r, err := c.Prompt(t.Context(), s, text("x"))
		if err != nil || r.StopReason != "refusal" || string(r.Usage) != `{"totalTokens":1}` {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

func TestP27RefusedPrompt(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		inSession(t, v, Options{}, func(a *scripted) {
			a.ReplyError(a.expect("session/prompt"), CodeInvalidRequest, "busy", `{"a":1}`)
			a.turn(v, "end_turn")
		}, func(t *testing.T, c *Client, s *Session) {
			_, err := c.Prompt(t.Context(), s, text("x"))
			var agent *AgentError
			if !errors.As(err, &agent) || agent.Code != CodeInvalidRequest || agent.Method != "session/prompt" {
				t.Errorf("got %v", err)
			}
			if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "end_turn" {
				t.Errorf("got %+v, %v", r, err)
			}
		})
	})
}

func TestP28AnswerWithoutMessageID(t *testing.T) {
	for _, result := range []string{`{}`, `{"messageId":null}`} {
		var warned []string
		o := Options{Events: Events{Warn: func(s string) { warned = append(warned, s) }}}
		inSession(t, V2, o, func(a *scripted) {
			a.answer("session/prompt", result)
			a.state("s", `"state":"running"`)
			a.state("s", `"state":"idle","stopReason":"end_turn"`)
		}, func(t *testing.T, c *Client, s *Session) {
			if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "end_turn" {
				t.Errorf("%s: got %+v, %v", result, r, err)
			}
		})
		if len(warned) == 0 {
			t.Errorf("%s: no warning", result)
		}
	}
}

func TestP37LostAnswerIsUncertain(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		sent := inSession(t, v, Options{}, func(a *scripted) {
			a.expect("session/prompt")
			a.Stderr("out of memory\n")
			a.Die(wire.Exit{Signal: "SIGKILL"})
		}, func(t *testing.T, c *Client, s *Session) {
			_, err := c.Prompt(t.Context(), s, text("x"))
			var uncertain *UncertainError
			var gone *GoneError
			if !errors.As(err, &uncertain) || !errors.As(err, &gone) || string(gone.Stderr) != "out of memory\n" {
				t.Errorf("got %v", err)
			}
		})
		wantSent(t, sent, "session/prompt")
	})
}

func TestConnectionLostAfterTheAnswer(t *testing.T) {
	inSession(t, V2, Options{}, func(a *scripted) {
		a.answer("session/prompt", `{"messageId":"u"}`)
		a.Die(wire.Exit{Code: 1})
	}, func(t *testing.T, c *Client, s *Session) {
		r, err := c.Prompt(t.Context(), s, text("x"))
		var uncertain *UncertainError
		var gone *GoneError
		if errors.As(err, &uncertain) || !errors.As(err, &gone) || r.MessageID != "u" || r.Ended {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

func TestP100TwoTurns(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		inSession(t, v, Options{}, func(a *scripted) {
			a.turn(v, "end_turn")
			a.turn(v, "max_tokens")
		}, func(t *testing.T, c *Client, s *Session) {
			for _, want := range []string{"end_turn", "max_tokens"} {
				if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != want {
					t.Errorf("got %+v, %v", r, err)
				}
			}
		})
	})
}

func TestErrorReasonCarriesTheError(t *testing.T) {
	inSession(t, V2, Options{}, func(a *scripted) {
		a.answer("session/prompt", `{"messageId":"u"}`)
		a.state("s", `"state":"running"`)
		a.state("s", `"state":"idle","stopReason":"error","error":{"code":-32603,"message":"model down","data":{"a":1}}`)
	}, func(t *testing.T, c *Client, s *Session) {
		r, err := c.Prompt(t.Context(), s, text("x"))
		if err != nil || r.StopReason != "error" || r.Error == nil || r.Error.Code != -32603 || r.Error.Message != "model down" || string(r.Error.Data) != `{"a":1}` {
			t.Errorf("got %+v, %v", r, err)
		}
	})
}

func TestLateUpdatesAreDrainedAndMarked(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		var seen seenUpdates
		o := Options{Drain: 300 * time.Millisecond, Events: Events{Update: seen.add}}
		inSession(t, v, o, func(a *scripted) {
			m := a.expect("session/prompt")
			a.say("s", "one")
			if v == V1 {
				a.Reply(m, `{"stopReason":"end_turn"}`)
			} else {
				a.Reply(m, `{"messageId":"u"}`)
				a.state("s", `"state":"idle","stopReason":"end_turn"`)
			}
			pass(200 * time.Millisecond)
			a.say("s", "late")
			pass(200 * time.Millisecond)
			a.say("s", "later")
			pass(time.Second)
			a.say("s", "background")
		}, func(t *testing.T, c *Client, s *Session) {
			start := time.Now()
			if _, err := c.Prompt(t.Context(), s, text("x")); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took != 700*time.Millisecond {
				t.Errorf("took %s", took)
			}
			pass(2 * time.Second)
		})
		want := []string{"turn agent_message_chunk"}
		if v == V2 {
			want = append(want, "turn state_update")
		}
		seen.want(t, append(want, "late agent_message_chunk", "late agent_message_chunk", "between agent_message_chunk")...)
	})
}

func TestDrainHasALimit(t *testing.T) {
	inSession(t, V1, Options{Drain: time.Second}, func(a *scripted) {
		a.answer("session/prompt", `{"stopReason":"end_turn"}`)
		for range 10 {
			pass(500 * time.Millisecond)
			a.say("s", "and on")
		}
	}, func(t *testing.T, c *Client, s *Session) {
		start := time.Now()
		_, err := c.Prompt(t.Context(), s, text("x"))
		if took := time.Since(start); err != nil || took != 2*time.Second {
			t.Errorf("took %s, %v", took, err)
		}
	})
}

var errStop = errors.New("stopped by the user")

func TestP92P96P98CancelIsConfirmed(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		var seen seenUpdates
		sent := inSession(t, v, Options{Events: Events{Update: seen.add}}, func(a *scripted) {
			m := a.expect("session/prompt")
			if v == V2 {
				a.Reply(m, `{"messageId":"u"}`)
				a.state("s", `"state":"running"`)
			}
			cancel := a.expect("session/cancel")
			if cancel.ID != "" || string(cancel.Params) != `{"sessionId":"s"}` {
				t.Errorf("got %s", cancel.Raw)
			}
			pass(3 * time.Second)
			a.update("s", `{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"}`)
			if v == V1 {
				a.Reply(m, `{"stopReason":"cancelled"}`)
			} else {
				a.state("s", `"state":"idle","stopReason":"cancelled"`)
			}
		}, func(t *testing.T, c *Client, s *Session) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(errStop) })
			start := time.Now()
			r, err := c.Prompt(ctx, s, text("x"))
			if !errors.Is(err, errStop) || r.StopReason != "cancelled" || !r.Ended {
				t.Errorf("got %+v, %v", r, err)
			}
			if took := time.Since(start); took != 4*time.Second {
				t.Errorf("took %s", took)
			}
		})
		wantSent(t, sent, "session/prompt", "session/cancel")
		if got := seen.list[len(seen.list)-1]; v == V1 && got != "turn tool_call_update" {
			t.Errorf("got %q", seen.list)
		}
	})
}

func TestCancelThatIsIgnored(t *testing.T) {
	inSession(t, V1, Options{}, func(a *scripted) {
		a.expect("session/prompt")
		a.expect("session/cancel")
	}, func(t *testing.T, c *Client, s *Session) {
		ctx, cancel := WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		r, err := c.Prompt(ctx, s, text("x"))
		var timeout *TimeoutError
		if !errors.As(err, &timeout) || timeout.Phase != "session/prompt" || timeout.After != time.Second || r.Ended {
			t.Errorf("got %+v, %v", r, err)
		}
		if took := time.Since(start); took != 6*time.Second {
			t.Errorf("took %s", took)
		}
	})
}
