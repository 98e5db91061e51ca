package pretty

import (
	"strconv"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// paramsGist is what a request or notification says, nil for a method that is
// not known. The same name is the same for both parties, but for those that
// two parties use differently.
func paramsGist(method string, from wire.Party) gist {
	switch method {
	case "initialize":
		return gistInitialize
	case "authenticate", "auth/login":
		return gistField("methodId")
	case "logout", "auth/logout", "auth/status", "providers/list", "proxy/initialize":
		return (*gister).members
	case "auth/status_update":
		return gistAuthState
	case "providers/set":
		return gistFields("providerId", "apiType", "baseUrl")
	case "providers/disable":
		return gistField("providerId")
	case "session/new", "session/load", "session/resume", "session/fork":
		return gistSetup
	case "session/list":
		return gistFields("cwd", "cursor", "archived")
	case "session/close", "session/status", "session/delete", "session/archive", "session/unarchive", "session/cancel":
		return (*gister).members
	case "session/set_title":
		return gistField("title")
	case "session/set_mode":
		return gistField("modeId")
	case "session/set_model":
		return gistField("modelId")
	case "session/set_config_option":
		return gistSetConfig
	case "session/prompt":
		return gistPrompt
	case "session/request_permission":
		return gistPermission
	case "session/update":
		return func(g *gister, v []byte) { g.members(scan.First(v, "update")) }
	case "tool_call/cancel":
		return gistID("toolCallId")
	case "terminal/cancel", "terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release":
		return gistID("terminalId")
	case "terminal/create":
		return gistTerminalCreate
	case "fs/read_text_file":
		return gistRead
	case "fs/write_text_file":
		return gistWrite
	case "elicitation/create":
		return gistElicitation
	case "elicitation/complete":
		return gistID("elicitationId")
	case "mcp/message", "proxy/successor":
		return gistFields("serverId", "method")
	case "$/cancel_request":
		return gistCancelRequest
	}
	return nil
}

func gistField(key string) gist { return func(g *gister, v []byte) { g.need(v, key) } }

func gistID(key string) gist { return func(g *gister, v []byte) { g.needID(v, key) } }

func gistFields(keys ...string) gist {
	return func(g *gister, v []byte) {
		for _, k := range keys {
			g.field(v, k)
		}
	}
}

func gistInitialize(g *gister, v []byte) {
	g.labelled("version ", v, "protocolVersion")
	for _, info := range []string{"info", "clientInfo"} {
		if g.field(v, info, "name") {
			g.field(v, info, "version")
			return
		}
	}
}

func gistSetup(g *gister, v []byte) {
	g.field(v, "cwd")
	if n := count(scan.First(v, "additionalDirectories")); n > 0 {
		g.counted(n, "more root")
	}
	if n := count(scan.First(v, "mcpServers")); n > 0 {
		g.counted(n, "MCP server")
		g.say(":")
		g.list(scan.First(v, "mcpServers"), "name")
	}
	g.labelled("replay from ", v, "replayFrom", "type")
}

func gistSetConfig(g *gister, v []byte) {
	g.need(v, "configId")
	g.say("=")
	g.json(scan.First(v, "value"))
}

func gistPrompt(g *gister, v []byte) {
	p := scan.First(v, "prompt")
	if len(p) == 0 || p[0] != '[' {
		g.wrong("/params/prompt", "missing or no array")
		return
	}
	g.on(g.pal.User)
	g.blocks(p)
	g.off(g.pal.User)
}

// gistPermission names what is asked and the answers that are offered. v1
// gives the tool call, v2 a title of its own and a subject.
func gistPermission(g *gister, v []byte) {
	if !g.field(v, "title") {
		call := scan.First(v, "toolCall")
		g.field(call, "kind")
		if !g.field(call, "title") {
			g.field(call, "toolCallId")
		}
	}
	g.labelled("$ ", v, "subject", "command")
	options := scan.First(v, "options")
	if len(options) == 0 || options[0] != '[' {
		g.wrong("/params/options", "missing or no array")
		return
	}
	g.space()
	g.say("(")
	g.list(options, "kind", "optionId")
	g.say(")")
}

func gistTerminalCreate(g *gister, v []byte) {
	g.say("$ ")
	g.need(v, "command")
	each(scan.First(v, "args"), func(arg []byte) bool {
		g.space()
		g.json(arg)
		return !g.full
	})
	g.labelled("in ", v, "cwd")
}

func gistRead(g *gister, v []byte) {
	g.need(v, "path")
	if g.labelled("from line ", v, "line") || scan.First(v, "limit") != nil {
		g.labelled("at most ", v, "limit")
	}
}

func gistWrite(g *gister, v []byte) {
	g.need(v, "path")
	g.bytesOf(scan.First(v, "content"))
}

// bytesOf tells how long a text is, roughly where it has escapes.
func (g *gister) bytesOf(raw []byte) {
	if len(raw) < 2 || raw[0] != '"' {
		return
	}
	g.space()
	g.say(string(appendSize(nil, int64(len(raw)-2))))
}

func gistElicitation(g *gister, v []byte) {
	g.field(v, "mode")
	g.need(v, "message")
	g.field(v, "url")
}

func gistCancelRequest(g *gister, v []byte) {
	g.say("request #")
	id := scan.First(v, "requestId")
	if id == nil {
		g.wrong("/params/requestId", "missing")
	}
	g.text(id)
}

func gistAuthState(g *gister, v []byte) {
	if !g.field(v, "state") {
		switch string(scan.First(v, "authenticated")) {
		case "true":
			g.say("authenticated")
		case "false":
			g.say("unauthenticated")
		default:
			g.wrong("/state", "missing")
		}
	}
	g.field(v, "message")
	if a := scan.First(v, "accounts"); count(a) > 0 {
		g.say(":")
		g.list(a, "label", "name")
	}
}

// gistOK is for results that say no more than that it is done.
func gistOK(g *gister, v []byte) {
	g.on(g.pal.Good)
	g.say("ok")
	g.off(g.pal.Good)
	g.members(v)
}

func (g *gister) number(n int) { g.say(strconv.Itoa(n)) }
