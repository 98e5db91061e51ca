package acp

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestA01A02A18AuthStatusFirst(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		sent := withAgent(t, v, capsAll(v), Options{}, func(a *scripted) {
			a.answer("auth/status", `{"authenticated":true}`)
		}, func(t *testing.T, c *Client) {
			if s, err := c.AuthStatus(t.Context()); err != nil || s.State != Authenticated {
				t.Errorf("got %+v, %v", s, err)
			}
		})
		wantSent(t, sent, "auth/status")
		if got := string(sent[0].Params); got != "{}" {
			t.Errorf("params %s", got)
		}
	})
}

func TestA09A10A14AskedAgainAfterLogin(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		login := map[Version]string{V1: "authenticate", V2: "auth/login"}[v]
		sent := withAgent(t, v, capsAll(v), Options{}, func(a *scripted) {
			a.answer("auth/status", `{"authenticated":false}`)
			a.answer("auth/status", `{"authenticated":false}`)
			a.answer(login, `{}`)
			a.answer("auth/status", `{"authenticated":true}`)
		}, func(t *testing.T, c *Client) {
			var states []string
			ask := func() {
				s, err := c.AuthStatus(t.Context())
				if err != nil {
					t.Error(err)
				}
				states = append(states, s.State)
			}
			ask()
			ask()
			if err := c.Authenticate(t.Context(), "key"); err != nil {
				t.Error(err)
			}
			ask()
			if got := strings.Join(states, " "); got != "unauthenticated unauthenticated authenticated" {
				t.Errorf("got %s", got)
			}
		})
		wantSent(t, sent, "auth/status", "auth/status", login, "auth/status")
		if got := string(sent[2].Params); got != `{"methodId":"key"}` {
			t.Errorf("params %s", got)
		}
	})
}

func TestA11SlowAnswer(t *testing.T) {
	withAgent(t, V1, caps1All, Options{}, func(a *scripted) {
		m := a.expect("auth/status")
		pass(8 * time.Second)
		a.Reply(m, `{"authenticated":true}`)
		a.expect("auth/status")
	}, func(t *testing.T, c *Client) {
		for _, want := range []string{Authenticated, ""} {
			ctx, cancel := WithTimeout(t.Context(), 10*time.Second)
			s, err := c.AuthStatus(ctx)
			cancel()
			var timeout *TimeoutError
			if s.State != want || want == "" && (!errors.As(err, &timeout) || timeout.Phase != "auth/status") {
				t.Errorf("got %+v, %v", s, err)
			}
		}
	})
}

func TestA12A20A23U03AuthenticationRequired(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		refuse := func(a *scripted, method string) {
			a.ReplyError(a.expect(method), CodeAuthRequired, "Authentication required", "")
		}
		sent := withAgent(t, v, capsAll(v), Options{}, func(a *scripted) {
			a.answer("auth/status", `{"authenticated":true}`)
			refuse(a, "session/new")
			refuse(a, "session/resume")
			a.answer("session/new", `{"sessionId":"s"}`)
			refuse(a, "session/prompt")
		}, func(t *testing.T, c *Client) {
			ctx := t.Context()
			check := func(err error) {
				t.Helper()
				var required *AuthRequiredError
				if !errors.As(err, &required) || len(required.Methods) == 0 || required.Methods[0].ID != "key" {
					t.Errorf("got %v", err)
				}
			}
			if _, err := c.AuthStatus(ctx); err != nil {
				t.Error(err)
			}
			_, err := c.NewSession(ctx, cwd)
			check(err)
			_, err = c.Resume(ctx, "s", cwd, false)
			check(err)
			s, err := c.NewSession(ctx, cwd)
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Prompt(ctx, s, text("x"))
			check(err)
		})
		// Nobody asked for a login, so there is none.
		wantSent(t, sent, "auth/status", "session/new", "session/resume", "session/new", "session/prompt")
	})
}

