package acp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/acptool/acptool/wire"
)

// connection feeds lines to a set: "> …" from the client, "< …" from the agent.
func connection(t *testing.T, s *FoldSet, lines ...string) (last SetEvent) {
	t.Helper()
	for _, line := range lines {
		from := wire.Client
		if line[0] == '<' {
			from = wire.Agent
		}
		var m struct {
			ID                    json.RawMessage
			Method                string
			Params, Result, Error json.RawMessage
		}
		if err := json.Unmarshal([]byte(line[2:]), &m); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		last = s.Message(from, wire.Message{Raw: []byte(line[2:]), ID: wire.ID(m.ID), Method: m.Method, Params: m.Params, Result: m.Result, Error: m.Error})
	}
	return last
}

func updateLine(session, update string) string {
	return `< {"method":"session/update","params":{"sessionId":"` + session + `","update":` + update + `}}`
}

var (
	helloV1 = []string{`> {"id":0,"method":"initialize","params":{"protocolVersion":2}}`, `< {"id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}`}
	helloV2 = []string{`> {"id":0,"method":"initialize","params":{"protocolVersion":2}}`, `< {"id":0,"result":{"protocolVersion":2,"capabilities":{},"info":{}}}`}
)

func onlyFold(t *testing.T, s *FoldSet) *Fold {
	t.Helper()
	if n := len(s.Folds()); n != 1 {
		t.Fatalf("%d sessions", n)
	}
	return s.Folds()[0]
}

func TestFoldSetFollowsAVersion1Session(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, helloV1...)
	e := connection(t, s,
		`> {"id":1,"method":"session/new","params":{"cwd":"/"}}`,
		updateLine("s", `{"sessionUpdate":"available_commands_update","availableCommands":[]}`),
		`< {"id":1,"result":{"sessionId":"s","modes":{"currentModeId":"ask","availableModes":[]},"configOptions":[]}}`,
		`> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[`+text1("write")+`]}}`,
		updateLine("s", chunk("agent_message_chunk", "", "ok")),
		`< {"id":2,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"write a"},"options":[]}}`)
	f := onlyFold(t, s)
	if st, _ := f.State(); st.Name != StateRequiresAction || e.Item == nil || e.Fold != f || len(f.Pending()) != 1 {
		t.Errorf("state %q, %+v", st.Name, e)
	}
	// The agent's request and ours have the same id: two id spaces.
	e = connection(t, s, `> {"id":2,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`)
	if st, _ := f.State(); st.Name != StateRunning || e.Item == nil {
		t.Errorf("state %q", st.Name)
	}
	e = connection(t, s, `> {"id":3,"method":"session/set_mode","params":{"sessionId":"s","modeId":"code"}}`, `< {"id":3,"result":{}}`,
		`< {"id":2,"result":{"stopReason":"end_turn","usage":{"totalTokens":7}}}`)
	if reason, done := e.Turn.Done(); !done || reason != StopEndTurn {
		t.Errorf("%q %v", reason, done)
	}
	wantJSON(t, f.AppendJSON(nil), `{"sessionId":"s","protocol":1,"state":"idle","stopReason":"end_turn","text":"ok","items":[
		{"type":"user_message","content":[`+text1("write")+`],"submitted":true},
		{"type":"agent_message","content":[`+text1("ok")+`]},
		{"type":"tool_call","toolCallId":"c","title":"write a","kind":"other","status":"pending","content":[],"locations":[],"rawInput":null,"rawOutput":null},
		{"type":"permission","request":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"write a"},"options":[]},"outcome":{"outcome":"selected","optionId":"yes"}}],
		"turnUsage":{"totalTokens":7},"commands":[],"configOptions":[],"mode":"code"}`)
}

