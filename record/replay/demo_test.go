package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// startDemo starts the demo and initializes it.
func startDemo(t *testing.T, v acp.Version) *live {
	t.Helper()
	a, err := NewDemo(acp.Auto, AgentOptions{Note: func(s string) { t.Log(s) }})
	if err != nil {
		t.Fatal(err)
	}
	l := start(t, a)
	l.ask(`{"id":"i","method":"initialize","params":{"protocolVersion":%d}}`, v)
	return l
}

// ask sends a request, allows what the agent asks, and returns the answer and
// the updates before it.
func (l *live) ask(format string, args ...any) (answer string, updates []string) {
	l.t.Helper()
	req := fmt.Sprintf(format, args...)
	id := string(scan.Member([]byte(req), "id"))
	l.send(req)
	for {
		line := l.next()
		got := string(scan.Member([]byte(line), "id"))
		switch method := textMember([]byte(line), "method"); {
		case method == "session/update":
			updates = append(updates, line)
		case method != "":
			l.send(fmt.Sprintf(`{"id":%s,"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}`, got))
		case got == id:
			return line, updates
		default:
			l.t.Fatalf("unexpected: %s", line)
		}
	}
}

// untilIdle reads to the end of a turn of version 2, allowing what is asked.
func (l *live) untilIdle() (updates []string) {
	l.t.Helper()
	for {
		line := l.next()
		if id := string(scan.Member([]byte(line), "id")); id != "" {
			l.send(fmt.Sprintf(`{"id":%s,"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}`, id))
			continue
		}
		updates = append(updates, line)
		if strings.Contains(line, `"state":"idle"`) {
			return updates
		}
	}
}

func (l *live) newSession(cwd string) string {
	l.t.Helper()
	answer, _ := l.ask(`{"id":"n","method":"session/new","params":{"cwd":%q,"mcpServers":[]}}`, cwd)
	id := textMember([]byte(answer), "result", "sessionId")
	l.next() // available_commands_update
	return id
}

// turn prompts in version 2 and gives the whole turn.
func (l *live) turn(session, text string) (id string, updates []string) {
	l.t.Helper()
	answer, before := l.ask(`{"id":"p","method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":%q}]}}`, session, text)
	return textMember([]byte(answer), "result", "messageId"), append(before, l.untilIdle()...)
}

func update(line string) []byte { return scan.Path([]byte(line), "params", "update") }

func kindOf(line string) string { return textMember(update(line), "sessionUpdate") }

func TestU05P32P61DemoGivesNewIDs(t *testing.T) {
	l := startDemo(t, acp.V2)
	seen := map[string]bool{}
	fresh := func(what, id string) {
		t.Helper()
		if id == "" || seen[id] {
			t.Errorf("%s %q was there before", what, id)
		}
		seen[id] = true
	}
	for range 2 {
		s := l.newSession("/w")
		fresh("session", s)
		for range 2 {
			m, updates := l.turn(s, "/compact")
			fresh("message", m)
			for _, u := range updates {
				if kindOf(u) == "compaction_update" && strings.Contains(u, "in_progress") {
					fresh("compaction", textMember(update(u), "compactionId"))
				}
			}
		}
	}
	l.clean()
}

func TestP26P29P38DemoReportsTheInsertedMessageUnderItsID(t *testing.T) {
	l := startDemo(t, acp.V2)
	id, updates := l.turn(l.newSession("/w"), "any words")
	if got := string(scan.Member(update(updates[0]), "content")); kindOf(updates[0]) != "user_message" || textMember(update(updates[0]), "messageId") != id || got != `[{"type":"text","text":"any words"}]` {
		t.Errorf("the answer names %s, and first came %s", id, updates[0])
	}
	if kindOf(updates[1]) != "state_update" || textMember(update(updates[1]), "state") != "running" {
		t.Errorf("then came %s", updates[1])
	}
	l.clean()
}

func TestP79DemoRequiresActionWhileItAsks(t *testing.T) {
	l := startDemo(t, acp.V2)
	var last, states []string
	_, updates := l.turn(l.newSession("/w"), "hello")
	for _, u := range updates {
		if kindOf(u) == "state_update" {
			states = append(states, textMember(update(u), "state"))
		}
		last = append(last, u)
	}
	if got := strings.Join(states, " "); got != "running requires_action running idle" {
		t.Error(got)
	}
	if !strings.Contains(strings.Join(last, ""), `/w/hello.txt`) || strings.Contains(strings.Join(last, ""), "/demo/") {
		t.Error("the workspace is not the live one")
	}
	l.clean()
}

