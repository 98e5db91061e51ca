package pretty

import (
	"encoding/base64"

	"github.com/acptool/acptool/wire/scan"
)

// updateGist is what one kind of session/update says, in either version; nil
// for a kind that is not known.
func updateGist(kind string) gist {
	switch kind {
	case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "compaction_summary_chunk":
		return gistChunk
	case "user_message", "agent_message", "agent_thought":
		return gistMessage
	case "session_message", "session_message_chunk":
		return gistSessionMessage
	case "tool_call", "tool_call_update":
		return gistToolCall
	case "tool_call_content_chunk":
		return func(g *gister, v []byte) { g.toolContent(scan.First(v, "content")) }
	case "plan":
		return func(g *gister, v []byte) { g.planEntries(scan.First(v, "entries"), "/entries") }
	case "plan_update":
		return gistPlanUpdate
	case "plan_removed":
		return func(g *gister, v []byte) { g.say("removed"); g.needID(v, "planId") }
	case "available_commands_update":
		return gistCommands
	case "current_mode_update":
		return gistField("currentModeId")
	case "config_option_update":
		return gistConfigOptions
	case "session_info_update":
		return gistSessionInfo
	case "usage_update":
		return gistUsage
	case "notice":
		return gistNotice
	case "compaction_update":
		return gistCompaction
	case "subagent_update":
		return gistSubagent
	case "state_update":
		return func(g *gister, v []byte) {
			if s := scan.First(v, "state"); len(s) == 0 || s[0] != '"' {
				g.wrong("/state", "missing or no text")
			}
			g.state(v)
		}
	case "terminal_update":
		return gistTerminal
	case "terminal_output_chunk":
		return func(g *gister, v []byte) { g.base64(scan.First(v, "data")) }
	}
	return nil
}

func gistChunk(g *gister, v []byte) {
	content := scan.First(v, "content")
	if len(content) == 0 || content[0] != '{' {
		g.wrong("/content", "missing or no object")
		return
	}
	g.block(content)
}

// gistMessage is a message as a whole, or a patch of it.
func gistMessage(g *gister, v []byte) {
	content := scan.First(v, "content")
	switch {
	case content == nil:
		g.say("(content unchanged)")
	case null(content) || count(content) == 0:
		g.say("(cleared)")
	default:
		g.blocks(content)
	}
}

// gistSessionMessage names the other session. An omitted or null participant
// is not supplied.
func gistSessionMessage(g *gister, v []byte) {
	g.labelled("from ", v, "senderSessionId")
	g.labelled("to ", v, "recipientSessionId")
	g.space()
	if content := scan.First(v, "content"); content != nil {
		g.blocks(content)
	}
}

// gistToolCall shows what a first report or a patch of a tool call says.
func gistToolCall(g *gister, v []byte) {
	var m [5][]byte
	scan.Pick(v, m[:], "status", "kind", "title", "toolCallId", "content")
	status, kind, title, id, content := m[0], m[1], m[2], m[3], m[4]
	if given(status) {
		p := g.statusPaint(scan.Text(status))
		g.on(p)
		g.json(status)
		g.off(p)
	}
	if given(kind) {
		g.space()
		g.json(kind)
	}
	if len(id) == 0 || id[0] != '"' {
		g.wrong("/toolCallId", "missing or no text")
	}
	g.space()
	if given(title) {
		g.on(g.pal.Tool)
		g.json(title)
		g.off(g.pal.Tool)
	} else {
		g.id(id)
	}
	first := true
	each(content, func(c []byte) bool {
		if first {
			g.space()
			g.say("·")
			first = false
		}
		g.space()
		g.toolContent(c)
		return !g.full
	})
}

// given reports whether a member is there and not null.
func given(raw []byte) bool { return len(raw) > 0 && !null(raw) }

func (g *gister) statusPaint(status []byte) Paint {
	switch string(status) {
	case "completed":
		return g.pal.Good
	case "failed":
		return g.pal.Bad
	case "cancelled", "paused":
		return g.pal.Warn
	}
	return g.pal.Dim
}

// toolContent shows one entry of a tool call's content. A diff is told by its
// paths, in either dialect.
func (g *gister) toolContent(v []byte) {
	switch string(scan.Text(scan.First(v, "type"))) {
	case "content":
		g.block(scan.First(v, "content"))
	case "diff":
		g.say("diff")
		if g.field(v, "path") {
			return
		}
		each(scan.First(v, "changes"), func(c []byte) bool {
			g.field(c, "operation")
			g.field(c, "path")
			return !g.full
		})
	case "terminal":
		g.say("terminal")
		g.field(v, "terminalId")
	case "":
		g.wrong("/content/type", "missing or no text")
	default:
		g.json(scan.First(v, "type"))
	}
}

func gistPlanUpdate(g *gister, v []byte) {
	plan := scan.First(v, "plan")
	switch string(scan.Text(scan.First(plan, "type"))) {
	case "items":
		g.planEntries(scan.First(plan, "entries"), "/plan/entries")
	case "":
		g.wrong("/plan/type", "missing or no text")
	case "markdown":
		g.field(plan, "content")
	case "file":
		g.field(plan, "uri")
	default:
		g.members(plan)
	}
}