func TestP78PermissionOfVersion2PatchesItsToolCall(t *testing.T) {
	f := folded(V2, call(`,"title":"first","status":"pending"`))
	item, c := f.Permission(json.RawMessage(`{"sessionId":"s1","title":"May I?","subject":{"type":"tool_call","toolCall":{"toolCallId":"c","title":"second"}},"options":[{"optionId":"a","name":"A","kind":"allow_once"}]}`))
	if c.Malformed() || !c.Created || item.Permission.Tool.Tool.Title != "second" || len(f.Items()) != 2 {
		t.Errorf("%+v", c)
	}
	command, c := f.Permission(json.RawMessage(`{"sessionId":"s1","title":"Run?","subject":{"type":"command","command":"ls","cwd":"/","toolCallId":"c"},"options":[]}`))
	if c.Malformed() || command.Permission.Tool != item.Permission.Tool {
		t.Errorf("%+v", c)
	}
	fresh, c := f.Permission(json.RawMessage(`{"sessionId":"s1","title":"New?","subject":{"type":"tool_call","toolCall":{"toolCallId":"new"}},"options":[]}`))
	if c.Malformed() || fresh.Permission.Tool == nil || f.Tool("new") == nil {
		t.Errorf("%+v", c)
	}
	f.PermissionAnswered(item, json.RawMessage(`{"outcome":"cancelled"}`))
	f.PermissionAnswered(command, nil)
	f.PermissionAnswered(nil, nil)
	if string(item.Permission.Outcome) != `{"outcome":"cancelled"}` || command.Permission.Outcome != nil || len(f.Pending()) != 1 {
		t.Errorf("%s, %d pending", item.Permission.Outcome, len(f.Pending()))
	}
	for request, path := range map[string]string{
		`{"options":[]}`: "/title", `{"title":"x"}`: "/options", `{"title":"x","options":[{"name":"n","kind":"k"}]}`: "/options/0/optionId",
		`{"title":"x","options":[],"subject":{"type":"tool_call"}}`:               "/subject/toolCall",
		`{"title":"x","options":[],"subject":{"type":"tool_call","toolCall":{}}}`: "/subject/toolCall/toolCallId",
	} {
		item, c := NewFold("s1", V2).Permission(json.RawMessage(request))
		if len(c.Problems) != 1 || c.Problems[0].Path != path || item == nil {
			t.Errorf("%s: %v", request, c.Problems)
		}
	}
	for _, request := range []string{``, `{`, `[]`} {
		if item, c := f.Permission(json.RawMessage(request)); item != nil || !c.Malformed() {
			t.Errorf("%s: %+v", request, c)
		}
	}
}

func TestU13U14U23HistoryComesBeforeTheResumeAnswer(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, helloV2...)
	connection(t, s,
		`> {"id":1,"method":"session/resume","params":{"sessionId":"s","cwd":"/","replayFrom":{"type":"start"}}}`,
		updateLine("s", whole("user_message", "1", "capital?")),
		updateLine("s", whole("agent_message", "2", "Paris")),
		updateLine("s", state("idle", "end_turn")),
		`< {"id":1,"result":{}}`,
		updateLine("s", chunk("agent_message_chunk", "3", "a late word")))
	f := onlyFold(t, s)
	wantBrief(t, f, "user_message 1 capital?", "agent_message 2 Paris", "agent_message 3 a late word")
	if f.Turn() != nil {
		t.Error("history counted as a turn")
	}
}

func TestU24ResumeAnswerMayCarryConfiguration(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, helloV2...)
	connection(t, s, `> {"id":1,"method":"session/resume","params":{"sessionId":"s","cwd":"/"}}`, `< {"id":1,"result":{"configOptions":[{"configId":"m"}]}}`)
	if f := onlyFold(t, s); string(f.ConfigOptions()) != `[{"configId":"m"}]` {
		t.Errorf("%s", f.ConfigOptions())
	}
}