func TestDemoTakesNoForYes(t *testing.T) {
	for _, outcome := range []string{`{"outcome":"cancelled"}`, `{"outcome":"selected","optionId":"reject"}`} {
		l := startDemo(t, acp.V1)
		s := l.newSession("/w")
		l.send(fmt.Sprintf(`{"id":"p","method":"session/prompt","params":{"sessionId":%q,"prompt":[]}}`, s))
		all := ""
		for {
			line := l.next()
			if strings.Contains(line, "request_permission") {
				l.send(fmt.Sprintf(`{"id":%s,"result":{"outcome":%s}}`, scan.Member([]byte(line), "id"), outcome))
			}
			all += line
			if strings.Contains(line, "stopReason") {
				break
			}
		}
		if !strings.Contains(all, `"status":"failed"`) || strings.Contains(all, `"status":"completed","rawOutput"`) {
			t.Errorf("%s: %s", outcome, all)
		}
		l.clean()
	}
}

func TestS03S07S16S23S25DemoStatus(t *testing.T) {
	for v, want := range map[acp.Version]string{acp.V1: `{"status":"active"}`, acp.V2: `{"state":{"state":"idle"},"status":"active"}`} {
		l := startDemo(t, v)
		status := func(id, want string) {
			t.Helper()
			for range 2 { // it may be called often, and changes nothing
				if got, updates := l.ask(`{"id":1,"method":"session/status","params":{"sessionId":%q}}`, id); got != `{"id":1,"result":`+want+`}` || len(updates) > 0 {
					t.Errorf("version %d, %s: %s %s", v, id, got, updates)
				}
			}
		}
		status("demo-stored", `{"status":"inactive"}`)
		s := l.newSession("/w")
		status(s, want)
		l.ask(`{"id":2,"method":"session/close","params":{"sessionId":%q}}`, s)
		status(s, `{"status":"inactive"}`)
		l.ask(`{"id":2,"method":"session/resume","params":{"sessionId":"demo-stored","cwd":"/w"}}`)
		status("demo-stored", want)
		l.clean()
	}
}

func TestS12S13S14DemoKnowsNoOtherSession(t *testing.T) {
	l := startDemo(t, acp.V2)
	for _, method := range []string{"session/status", "session/prompt", "session/resume", "session/close"} {
		got, _ := l.ask(`{"id":1,"method":%q,"params":{"sessionId":"else","cwd":"/","prompt":[]}}`, method)
		if want := `{"id":1,"error":{"code":-32002,"message":"session not found","data":{"sessionId":"else"}}}`; got != want {
			t.Errorf("%s: %s", method, got)
		}
	}
	l.clean()
}

func TestS36A05A06A07U06DemoAdvertisesWhatItAnswers(t *testing.T) {
	for v, marker := range map[acp.Version]string{acp.V1: "agentCapabilities", acp.V2: "capabilities"} {
		a, _ := NewDemo(acp.Auto, AgentOptions{})
		l := start(t, a)
		answer, _ := l.ask(`{"id":1,"method":"initialize","params":{"protocolVersion":%d}}`, v)
		caps := acp.NewCapabilities(v, scan.Path([]byte(answer), "result", marker))
		if !caps.AuthStatus() || !caps.SessionStatus() || !caps.Sessions() || !caps.List() || !caps.Resume() || !caps.CloseSession() {
			t.Errorf("version %d: %s", v, answer)
		}
		if string(scan.Path([]byte(answer), "result", marker, "auth", "status")) != "true" {
			t.Errorf("auth.status is not true: %s", answer)
		}
		l.clean()
	}
}

func TestA09A14A15DemoAuthStatus(t *testing.T) {
	l := startDemo(t, acp.V1)
	for range 3 {
		if got, _ := l.ask(`{"id":1,"method":"auth/status","params":{}}`); got != `{"id":1,"result":{"authenticated":true,"message":"the demo needs no login"}}` {
			t.Error(got)
		}
	}
	l.clean()
}

