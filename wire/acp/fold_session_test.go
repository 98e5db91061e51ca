package acp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestP04KindIsFoundInTheUpdateAndIsRequired(t *testing.T) {
	for _, update := range []string{`{}`, `{"sessionUpdate":null}`, `{"sessionUpdate":3}`, `{"kind":"agent_message_chunk"}`, `{"SessionUpdate":"notice"}`} {
		for _, v := range []Version{V1, V2} {
			c := apply(NewFold("s1", v), update)
			if !slices.Equal(paths(c), []string{"/sessionUpdate"}) || c.Kind != "" || c.Unknown || c.Applied {
				t.Errorf("%s: %+v", update, c)
			}
		}
	}
	for _, update := range []string{``, `null`, `[]`, `"x"`, `{`, `{"sessionUpdate":"notice"`, `{"sessionUpdate" "notice"}`} {
		f := NewFold("s1", V2)
		if c := apply(f, update); !slices.Equal(paths(c), []string{""}) || c.Applied {
			t.Errorf("%s: %+v", update, c)
		}
		if !json.Valid(f.AppendJSON(nil)) {
			t.Errorf("%s: fold is no JSON: %s", update, f.AppendJSON(nil))
		}
	}
}

func TestP06P07P08UnknownKindsAreKeptRawAndChangeNothingElse(t *testing.T) {
	for _, v := range []Version{V1, V2} {
		f := folded(v, chunk("agent_message_chunk", "m", "a"))
		odd := ` { "sessionUpdate" : "_x" , "n" : 1.50 , "n" : 12345678901234567890, "s":"\u00e9" } `
		c := apply(f, odd)
		if !c.Unknown || c.Malformed() || !c.Created || c.Item.Type != ItemUnknown || string(c.Item.Raw) != odd {
			t.Errorf("%+v", c)
		}
		apply(f, chunk("agent_message_chunk", "m", "b"))
		wantBrief(t, f, "agent_message m ab", "unknown")
		if s, known := f.State(); known || f.StopReason() != "" || len(f.Warnings()) > 0 {
			t.Errorf("state %+v, warnings %v", s, f.Warnings())
		}
		if got := string(f.AppendJSON(nil)); !strings.Contains(got, `"n" : 1.50 , "n" : 12345678901234567890, "s":"\u00e9"`) {
			t.Errorf("spelling is lost: %s", got)
		}
	}
	// A draft variant with other members than we know degrades; nothing breaks.
	f := NewFold("s1", V2)
	if c := apply(f, `{"sessionUpdate":"subagent_update","childSession":"x","mood":"good"}`); !slices.Equal(paths(c), []string{"/sessionId"}) {
		t.Errorf("%+v", c)
	}
	if c := apply(f, chunk("agent_message_chunk", "m", "on")); c.Text != "on" {
		t.Errorf("%+v", c)
	}
	// Version 1 has no state_update: S24 rests on it.
	if c := apply(NewFold("s1", V1), state("idle", "end_turn")); !c.Unknown || c.State != nil {
		t.Errorf("%+v", c)
	}
}

func TestP09P54P58NoticesAreEventsAndNoHistory(t *testing.T) {
	notice := `{"sessionUpdate":"notice","severity":"warning","title":"slow disk","description":"still going"}`
	for _, v := range []Version{V1, V2} {
		f := NewFold("s1", v)
		f.BeginHistory()
		apply(f, chunk("agent_message_chunk", "m", "a"), notice)
		f.EndHistory(true)
		apply(f, notice)
		wantBrief(t, f, "agent_message m a")
		if n := f.Notices(); len(n) != 2 || n[0] == n[1] || n[1].Title != "slow disk" || n[1].Description != "still going" {
			t.Errorf("%+v", n)
		}
		var doc struct{ Notices []json.RawMessage }
		if err := json.Unmarshal(f.AppendJSON(nil), &doc); err != nil || len(doc.Notices) != 2 {
			t.Fatal(err, len(doc.Notices))
		}
		wantJSON(t, doc.Notices[0], `{"severity":"warning","title":"slow disk","description":"still going"}`)
	}
}

