package replay

import (
	"strings"
	"testing"
)

const v1Turn = `
> {"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}
< {"id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}
> {"id":1,"method":"session/new","params":{"cwd":"/rec","mcpServers":[]}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}
< {"id":1,"result":{"sessionId":"s1"}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"do it"}]}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"first"}}}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}}
> {"id":0,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"second"}}}}
< {"id":2,"result":{"stopReason":"end_turn"}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"usage_update","used":1.50,"size":10}}}
`

// Another client: other ids, other cwd, other words.
func TestP78AnotherClientIsFollowedAndItsAnswerAwaited(t *testing.T) {
	l := start(t, agent(t, v1Turn, AgentOptions{}))
	l.talk(`
> {"id":"a","method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"other","version":"3"}}}
< {"id":"a","result":{"protocolVersion":1,"agentCapabilities":{}}}
> {"id":12345678901234567890,"method":"session/new","params":{"cwd":"/live","mcpServers":[]}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}
< {"id":12345678901234567890,"result":{"sessionId":"s1"}}
> {"id":0,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"other words"}]}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"first"}}}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}}
> {"id":0,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"second"}}}}
< {"id":0,"result":{"stopReason":"end_turn"}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"usage_update","used":1.50,"size":10}}}
`)
	l.clean()
}

// What a client wrote beforehand, without waiting for anything, is played too.
func TestAllLinesAtOnce(t *testing.T) {
	var want, got []string
	l := start(t, agent(t, v1Turn, AgentOptions{}))
	go func() { // ends when all is written
		for _, s := range steps(v1Turn) {
			if s.mark == '>' {
				l.send(s.text)
			}
		}
		l.in.Close()
	}()
	for _, s := range steps(v1Turn) {
		if s.mark == '<' {
			want = append(want, s.text)
			got = append(got, l.next())
		}
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	l.clean()
}

func TestDivergence(t *testing.T) {
	begin := `
> {"id":0,"method":"initialize","params":{"protocolVersion":1}}
< {"id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}
`
	for name, c := range map[string]struct{ talk, report string }{
		"never recorded": {begin + `
> {"id":1,"method":"session/set_mode","params":{"sessionId":"s1","modeId":"x"}}
< {"id":1,"error":{"code":-32601,"message":"replay: session/set_mode was never recorded; expected session/new (step 3)","data":{"after":1,"expected":[{"step":3,"method":"session/new","sessionId":"s1"}],"method":"session/set_mode"}}}`,
			"left the recording after step 1: session/set_mode was never recorded; expected session/new (step 3)"},
		"used up": {begin + `
> {"id":1,"method":"initialize","params":{"protocolVersion":1}}
< {"id":1,"error":{"code":-32603,"message":"replay: initialize was recorded once, and all of it was played; expected session/new (step 3)","data":{"after":1,"expected":[{"step":3,"method":"session/new","sessionId":"s1"}],"method":"initialize"}}}`,
			"left the recording after step 1: initialize was recorded once, and all of it was played; expected session/new (step 3)"},
		"unknown session": {begin + `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s2","prompt":[]}}
< {"id":1,"error":{"code":-32002,"message":"session not found","data":{"sessionId":"s2"}}}`,
			`left the recording after step 1: session/prompt names the session "s2", which the recording does not know; expected session/new (step 3)`},
		"no JSON": {`
> hello
< {"id":null,"error":{"code":-32700,"message":"this is no JSON-RPC message"}}`,
			"left the recording at the beginning: the client sent what is no JSON-RPC message: hello"},
		"notification": {begin + `
> {"method":"_x/y","params":{}}`,
			"left the recording after step 1: the notification _x/y was not recorded, or not once more; expected session/new (step 3)"},
		"stray answer": {begin + `
> {"id":77,"result":{}}`,
			"left the recording after step 1: the client answered id 77, which was not asked"},
		"early answer to nothing": {begin + `
> {"id":0,"result":{}}`,
			"left the recording after step 1: the client answered id 0, which was not asked"},
	} {
		t.Run(name, func(t *testing.T) {
			l := start(t, agent(t, v1Turn, AgentOptions{}))
			l.talk(c.talk)
			v := l.close()
			if len(v.Missed) != 1 || !v.Diverged(false) {
				t.Fatalf("%s", encode(v))
			}
			if got := v.Missed[0].String(); got != c.report {
				t.Errorf("got  %s\nwant %s", got, c.report)
			}
		})
	}
}

func TestDifferingAnswerIsReportedAndTheSceneGoesOn(t *testing.T) {
	l := start(t, agent(t, v1Turn, AgentOptions{}))
	l.talk(`
> {"id":1,"method":"session/new","params":{"cwd":"/rec","mcpServers":[]}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}
< {"id":1,"result":{"sessionId":"s1"}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"do it"}]}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"first"}}}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}}
> {"id":0,"result":{"outcome":{"outcome":"cancelled"},"_meta":{"x":1}}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"second"}}}}
< {"id":2,"result":{"stopReason":"end_turn"}}
`)
	v := l.close()
	if len(v.Differed) != 1 {
		t.Fatalf("%s", encode(v))
	}
	want := "the answer to session/request_permission differs at step 9\n" +
		"/result/outcome/optionId: recorded \"y\", now missing\n" +
		"/result/outcome/outcome: recorded \"selected\", now \"cancelled\""
	if got := v.Differed[0].String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(v.Unplayed) != 1 || v.Unplayed[0].Method != "initialize" {
		t.Errorf("unplayed: %v", v.Unplayed)
	}
}

func TestTheClientEndsWithoutItsAnswer(t *testing.T) {
	l := start(t, agent(t, v1Turn, AgentOptions{}))
	l.talk(`
> {"id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"do it"}]}}
< {"method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"first"}}}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"t1"},"options":[]}}
`)
	v := l.close()
	if len(v.Missed) != 1 || !strings.Contains(v.Missed[0].Reason, "without an answer to session/request_permission at step 8") {
		t.Errorf("%s", encode(v))
	}
}

func TestFailFast(t *testing.T) {
	l := start(t, agent(t, v1Turn, AgentOptions{FailFast: true}))
	l.talk(`
> {"id":1,"method":"nonsense"}
< {"id":1,"error":{"code":-32601,"message":"replay: nonsense was never recorded; expected initialize (step 1)","data":{"after":0,"expected":[{"step":1,"method":"initialize"}],"method":"nonsense"}}}
`)
	<-l.done
	if !l.end.FailFast {
		t.Error("it went on")
	}
}

func TestStrict(t *testing.T) {
	l := start(t, agent(t, v1Turn, AgentOptions{Strict: true}))
	l.talk(`
> {"id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{}},"clientInfo":{"name":"x"},"_meta":{"y":1}}}
< {"id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"do that"}]}}
`)
	if got := l.next(); !strings.Contains(got, `session/prompt differs from what was recorded at step 6 (line 6); /prompt/0/text: recorded \"do it\", now \"do that\"`) {
		t.Error(got)
	}
	if v := l.close(); len(v.Missed) != 1 {
		t.Errorf("%s", encode(v))
	}
}

func TestMostSimilarPromptThenTheEarliest(t *testing.T) {
	text := `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"count to three"}]}}
< {"id":1,"result":{"n":1}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"sing a song"}]}}
< {"id":2,"result":{"n":2}}
> {"id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"sing a song"}]}}
< {"id":3,"result":{"n":3}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(`
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"please sing a song"}]}}
< {"id":1,"result":{"n":2}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"nothing of that kind"}]}}
< {"id":2,"result":{"n":1}}
> {"id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":3,"result":{"n":3}}
`)
	l.clean()
}

func TestU01TwoSessionsPlayApart(t *testing.T) {
	text := `