func TestLoadOfVersion1SendsTheConversationAnew(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, helloV1...)
	load := `> {"id":9,"method":"session/load","params":{"sessionId":"s","cwd":"/","mcpServers":[]}}`
	history := []string{updateLine("s", chunk("user_message_chunk", "", "ask")), updateLine("s", chunk("agent_message_chunk", "", "reply"))}
	want := []string{"user_message  ask", "agent_message  reply"}
	for range 2 {
		connection(t, s, load)
		connection(t, s, history...)
		connection(t, s, `< {"id":9,"result":{}}`)
		wantBrief(t, onlyFold(t, s), want...)
	}
	connection(t, s, load, `< {"id":9,"error":{"code":-32603,"message":"x"}}`)
	wantBrief(t, onlyFold(t, s), want...)
	connection(t, s, load, `< {"id":9,"result":{}}`)
	wantBrief(t, onlyFold(t, s), want...)
	connection(t, s, strings.ReplaceAll(load, `"s"`, `"nobody"`), `< {"id":9,"error":{"code":-32002,"message":"x"}}`)
	if len(s.Folds()) != 1 || s.Fold("nobody") != nil {
		t.Error("a session that the agent does not know is listed")
	}
}

func TestS20StatusAnswerIsNoTransition(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, helloV2...)
	connection(t, s,
		`> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`, `< {"id":1,"result":{"messageId":"M"}}`,
		updateLine("s", running),
		`> {"id":2,"method":"session/status","params":{"sessionId":"s"}}`,
		`< {"id":2,"result":{"status":"active","state":{"state":"idle","stopReason":"end_turn","usage":{"totalTokens":1}}}}`)
	f := onlyFold(t, s)
	if st, _ := f.State(); st.Name != StateRunning || f.TurnUsage() != nil || f.Turn().done {
		t.Errorf("state %q, usage %s", st.Name, f.TurnUsage())
	}
}

func TestP13P14P22SessionsHaveTheirOwnTranscripts(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, helloV2...)
	between := `{"sessionUpdate":"session_message","messageId":"m","senderSessionId":"parent","recipientSessionId":"child","content":[` + text1("go") + `]}`
	connection(t, s, updateLine("parent", between))
	if s.Fold("child") != nil {
		t.Error("a counterpart was invented")
	}
	connection(t, s, updateLine("child", between), updateLine("child", chunk("agent_message_chunk", "m", "on it")))
	wantBrief(t, s.Fold("parent"), "session_message m go")
	wantBrief(t, s.Fold("child"), "session_message m go", "agent_message m on it")
	e := connection(t, s, updateLine("child", `{"sessionUpdate":"session_message","content":[]}`))
	if len(e.Change.Problems) != 1 || e.Change.Problems[0].Path != "/messageId" {
		t.Errorf("%+v", e.Change)
	}
}

func TestFoldSetCancelAndErrors(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, helloV2...)
	connection(t, s, `> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`, `< {"id":1,"result":{"messageId":"M"}}`,
		updateLine("s", call(`,"status":"in_progress"`)), `> {"method":"session/cancel","params":{"sessionId":"s"}}`)
	if tool := s.Fold("s").Tool("c"); tool.Status != "cancelled" {
		t.Errorf("status %q", tool.Status)
	}
	e := connection(t, s, `> {"id":"1","method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`, `< {"id":"1","error":{"code":-32600,"message":"busy"}}`)
	if e.Turn.ErrMessage() != "busy" || s.Fold("s").Turn() == e.Turn {
		t.Errorf("%s", e.Turn.Err())
	}
	// Nobody asked for this, or it is no message at all.
	for _, line := range []string{`< {"id":77,"result":{}}`, `< {"id":null,"error":{"code":-32700}}`, `< {}`, `> {"method":"session/cancel"}`} {
		connection(t, s, line)
	}
}

