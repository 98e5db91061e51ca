package acp

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	caps1All = `{"loadSession":true,"mcpCapabilities":{"http":true},"sessionCapabilities":{"resume":{},"close":{},"delete":{},"list":{},"status":{},"additionalDirectories":{}},"auth":{"status":true,"logout":{}}}`
	caps2All = `{"session":{"status":{},"delete":{},"additionalDirectories":{},"mcp":{"stdio":{},"http":{}}},"auth":{"status":true}}`
)

func capsAll(v Version) string {
	if v == V2 {
		return caps2All
	}
	return caps1All
}

// both runs a test for each version.
func both(t *testing.T, test func(*testing.T, Version)) {
	t.Run("version 1", func(t *testing.T) { test(t, V1) })
	t.Run("version 2", func(t *testing.T) { test(t, V2) })
}

func TestS01S02StatusIsOneRequest(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		sent := withAgent(t, v, capsAll(v), Options{}, func(a *scripted) {
			a.answer("session/status", `{"status":"open"}`)
		}, func(t *testing.T, c *Client) {
			s, err := c.Status(t.Context(), "s-1")
			if err != nil || s.Status != SessionActive {
				t.Errorf("got %+v, %v", s, err)
			}
		})
		wantSent(t, sent, "session/status")
		if string(sent[0].Params) != `{"sessionId":"s-1"}` {
			t.Errorf("params %s", sent[0].Params)
		}
	})
}

func TestS06StrayUpdatesAreNoTurn(t *testing.T) {
	var seen seenUpdates
	withAgent(t, V2, caps2All, Options{Events: Events{Update: seen.add}}, func(a *scripted) {
		m := a.expect("session/status")
		a.say("s-1", "stray")
		a.Reply(m, `{"status":"active"}`)
	}, func(t *testing.T, c *Client) {
		if _, err := c.Status(t.Context(), "s-1"); err != nil {
			t.Error(err)
		}
	})
	seen.want(t, "foreign agent_message_chunk")
}

func TestS12S13S15S28S29UnknownSession(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		const data = `{"sessionId":"s-1"}`
		refuse := func(a *scripted, method string) {
			a.ReplyError(a.expect(method), CodeNotFound, "Resource not found", data)
		}
		withAgent(t, v, capsAll(v), Options{}, func(a *scripted) {
			refuse(a, "session/status")
			refuse(a, "session/resume")
			refuse(a, "session/close")
			refuse(a, "session/delete")
			a.answer("session/resume", `{}`)
			refuse(a, "session/prompt")
		}, func(t *testing.T, c *Client) {
			ctx := t.Context()
			check := func(err error) {
				t.Helper()
				var u *UnknownSessionError
				if !errors.As(err, &u) || u.SessionID != "s-1" || u.Agent.Code != CodeNotFound || string(u.Agent.Data) != data {
					t.Errorf("got %v", err)
				}
			}
			_, err := c.Status(ctx, "s-1")
			check(err)
			_, err = c.Resume(ctx, "s-1", cwd, false)
			check(err)
			_, err = c.CloseSession(ctx, "s-1")
			check(err)
			_, err = c.Delete(ctx, "s-1")
			check(err)
			s, err := c.Resume(ctx, "s-1", cwd, false)
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Prompt(ctx, s, text("x"))
			check(err)
		})
	})
}

func TestNotFoundOfSomethingElse(t *testing.T) {
	withAgent(t, V1, caps1All, Options{}, func(a *scripted) {
		a.answer("session/new", `{"sessionId":"s-1"}`)
		a.ReplyError(a.expect("session/prompt"), CodeNotFound, "Resource not found", `{"uri":"file:///x"}`)
	}, func(t *testing.T, c *Client) {
		s, err := c.NewSession(t.Context(), cwd)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Prompt(t.Context(), s, text("x"))
		var u *UnknownSessionError
		var agent *AgentError
		if errors.As(err, &u) || !errors.As(err, &agent) {
			t.Errorf("got %v", err)
		}
	})
}

