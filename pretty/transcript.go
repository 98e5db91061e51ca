package pretty

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// WriteTranscript writes a folded session as a conversation in the order of its
// timeline: who, text, thoughts, tool calls with what they did, plans as
// checklists, terminals, permission questions and their answers, and at the end
// how it ended and what was used.
func WriteTranscript(w io.Writer, s Screen, f *acp.Fold) error {
	p := newPage(w, s)
	p.text(&transcript{page: p, session: f.SessionID()}, f)
	return p.w.Flush()
}

// transcript writes items for terminals and pipes.
type transcript struct {
	*page
	session string
}

func (t *transcript) item(i *acp.Item) {
	switch {
	case i.Message != nil:
		t.message(i)
	case i.Tool != nil:
		t.tool(i.Tool)
	case i.Plan != nil:
		t.plan(i.Plan)
	case i.Terminal != nil:
		t.terminal(i.Terminal)
	case i.Compaction != nil:
		t.compaction(i.Compaction)
	case i.Permission != nil:
		t.permission(i.Permission)
	default:
		t.head("unknown update", "", t.pal.Warn)
		t.indented("  ", string(compactJSON(i.Raw)), t.pal.Dim)
	}
}

// head is the line that an item begins with.
func (t *transcript) head(what, more string, c Paint) {
	t.put(t.pal.Bold.on, c.on, what, c.off, t.pal.Bold.off)
	if more != "" {
		t.put(" ", more)
	}
	t.put("\n")
}

func (t *transcript) message(i *acp.Item) {
	m := i.Message
	text := t.pal.Text
	switch i.Type {
	case acp.ItemUserMessage:
		note := ""
		if m.Uncertain {
			note = "(not answered: it may or may not have been accepted)"
		}
		t.head("You", note, t.pal.User)
		text = t.pal.User
	case acp.ItemAgentMessage:
		t.head("Agent", "", t.pal.Agent)
	case acp.ItemAgentThought:
		t.head("Thought", "", t.pal.Dim)
		text = t.pal.Thought
	case acp.ItemSessionMessage:
		t.head(between(t.session, m), "", t.pal.Tool)
	}
	t.content(&m.Content, "", text)
}

// between names the other session of a session-directed message: it goes To
// another session where this one sends it, comes From another where this one
// receives it, and without enough of both it is neutral (v2-prompt-lifecycle,
// Session-directed messages).
func between(session string, m *acp.Message) string {
	switch {
	case m.Recipient != "" && (m.Sender == session || m.Sender == "" && m.Recipient != session):
		return "To " + Sanitize(m.Recipient)
	case m.Sender != "" && (m.Recipient == session || m.Recipient == "" && m.Sender != session):
		return "From " + Sanitize(m.Sender)
	}
	return "Message between sessions"
}

func (t *transcript) content(c *acp.Content, margin string, paint Paint) {
	for text, block := range c.Segments() {
		if block != nil {
			t.block(acp.ViewBlock(block), margin, paint)
		} else {
			t.indented(margin, text, paint)
		}
	}
}

func (t *transcript) block(b acp.BlockView, margin string, paint Paint) {
	if b.Type == "text" {
		t.indented(margin, b.Text, paint)
		return
	}
	t.put(margin, t.pal.Dim.on, t.line(blockName(b)), t.pal.Dim.off, "\n")
	if b.Type == "resource" {
		t.indented(margin+"  ", b.Text, t.pal.Dim)
	}
}