func TestP34P37PromptWithoutAnAnswerAppearsAsUncertain(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, helloV2...)
	connection(t, s, `> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[`+text1("ask")+`]}}`)
	if n := len(onlyFold(t, s).Items()); n != 0 {
		t.Errorf("%d items before the answer", n)
	}
	s.Close()
	wantItems(t, onlyFold(t, s), `{"type":"user_message","content":[`+text1("ask")+`],"submitted":true,"uncertain":true}`)
	// A later history need not hold the prompt.
	connection(t, s, `> {"id":2,"method":"session/resume","params":{"sessionId":"s"}}`, updateLine("s", whole("agent_message", "a", "hi")), `< {"id":2,"result":{}}`)
	if w := onlyFold(t, s).Warnings(); len(w) > 0 {
		t.Error(w)
	}
}

func TestVersionIsFoundInTheAnswerOrInTheUpdates(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, `> {"id":0,"method":"initialize"}`, `< {"id":0,"result":{"protocolVersion":2,"agentCapabilities":{}}}`, updateLine("s", chunk("agent_message_chunk", "", "x")))
	if v := onlyFold(t, s).Version(); v != V1 {
		t.Errorf("version %d of an agent that says 2 in version 1's shape", v)
	}
	s = NewFoldSet() // a recording that begins in the middle
	connection(t, s, updateLine("s", chunk("agent_message_chunk", "m", "x")), updateLine("s", idleEnd))
	if f := onlyFold(t, s); f.Version() != V2 || f.StopReason() != StopEndTurn {
		t.Errorf("version %d", f.Version())
	}
	connection(t, s, updateLine("s", `{"sessionUpdate":"plan","entries":[]}`))
	if v := onlyFold(t, s).Version(); v != V2 {
		t.Errorf("version %d", v)
	}
	s.Connection() // a recording goes on with another connection
	connection(t, s, helloV1...)
	connection(t, s, `> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`)
	if v := onlyFold(t, s).Version(); v != V1 {
		t.Errorf("version %d in the second connection", v)
	}
}

func TestVersionIsFoundInThePromptsAnswer(t *testing.T) {
	prompt := `> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[` + text1("ask") + `]}}`
	for answer, v := range map[string]Version{`{"stopReason":"end_turn"}`: V1, `{"messageId":"M"}`: V2} {
		s := NewFoldSet()
		connection(t, s, prompt, updateLine("s", chunk("agent_message_chunk", "a", "reply")))
		e := connection(t, s, `< {"id":1,"result":`+answer+`}`)
		f := onlyFold(t, s)
		if _, done := e.Turn.Done(); f.Version() != v || done != (v == V1) || f.Text() != "reply" || len(f.Items()) != 2 {
			t.Errorf("%s: version %d, done %v, %s", answer, f.Version(), done, brief(f))
		}
	}
}

func TestP62LostConnectionInventsNoEnd(t *testing.T) {
	s := NewFoldSet()
	connection(t, s, helloV2...)
	connection(t, s, `> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`, `< {"id":1,"result":{"messageId":"M"}}`,
		updateLine("s", running), updateLine("s", compact(`"status":"in_progress"`)), updateLine("s", call(`,"status":"in_progress"`)))
	s.Close()
	f := onlyFold(t, s)
	wantBrief(t, f, "user_message M ", "compaction k in_progress ", "tool_call c in_progress")
	if st, _ := f.State(); st.Name != StateRunning || f.StopReason() != "" {
		t.Errorf("state %q, reason %q", st.Name, f.StopReason())
	}
	s = NewFoldSet()
	connection(t, s, helloV1...)
	connection(t, s, `> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`)
	s.Connection()
	if st, known := onlyFold(t, s).State(); known {
		t.Errorf("state %q after the connection was lost", st.Name)
	}
}

func TestDiscardItemsKeepsWhatTheSessionIsLike(t *testing.T) {
	f := folded(V1, chunk("agent_message_chunk", "m", "old"), `{"sessionUpdate":"usage_update","used":1,"size":2}`)
	f.DiscardItems()
	apply(f, chunk("agent_message_chunk", "m", "new"))
	wantBrief(t, f, "agent_message m new")
	if f.Usage() == nil || f.Text() != "new" {
		t.Errorf("usage %s, text %q", f.Usage(), f.Text())
	}
}
