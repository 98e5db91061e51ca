package commands

import "testing"

// An error of the connection says what to try next.
func TestHints(t *testing.T) {
	t.Parallel()
	nobody := "acptool: hint: does an agent listen there? acptool tap --listen unix:agent.sock -- AGENT starts one that does"
	for exit, command := range map[Exit]string{ExitUnreachable: "status", ExitPassOwnFailure: "record"} {
		call{args: []string{command, "--connect", "unix:agent.sock"}}.run(t).wantExit(t, exit).says(t, "cannot connect to unix:agent.sock", nobody)
	}
	agent := agent2(`{"session":{"list":{}}}`) + "serve\n"
	runTool(t, agent, "delete", "S").wantExit(t, ExitUnsupported).says(t, "hint: acptool status lists what an agent offers; acptool call --unadvertised")
	runTool(t, agent, "call", "session/lst").wantExit(t, ExitUnsupported).says(t, "protocol version 2 has no session/lst", "hint: did you mean session/list?")
	runTool(t, agent, "status", "S").wantExit(t, ExitUnsupported).says(t, "hint: acptool status --from FILE answers")
}

// A login without a method names those that there are.
func TestLoginWithoutAMethod(t *testing.T) {
	t.Parallel()
	runTool(t, agent2(`{}`)+"serve\n", "login").wantExit(t, ExitUsage).says(t, "error: login needs METHOD", "hint: the agent's methods are key")
	runTool(t, "expect initialize\nreply {\"protocolVersion\":1,\"agentCapabilities\":{}}\nserve\n", "login").
		wantExit(t, ExitUnsupported).says(t, "the agent does not offer a login")
}