func TestP49P50P51P52P53P56NoticeMembers(t *testing.T) {
	n := func(members string) string { return `{"sessionUpdate":"notice",` + members + `}` }
	for members, path := range map[string]string{
		`"title":"x"`:                                      "/severity",
		`"title":"x","severity":null`:                      "/severity",
		`"title":"x","severity":1`:                         "/severity",
		`"severity":"info"`:                                "/title",
		`"severity":"info","title":null`:                   "/title",
		`"severity":"info","title":""`:                     "/title",
		`"severity":"info","title":"x","description":true`: "/description",
	} {
		if c := apply(NewFold("s1", V2), n(members)); !slices.Equal(paths(c), []string{path}) {
			t.Errorf("%s: %v", members, c.Problems)
		}
	}
	plain := apply(NewFold("s1", V2), n(`"severity":"info","title":"**x**"`)).Notice
	null := apply(NewFold("s1", V2), n(`"severity":"info","title":"**x**","description":null`)).Notice
	if plain.Title != "**x**" || plain.Description != null.Description || plain.Description != "" {
		t.Errorf("%+v %+v", plain, null)
	}
	// Before, in and after a turn; of any severity; nothing but notices changes.
	for _, severity := range []string{"info", "warning", "error", "_loud", "fatal"} {
		run := func(notice ...string) (*Fold, *Turn) {
			f := folded(V2, notice...)
			turn := f.Prompt(json.RawMessage(`[]`))
			turn.Result(json.RawMessage(`{"messageId":"u"}`))
			apply(f, state("running", ""))
			apply(f, notice...)
			apply(f, chunk("agent_message_chunk", "a", "fine"), state("idle", "end_turn"))
			apply(f, notice...)
			return f, turn
		}
		f, turn := run(n(`"severity":"` + severity + `","title":"x"`))
		if reason, done := turn.Done(); !done || reason != StopEndTurn {
			t.Errorf("%s: %q %v", severity, reason, done)
		}
		if len(f.Notices()) != 3 || f.Notices()[0].Severity != severity {
			t.Errorf("%s: %d notices", severity, len(f.Notices()))
		}
		without, _ := run()
		if brief(f) != brief(without) || f.Text() != without.Text() || f.StopReason() != without.StopReason() {
			t.Errorf("%s changed the fold", severity)
		}
	}
}

func TestP55NothingDependsOnNotices(t *testing.T) {
	end := func(updates ...string) StopReason {
		f := NewFold("s1", V2)
		turn := f.Prompt(json.RawMessage(`[]`))
		turn.Result(json.RawMessage(`{"messageId":"u"}`))
		apply(f, updates...)
		reason, _ := turn.Done()
		return reason
	}
	run, stop := state("running", ""), state("idle", "refusal")
	if a, b := end(run, `{"sessionUpdate":"notice","severity":"error","title":"x"}`, stop), end(run, stop); a != b || a != StopRefusal {
		t.Errorf("%q and %q", a, b)
	}
}

func TestP75UsageKeepsDigits(t *testing.T) {
	usage := func(members string) string { return `{"sessionUpdate":"usage_update",` + members + `}` }
	f := folded(V2, usage(`"used":12345678901234567890,"size":2e5,"cost":{"amount":0.0450,"currency":"USD"}`))
	if got := string(f.AppendJSON(nil)); !strings.Contains(got, `"usage":{"used":12345678901234567890,"size":2e5}`) || !strings.Contains(got, `"cost":{"amount":0.0450,"currency":"USD"}`) {
		t.Errorf("digits are lost: %s", got)
	}
	apply(f, usage(`"used":2,"size":3`))
	if string(f.Usage()) != `{"used":2,"size":3}` || string(f.Cost()) != `{"amount":0.0450,"currency":"USD"}` {
		t.Errorf("usage %s, cost %s", f.Usage(), f.Cost())
	}
	apply(f, usage(`"used":3,"size":3,"cost":null`))
	if f.Cost() != nil {
		t.Errorf("cost %s", f.Cost())
	}
	for members, path := range map[string]string{
		`"size":1`:                              "/used",
		`"used":null,"size":1`:                  "/used",
		`"used":1`:                              "/size",
		`"used":"1","size":1`:                   "/used",
		`"used":1,"size":1,"cost":{"amount":1}`: "/cost/currency",
		`"used":1,"size":1,"cost":{"currency":"EUR"}`:           "/cost/amount",
		`"used":1,"size":1,"cost":"free"`:                       "/cost",
		`"used":1,"size":1,"cost":{"amount":1,"currency":null}`: "/cost/currency",
	} {
		if c := apply(NewFold("s1", V2), usage(members)); !slices.Equal(paths(c), []string{path}) {
			t.Errorf("%s: %v", members, c.Problems)
		}
	}
}

