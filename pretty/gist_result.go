package pretty

import (
	"github.com/acptool/acptool/wire/scan"
)

// resultGist is what the result of a method's request says, nil for a method
// that is not known.
func resultGist(method string) gist {
	switch method {
	case "initialize":
		return gistInitialized
	case "auth/status":
		return gistAuthState
	case "session/new", "session/fork", "session/load", "session/resume":
		return gistSession
	case "session/list":
		return gistSessions
	case "session/status":
		return gistSessionStatus
	case "session/prompt":
		return gistPrompted
	case "session/request_permission":
		return gistOutcome
	case "session/set_config_option":
		return gistConfigOptions
	case "providers/list":
		return func(g *gister, v []byte) {
			p := scan.First(v, "providers")
			g.counted(count(p), "provider")
			g.say(":")
			g.list(p, "providerId", "id")
		}
	case "fs/read_text_file":
		return func(g *gister, v []byte) {
			content := scan.First(v, "content")
			if len(content) == 0 || content[0] != '"' {
				g.wrong("/content", "missing or no text")
			}
			g.bytesOf(content)
			g.space()
			g.json(content)
		}
	case "terminal/create":
		return gistID("terminalId")
	case "terminal/output":
		return func(g *gister, v []byte) {
			g.exitStatus(scan.First(v, "exitStatus"))
			g.need(v, "output")
		}
	case "terminal/wait_for_exit":
		return func(g *gister, v []byte) { g.exitStatus(v) }
	case "elicitation/create":
		return gistFields("action")
	case "authenticate", "auth/login", "logout", "auth/logout", "providers/set", "providers/disable",
		"session/close", "session/delete", "session/archive", "session/unarchive", "session/set_title",
		"session/set_mode", "session/set_model", "tool_call/cancel", "terminal/cancel", "terminal/kill",
		"terminal/release", "fs/write_text_file", "mcp/message", "proxy/initialize", "proxy/successor":
		return gistOK
	}
	return nil
}

// gistInitialized: which agent, which version, how to log in.
func gistInitialized(g *gister, v []byte) {
	g.labelled("version ", v, "protocolVersion")
	for _, info := range []string{"info", "agentInfo"} {
		if g.field(v, info, "name") {
			g.field(v, info, "version")
			break
		}
	}
	if auth := scan.First(v, "authMethods"); count(auth) > 0 {
		g.space()
		g.say("login by")
		g.list(auth, "methodId", "id")
	}
	status := at(v, "agentCapabilities", "sessionCapabilities", "status")
	if status == nil {
		status = at(v, "capabilities", "session", "status")
	}
	if yes(status) {
		g.space()
		g.say("knows session/status")
	}
}

// gistSession: what the session starts with.
func gistSession(g *gister, v []byte) {
	g.on(g.pal.Good)
	g.say("ok") // the heading above the line has the id
	g.off(g.pal.Good)
	g.labelled("mode ", v, "modes", "currentModeId")
	g.labelled("model ", v, "models", "currentModelId")
	if c := scan.First(v, "configOptions"); count(c) > 0 {
		gistConfigOptions(g, v)
	}
}

func gistSessions(g *gister, v []byte) {
	s := scan.First(v, "sessions")
	if len(s) == 0 || s[0] != '[' {
		g.wrong("/sessions", "missing or no array")
	}
	g.counted(count(s), "session")
	if next := scan.First(v, "nextCursor"); next != nil && !null(next) {
		g.say(" and more")
	}
	g.say(":")
	g.list(s, "title", "sessionId")
}

func gistSessionStatus(g *gister, v []byte) {
	g.need(v, "status")
	g.state(scan.First(v, "state"))
}

// gistPrompted: v1 ends the turn, v2 names the message that was inserted.
func gistPrompted(g *gister, v []byte) {
	if reason := scan.First(v, "stopReason"); reason != nil {
		g.stopReason(reason)
		g.tokens(scan.First(v, "usage"))
		return
	}
	g.say("accepted")
	g.field(v, "messageId")
}

func (g *gister) stopReason(raw []byte) {
	p := g.pal.Warn
	if string(raw) == `"end_turn"` {
		p = g.pal.Good
	}
	if string(raw) == `"error"` {
		p = g.pal.Bad
	}
	g.on(p)
	g.json(raw)
	g.off(p)
}

// tokens shows the usage of a turn.
func (g *gister) tokens(usage []byte) {
	if len(usage) == 0 || usage[0] != '{' {
		return
	}
	g.labelled("in ", usage, "inputTokens")
	g.labelled("out ", usage, "outputTokens")
	if scan.First(usage, "inputTokens") == nil {
		g.labelled("tokens ", usage, "totalTokens")
	}
}

// gistOutcome is the user's answer to a permission request.
func gistOutcome(g *gister, v []byte) {
	o := scan.First(v, "outcome")
	kind := scan.First(o, "outcome")
	if len(kind) == 0 || kind[0] != '"' {
		g.wrong("/outcome/outcome", "missing or no text")
		return
	}
	g.json(kind)
	g.field(o, "optionId")
}

// gistConfigOptions shows each option's value.
func gistConfigOptions(g *gister, v []byte) {
	each(scan.First(v, "configOptions"), func(o []byte) bool {
		if !g.field(o, "configId") {
			g.field(o, "id")
		}
		if value := scan.First(o, "currentValue"); value != nil {
			g.say("=")
			g.json(value)
		}
		return !g.full
	})
}

// exitStatus of a command that a terminal ran.
func (g *gister) exitStatus(v []byte) {
	if len(v) == 0 || v[0] != '{' {
		return
	}
	code, signal := scan.First(v, "exitCode"), scan.First(v, "signal")
	switch {
	case signal != nil && !null(signal):
		g.space()
		g.on(g.pal.Bad)
		g.say("killed by ")
		g.json(signal)
		g.off(g.pal.Bad)
	case code != nil && !null(code):
		p := g.pal.Bad
		if string(code) == "0" {
			p = g.pal.Good
		}
		g.space()
		g.on(p)
		g.say("exit ")
		g.json(code)
		g.off(p)
	default:
		g.space()
		g.say("exited")
	}
}
