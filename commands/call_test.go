package commands

import "testing"

// What is asked without params is sent with an empty object, since agents on
// the official SDK refuse it otherwise.
func TestCallWithoutParamsSendsAnObject(t *testing.T) {
	t.Parallel()
	agent := agent2(everything) + on("session/list", `reply {"sessions":[]}`) + on("_vendor/ping", `reply {"pong":true}`) + "serve\n"
	for name, c := range map[string]call{
		"a method":    {args: []string{"call", "session/list"}},
		"any request": {args: []string{"call", "--unadvertised", "_vendor/ping"}},
		"stdin":       {args: []string{"call", "-"}, stdin: `{"method":"session/list"}`},
		"null":        {args: []string{"call", "-"}, stdin: `{"method":"session/list","params":null}`},
	} {
		c.agent = agent
		r := c.run(t).wantExit(t, ExitOK).quiet(t)
		if last := r.sent[len(r.sent)-1]; string(last.Params) != "{}" {
			t.Errorf("%s: params %s", name, last.Params)
		}
	}
	r := call{agent: agent, args: []string{"call", "-"}, stdin: `{"method":"session/list","notify":true}{"method":"session/list"}`}.run(t).want(t, ExitOK, "{\"sessions\":[]}\n")
	for _, m := range r.sent[1:] {
		if string(m.Params) != "{}" {
			t.Errorf("%s: params %s", m.Method, m.Params)
		}
	}
}

// One connection, one call after the other: the session's id goes from one to
// the next, a refusal does not end them, and the first gives the status.
func TestCallManyOnOneConnection(t *testing.T) {
	t.Parallel()
	agent := agent2(everything) +
		on("session/new", `reply {"sessionId":"S"}`) +
		on("session/list", `error {"code":-32603,"message":"out of tea"}`) +
		on("session/close", `reply {}`) + "serve\n"
	r := call{agent: agent, args: []string{"call", "-", "--jq", ".sessionId // .error.code // ."}, stdin: `{"method":"session/new","params":{"cwd":"/","mcpServers":[]}}
		{"method":"session/list","params":{}}
		{"method":"session/close","params":{"sessionId":"$sessionId"}}`}.run(t)
	r.want(t, ExitAgentError, "\"S\"\n-32603\n{}\n").says(t, "out of tea")
	if got := string(r.message(t, "session/close").Params); got != `{"sessionId":"S"}` {
		t.Errorf("params %s", got)
	}
	call{agent: agent, args: []string{"call", "-"}, stdin: `{"params":{}}`}.run(t).want(t, ExitUsage, "").says(t, "call 1 on stdin has no method")
	call{agent: agent, args: []string{"call", "-"}, stdin: `[]`}.run(t).want(t, ExitUsage, "").says(t, "call 1 on stdin")
}