func TestSessionWideKinds(t *testing.T) {
	f := folded(V1,
		`{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"plan","description":"make one","input":{"hint":"what"}}]}`,
		`{"sessionUpdate":"current_mode_update","currentModeId":"code"}`,
		`{"sessionUpdate":"config_option_update","configOptions":[{"id":"model","name":"Model","type":"select","currentValue":"a","options":[]}]}`,
		`{"sessionUpdate":"session_info_update","title":"First","updatedAt":"2026-11-30T00:00:00Z","_meta":{"a":1}}`,
		`{"sessionUpdate":"session_info_update","title":"Second","_meta":{"b":1.0}}`,
		`{"sessionUpdate":"session_info_update","updatedAt":null}`)
	if f.Mode() != "code" || f.Title() != "Second" || len(f.Items()) > 0 || len(f.Warnings()) > 0 {
		t.Errorf("mode %q, title %q, warnings %v", f.Mode(), f.Title(), f.Warnings())
	}
	wantJSON(t, f.AppendJSON(nil), `{"sessionId":"s1","protocol":1,"state":null,"stopReason":null,"text":"","items":[],
		"info":{"title":"Second","_meta":{"b":1.0}},
		"commands":[{"name":"plan","description":"make one","input":{"hint":"what"}}],
		"configOptions":[{"id":"model","name":"Model","type":"select","currentValue":"a","options":[]}],"mode":"code"}`)
	for update, path := range map[string]string{
		`{"sessionUpdate":"available_commands_update"}`:                                           "/availableCommands",
		`{"sessionUpdate":"available_commands_update","availableCommands":{}}`:                    "/availableCommands",
		`{"sessionUpdate":"available_commands_update","availableCommands":[{"description":"x"}]}`: "/availableCommands/0/name",
		`{"sessionUpdate":"current_mode_update"}`:                                                 "/currentModeId",
		`{"sessionUpdate":"config_option_update","configOptions":[{"name":"x"}]}`:                 "/configOptions/0/id",
		`{"sessionUpdate":"session_info_update","title":3}`:                                       "/title",
	} {
		if c := apply(NewFold("s1", V1), update); !slices.Equal(paths(c), []string{path}) {
			t.Errorf("%s: %v", update, c.Problems)
		}
	}
	if f := folded(V1, `{"sessionUpdate":"session_info_update","title":"kept"}`, `{"sessionUpdate":"session_info_update","title":3}`); f.Title() != "kept" {
		t.Errorf("a malformed title replaced: %q", f.Title())
	}
}

func TestP87SubagentsAndTheirMirroredState(t *testing.T) {
	child := func(members string) string {
		return `{"sessionUpdate":"subagent_update","sessionId":"kid"` + members + `}`
	}
	f := NewFold("s1", V2)
	turn := f.Prompt(json.RawMessage(`[]`))
	turn.Result(json.RawMessage(`{"messageId":"u"}`))
	apply(f, state("running", ""), child(`,"title":"helper","capabilities":{"cancel":{}},"state":{"state":"running"}`))
	idle := child(`,"state":{"state":"idle","stopReason":"end_turn","usage":{"totalTokens":5}}`)
	apply(f, idle, idle)
	if _, done := turn.Done(); done {
		t.Error("the child's idle ended the parent's turn")
	}
	if s, _ := f.State(); s.Name != StateRunning || f.TurnUsage() != nil || f.StopReason() != "" {
		t.Errorf("state %q, usage %s", s.Name, f.TurnUsage())
	}
	if len(f.Subagents()) != 1 {
		t.Fatalf("%d subagents", len(f.Subagents()))
	}
	wantJSON(t, f.Subagents()[0].appendJSON(nil), `{"sessionId":"kid","title":"helper","capabilities":{"cancel":{}},
		"state":{"state":"idle","stopReason":"end_turn","usage":{"totalTokens":5}}}`)
	apply(f, child(`,"title":null,"description":"d","cwd":"/w","additionalDirectories":["/x"],"state":null,"capabilities":null,"_meta":{"a":1}`), child(""))
	wantJSON(t, f.Subagents()[0].appendJSON(nil), `{"sessionId":"kid","description":"d","cwd":"/w","additionalDirectories":["/x"],"_meta":{"a":1}}`)
	for members, path := range map[string]string{`,"state":"idle"`: "/state", `,"state":{}`: "/state", `,"additionalDirectories":"/x"`: "/additionalDirectories"} {
		if c := apply(f, child(members)); !slices.Equal(paths(c), []string{path}) {
			t.Errorf("%s: %v", members, c.Problems)
		}
	}
	wantJSON(t, f.Subagents()[0].appendJSON(nil), `{"sessionId":"kid","description":"d","cwd":"/w","additionalDirectories":["/x"],"_meta":{"a":1}}`)
	apply(f, state("idle", "end_turn"))
	if _, done := turn.Done(); !done {
		t.Error("the parent's own idle did not end the turn")
	}
}