func TestU07U09U13U14U16U23P58DemoHistory(t *testing.T) {
	l := startDemo(t, acp.V2)
	_, updates := l.ask(`{"id":1,"method":"session/resume","params":{"sessionId":"demo-stored","cwd":"/w"}}`)
	for _, u := range updates {
		if kindOf(u) != "state_update" {
			t.Errorf("without replayFrom came %s", u)
		}
	}
	_, updates = l.ask(`{"id":1,"method":"session/resume","params":{"sessionId":"demo-stored","cwd":"/w","replayFrom":{"type":"start"}}}`)
	ids := map[string]bool{}
	for _, u := range updates {
		switch kindOf(u) {
		case "notice":
			t.Errorf("a notice in the history: %s", u)
		case "user_message", "agent_message":
			id := textMember(update(u), "messageId")
			if id == "" || ids[id] {
				t.Errorf("no id of its own: %s", u)
			}
			ids[id] = true
		}
	}
	if len(ids) != 3 {
		t.Errorf("%d messages", len(ids))
	}
	l.clean()
}

// A session of the demo's own is replayed as it was, in the entries' last
// state, with their ids.
func TestP09P35P72DemoHistoryOfALiveSession(t *testing.T) {
	l := startDemo(t, acp.V2)
	s := l.newSession("/w")
	f := acp.NewFold(s, acp.V2)
	id, updates := l.turn(s, "hello")
	notices := 0
	for _, u := range updates {
		f.Update(update(u))
		if kindOf(u) == "notice" {
			notices++
		}
	}
	if notices == 0 {
		t.Error("no notice in the live turn, so that nothing is shown by its absence")
	}
	items := func() string {
		b, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		return string(scan.Member(b, "items"))
	}
	live := items()
	_, updates = l.ask(`{"id":1,"method":"session/resume","params":{"sessionId":%q,"cwd":"/w","replayFrom":{"type":"start"}}}`, s)
	first := ""
	for _, u := range updates {
		if kindOf(u) == "notice" {
			t.Errorf("a notice in the history: %s", u)
		}
		if first == "" {
			first = textMember(update(u), "messageId")
		}
		f.Update(update(u))
	}
	if first != id {
		t.Errorf("the prompt was %s and is replayed as %s", id, first)
	}
	for _, c := range diff(value([]byte(live)), value([]byte(items()))) {
		t.Errorf("the history changed the fold: %s", c)
	}
	fresh := acp.NewFold(s, acp.V2)
	for _, u := range updates {
		fresh.Update(update(u))
	}
	if f.Text() == "" || fresh.Text() != f.Text() {
		t.Errorf("%q, live %q", fresh.Text(), f.Text())
	}
	l.clean()
}

func TestU26U27DemoCloseEndsTheTurn(t *testing.T) {
	l := startDemo(t, acp.V2)
	s := l.newSession("/w")
	l.send(fmt.Sprintf(`{"id":"p","method":"session/prompt","params":{"sessionId":%q,"prompt":[]}}`, s))
	for !strings.Contains(l.next(), "request_permission") {
	}
	l.talk(fmt.Sprintf(`
> {"id":"c","method":"session/close","params":{"sessionId":%[1]q}}
< {"method":"session/update","params":{"sessionId":%[1]q,"update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}}
< {"id":"c","result":{}}
`, s))
	l.clean()
}

// The demo serves a whole client: the one of this tool.
func TestP76P100DemoAndOurClient(t *testing.T) {
	for _, choice := range []acp.Choice{acp.Only1, acp.Only2, acp.Auto} {
		a, err := NewDemo(choice, AgentOptions{})
		if err != nil {
			t.Fatal(err)
		}
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		a.o.In, a.o.Out = inR, outW
		done := make(chan struct{})
		go func() { // ends when the client closes
			defer close(done)
			_, _ = a.Run(context.Background())
			outW.Close()
		}()
		tr := &pipes{wire.NewLineReader(outR, 0), inW}
		ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
		c, err := acp.Connect(ctx, func(context.Context) (wire.Transport, error) { return tr, nil }, acp.Options{Protocol: choice})
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.NewSession(ctx, acp.Setup{Cwd: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			turn, err := c.Prompt(ctx, s, []json.RawMessage{[]byte(`{"type":"text","text":"hi"}`)})
			if err != nil {
				t.Fatal(err)
			}
			if turn.StopReason != string(acp.StopEndTurn) {
				t.Errorf("%v: %q", choice, turn.StopReason)
			}
		}
		_ = c.Close(ctx)
		<-done
		stop()
	}
}

type pipes struct {
	*wire.LineReader
	w *io.PipeWriter
}

func (p *pipes) WriteMessage(m []byte) error { _, err := p.w.Write(append(m, '\n')); return err }
func (p *pipes) Close(context.Context) error { return p.w.Close() }
func (p *pipes) Exit() (wire.Exit, bool)     { return wire.Exit{}, false }
func (p *pipes) StderrTail() []byte          { return nil }
func (p *pipes) Address() string             { return "pipe" }
