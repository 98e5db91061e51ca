package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

// A cancel that was not recorded ends the turn as a good agent would.
func TestP95P96P97CancelDuringATurn(t *testing.T) {
	v2 := v2Begin + `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}}
< {"id":7,"method":"session/request_permission","params":{"sessionId":"s"}}
> {"id":7,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message","messageId":"m","content":[]}}}
< {"id":1,"result":{"messageId":"m"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message","messageId":"a","content":[]}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}
`
	l := start(t, agent(t, v2, AgentOptions{}))
	l.talk(v2Begin + `
> {"id":"x","method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}}
< {"id":7,"method":"session/request_permission","params":{"sessionId":"s"}}
> {"method":"session/cancel","params":{"sessionId":"s"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message","messageId":"m","content":[]}}}
< {"id":"x","result":{"messageId":"m"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}}
> {"id":7,"result":{"outcome":{"outcome":"cancelled"}}}
`)
	v := l.close()
	if v.Diverged(false) || len(l.rest) > 0 || !v.Played[1].Cancelled {
		t.Errorf("%s %s", encode(v), l.rest)
	}
	// Version 1: the prompt is answered.
	l = start(t, agent(t, v1Turn, AgentOptions{}))
	l.talk(`
> {"id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"first"}}}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}}
> {"method":"session/cancel","params":{"sessionId":"s1"}}
`)
	v = l.close() // the recording has no initialize played, so the version is still that of the recording
	if len(l.rest) != 1 || l.rest[0] != `{"id":2,"result":{"stopReason":"cancelled"}}` {
		t.Errorf("%s", l.rest)
	}
	if v.Diverged(false) {
		t.Errorf("%s", encode(v))
	}
}