func TestP86BackgroundUpdatesDoNotChangeTheState(t *testing.T) {
	f := NewFold("s1", V2)
	turn := f.Prompt(json.RawMessage(`[]`))
	turn.Result(json.RawMessage(`{"messageId":"u"}`))
	apply(f, state("running", ""), state("idle", "end_turn"), call(`,"status":"in_progress"`), chunk("agent_message_chunk", "m", "by the way"))
	s, _ := f.State()
	if reason, done := turn.Done(); s.Name != StateIdle || !done || reason != StopEndTurn || f.StopReason() != StopEndTurn {
		t.Errorf("state %q, done %v", s.Name, done)
	}
}

func TestP88P89UnknownKeepsTheLastKnownStateBesideIt(t *testing.T) {
	f := folded(V2, state("running", ""), state("requires_action", ""), state("unknown", ""), state("unknown", ""))
	if s, _ := f.State(); s.Name != StateUnknown || s.Live() || f.LastState() != StateRequiresAction {
		t.Errorf("state %q, last %q", s.Name, f.LastState())
	}
	wantJSON(t, f.AppendJSON(nil), `{"sessionId":"s1","protocol":2,"state":"unknown","lastState":"requires_action","stopReason":null,"text":"","items":[]}`)
	for _, next := range []string{"running", "requires_action", "idle", "_later"} {
		f := folded(V2, state("running", ""), state("unknown", ""), state(next, ""))
		if s, _ := f.State(); s.Name != next || f.LastState() != "" {
			t.Errorf("%s: state %q, last %q", next, s.Name, f.LastState())
		}
	}
	if f := folded(V2, state("unknown", "")); f.LastState() != "" {
		t.Errorf("last state %q out of nothing", f.LastState())
	}
}

func TestP90UnknownIsNoOutcome(t *testing.T) {
	f := NewFold("s1", V2)
	turn := f.Prompt(json.RawMessage(`[]`))
	turn.Result(json.RawMessage(`{"messageId":"u"}`))
	apply(f, state("running", ""), call(`,"status":"in_progress"`))
	f.Permission(json.RawMessage(`{"sessionId":"s1","title":"may I","options":[]}`))
	apply(f, state("requires_action", ""), `{"sessionUpdate":"subagent_update","sessionId":"kid","capabilities":{"cancel":{}}}`, state("unknown", ""))
	if _, done := turn.Done(); done || len(f.Pending()) != 1 || f.Tool("c").Status != "in_progress" || f.Subagents()[0].Capabilities == nil {
		t.Errorf("done %v, pending %d", done, len(f.Pending()))
	}
	apply(f, state("idle", "end_turn"))
	if reason, done := turn.Done(); !done || reason != StopEndTurn {
		t.Errorf("%q %v", reason, done)
	}
}

func TestP91StateIsOnlyEverReported(t *testing.T) {
	f := folded(V2, chunk("agent_message_chunk", "m", "x"), call(`,"status":"in_progress"`))
	if s, known := f.State(); known {
		t.Errorf("state %q was never reported", s.Name)
	}
}

