package pretty

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

func logOf(t *testing.T, o LogOptions, entries []wire.Entry) string {
	t.Helper()
	var b bytes.Buffer
	l := NewLog(&b, o)
	l.Begin(Connection{Started: time.Date(2026, 11, 30, 4, 5, 6, 0, time.UTC)})
	play(t, l, entries)
	return b.String()
}

func TestP11LogGoldens(t *testing.T) {
	agent := wire.Agent
	for _, c := range []struct {
		name, script string
		o            LogOptions
	}{
		{"log-v1.pipe", "v1.script", LogOptions{}},
		{"log-v2.pipe", "v2.script", LogOptions{Zone: time.UTC}},
		{"log-v1.wide", "v1.script", LogOptions{Screen: Screen{Terminal: true, Width: 120}}},
		{"log-v1.narrow", "v1.script", LogOptions{Screen: Screen{Terminal: true, Width: 50}}},
		{"log-v1.tiny", "v1.script", LogOptions{Screen: Screen{Terminal: true, Width: 30}}},
		{"log-v1.colour", "v1.script", LogOptions{Screen: Screen{Terminal: true, Colour: true, Width: 100}}},
		{"log-v1.body", "v1.script", LogOptions{Body: BodyPretty, Select: Selection{Only: []string{"session/*"}, Except: []string{"*_chunk"}}}},
		{"log-v1.raw", "v1.script", LogOptions{Body: BodyRaw, Select: Selection{From: &agent, Only: []string{"session/prompt", "plan"}}}},
		{"log-v2.child", "v2.script", LogOptions{Select: Selection{Session: "s-child"}}},
		{"log-v2.bad", "v2.script", LogOptions{Select: Selection{Only: []string{"malformed", "error"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden(t, c.name, []byte(logOf(t, c.o, script(t, c.script))))
		})
	}
}

// The narrower the terminal the less is shown, but a line of text fits.
func TestLogFitsTheTerminal(t *testing.T) {
	for _, width := range []int{60, 70, 80, 120, 200} {
		for _, tag := range []string{"", "acptool-replay-4711"} {
			if tag != "" && width < 80 {
				continue // names of methods and of connections are not cut
			}
			o := LogOptions{Screen: Screen{Terminal: true, Width: width}, Zone: time.UTC}
			var b bytes.Buffer
			l := NewLog(&b, o)
			l.Begin(Connection{Name: tag, Started: time.Date(2026, 11, 30, 4, 5, 6, 0, time.UTC)})
			play(t, l, script(t, "v2.script"))
			for _, line := range strings.Split(b.String(), "\n") {
				if n := utf8.RuneCountInString(line); n > width && !strings.Contains(line, "malformed") {
					t.Errorf("width %d: %d columns: %s", width, n, line)
				}
				if strings.HasPrefix(line, "session ") != (tag == "" && strings.Contains(line, "session ") && !strings.ContainsAny(line, "→←")) {
					t.Errorf("which connection? %s", line)
				}
			}
		}
	}
}

func TestEveryMethodHasAGist(t *testing.T) {
	for _, m := range acp.Methods() {
		if paramsGist(m.Name, m.From) == nil {
			t.Errorf("%s from %v has no gist", m.Name, m.From)
		}
		if !m.Notification && resultGist(m.Name) == nil {
			t.Errorf("the result of %s has no gist", m.Name)
		}
	}
}

func TestP05EveryKindOfUpdateHasAGist(t *testing.T) {
	for _, v := range []acp.Version{acp.V1, acp.V2} {
		for _, kind := range acp.UpdateKinds(v) {
			if updateGist(kind) == nil {
				t.Errorf("%s (version %v) has no gist", kind, v)
			}
		}
	}
	for _, kind := range standardKinds {
		if updateGist(kind) == nil {
			t.Errorf("%s has no gist", kind)
		}
	}
}

// standardKinds are the variants of the table in v2-prompt-lifecycle, Session
// Updates, and those of version 1 that have gone since.
var standardKinds = []string{
	"user_message_chunk", "user_message", "agent_message_chunk", "agent_message", "agent_thought_chunk",
	"agent_thought", "subagent_update", "session_message", "session_message_chunk", "state_update",
	"tool_call_content_chunk", "tool_call_update", "terminal_update", "terminal_output_chunk", "plan_update",
	"plan_removed", "available_commands_update", "config_option_update", "session_info_update", "usage_update",
	"notice", "compaction_update", "compaction_summary_chunk",
	"tool_call", "plan", "current_mode_update",
}

// one shows one update in a log and returns its line.
func one(t *testing.T, update string) string {
	t.Helper()
	line := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":` + update + `}}`
	lines := strings.Split(logOf(t, LogOptions{}, []wire.Entry{{From: wire.Agent, Data: []byte(line)}}), "\n")
	return lines[1]
}

func TestP04UpdateWithoutKindIsMalformed(t *testing.T) {
	for _, u := range []string{`{"content":1}`, `{"sessionUpdate":7}`, `{"sessionUpdate":null}`} {
		if l := one(t, u); !strings.Contains(l, "malformed: /params/update/sessionUpdate") {
			t.Errorf("%s: %s", u, l)
		}
	}
}

func TestP08UnknownKindIsOneGenericLine(t *testing.T) {
	l := one(t, `{"sessionUpdate":"_x","a":"b"}`)
	if !strings.Contains(l, "session/update _x") || !strings.Contains(l, "a=b") || strings.Contains(l, "malformed") {
		t.Error(l)
	}
}

func TestMalformedUpdatesAreSaidWithTheirPlace(t *testing.T) {
	for _, c := range []struct{ rule, update, want string }{
		{"P50", `{"sessionUpdate":"notice","title":"t"}`, "malformed: /severity"},
		{"P52", `{"sessionUpdate":"notice","severity":"info","title":""}`, "malformed: /title"},
		{"P52", `{"sessionUpdate":"notice","severity":"info"}`, "malformed: /title"},
		{"P75", `{"sessionUpdate":"usage_update","size":1}`, "malformed: /used"},
		{"P75", `{"sessionUpdate":"usage_update","used":1,"size":1,"cost":{"amount":1}}`, "malformed: /cost/currency"},
		{"P60", `{"sessionUpdate":"compaction_update","status":"failed"}`, "malformed: /compactionId"},
		{"P48", `{"sessionUpdate":"tool_call_update","title":"x"}`, "malformed: /toolCallId"},
		{"P40", `{"sessionUpdate":"plan_update","plan":{}}`, "malformed: /plan/type"},
		{"P82", `{"sessionUpdate":"terminal_output_chunk","terminalId":"t","data":"?"}`, ""},
	} {
		l := one(t, c.update)
		if !strings.Contains(l, c.want) {
			t.Errorf("%s: %s\ngives %s", c.rule, c.update, l)
		}
	}
}

// Real ids share long beginnings, so an id is shown whole on any terminal.
func TestIdsAreNeverShortened(t *testing.T) {
	id := strings.Repeat("0123456789", 8)
	line := `{"jsonrpc":"2.0","id":"` + id + `","method":"session/close","params":{"sessionId":"S` + id + `"}}`
	got := logOf(t, LogOptions{Screen: Screen{Terminal: true, Width: 40}}, []wire.Entry{{Data: []byte(line)}})
	if !strings.Contains(got, `#"`+id+`"`) || !strings.Contains(got, "session S"+id+"\n") {
		t.Error(got)
	}
}

// A log line never holds what could steer a terminal, whatever the agent says.
func TestLogCannotSteerATerminal(t *testing.T) {
	for _, nasty := range []string{"\x1b]0;t\x07", "\x9b31m", "\u009b31m", "\u202e", "\r", "\x7f", "\x00"} {
		for _, tmpl := range []string{
			`{"jsonrpc":"2.0","method":"X","params":{"k":"v"}}`, `X`, `{"X":1`,
			`{"jsonrpc":"2.0","id":"X","method":"session/prompt","params":{"sessionId":"X","prompt":[{"type":"X","text":"X"}]}}`,
			`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"X","X":"X"}}}`,
			`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"X"}}}}`,
		} {
			for _, body := range []Body{BodyNone, BodyPretty, BodyRaw} {
				o := LogOptions{Body: body, Screen: Screen{Terminal: true, Width: 100}}
				for _, spelled := range []string{nasty, escapeJSON(nasty)} {
					line := strings.ReplaceAll(tmpl, "X", spelled)
					got := logOf(t, o, []wire.Entry{{Data: []byte(line)}, {Kind: wire.EntryStderr, Data: []byte(nasty + "\n")}})
					if strings.Contains(strings.ReplaceAll(got, "\n", ""), nasty) {
						t.Errorf("%q reached the terminal: %q", nasty, got)
					}
				}
			}
		}
	}
}

func escapeJSON(s string) string {
	var b []byte
	for _, r := range s {
		b = appendHex(append(b, `\u`...), uint32(r), 4)
	}
	return string(b)
}

func TestLogsOfSeveralConnectionsShareAStream(t *testing.T) {
	chunk := func(text string) wire.Entry {
		return wire.Entry{From: wire.Agent, Data: []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}}}`)}
	}
	var b bytes.Buffer
	one := NewLog(&b, LogOptions{})
	two := one.Sibling()
	one.Begin(Connection{Name: "one"})
	two.Begin(Connection{Name: "two"})
	one.Observe(chunk("a"))
	two.Observe(chunk("b"))
	one.Observe(chunk("c"))
	two.Close()
	one.Close()
	golden(t, "log-siblings", b.Bytes())
}

func TestLogSaysWhatWasDropped(t *testing.T) {
	var b bytes.Buffer
	l := NewLog(&b, LogOptions{})
	l.Dropped(17)
	l.Close()
	if b.String() != "… 17 entries are not shown: the log could not keep up\n" {
		t.Error(b.String())
	}
}

func TestLogRedacts(t *testing.T) {
	o := LogOptions{Redact: func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("sk-1"), []byte("[redacted]")) }}
	got := logOf(t, o, []wire.Entry{
		{Data: []byte(`{"jsonrpc":"2.0","method":"_x","params":{"k":"sk-1"}}`)},
		{Kind: wire.EntryStderr, Data: []byte("sk-")}, {Kind: wire.EntryStderr, Data: []byte("1\n")},
	})
	if strings.Contains(got, "sk-1") || strings.Count(got, "[redacted]") != 2 {
		t.Error(got)
	}
}

// A frame glued behind a prompt or an escape code is dug out; what stood before
// it is noise.
func TestLogDigsFramesOutOfNoise(t *testing.T) {
	got := logOf(t, LogOptions{}, []wire.Entry{{From: wire.Agent, Data: []byte("\x1b[2K> " + `{"jsonrpc":"2.0","method":"_x/tick","params":{"n":1}}`)}})
	if !strings.Contains(got, `noise  \e[2K>`) || !strings.Contains(got, "_x/tick") || strings.Count(got, "\n") != 2 {
		t.Error(got)
	}
}

func TestP49NoticesAreShownAtAnyTime(t *testing.T) {
	notice := func(at time.Duration) wire.Entry {
		return wire.Entry{T: at, From: wire.Agent, Data: []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"notice","severity":"info","title":"heads up"}}}`)}
	}
	prompt := wire.Entry{T: 2, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`)}
	answer := wire.Entry{T: 4, From: wire.Agent, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}`)}
	got := logOf(t, LogOptions{}, []wire.Entry{notice(1), prompt, notice(3), answer, notice(5)})
	if strings.Count(got, "info: heads up") != 3 {
		t.Error(got)
	}
}