// One that comes when nothing plays changes nothing.
func TestCancelAfterTheTurn(t *testing.T) {
	text := `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":1,"result":{"stopReason":"end_turn"}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(text + `> {"method":"session/cancel","params":{"sessionId":"s"}}`)
	l.clean()
}

// A recorded cancel plays as recorded: what came after it waits for it.
func TestRecordedCancel(t *testing.T) {
	text := v2Begin + `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":1,"result":{"messageId":"m"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}}
> {"method":"session/cancel","params":{"sessionId":"s"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"failed"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(text)
	l.clean()
	l = start(t, agent(t, text, AgentOptions{}))
	l.talk(text[:strings.Index(text, `> {"method":"session/cancel"`)])
	if v := l.close(); len(v.Missed) != 1 || !strings.Contains(v.Missed[0].Reason, "without the recorded session/cancel at step 6") {
		t.Errorf("%s", encode(v))
	}
}

func TestU26CloseDuringATurn(t *testing.T) {
	text := v2Begin + `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":1,"result":{"messageId":"m"}}
< {"id":7,"method":"session/request_permission","params":{"sessionId":"s"}}
> {"id":7,"result":{}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}
> {"id":2,"method":"session/close","params":{"sessionId":"s"}}
< {"id":2,"result":{}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(v2Begin + `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":1,"result":{"messageId":"m"}}
< {"id":7,"method":"session/request_permission","params":{"sessionId":"s"}}
> {"id":2,"method":"session/close","params":{"sessionId":"s"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}}
< {"id":2,"result":{}}
`)
	l.clean()
}

func TestCancelRequest(t *testing.T) {
	l := start(t, agent(t, v1Turn, AgentOptions{}))
	l.talk(`
> {"id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"first"}}}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}}
> {"method":"$/cancel_request","params":{"requestId":2}}
< {"id":2,"error":{"code":-32800,"message":"request cancelled"}}
> {"method":"$/cancel_request","params":{"requestId":99}}
`)
	if v := l.close(); v.Diverged(false) {
		t.Errorf("%s", encode(v))
	}
}

// The recorded agent died in the middle of a turn; so does this one.
func TestTheAgentEndsAsRecorded(t *testing.T) {
	text := `
< banner
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"s","update":{"n":1}}}
! {"event":"eof","from":"agent"}
! {"event":"exit","code":3}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(strings.Join(strings.Split(text, "\n")[:4], "\n"))
	<-l.done
	if l.end.Exit == nil || *l.end.Exit != (wire.Exit{Code: 3}) {
		t.Errorf("%+v", l.end)
	}
	// An agent that ended after its client did not end by itself.
	after := strings.Replace(text, `! {"event":"eof","from":"agent"}`, `! {"event":"eof","from":"client"}`, 1)
	l = start(t, agent(t, after, AgentOptions{}))
	l.talk(strings.Join(strings.Split(text, "\n")[:4], "\n"))
	l.close()
	if l.end.Exit != nil || len(l.rest) > 0 {
		t.Errorf("%+v %s", l.end, l.rest)
	}
}

func TestARecordingThatIsCutOff(t *testing.T) {
	text := recording(`
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"s","update":{"n":1}}}
`) + `{"from":"agent","msg":{"jsonrpc":"2.0","id":1,"res`
	rec := load(t, text)
	if rec.Truncated != 1 {
		t.Errorf("truncated %d", rec.Truncated)
	}
	a, err := NewAgent(rec.Main(), AgentOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l := start(t, a)
	l.talk(`
> {"id":9,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"s","update":{"n":1}}}
< {"id":9,"error":{"code":-32603,"message":"replay: the recording ends before the answer to session/prompt at step 1 (line 1)"}}
`)
	if v := l.close(); len(v.Missed) != 1 {
		t.Errorf("%s", encode(v))
	}
}

func TestPausesAreKeptAndScaled(t *testing.T) {
	text := `{"t":1,"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s"}}}
{"t":3,"from":"agent","msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"n":1}}}}
{"t":4,"from":"agent","msg":{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}}
`
	asked := make(chan time.Duration)
	fire := make(chan time.Time)
	a, err := NewAgent(load(t, text).Main(), AgentOptions{Speed: 2, After: func(d time.Duration) <-chan time.Time {
		asked <- d
		return fire
	}})
	if err != nil {
		t.Fatal(err)
	}
	l := start(t, a)
	l.send(`{"id":1,"method":"session/prompt","params":{"sessionId":"s"}}`)
	if d := <-asked; d != time.Second {
		t.Errorf("first pause %s", d)
	}
	fire <- time.Time{}
	l.talk(`< {"method":"session/update","params":{"sessionId":"s","update":{"n":1}}}`)
	if d := <-asked; d != time.Second/2 {
		t.Errorf("second pause %s", d)
	}
	l.in.Close() // what is left is still played
	fire <- time.Time{}
	l.talk(`< {"id":1,"result":{"stopReason":"end_turn"}}`)
	l.clean()
}

// A paced turn is stopped by a cancel at once (P95: "as soon as possible").
func TestP95CancelStopsAPacedTurn(t *testing.T) {
	text := `{"t":1,"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s"}}}
{"t":9000,"from":"agent","msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"n":1}}}}
{"t":9999,"from":"agent","msg":{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}}
`
	for _, v := range []string{"1", "2"} {
		begin := `{"t":0,"from":"client","msg":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":` + v + `}}}
{"t":0,"from":"agent","msg":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":` + v + `,"capabilities":{}}}}
`
		a, err := NewAgent(load(t, begin+text).Main(), AgentOptions{Speed: 1})
		if err != nil {
			t.Fatal(err)
		}
		l := start(t, a)
		l.send(`{"id":1,"method":"session/prompt","params":{"sessionId":"s"}}`)
		l.send(`{"method":"session/cancel","params":{"sessionId":"s"}}`)
		if v == "1" {
			l.talk(`< {"id":1,"result":{"stopReason":"cancelled"}}`)
		} else {
			l.talk(`
< {"id":1,"result":{"stopReason":"end_turn"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"cancelled"}}}
`)
		}
		if v := l.close(); v.Diverged(false) {
			t.Errorf("%s", encode(v))
		}
	}
}

func TestLoopStartsAfresh(t *testing.T) {
	l := start(t, agent(t, v2Begin, AgentOptions{Loop: true}))
	l.talk(v2Begin + v2Begin + v2Begin)
	l.clean()
}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "the recording is empty"},
		{`{"comment":"x"}`, "the recording is empty"},
		{"{\"from\":\"agent\",\"text\":\"x\"}\n", "the recording holds no JSON-RPC message, only other text"},
	} {
		_, err := Load(reader(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{`< {"method":"session/update","params":{}}`, "the recording holds nothing that the client sent"},
		{`> {"id":1,"method":"x"}`, "the recording holds nothing that the agent sent"},
		{"> {\"method\":\"x\"}\n< {\"method\":\"y\"}", "the recording holds no request of the client"},
		{"> {\"id\":1,\"method\":\"x\"}\n< {\"id\":2,\"result\":{}}", "no response in the recording answers a recorded request: their ids do not pair up"},
	} {
		_, err := NewAgent(script(t, c.text), AgentOptions{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

// A client that was refused connects anew; what it then did is played.
func TestTheConnectionThatIsPlayed(t *testing.T) {
	text := `{"format":"acptool","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":2}}}
{"from":"agent","msg":{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"no"}}}
{"format":"acptool","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}}
{"from":"agent","msg":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}}
`
	rec := load(t, text)
	if len(rec.Connections) != 2 || rec.Main() != rec.Connections[1] || rec.Main().Version != 1 {
		t.Errorf("%d connections", len(rec.Connections))
	}
}
