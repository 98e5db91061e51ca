package commands

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlainJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1}`:                           `{"a":1}`,
		"{// x\n\"a\":1}":                   `{"a":1}`,
		`{"a":/* , } */1,}`:                 `{"a":1}`,
		`[1,2, /* c */ ]`:                   `[1,2]`,
		`{"a":"// no /* comment */ ,]"}`:    `{"a":"// no /* comment */ ,]"}`,
		`{"a":"q\"//",}`:                    `{"a":"q\"//"}`,
		"{\"a\":[1,\n// one\n// two\n],\n}": `{"a":[1]}`,
	} {
		var got, exp any
		if err := json.Unmarshal(plainJSON([]byte(in)), &got); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		json.Unmarshal([]byte(want), &exp)
		if d := cmp.Diff(exp, got); d != "" {
			t.Errorf("%s: %s", in, d)
		}
	}
	for _, in := range []string{`{"a":1,,}`, `/* open`, `"open`, `{,}x`} {
		if json.Valid(plainJSON([]byte(in))) {
			t.Errorf("%s became valid", in)
		}
	}
}

func FuzzPlainJSON(f *testing.F) {
	f.Add([]byte("{\"a\":[1,/* */],// x\n}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		out := plainJSON(in)
		if len(out) != len(in) {
			t.Fatal("the length changed")
		}
		if json.Valid(in) && string(out) != string(in) {
			t.Fatalf("valid JSON was changed: %q to %q", in, out)
		}
	})
}

// homeEnv is an environment with its own home.
func homeEnv(t *testing.T, vars map[string]string) (*env, string) {
	t.Helper()
	home := t.TempDir()
	e := newEnv(Streams{}, func(k string) string {
		if v, ok := vars[k]; ok {
			return v
		}
		if k == "HOME" || k == "USERPROFILE" {
			return home
		}
		if k == "APPDATA" { // asked for on Windows alone
			return filepath.Join(home, "AppData", "Roaming")
		}
		return ""
	})
	e.say.w = &strings.Builder{}
	return e, home
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAgentsByName(t *testing.T) {
	e, home := homeEnv(t, nil)
	files := e.agentFiles()
	if len(files) != 3 || !strings.HasPrefix(files[0], home) {
		t.Fatalf("files %q", files)
	}
	write(t, files[0], `{"agent_servers":{
		"mine":"my-agent --acp 'two words'",
		"there":{"url":"ws://localhost:1/acp"},
		"sock":"unix:/run/a.sock",
	}}`)
	write(t, files[1], `// Zed settings
	{"theme":"x","agent_servers":{
		"Claude Code":{"type":"custom","command":"/bin/claude-acp","args":["--x"],"env":{"B":"2","A":"1"}}, // ours
		"codex":{"command":"my-codex"},
		"registry one":{"type":"registry","default_mode":"plan"},
		"mine":{"command":"never"},
	},}`)
	write(t, files[2], `{"agent_servers":{"Jet":{"command":"jet"}}}`)
	for name, want := range map[string]target{
		"mine":        {Label: "@mine", Argv: []string{"my-agent", "--acp", "two words"}},
		"there":       {Label: "@there", Address: "ws://localhost:1/acp"},
		"sock":        {Label: "@sock", Address: "unix:/run/a.sock"},
		"claude-code": {Label: "@claude-code", Argv: []string{"/bin/claude-acp", "--x"}, Env: []string{"A=1", "B=2"}},
		"codex":       {Label: "@codex", Argv: []string{"my-codex"}},
		"jet":         {Label: "@jet", Argv: []string{"jet"}},
		"gemini":      {Label: "@gemini", Argv: []string{"gemini", "--acp"}},
	} {
		got, err := e.named(name)
		if err != nil {
			t.Errorf("@%s: %v", name, err)
		} else if d := cmp.Diff(want, got); d != "" {
			t.Errorf("@%s: %s", name, d)
		}
	}
	var u *usageError
	if _, err := e.named("gemin"); !errors.As(err, &u) || u.hint != "did you mean @gemini?" {
		t.Errorf("@gemin: %v, %+v", err, u)
	}
	if _, err := e.named("registry one"); !errors.As(err, &u) {
		t.Errorf("an entry without a command: %v", err)
	}
}

func TestBrokenAgentFileIsToldWhenAnameIsMissing(t *testing.T) {
	e, _ := homeEnv(t, nil)
	write(t, e.agentFiles()[0], `{"agent_servers":{"x":7}}`)
	var told strings.Builder
	e.say.w = &told
	if _, err := e.named("gemini"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.named("x"); err == nil || !strings.Contains(told.String(), "agents.json") {
		t.Errorf("error %v, told %q", err, told.String())
	}
}

func TestConfigDirIsXDG(t *testing.T) {
	dir := t.TempDir()
	e, _ := homeEnv(t, map[string]string{"XDG_CONFIG_HOME": dir})
	if got := e.agentFiles()[0]; got != filepath.Join(dir, "acptool", "agents.json") {
		t.Error(got)
	}
}