> {"id":1,"method":"session/new","params":{"cwd":"/a"}}
< {"id":1,"result":{"sessionId":"A"}}
> {"id":2,"method":"session/new","params":{"cwd":"/b"}}
< {"id":2,"result":{"sessionId":"B"}}
> {"id":3,"method":"session/prompt","params":{"sessionId":"A","prompt":[]}}
> {"id":4,"method":"session/prompt","params":{"sessionId":"B","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"A","update":{"n":1}}}
< {"method":"session/update","params":{"sessionId":"B","update":{"n":2}}}
< {"id":7,"method":"session/request_permission","params":{"sessionId":"A"}}
< {"id":8,"method":"session/request_permission","params":{"sessionId":"B"}}
> {"id":8,"result":{"b":1}}
< {"method":"session/update","params":{"sessionId":"B","update":{"n":3}}}
> {"id":7,"result":{"a":1}}
< {"id":3,"result":{"stopReason":"end_turn"}}
< {"id":4,"result":{"stopReason":"end_turn"}}
`
	// The other session first, and one after the other.
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(`
> {"id":2,"method":"session/prompt","params":{"sessionId":"B","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"B","update":{"n":2}}}
< {"id":8,"method":"session/request_permission","params":{"sessionId":"B"}}
> {"id":3,"method":"session/prompt","params":{"sessionId":"A","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"A","update":{"n":1}}}
< {"id":7,"method":"session/request_permission","params":{"sessionId":"A"}}
> {"id":7,"result":{"a":1}}
< {"id":3,"result":{"stopReason":"end_turn"}}
> {"id":8,"result":{"b":1}}
< {"method":"session/update","params":{"sessionId":"B","update":{"n":3}}}
< {"id":2,"result":{"stopReason":"end_turn"}}
`)
	if v := l.close(); v.Diverged(false) || len(l.rest) > 0 {
		t.Errorf("%s %s", encode(v), l.rest)
	}
}

func TestAgentRequestsOfOneIDWaitForEachOther(t *testing.T) {
	text := `
> {"id":1,"method":"session/prompt","params":{"sessionId":"A","prompt":[]}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"A"}}
> {"id":0,"result":{"a":1}}
< {"id":1,"result":{}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"B","prompt":[]}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"B"}}
> {"id":0,"result":{"b":1}}
< {"id":2,"result":{}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(`
> {"id":1,"method":"session/prompt","params":{"sessionId":"A","prompt":[]}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"A"}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"B","prompt":[]}}
> {"id":0,"result":{"a":1}}
< {"id":1,"result":{}}
< {"id":0,"method":"session/request_permission","params":{"sessionId":"B"}}
> {"id":0,"result":{"b":1}}
< {"id":2,"result":{}}
`)
	l.clean()
}

func TestWorkspaceMoves(t *testing.T) {
	text := `
> {"id":1,"method":"session/new","params":{"cwd":"/ws/a"}}
< {"id":1,"result":{"sessionId":"s"}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"s","update":{"t":"in /ws/a, /ws/a/x.go and \/ws\/a, not /ws/ab or x/ws/a","u":"file:///ws/a/y","n":1.50,"k\u0065y":"\u00e9"}}}
< {"id":2,"result":{}}
`
	const ask = `
> {"id":1,"method":"session/new","params":{"cwd":"/live/b/"}}
< {"id":1,"result":{"sessionId":"s"}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(ask + `
< {"method":"session/update","params":{"sessionId":"s","update":{"t":"in /live/b, /live/b/x.go and /live/b, not /ws/ab or x/ws/a","u":"file:///live/b/y","n":1.50,"k\u0065y":"\u00e9"}}}
< {"id":2,"result":{}}
`)
	l.clean()
	l = start(t, agent(t, text, AgentOptions{Verbatim: true}))
	l.talk(ask + `
< {"method":"session/update","params":{"sessionId":"s","update":{"t":"in /ws/a, /ws/a/x.go and \/ws\/a, not /ws/ab or x/ws/a","u":"file:///ws/a/y","n":1.50,"k\u0065y":"\u00e9"}}}
< {"id":2,"result":{}}
`)
	l.clean()
}

func TestP83RequestsTheClientDoesNotOfferAreSkipped(t *testing.T) {
	text := `
> {"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true}}}}
< {"id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":5,"method":"fs/read_text_file","params":{"sessionId":"s","path":"/x"}}
> {"id":5,"result":{"content":"x"}}
< {"id":6,"method":"fs/write_text_file","params":{"sessionId":"s","path":"/x","content":"y"}}
> {"id":6,"error":{"code":-32601,"message":"no"}}
< {"id":1,"result":{"stopReason":"end_turn"}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(`
> {"id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}
< {"id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
# The recorded agent asked to write although that was not offered; so does this one.
< {"id":6,"method":"fs/write_text_file","params":{"sessionId":"s","path":"/x","content":"y"}}
> {"id":6,"error":{"code":-32601,"message":"other words"}}
< {"id":1,"result":{"stopReason":"end_turn"}}
`)
	v := l.close()
	if v.Diverged(false) || len(v.Skipped) != 1 || v.Skipped[0].String() != "fs/read_text_file at step 4 was not sent: the client does not offer clientCapabilities.fs.readTextFile" {
		t.Errorf("%s", encode(v))
	}
}

func TestTerminalsHaveTheLiveClientsNames(t *testing.T) {
	text := `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":5,"method":"terminal/create","params":{"sessionId":"s","command":"ls"}}
> {"id":5,"result":{"terminalId":"term_rec"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"content":[{"type":"terminal","terminalId":"term_rec"}]}}}
< {"id":6,"method":"terminal/release","params":{"sessionId":"s","terminalId":"term_rec"}}
> {"id":6,"result":{}}
< {"id":1,"result":{"stopReason":"end_turn"}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(`
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":5,"method":"terminal/create","params":{"sessionId":"s","command":"ls"}}
> {"id":5,"result":{"terminalId":"t-live"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"content":[{"type":"terminal","terminalId":"t-live"}]}}}
< {"id":6,"method":"terminal/release","params":{"sessionId":"s","terminalId":"t-live"}}
> {"id":6,"result":{}}
< {"id":1,"result":{"stopReason":"end_turn"}}
`)
	l.clean()
}
