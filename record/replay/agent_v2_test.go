package replay

import (
	"fmt"
	"strings"
	"testing"
)

const v2Begin = `
> {"id":0,"method":"initialize","params":{"protocolVersion":2,"capabilities":{},"info":{"name":"c","version":"1"}}}
< {"id":0,"result":{"protocolVersion":2,"info":{},"capabilities":{"session":{}}}}
`

func up(session, fields string) string {
	return fmt.Sprintf(`{"method":"session/update","params":{"sessionId":%q,"update":{%s}}}`, session, fields)
}

// The prompt's answer, the echo, the states and the text come in the recorded
// order, whatever it is.
func TestP02P26P30P38P41P76P84Version2InAnyRecordedOrder(t *testing.T) {
	answer := `< {"id":1,"result":{"messageId":"m1"}}`
	echo := `< ` + up("s", `"sessionUpdate":"user_message","messageId":"m1","content":[]`)
	running := `< ` + up("s", `"sessionUpdate":"state_update","state":"running"`)
	text := `< ` + up("s", `"sessionUpdate":"agent_message_chunk","messageId":"a1","content":{"type":"text","text":"x"}`)
	idle := `< ` + up("s", `"sessionUpdate":"state_update","state":"idle","stopReason":"max_tokens"`)
	for _, order := range [][]string{
		{answer, echo, running, text, idle},
		{echo, answer, running, text, idle},
		{echo, running, text, answer, idle},
		{running, echo, text, idle, answer},
		{echo, running, text, idle, answer},
	} {
		turn := "> {\"id\":1,\"method\":\"session/prompt\",\"params\":{\"sessionId\":\"s\",\"prompt\":[]}}\n" + strings.Join(order, "\n")
		l := start(t, agent(t, v2Begin+turn, AgentOptions{}))
		l.talk(v2Begin + turn)
		l.clean()
	}
}

func TestP100TwoTurnsEndByTheirOwnIdle(t *testing.T) {
	turn := func(n int) string {
		return fmt.Sprintf(`
> {"id":1%[1]d,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":1%[1]d,"result":{"messageId":"m%[1]d"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}
`, n)
	}
	l := start(t, agent(t, v2Begin+turn(1)+turn(2), AgentOptions{}))
	l.talk(v2Begin + turn(1) + turn(2))
	l.clean()
}