func TestS31S32S37U30NothingIsSentUnadvertised(t *testing.T) {
	tests := []struct {
		name string
		v    Version
		caps string
		call func(*testing.T, *Client) error
	}{
		{"status v1", V1, `{"loadSession":true,"sessionCapabilities":{"list":{},"resume":{}}}`, status},
		{"status v2", V2, `{"session":{}}`, status},
		{"status v2 with v1's marker", V2, `{"session":{},"sessionCapabilities":{"status":{}}}`, status},
		{"auth status", V1, `{}`, func(t *testing.T, c *Client) error { _, err := c.AuthStatus(t.Context()); return err }},
		{"new v2", V2, `{}`, func(t *testing.T, c *Client) error { _, err := c.NewSession(t.Context(), cwd); return err }},
		{"resume v1", V1, `{}`, resume(false)},
		{"resume v2", V2, `{"session":true}`, resume(false)},
		{"replay v1", V1, `{"sessionCapabilities":{"resume":{}}}`, resume(true)},
		{"close", V1, `{}`, func(t *testing.T, c *Client) error { _, err := c.CloseSession(t.Context(), "s"); return err }},
		{"delete", V2, `{"session":{}}`, func(t *testing.T, c *Client) error { _, err := c.Delete(t.Context(), "s"); return err }},
		{"list", V1, `{}`, func(t *testing.T, c *Client) error { return c.List(t.Context(), ListFilter{}, nil) }},
		{"logout", V1, `{}`, func(t *testing.T, c *Client) error { _, err := c.Logout(t.Context()); return err }},
		{"cancel", V2, `{}`, func(t *testing.T, c *Client) error { return c.Cancel(t.Context(), "s") }},
		{"add-dir on new", V1, `{}`, func(t *testing.T, c *Client) error {
			_, err := c.NewSession(t.Context(), Setup{Cwd: "/work", AddDirs: []string{"/more"}})
			return err
		}},
		{"add-dir on resume", V2, `{"session":{}}`, func(t *testing.T, c *Client) error {
			_, err := c.Resume(t.Context(), "s", Setup{Cwd: "/work", AddDirs: []string{"/more"}}, false)
			return err
		}},
		{"mcp", V2, `{"session":{}}`, func(t *testing.T, c *Client) error {
			_, err := c.NewSession(t.Context(), Setup{Cwd: "/work", MCP: []MCPServer{{Name: "m", Transport: "stdio", Command: "/m"}}})
			return err
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sent := withAgent(t, tt.v, tt.caps, Options{}, nothing, func(t *testing.T, c *Client) {
				err := tt.call(t, c)
				var u *UnsupportedError
				if !errors.As(err, &u) || u.Capability == "" {
					t.Errorf("got %v", err)
				}
			})
			wantSent(t, sent)
		})
	}
}

func status(t *testing.T, c *Client) error { _, err := c.Status(t.Context(), "s"); return err }

func resume(replay bool) func(*testing.T, *Client) error {
	return func(t *testing.T, c *Client) error {
		_, err := c.Resume(t.Context(), "s", cwd, replay)
		return err
	}
}

