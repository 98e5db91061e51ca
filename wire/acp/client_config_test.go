package acp

import (
	"errors"
	"testing"
)

func TestSettings(t *testing.T) {
	const (
		modes    = `"modes":{"currentModeId":"ask","availableModes":[{"id":"ask"},{"id":"code"}]}`
		models   = `"models":{"currentModelId":"a","availableModels":[{"modelId":"a"}]}`
		options1 = `"configOptions":[{"id":"m","category":"mode","type":"select","currentValue":"ask","options":[{"value":"ask"}]},{"id":"model","category":"model","type":"select"},{"id":"loud","type":"boolean"}]`
		options2 = `"configOptions":[{"configId":"mode","type":"select"},{"configId":"x","category":"model","type":"select"},{"configId":"loud","type":"boolean"}]`
	)
	mode := func(v string) func(*testing.T, *Client, *Session) error {
		return func(t *testing.T, c *Client, s *Session) error { return c.SetMode(t.Context(), s, v) }
	}
	model := func(v string) func(*testing.T, *Client, *Session) error {
		return func(t *testing.T, c *Client, s *Session) error { return c.SetModel(t.Context(), s, v) }
	}
	config := func(id, v string) func(*testing.T, *Client, *Session) error {
		return func(t *testing.T, c *Client, s *Session) error { return c.SetConfig(t.Context(), s, id, v) }
	}
	tests := []struct {
		name   string
		v      Version
		setup  string
		set    func(*testing.T, *Client, *Session) error
		method string // "" for UnsupportedError
		params string
	}{
		{"v1 mode by modes", V1, modes, mode("code"), "session/set_mode", `{"sessionId":"s","modeId":"code"}`},
		{"v1 mode by option", V1, modes + "," + options1, mode("code"), "session/set_config_option", `{"sessionId":"s","configId":"m","value":"code"}`},
		{"v1 no modes", V1, `"modes":null`, mode("code"), "", ""},
		{"v1 model by models", V1, models, model("b"), "session/set_model", `{"sessionId":"s","modelId":"b"}`},
		{"v1 model by option", V1, models + "," + options1, model("b"), "session/set_config_option", `{"sessionId":"s","configId":"model","value":"b"}`},
		{"v1 no models", V1, modes, model("b"), "", ""},
		{"v1 boolean", V1, options1, config("loud", "true"), "session/set_config_option", `{"sessionId":"s","configId":"loud","type":"boolean","value":true}`},
		{"v1 unknown option", V1, options1, config("quiet", "true"), "", ""},
		{"v2 mode by id", V2, options2, mode("code"), "session/set_config_option", `{"sessionId":"s","configId":"mode","type":"id","value":"code"}`},
		{"v2 model", V2, options2, model("b"), "session/set_config_option", `{"sessionId":"s","configId":"x","type":"id","value":"b"}`},
		{"v2 modes do not count", V2, modes, mode("code"), "", ""},
		{"v2 boolean", V2, options2, config("loud", "false"), "session/set_config_option", `{"sessionId":"s","configId":"loud","type":"boolean","value":false}`},
		{"v2 nothing", V2, `"configOptions":[]`, config("loud", "false"), "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sent := withAgent(t, tt.v, capsAll(tt.v), Options{}, func(a *scripted) {
				a.answer("session/new", `{"sessionId":"s",`+tt.setup+`}`)
				if tt.method != "" {
					a.answer(tt.method, `{"configOptions":[]}`)
				}
			}, func(t *testing.T, c *Client) {
				s, err := c.NewSession(t.Context(), cwd)
				if err != nil {
					t.Fatal(err)
				}
				err = tt.set(t, c, s)
				var u *UnsupportedError
				if (tt.method == "") != errors.As(err, &u) || tt.method != "" && err != nil {
					t.Errorf("got %v", err)
				}
			})
			if tt.method == "" {
				wantSent(t, sent, "session/new")
				return
			}
			wantSent(t, sent, "session/new", tt.method)
			if got := string(sent[1].Params); got != tt.params {
				t.Errorf("got %s, want %s", got, tt.params)
			}
		})
	}
}

// What can be set is what the agent told last: its setup answer, the answer to
// a setting, or an update.
func TestSettingsFollowTheAgent(t *testing.T) {
	option := func(id string) string { return `"configOptions":[{"configId":"` + id + `","type":"select"}]` }
	withAgent(t, V2, caps2All, Options{}, func(a *scripted) {
		a.answer("session/new", `{"sessionId":"s",`+option("a")+`}`)
		a.answer("session/set_config_option", `{`+option("b")+`}`)
		m := a.expect("session/set_config_option")
		a.update("s", `{"sessionUpdate":"config_option_update",`+option("c")+`}`)
		a.Reply(m, `{}`)
		a.answer("session/set_config_option", `{}`)
	}, func(t *testing.T, c *Client) {
		s, err := c.NewSession(t.Context(), cwd)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"a", "b", "c"} {
			if err := c.SetConfig(t.Context(), s, id, "v"); err != nil {
				t.Errorf("%s: %v", id, err)
			}
		}
		var usage *UsageError
		var u *UnsupportedError
		if err := c.SetConfig(t.Context(), s, "a", "v"); !errors.As(err, &u) || errors.As(err, &usage) {
			t.Errorf("got %v", err)
		}
	})
}

func TestBooleanOptionsTakeTrueAndFalse(t *testing.T) {
	sent := withAgent(t, V1, `{}`, Options{}, func(a *scripted) {
		a.answer("session/new", `{"sessionId":"s","configOptions":[{"id":"loud","type":"boolean"}]}`)
	}, func(t *testing.T, c *Client) {
		s, err := c.NewSession(t.Context(), cwd)
		if err != nil {
			t.Fatal(err)
		}
		var usage *UsageError
		if err := c.SetConfig(t.Context(), s, "loud", "yes"); !errors.As(err, &usage) {
			t.Errorf("got %v", err)
		}
	})
	wantSent(t, sent, "session/new")
}