// A second prompt that was sent into the first one's turn ends with the same
// idle; sent after it, it gets that idle again, for a turn needs its end.
func TestPromptIntoARunningTurn(t *testing.T) {
	text := v2Begin + `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"one"}]}}
< {"id":1,"result":{"messageId":"m1"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"two"}]}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message","messageId":"m2","content":[]}}}
< {"id":2,"result":{"messageId":"m2"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(v2Begin + `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"one"}]}}
< {"id":1,"result":{"messageId":"m1"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"two"}]}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message","messageId":"m2","content":[]}}}
< {"id":2,"result":{"messageId":"m2"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}
`)
	l.clean()
}

func TestS22U07U09U12ResumeWithAndWithoutHistory(t *testing.T) {
	text := v2Begin + `
> {"id":1,"method":"session/resume","params":{"sessionId":"s","cwd":"/","replayFrom":{"type":"start"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message","messageId":"m1","content":[]}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle"}}}
< {"id":1,"result":{}}
> {"id":2,"method":"session/resume","params":{"sessionId":"s","cwd":"/","replayFrom":null}}
< {"id":2,"result":{"plain":true}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(v2Begin + `
> {"id":8,"method":"session/resume","params":{"sessionId":"s","cwd":"/live"}}
< {"id":8,"result":{"plain":true}}
> {"id":9,"method":"session/resume","params":{"sessionId":"s","cwd":"/live","replayFrom":{"type":"start"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message","messageId":"m1","content":[]}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle"}}}
< {"id":9,"result":{}}
> {"id":10,"method":"session/resume","params":{"sessionId":"s","cwd":"/live","replayFrom":{"type":"cursor","cursor":"x"}}}
`)
	if got := l.next(); !strings.Contains(got, `"code":-32603`) || !strings.Contains(got, "not recorded with this replayFrom") {
		t.Error(got)
	}
}

func TestP07P10P11P22EveryUpdateComesAtItsPlaceByteForByte(t *testing.T) {
	odd := `{"method":"session/update","params":{"sessionId":"s", "update":{"x":1.50,"sessionUpdate":"_x","x":{"\u00e9":12345678901234567890}}}}`
	text := v2Begin + `
> {"id":1,"method":"session/new","params":{"cwd":"/"}}
< {"method":"_auth/status_update","params":{"authStatus":{"kind":"none"}}}
< {"id":1,"result":{"sessionId":"s"}}
< ` + odd + `
< npm warn deprecated
> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":2,"result":{"messageId":"m"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}}
< {"method":"session/update","params":{"sessionId":"child","update":{"sessionUpdate":"session_message","messageId":"x","content":[]}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"notice","severity":"info","title":"x"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"subagent_update","sessionId":"child","state":{"state":"idle","stopReason":"end_turn"}}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"session_info_update","title":"late"}}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(text)
	l.clean()
}

func TestS12S13S25S26A09A14QueriesUseNothingUp(t *testing.T) {
	text := `
> {"id":1,"method":"session/status","params":{"sessionId":"s"}}
< {"id":1,"result":{"status":"active"}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
> {"id":3,"method":"session/status","params":{"sessionId":"s"}}
< {"id":3,"result":{"status":"inactive"}}
> {"id":4,"method":"auth/status","params":{}}
< {"id":4,"result":{"authenticated":false}}
< {"method":"session/update","params":{"sessionId":"s","update":{"n":1}}}
< {"id":2,"result":{"stopReason":"end_turn"}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(`
> {"id":1,"method":"auth/status"}
< {"id":1,"result":{"authenticated":false}}
> {"id":2,"method":"auth/status","params":{}}
< {"id":2,"result":{"authenticated":false}}
> {"id":3,"method":"session/status","params":{"sessionId":"s"}}
< {"id":3,"result":{"status":"active"}}
> {"id":4,"method":"session/status","params":{"sessionId":"s"}}
< {"id":4,"result":{"status":"inactive"}}
> {"id":5,"method":"session/status","params":{"sessionId":"s"}}
< {"id":5,"result":{"status":"inactive"}}
> {"id":6,"method":"session/status","params":{"sessionId":"unknown"}}
< {"id":6,"error":{"code":-32002,"message":"session not found","data":{"sessionId":"unknown"}}}
> {"id":7,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"method":"session/update","params":{"sessionId":"s","update":{"n":1}}}
< {"id":7,"result":{"stopReason":"end_turn"}}
`)
	l.clean()
}

func TestP27P28AnswersAreNeverMended(t *testing.T) {
	text := v2Begin + `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"refused"}]}}
< {"id":1,"error":{"code":-32602,"message":"no","data":{"x":1}}}
> {"id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"empty"}]}}
< {"id":2,"result":{}}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(text)
	l.clean()
}

func TestClientOfVersion1AndARecordingOfVersion2(t *testing.T) {
	l := start(t, agent(t, v2Begin, AgentOptions{}))
	l.talk(`
> {"id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}
< {"id":1,"error":{"code":-32022,"message":"the recording speaks version 2 of the protocol","data":{"requested":1,"supported":[2]}}}
`)
	if v := l.close(); len(v.Missed) != 1 {
		t.Errorf("%s", encode(v))
	}
}

// What was recorded in a turn is played and nothing is made up: no end for a
// compaction whose connection was lost, no chunk moved, no usage counted twice,
// and no state said by itself.
func TestP62P65P87P91NothingIsMadeUp(t *testing.T) {
	text := v2Begin + `
> {"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}
< {"id":1,"result":{"messageId":"m"}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update","state":"running"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"compaction_summary_chunk","compactionId":"c","content":{"type":"text","text":"before any update"}}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"compaction_update","compactionId":"c","status":"in_progress"}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"subagent_update","sessionId":"k","state":{"state":"idle","stopReason":"end_turn","usage":{"totalTokens":1}}}}}
< {"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"subagent_update","sessionId":"k","state":{"state":"idle","stopReason":"end_turn","usage":{"totalTokens":1}}}}}
! {"event":"eof","from":"client"}
`
	l := start(t, agent(t, text, AgentOptions{}))
	l.talk(strings.Split(text, "! ")[0])
	l.clean() // the turn has no end, since none was recorded
}