func TestU04U29U31U33U37U40NewSession(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		servers := []MCPServer{{Name: "m", Transport: "stdio", Command: "/m"}, {Name: "h", Transport: "http", URL: "http://h"}}
		sent := withAgent(t, v, capsAll(v), Options{}, func(a *scripted) {
			a.answer("session/new", `{"sessionId":"a"}`)
			a.answer("session/new", `{"sessionId":"b","configOptions":[]}`)
		}, func(t *testing.T, c *Client) {
			if s, err := c.NewSession(t.Context(), cwd); err != nil || s.ID != "a" {
				t.Errorf("got %+v, %v", s, err)
			}
			full := Setup{Cwd: "/work", AddDirs: []string{"/x", "/y"}, MCP: servers}
			if s, err := c.NewSession(t.Context(), full); err != nil || s.ID != "b" || string(s.Result) != `{"sessionId":"b","configOptions":[]}` {
				t.Errorf("got %+v, %v", s, err)
			}
			var u *UsageError
			if _, err := c.NewSession(t.Context(), Setup{Cwd: "."}); !errors.As(err, &u) {
				t.Errorf("relative cwd: %v", err)
			}
			if _, err := c.NewSession(t.Context(), Setup{Cwd: "/work", AddDirs: []string{"x"}}); !errors.As(err, &u) {
				t.Errorf("relative directory: %v", err)
			}
		})
		wantSent(t, sent, "session/new", "session/new")
		if got := string(sent[0].Params); got != `{"cwd":"/work","mcpServers":[]}` {
			t.Errorf("got %s", got)
		}
		shape, _ := mcpShape(v, servers)
		if got := string(sent[1].Params); got != `{"cwd":"/work","additionalDirectories":["/x","/y"],"mcpServers":`+string(shape)+`}` {
			t.Errorf("got %s", got)
		}
	})
}

func TestU05SessionIDIsRequired(t *testing.T) {
	for _, result := range []string{`{}`, `{"sessionId":7}`, `{"sessionId":null}`, `null`, `"s"`} {
		withAgent(t, V1, `{}`, Options{}, func(a *scripted) { a.answer("session/new", result) }, func(t *testing.T, c *Client) {
			var p *ProtocolError
			if _, err := c.NewSession(t.Context(), cwd); !errors.As(err, &p) || !strings.Contains(p.Message, "sessionId") {
				t.Errorf("%s: got %v", result, err)
			}
		})
	}
}