// planEntries: how far the plan is, and what is being done.
func (g *gister) planEntries(entries []byte, where string) {
	if len(entries) == 0 || entries[0] != '[' {
		g.wrong(where, "missing or no array")
		return
	}
	done, all := 0, 0
	var now []byte
	each(entries, func(e []byte) bool {
		all++
		switch string(scan.Text(scan.First(e, "status"))) {
		case "completed":
			done++
		case "in_progress":
			now = scan.First(e, "content")
		}
		return true
	})
	g.number(done)
	g.say("/")
	g.number(all)
	g.say(" done")
	if now != nil {
		g.say(", now: ")
		g.json(now)
	}
}

func gistCommands(g *gister, v []byte) {
	c := scan.First(v, "availableCommands")
	if len(c) == 0 || c[0] != '[' {
		g.wrong("/availableCommands", "missing or no array")
		return
	}
	g.counted(count(c), "command")
	g.say(":")
	g.list(c, "name")
}

func gistSessionInfo(g *gister, v []byte) {
	if t := scan.First(v, "title"); t != nil && null(t) {
		g.say("title cleared")
	}
	g.field(v, "title")
	g.labelled("updated ", v, "updatedAt")
}

func gistUsage(g *gister, v []byte) {
	for _, key := range [...]string{"used", "size"} {
		if n := scan.First(v, key); len(n) == 0 || n[0] < '0' || n[0] > '9' {
			g.wrong("/"+key, "missing or no count")
		}
	}
	g.field(v, "used")
	g.say(" of ")
	g.field(v, "size")
	g.say(" tokens")
	cost := scan.First(v, "cost")
	if cost == nil || null(cost) {
		return
	}
	if c := scan.First(cost, "currency"); len(c) == 0 || c[0] != '"' {
		g.wrong("/cost/currency", "missing or no text")
	}
	if a := scan.First(cost, "amount"); len(a) == 0 || a[0] == '"' {
		g.wrong("/cost/amount", "missing or no number")
	}
	g.say(",")
	if a := scan.First(cost, "amount"); a != nil && !null(a) {
		g.space()
		g.json(money(a))
	}
	g.field(cost, "currency")
}

func gistNotice(g *gister, v []byte) {
	p := g.pal.Bold // an unknown severity is shown neutrally (notices, v2-prompt-lifecycle)
	switch string(scan.Text(scan.First(v, "severity"))) {
	case "info":
		p = g.pal.Good
	case "warning":
		p = g.pal.Warn
	case "error":
		p = g.pal.Bad
	}
	g.on(p)
	g.need(v, "severity")
	g.off(p)
	g.say(":")
	if t := scan.First(v, "title"); string(t) == `""` {
		g.wrong("/title", "empty")
	}
	g.need(v, "title")
	g.labelled("– ", v, "description")
}

func gistCompaction(g *gister, v []byte) {
	p := g.statusPaint(scan.Text(scan.First(v, "status")))
	g.on(p)
	g.need(v, "status")
	g.off(p)
	if id := scan.First(v, "compactionId"); len(id) == 0 || id[0] != '"' {
		g.wrong("/compactionId", "missing or no text")
	}
	g.field(v, "error")
	g.space()
	g.blocks(scan.First(v, "summary"))
}

func gistSubagent(g *gister, v []byte) {
	g.needID(v, "sessionId")
	g.field(v, "title")
	g.state(scan.First(v, "state"))
}

// state shows a foreground state and why work stopped.
func (g *gister) state(v []byte) {
	s := scan.First(v, "state")
	if len(s) == 0 || s[0] != '"' {
		return
	}
	g.space()
	g.on(g.pal.Bold)
	g.json(s)
	g.off(g.pal.Bold)
	if reason := scan.First(v, "stopReason"); reason != nil && !null(reason) {
		g.space()
		g.stopReason(reason)
	}
	if e := scan.First(v, "error"); len(e) > 0 && e[0] == '{' {
		g.space()
		g.rpcError(e)
	}
	g.tokens(scan.First(v, "usage"))
}

func gistTerminal(g *gister, v []byte) {
	if !g.labelled("$ ", v, "command") {
		g.needID(v, "terminalId")
	}
	g.exitStatus(scan.First(v, "exitStatus"))
	if data := at(v, "output", "data"); data != nil {
		g.space()
		g.base64(data)
	}
}

// base64 shows bytes of a display terminal; a character that is cut at the end
// is shown as an escape.
func (g *gister) base64(raw []byte) {
	text := scan.Text(raw)
	if text == nil {
		g.wrong("/data", "missing or no text")
		return
	}
	if most := (g.room + 64) / 3 * 4; len(text) > most {
		text = text[:most] // whole groups of four
	}
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(out, text)
	if err != nil {
		g.wrong("/data", "not base64")
	}
	g.text(out[:n])
}