func TestU03LoginOnceAndAgain(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		login := map[Version]string{V1: "authenticate", V2: "auth/login"}[v]
		sent := withAgent(t, v, capsAll(v), Options{Auth: "key"}, func(a *scripted) {
			a.ReplyError(a.expect("session/new"), CodeAuthRequired, "no", "")
			a.answer(login, `{}`)
			a.answer("session/new", `{"sessionId":"s"}`)
			a.ReplyError(a.expect("session/prompt"), CodeAuthRequired, "no", "")
			a.answer(login, `{}`)
			a.ReplyError(a.expect("session/prompt"), CodeAuthRequired, "no", "")
		}, func(t *testing.T, c *Client) {
			s, err := c.NewSession(t.Context(), cwd)
			if err != nil {
				t.Fatal(err)
			}
			var required *AuthRequiredError
			if _, err := c.Prompt(t.Context(), s, text("x")); !errors.As(err, &required) {
				t.Errorf("got %v", err)
			}
		})
		wantSent(t, sent, "session/new", login, "session/new", "session/prompt", login, "session/prompt")
	})
}

func TestA04NoLoginWhereNoneIsNeeded(t *testing.T) {
	sent := withAgent(t, V1, caps1All, Options{Auth: "key"}, func(a *scripted) {
		a.answer("auth/status", `{"authenticated":true}`)
		a.answer("session/new", `{"sessionId":"s"}`)
	}, func(t *testing.T, c *Client) {
		if _, err := c.AuthStatus(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := c.NewSession(t.Context(), cwd); err != nil {
			t.Error(err)
		}
	})
	wantSent(t, sent, "auth/status", "session/new")
}

func TestA08A21A22Probe(t *testing.T) {
	tests := []struct {
		name   string
		v      Version
		caps   string
		script func(*scripted)
		want   ProbeResult
		refuse bool
		sent   []string
	}{
		{"created and closed", V2, `{"session":{}}`, func(a *scripted) {
			a.answer("session/new", `{"sessionId":"s"}`)
			a.answer("session/close", `{}`)
		}, ProbeResult{SessionID: "s", Closed: true}, false, []string{"session/new", "session/close"}},
		{"cannot be closed", V1, `{}`, func(a *scripted) {
			a.answer("session/new", `{"sessionId":"s"}`)
		}, ProbeResult{SessionID: "s"}, false, []string{"session/new"}},
		{"closing fails", V2, `{"session":{}}`, func(a *scripted) {
			a.answer("session/new", `{"sessionId":"s"}`)
			a.ReplyError(a.expect("session/close"), CodeInternal, "no", "")
		}, ProbeResult{SessionID: "s"}, false, []string{"session/new", "session/close"}},
		{"refused", V1, `{}`, func(a *scripted) {
			a.ReplyError(a.expect("session/new"), CodeAuthRequired, "no", "")
		}, ProbeResult{}, true, []string{"session/new"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// Even with a login method named, a probe logs in nowhere.
			sent := withAgent(t, tt.v, tt.caps, Options{Auth: "key"}, tt.script, func(t *testing.T, c *Client) {
				r, err := c.Probe(t.Context(), cwd)
				if err != nil || r.SessionID != tt.want.SessionID || r.Closed != tt.want.Closed || (r.AuthRequired != nil) != tt.refuse {
					t.Errorf("got %+v, %v", r, err)
				}
			})
			wantSent(t, sent, tt.sent...)
		})
	}
}

func TestAuthenticateMethods(t *testing.T) {
	sent := withAgent(t, V1, `{}`, Options{}, nothing, func(t *testing.T, c *Client) {
		var terminal *TerminalAuthError
		if err := c.Authenticate(t.Context(), "term"); !errors.As(err, &terminal) || terminal.Command != "pipe --login" {
			t.Errorf("got %v, %+v", err, terminal)
		}
		var usage *UsageError
		if err := c.Authenticate(t.Context(), "nope"); !errors.As(err, &usage) || !strings.Contains(usage.Hint, "key, term") {
			t.Errorf("got %v", err)
		}
	})
	wantSent(t, sent)
}

func TestLogout(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		method := map[Version]string{V1: "logout", V2: "auth/logout"}[v]
		sent := withAgent(t, v, capsAll(v), Options{}, func(a *scripted) { a.answer(method, `{}`) }, func(t *testing.T, c *Client) {
			if _, err := c.Logout(t.Context()); err != nil {
				t.Error(err)
			}
		})
		wantSent(t, sent, method)
	})
}

func TestTerminalCommand(t *testing.T) {
	m := AuthMethod{Args: []string{"--login", "a b", "it's"}, Env: map[string]string{"B": "2 3", "A": "1"}}
	if got, want := terminalCommand("npx agent", m), `A=1 B='2 3' npx agent --login 'a b' 'it'\''s'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