func TestS17S18S19OneDecoderOfStates(t *testing.T) {
	for _, raw := range []string{``, `null`, `"idle"`, `[]`, `{}`, `7`, `{"state":7}`, `{"state":null}`, `{"state":""}`, `{"State":"idle"}`, `{"state":"idle"`} {
		if s, ok := DecodeState(json.RawMessage(raw)); ok || s.Name != "" {
			t.Errorf("%s is reported as %q", raw, s.Name)
		}
	}
	s, ok := DecodeState(json.RawMessage(`{"state":"requires_action","_meta":{}}`))
	if !ok || s.Name != StateRequiresAction || !s.Live() {
		t.Errorf("%+v", s)
	}
	s, ok = DecodeState(json.RawMessage(`{"state":"idle","stopReason":"error","usage":{"totalTokens":1.0},"error":{"code":-32603,"message":"m"}}`))
	if !ok || s.StopReason != StopError || string(s.Usage) != `{"totalTokens":1.0}` || s.Error == nil || s.Live() {
		t.Errorf("%+v", s)
	}
	s, ok = DecodeState(json.RawMessage(`{"state":"idle","stopReason":7,"usage":[]}`))
	if !ok || s.StopReason != "" || s.Usage != nil || len(s.Problems) != 2 {
		t.Errorf("%+v", s)
	}
	// The same decoder reads state_update and a subagent's state.
	c := apply(NewFold("s1", V2), state("_paused", ""))
	if c.State == nil || c.State.Name != "_paused" {
		t.Errorf("%+v", c)
	}
	for _, update := range []string{`{"sessionUpdate":"state_update"}`, `{"sessionUpdate":"state_update","state":{"state":"idle"}}`, `{"sessionUpdate":"state_update","state":""}`} {
		f := NewFold("s1", V2)
		if c := apply(f, update); !slices.Equal(paths(c), []string{"/state"}) || c.State != nil {
			t.Errorf("%s: %+v", update, c)
		}
		if _, known := f.State(); known {
			t.Errorf("%s reported a state", update)
		}
	}
}

func TestIdleTellsUsageReasonAndErrorOnce(t *testing.T) {
	f := folded(V2, state("running", ""), `{"sessionUpdate":"state_update","state":"idle","stopReason":"error","error":{"code":-32603,"message":"model is gone"},"usage":{"totalTokens":30}}`)
	want := `{"sessionId":"s1","protocol":2,"state":"idle","stopReason":"error","text":"","items":[],"turnUsage":{"totalTokens":30},"error":{"code":-32603,"message":"model is gone"}}`
	wantJSON(t, f.AppendJSON(nil), want)
	apply(f, state("idle", "")) // a repeated snapshot takes nothing back
	wantJSON(t, f.AppendJSON(nil), want)
	apply(f, state("running", ""))
	wantJSON(t, f.AppendJSON(nil), `{"sessionId":"s1","protocol":2,"state":"running","stopReason":null,"text":"","items":[]}`)
}

func TestWarningsAreCountedAndKeepPayloadsThatWereNotApplied(t *testing.T) {
	lost := `{"sessionUpdate":"usage_update","used":1}`
	f := folded(V2, `{"sessionUpdate":"agent_message_chunk","content":`+text1("a")+`}`, `{"sessionUpdate":"agent_message_chunk","content":`+text1("b")+`}`, lost, lost,
		`{"sessionUpdate":"tool_call","toolCallId":"c"}`)
	want := []Warning{
		{"agent_message_chunk", "/messageId", "is missing", 2, nil},
		{"usage_update", "/size", "is missing", 1, json.RawMessage(lost)},
		{"usage_update", "/size", "is missing", 1, json.RawMessage(lost)},
		{"tool_call", "/sessionUpdate", "is a kind of the other protocol version", 1, nil},
	}
	if diff := cmp.Diff(want, f.Warnings()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsKeptIsACopy(t *testing.T) {
	for _, update := range []string{
		chunk("agent_message_chunk", "m", "text"), `{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"image","data":"QQ==","mimeType":"image/png"}}`,
		call(`,"title":"t","rawInput":{"a":"b"},"locations":[{"path":"/a"}],"content":[{"type":"terminal","terminalId":"t"}]`), compact(`"status":"completed","summary":[` + text1("x") + `]`),
		`{"sessionUpdate":"plan_update","plan":{"type":"items","planId":"p","entries":[]}}`, `{"sessionUpdate":"_x","a":1}`, state("idle", "end_turn"),
		`{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"a","description":"b"}]}`, `{"sessionUpdate":"session_info_update","title":"t"}`,
		`{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":1,"currency":"EUR"}}`, `{"sessionUpdate":"notice","severity":"info","title":"t"}`,
		`{"sessionUpdate":"subagent_update","sessionId":"k","state":{"state":"idle"},"_meta":{}}`, `{"sessionUpdate":"usage_update"}`,
	} {
		f := NewFold("s1", V2)
		line := []byte(update)
		f.Update(line)
		before := string(f.AppendJSON(nil))
		for i := range line {
			line[i] = '#'
		}
		if after := string(f.AppendJSON(nil)); after != before {
			t.Errorf("%s: the fold holds the caller's bytes: %s", update, after)
		}
	}
}