func TestP03S05S08S10U08U10ResumeBeforePrompt(t *testing.T) {
	tests := []struct {
		name   string
		v      Version
		caps   string
		method string
	}{
		{"v1 resume", V1, `{"loadSession":true,"sessionCapabilities":{"resume":{},"status":{}}}`, "session/resume"},
		{"v1 load alone", V1, `{"loadSession":true,"sessionCapabilities":{"status":{}}}`, "session/load"},
		{"v2", V2, `{"loadSession":true,"session":{"status":{}}}`, "session/resume"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sent := withAgent(t, tt.v, tt.caps, Options{}, func(a *scripted) {
				a.answer("session/status", `{"status":"_later"}`)
				m := a.expect(tt.method)
				pass(5 * time.Second) // a prompt in this time would be seen by expect
				a.Reply(m, `{}`)
				m = a.expect("session/prompt")
				if tt.v == V1 {
					a.Reply(m, `{"stopReason":"end_turn"}`)
					return
				}
				a.Reply(m, `{"messageId":"u"}`)
				a.state("s", `"state":"running"`)
				a.state("s", `"state":"idle","stopReason":"end_turn"`)
			}, func(t *testing.T, c *Client) {
				if _, err := c.Status(t.Context(), "s"); err != nil {
					t.Fatal(err)
				}
				s, err := c.Resume(t.Context(), "s", cwd, false)
				if err != nil {
					t.Fatal(err)
				}
				if r, err := c.Prompt(t.Context(), s, text("x")); err != nil || r.StopReason != "end_turn" {
					t.Errorf("got %+v, %v", r, err)
				}
			})
			wantSent(t, sent, "session/status", tt.method, "session/prompt")
			if got := string(sent[1].Params); got != `{"sessionId":"s","cwd":"/work","mcpServers":[]}` {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestU07U09HistoryIsMarked(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		var seen seenUpdates
		withAgent(t, v, capsAll(v), Options{Events: Events{Update: seen.add}}, func(a *scripted) {
			m := a.expect("session/resume")
			a.say("s", "of old")
			a.say("other", "elsewhere")
			a.Reply(m, `{}`)
			a.say("s", "background")
		}, func(t *testing.T, c *Client) {
			if _, err := c.Resume(t.Context(), "s", cwd, false); err != nil {
				t.Error(err)
			}
			pass(time.Second)
		})
		seen.want(t, "history agent_message_chunk", "foreign agent_message_chunk", "between agent_message_chunk")
	})
}

func TestU11U13U14U23Replay(t *testing.T) {
	tests := []struct {
		v              Version
		method, params string
	}{
		{V1, "session/load", `{"sessionId":"s","cwd":"/work","mcpServers":[]}`},
		{V2, "session/resume", `{"sessionId":"s","cwd":"/work","mcpServers":[],"replayFrom":{"type":"start"}}`},
	}
	for _, tt := range tests {
		var seen seenUpdates
		o := Options{Drain: 300 * time.Millisecond, Events: Events{Update: seen.add}}
		sent := withAgent(t, tt.v, capsAll(tt.v), o, func(a *scripted) {
			m := a.expect(tt.method)
			a.update("s", `{"sessionUpdate":"user_message_chunk","messageId":"u","content":{"type":"text","text":"q"}}`)
			a.say("s", "a")
			a.Reply(m, `{"configOptions":[]}`)
			pass(200 * time.Millisecond)
			a.say("s", "late")
			pass(time.Second)
			a.say("s", "later")
		}, func(t *testing.T, c *Client) {
			start := time.Now()
			s, err := c.Resume(t.Context(), "s", cwd, true)
			if err != nil || string(s.Result) != `{"configOptions":[]}` {
				t.Errorf("got %+v, %v", s, err)
			}
			if took := time.Since(start); took != 500*time.Millisecond {
				t.Errorf("took %s", took)
			}
			pass(2 * time.Second)
		})
		wantSent(t, sent, tt.method)
		if got := string(sent[0].Params); got != tt.params {
			t.Errorf("got %s", got)
		}
		seen.want(t, "history user_message_chunk", "history agent_message_chunk", "history agent_message_chunk", "between agent_message_chunk")
	}
}

func TestU34DirectoriesGoOutAgainOnResume(t *testing.T) {
	sent := withAgent(t, V2, caps2All, Options{}, func(a *scripted) {
		a.answer("session/resume", `{}`)
		a.answer("session/resume", `{}`)
	}, func(t *testing.T, c *Client) {
		for _, dirs := range [][]string{{"/a", "/b"}, nil} {
			if _, err := c.Resume(t.Context(), "s", Setup{Cwd: "/work", AddDirs: dirs}, false); err != nil {
				t.Error(err)
			}
		}
	})
	if got := string(sent[0].Params); !strings.Contains(got, `"additionalDirectories":["/a","/b"]`) {
		t.Errorf("got %s", got)
	}
	if got := string(sent[1].Params); strings.Contains(got, "additionalDirectories") {
		t.Errorf("got %s", got)
	}
}

func TestU24ResumeAnswers(t *testing.T) {
	for result, ok := range map[string]bool{`{}`: true, `{"configOptions":[],"availableCommands":[]}`: true, `null`: true, `[]`: false, `"x"`: false} {
		withAgent(t, V2, caps2All, Options{}, func(a *scripted) { a.answer("session/resume", result) }, func(t *testing.T, c *Client) {
			s, err := c.Resume(t.Context(), "s", cwd, false)
			var p *ProtocolError
			if ok != (err == nil) || err != nil && !errors.As(err, &p) || ok && string(s.Result) != result {
				t.Errorf("%s: got %v", result, err)
			}
		})
	}
}

func TestU25U27U28U36Close(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		sent := withAgent(t, v, capsAll(v), Options{}, func(a *scripted) {
			a.answer("session/close", `{}`)
			a.ReplyError(a.expect("session/close"), CodeInternal, "not active", `{"a":1}`)
		}, func(t *testing.T, c *Client) {
			if _, err := c.CloseSession(t.Context(), "s"); err != nil {
				t.Error(err)
			}
			_, err := c.CloseSession(t.Context(), "s")
			var agent *AgentError
			if !errors.As(err, &agent) || agent.Code != CodeInternal || string(agent.Data) != `{"a":1}` {
				t.Errorf("got %v", err)
			}
		})
		wantSent(t, sent, "session/close", "session/close")
		if got := string(sent[0].Params); got != `{"sessionId":"s"}` {
			t.Errorf("got %s", got)
		}
	})
}

