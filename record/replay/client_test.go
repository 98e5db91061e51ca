package replay

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

// against plays one script as the client against another one as the agent.
func against(t *testing.T, client, agentText string, o ClientOptions) *Result {
	t.Helper()
	a := agent(t, agentText, AgentOptions{})
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	a.o.In, a.o.Out = inR, outW
	done := make(chan struct{})
	go func() { // ends when the client closes
		defer close(done)
		_, _ = a.Run(context.Background())
		outW.Close()
	}()
	if o.Drain == 0 {
		o.Drain = 20 * time.Millisecond
	}
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	tr := &pipes{wire.NewLineReader(outR, 0), inW}
	r, err := PlayClient(context.Background(), script(t, client), tr, o)
	inW.Close()
	outR.Close()
	<-done
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func differences(r *Result) string {
	var out []string
	for _, d := range r.Differences {
		out = append(out, d.String())
	}
	return strings.Join(out, "\n")
}

// The same conversation with other ids and other chunks, at another time.
const liveTurn = `
> {"id":0,"method":"initialize","params":{"protocolVersion":1}}
< {"id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}
> {"id":1,"method":"session/new","params":{"cwd":"/rec","mcpServers":[]}}
< {"method":"session/update","params":{"sessionId":"live-1","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}
< {"id":1,"result":{"sessionId":"live-1"}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"live-1","prompt":[{"type":"text","text":"do it"}]}}
< {"method":"session/update","params":{"sessionId":"live-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"fi"}}}}
< {"method":"session/update","params":{"sessionId":"live-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"rst"}}}}
< {"id":"q","method":"session/request_permission","params":{"sessionId":"live-1","toolCall":{"toolCallId":"t9"},"options":[]}}
> {"id":"q","result":{"outcome":{"outcome":"selected","optionId":"y"}}}
< {"method":"session/update","params":{"sessionId":"live-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"second"}}}}
< {"id":2,"result":{"stopReason":"end_turn"}}
< {"method":"session/update","params":{"sessionId":"live-1","update":{"sessionUpdate":"usage_update","used":1.5,"size":10}}}
`

func TestClientIsSilentWhereOnlyIDsAndChunksDiffer(t *testing.T) {
	for _, pair := range [][2]string{{v1Turn, v1Turn}, {v1Turn, liveTurn}, {liveTurn, v1Turn}} {
		if r := against(t, pair[0], pair[1], ClientOptions{}); len(r.Differences) > 0 || !r.Complete || r.Compared != 8-0 && r.Compared != 9-1 {
			t.Errorf("compared %d, complete %v\n%s", r.Compared, r.Complete, differences(r))
		}
	}
}

func TestClientTellsWhatDiffers(t *testing.T) {
	change := func(old, now string) string {
		s := strings.Replace(liveTurn, old, now, 1)
		if s == liveTurn {
			t.Fatalf("%s is not there", old)
		}
		return s
	}
	for name, c := range map[string]struct{ live, want string }{
		"text": {change(`"text":"second"`, `"text":"third"`),
			"step 10: session/update agent_message_chunk differs\n    /params/update/content/text: recorded \"second\", now \"third\""},
		"stop reason": {change(`end_turn`, `refusal`),
			"step 11: the answer to session/prompt differs\n    /result/stopReason: recorded \"end_turn\", now \"refusal\""},
		"usage": {change(`"used":1.5`, `"used":2`),
			"step 12: session/update usage_update differs\n    /params/update/used: recorded 1.50, now 2"},
		"missing": {strings.Replace(liveTurn, `< {"method":"session/update","params":{"sessionId":"live-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"second"}}}}`, "", 1),
			"step 10: session/update agent_message_chunk did not come"},
		"extra": {change(`< {"id":2,"result"`, `< {"method":"session/update","params":{"sessionId":"live-1","update":{"sessionUpdate":"plan","entries":[]}}}
< {"id":2,"result"`),
			`after step 10: session/update plan came and was not recorded: {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"(id)","update":{"entries":[],"sessionUpdate":"plan"}}}`},
		"unexpected question": {change(`< {"id":2,"result"`, `< {"id":8,"method":"fs/read_text_file","params":{"sessionId":"live-1","path":"/x"}}
> {"id":8,"error":{"code":-32601,"message":"not recorded"}}
< {"id":2,"result"`),
			`at the beginning: fs/read_text_file came and was not recorded: the agent asked what was not recorded: {"sessionId":"live-1","path":"/x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := differences(against(t, v1Turn, c.live, ClientOptions{})); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestClientIgnores(t *testing.T) {
	live := strings.Replace(liveTurn, `"used":1.5`, `"used":2`, 1)
	ig, err := NewIgnore([]string{".params.update.used"})
	if err != nil {
		t.Fatal(err)
	}
	if r := against(t, v1Turn, live, ClientOptions{Ignore: ig}); len(r.Differences) > 0 {
		t.Error(differences(r))
	}
	// The same in the entry of the file.
	text := recording(v1Turn)
	i := strings.Index(text, `,"msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"usage_update"`)
	text = text[:i] + `,"ignore":[".params.update.used"]` + text[i:]
	if got := load(t, text).Main().Frames[11].Ignore; len(got) != 1 {
		t.Fatalf("ignore: %v", got)
	}
	if _, err := NewIgnore([]string{".a | ]"}); err == nil {
		t.Error("a bad path was taken")
	}
}

func TestClientStopsWithAClearWord(t *testing.T) {
	silent := strings.Replace(liveTurn, `< {"id":2,"result":{"stopReason":"end_turn"}}`, `! {"event":"eof","from":"client"}`, 1)
	r := against(t, v1Turn, silent, ClientOptions{Timeout: 50 * time.Millisecond})
	if got := differences(r); r.Complete || !strings.Contains(got, "step 12: the end of the recording: the answer to session/prompt (recorded at step 11 (line 11)) did not come within 50ms") {
		t.Error(got)
	}
	gone := liveTurn[:strings.Index(liveTurn, `< {"id":"q"`)] + `! {"event":"eof","from":"agent"}
! {"event":"exit","code":3}`
	r = against(t, v1Turn, gone, ClientOptions{})
	if got := differences(r); r.Complete || !strings.Contains(got, "the agent closed the connection while session/request_permission (recorded at step 8 (line 8)) was awaited") {
		t.Error(got)
	}
	refused := strings.Replace(liveTurn, `"result":{"sessionId":"live-1"}`, `"error":{"code":-32000,"message":"log in"}`, 1)
	r = against(t, v1Turn, refused, ClientOptions{})
	if got := differences(r); r.Complete || !strings.Contains(got, "session/prompt was not sent: session/new was answered with an error") {
		t.Error(got)
	}
}

// Version 2: the prompt is answered at once, and the next one waits for the
// idle that stood before it; a cancel waits for what it cancelled.
func TestClientKeepsCausesOfVersion2(t *testing.T) {
	text := func(s, m string) string {
		return strings.NewReplacer("S", s, "M", m).Replace(`
> {"id":0,"method":"initialize","params":{"protocolVersion":2}}
< {"id":0,"result":{"protocolVersion":2,"info":{},"capabilities":{"session":{}}}}
> {"id":1,"method":"session/new","params":{"cwd":"/rec"}}
< {"id":1,"result":{"sessionId":"S"}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}
< {"id":2,"result":{"messageId":"M1"}}
< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"user_message","messageId":"M1","content":[]}}}
< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"state_update","state":"running"}}}
< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"tool_call_update","toolCallId":"Mt","status":"in_progress"}}}
> {"id":5,"method":"tool_call/cancel","params":{"sessionId":"S","toolCallId":"Mt","_meta":{"again":"Mt"}}}
< {"id":5,"result":{}}
< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}
> {"id":3,"method":"session/prompt","params":{"sessionId":"S","prompt":[]}}
< {"id":3,"result":{"messageId":"M2"}}
< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"state_update","state":"running"}}}
< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"agent_message_chunk","messageId":"Ma","content":{"type":"text","text":"x"}}}}
> {"method":"session/cancel","params":{"sessionId":"S"}}
< {"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}}
`)
	}
	r := against(t, text("rec", "a"), text("live", "b"), ClientOptions{})
	if len(r.Differences) > 0 || !r.Complete {
		t.Error(differences(r))
	}
	var sent []string
	for _, e := range r.Live {
		if e.From == wire.Client {
			sent = append(sent, short(string(e.Data)))
		}
	}
	if got := strings.Join(sent, "\n"); !strings.Contains(got, `{"id":5,"method":"tool_call/cancel","params":{"sessionId":"live","toolCallId":"bt","_meta":{"again":"bt"}}}`) {
		t.Error(got)
	}
}

func TestRedactedValuesAreRefusedWithTheirPlace(t *testing.T) {
	text := `
> {"id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"name":"m","command":"/m","args":[],"env":[{"name":"A","value":"1"},{"name":"KEY","value":"[redacted]"}]}]}}
< {"id":1,"result":{"sessionId":"s"}}
`
	s := script(t, text)
	err := s.Sendable(nil)
	if err == nil || err.Error() != "session/new cannot be sent: /params/mcpServers/0/env/1/value was redacted at step 1 (line 1)" {
		t.Error(err)
	}
	env := func(name string) (string, bool) { return "s3\"cret", name == "KEY" }
	if err := s.Sendable(env); err != nil {
		t.Error(err)
	}
	if got := string(filled(s.Frames[0].Raw, env)); !strings.Contains(got, `{"name":"KEY","value":"s3\"cret"}`) || !strings.Contains(got, `{"name":"A","value":"1"}`) {
		t.Error(got)
	}
	if err := s.Sendable(func(string) (string, bool) { return "", false }); err == nil {
		t.Error("an unset variable was sent")
	}
	if err := script(t, `
> {"id":1,"method":"authenticate","params":{"token":"Bearer [redacted]"}}
< {"id":1,"result":{}}
`).Sendable(env); err == nil || !strings.Contains(err.Error(), "/params/token") {
		t.Error(err)
	}
}

func TestClientMovesTheWorkspace(t *testing.T) {
	rec := `
> {"id":1,"method":"session/new","params":{"cwd":"/rec/ws"}}
< {"id":1,"result":{"sessionId":"s","at":"/rec/ws/x"}}
`
	live := strings.ReplaceAll(rec, "/rec/ws", "/tmp/live")
	r := against(t, rec, live, ClientOptions{Cwd: "/tmp/live"})
	if len(r.Differences) > 0 || !strings.Contains(string(r.Live[0].Data), `"cwd":"/tmp/live"`) {
		t.Errorf("%s %s", r.Live[0].Data, differences(r))
	}
}