// blockName stands for content that is no text.
func blockName(b acp.BlockView) string {
	parts := []string{b.Type}
	if b.Type == "" {
		parts[0] = "malformed content"
	}
	for _, s := range []string{b.Title, b.Name, b.URI, b.MimeType} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if b.Data > 0 {
		parts = append(parts, string(appendSize(nil, int64(b.Data)/4*3)))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func (t *transcript) tool(c *acp.ToolCall) {
	name := c.Title
	if name == "" {
		name = c.ID
	}
	status := (&gister{pal: t.pal}).statusPaint([]byte(c.Status))
	t.head("Tool", t.line(c.Kind)+" · "+t.pal.Tool.Of(t.line(name))+" · "+status.Of(t.line(c.Status)), t.pal.Tool)
	for _, raw := range c.Locations {
		l := acp.ViewLocation(raw)
		t.put("  ", t.pal.Dim.on, "at ", t.line(l.Path))
		if l.Line != "" {
			t.put(":", l.Line)
		}
		t.put(t.pal.Dim.off, "\n")
	}
	for _, raw := range c.Content {
		t.toolContent(acp.ViewToolContent(raw))
	}
	if len(c.Content) == 0 {
		t.raw("in", c.RawInput)
		t.raw("out", c.RawOutput)
	}
}

// raw shows a tool's own input or output where it says nothing else.
func (t *transcript) raw(label string, raw json.RawMessage) {
	if len(raw) == 0 || null(raw) || string(raw) == "{}" {
		return
	}
	t.put("  ", t.pal.Dim.on, label, " ", t.theirs(string(compactJSON(raw))), t.pal.Dim.off, "\n")
}

func (t *transcript) toolContent(v acp.ToolContentView) {
	switch v.Type {
	case "content":
		t.block(v.Block, "  ", t.pal.Text)
	case "diff":
		t.diff(v.Diff)
	case "terminal":
		t.put("  ", t.pal.Dim.on, "terminal ", t.line(v.TerminalID), t.pal.Dim.off, "\n")
	default:
		t.put("  ", t.pal.Dim.on, "[", t.line(v.Type), "]", t.pal.Dim.off, "\n")
	}
}

func (t *transcript) diff(d *acp.DiffView) {
	for _, line := range diffText(d) {
		c := t.pal.Text
		switch line[0] {
		case '+':
			c = t.pal.Added
		case '-':
			c = t.pal.Removed
		case '@':
			c = t.pal.Dim
		}
		t.put("  ", c.on, t.theirs(strings.TrimSuffix(line, "\r")), c.off, "\n")
	}
}

func (t *transcript) plan(p *acp.Plan) {
	note := ""
	if p.Removed {
		note = t.pal.Warn.Of("(removed)")
	}
	t.head("Plan", note, t.pal.Bold)
	v := acp.ViewPlan(p.Plan)
	switch v.Type {
	case "items":
		for _, e := range v.Entries {
			t.put("  ", planBox(e.Status), " ", t.line(e.Content))
			if e.Priority == "high" {
				t.put(" ", t.pal.Dim.Of("(high)"))
			}
			t.put("\n")
		}
	case "markdown":
		t.indented("  ", v.Content, t.pal.Text)
	case "file":
		t.put("  ", t.line(v.URI), "\n")
	default:
		t.indented("  ", string(compactJSON(p.Plan)), t.pal.Dim)
	}
}

func planBox(status string) string {
	switch status {
	case "completed":
		return "[x]"
	case "in_progress":
		return "[~]"
	case "cancelled":
		return "[-]"
	}
	return "[ ]"
}

func (t *transcript) terminal(m *acp.Terminal) {
	name := m.Command
	if name == "" {
		name = m.ID
	}
	t.head("Terminal", "$ "+t.line(name), t.pal.Tool)
	t.indented("  ", terminalText(m.Output), t.pal.Text)
	if s := exitText(m.Exit); s != "" {
		t.put("  ", t.pal.Dim.Of(t.line(s)), "\n")
	}
}

// exitText says how a terminal's program ended, "" if it is not known to have.
func exitText(exit json.RawMessage) string {
	if exit == nil || null(exit) {
		return ""
	}
	if s := scan.Member(exit, "signal"); s != nil && !null(s) {
		return "killed by " + plain(s)
	}
	if c := scan.Member(exit, "exitCode"); c != nil && !null(c) {
		return "exit status " + plain(c)
	}
	return "ended"
}

func (t *transcript) compaction(c *acp.Compaction) {
	t.head("Compaction", t.line(c.Status), t.pal.Dim)
	t.content(&c.Summary, "  ", t.pal.Dim)
	if c.Error != "" {
		t.put("  ", t.pal.Bad.Of(t.line(c.Error)), "\n")
	}
}

func (t *transcript) permission(p *acp.Permission) {
	v := viewPermission(p)
	t.head("Permission", t.line(v.Title), t.pal.Warn)
	if v.Description != "" {
		t.indented("  ", v.Description, t.pal.Text)
	}
	if v.Command != "" {
		t.put("  $ ", t.line(v.Command), "\n")
	}
	t.put("  → ", t.line(answerText(v, p.Outcome)), "\n")
}

// viewPermission reads a request; a title that it does not give is that of the
// tool call it is about.
func viewPermission(p *acp.Permission) acp.PermissionRequest {
	v, _ := acp.DecodePermission(p.Request, nil) // malformed: what could be read
	if v.Title == "" && p.Tool != nil && p.Tool.Tool != nil {
		v.Title = p.Tool.Tool.Title
	}
	return v
}

// answerText is the user's answer in words: the option's name and kind.
func answerText(v acp.PermissionRequest, outcome json.RawMessage) string {
	if outcome == nil {
		return "not answered"
	}
	kind := plain(scan.Member(outcome, "outcome"))
	id := plain(scan.Member(outcome, "optionId"))
	for _, o := range v.Options {
		if o.ID == id && kind == "selected" {
			return o.Name + " (" + o.Kind + ")"
		}
	}
	return strings.TrimSpace(kind + " " + id)
}

func compactJSON(raw []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