// Updates that come before the answer which names their session are kept and
// handed over then, in their order.
func TestP11EarlyUpdates(t *testing.T) {
	both(t, func(t *testing.T, v Version) {
		var seen seenUpdates
		o := Options{Events: Events{Update: seen.add}}
		withAgent(t, v, capsAll(v), o, func(a *scripted) {
			m := a.expect("session/new")
			a.update("s", `{"sessionUpdate":"available_commands_update","availableCommands":[]}`)
			a.update("elsewhere", `{"sessionUpdate":"agent_message_chunk"}`)
			a.update("s", `{"sessionUpdate":"session_info_update"}`)
			a.Reply(m, `{"sessionId":"s"}`)
			a.update("s", `{"sessionUpdate":"usage_update"}`)
		}, func(t *testing.T, c *Client) {
			if _, err := c.NewSession(t.Context(), cwd); err != nil {
				t.Error(err)
			}
			pass(time.Second)
		})
		seen.want(t, "early available_commands_update", "foreign agent_message_chunk", "early session_info_update", "between usage_update")
	})
}

func TestEarlyUpdatesWhenTheSessionFails(t *testing.T) {
	var seen seenUpdates
	withAgent(t, V1, `{}`, Options{Events: Events{Update: seen.add}}, func(a *scripted) {
		m := a.expect("session/new")
		a.say("s", "hello")
		a.ReplyError(m, CodeInternal, "no", "")
	}, func(t *testing.T, c *Client) {
		if _, err := c.NewSession(t.Context(), cwd); err == nil {
			t.Error("no error")
		}
	})
	seen.want(t, "foreign agent_message_chunk")
}

func TestList(t *testing.T) {
	sent := withAgent(t, V2, caps2All, Options{}, func(a *scripted) {
		a.answer("session/list", `{"sessions":[{"sessionId":"a"},{"sessionId":"b"}],"nextCursor":"n"}`)
		a.answer("session/list", `{"sessions":[{"sessionId":"c"}],"nextCursor":null}`)
		a.answer("session/list", `{"sessions":[],"nextCursor":"n"}`)
		a.answer("session/list", `{"sessions":[],"nextCursor":"n"}`)
		a.answer("session/list", `{"sessions":null}`)
	}, func(t *testing.T, c *Client) {
		var got []string
		collect := func(raw json.RawMessage) error { got = append(got, string(raw)); return nil }
		if err := c.List(t.Context(), ListFilter{Cwd: "/work"}, collect); err != nil {
			t.Error(err)
		}
		if !slices.Equal(got, []string{`{"sessionId":"a"}`, `{"sessionId":"b"}`, `{"sessionId":"c"}`}) {
			t.Errorf("got %q", got)
		}
		var p *ProtocolError
		if err := c.List(t.Context(), ListFilter{}, collect); !errors.As(err, &p) {
			t.Errorf("the same page for ever: %v", err)
		}
		if err := c.List(t.Context(), ListFilter{}, collect); !errors.As(err, &p) {
			t.Errorf("no sessions: %v", err)
		}
	})
	if string(sent[0].Params) != `{"cwd":"/work"}` || string(sent[1].Params) != `{"cwd":"/work","cursor":"n"}` || string(sent[2].Params) != `{}` {
		t.Errorf("got %s, %s, %s", sent[0].Params, sent[1].Params, sent[2].Params)
	}
}
