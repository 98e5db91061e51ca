package pretty

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/acptool/acptool/wire/acp"
)

// WriteMarkdown writes a folded session as Markdown to paste into an issue or
// a pull request: the agent's own Markdown as it is, tool calls and thoughts
// folded away where they are long.
func WriteMarkdown(w io.Writer, f *acp.Fold) error {
	m := &markdown{newPage(w, Screen{}), f.SessionID()}
	title := f.Title()
	if title == "" {
		title = "Session"
	}
	m.put("# ", mdText(title), "\n\n", "Session ", mdCode(f.SessionID()), "\n")
	for _, item := range f.Items() {
		m.put("\n")
		m.item(item)
	}
	if notes := endNotes(f); len(notes) > 0 {
		m.put("\n---\n\n")
		for _, n := range notes {
			m.put("- ", mdText(n), "\n")
		}
	}
	for _, w := range f.Warnings() {
		m.put("- malformed ", mdCode(warned(w)+" "+w.Path), ": ", mdText(w.Message), times(w.Count), "\n")
	}
	return m.w.Flush()
}

type markdown struct {
	*page
	session string
}

func (m *markdown) item(i *acp.Item) {
	switch {
	case i.Message != nil:
		m.message(i)
	case i.Tool != nil:
		m.tool(i.Tool)
	case i.Plan != nil:
		m.plan(i.Plan)
	case i.Terminal != nil:
		name := i.Terminal.Command
		if name == "" {
			name = i.Terminal.ID
		}
		m.put("**Terminal** ", mdCode("$ "+name), "\n\n")
		m.fence("", terminalText(i.Terminal.Output))
		if s := exitText(i.Terminal.Exit); s != "" {
			m.put("\n", mdText(s), "\n")
		}
	case i.Compaction != nil:
		m.put("**Compaction** *", mdText(i.Compaction.Status), "*\n")
		if i.Compaction.Error != "" {
			m.put("\n", mdText(i.Compaction.Error), "\n")
		}
		m.details("summary", func() { m.content(&i.Compaction.Summary) }, i.Compaction.Summary.Len() > 0)
	case i.Permission != nil:
		v := viewPermission(i.Permission)
		m.put("**Permission** ", mdText(v.Title))
		if v.Command != "" {
			m.put(" ", mdCode(v.Command))
		}
		m.put(" → *", mdText(answerText(v, i.Permission.Outcome)), "*\n")
	default:
		m.put("**Unknown update**\n\n")
		m.fence("json", string(compactJSON(i.Raw)))
	}
}

func (m *markdown) message(i *acp.Item) {
	switch i.Type {
	case acp.ItemUserMessage:
		m.put("## You\n\n")
	case acp.ItemAgentMessage:
		m.put("## Agent\n\n")
	case acp.ItemAgentThought:
		m.details("thought", func() { m.content(&i.Message.Content) }, i.Message.Content.Len() > 0)
		return
	default:
		m.put("## ", mdText(between(m.session, i.Message)), "\n\n")
	}
	if i.Message.Uncertain {
		m.put("*not answered: it may or may not have been accepted*\n\n")
	}
	m.content(&i.Message.Content)
}

// details is a part that is folded away.
func (m *markdown) details(summary string, body func(), any bool) {
	if !any {
		return
	}
	m.put("<details><summary>", summary, "</summary>\n\n")
	body()
	m.put("\n</details>\n")
}

// content is the text itself, which may be Markdown, and names for the rest.
func (m *markdown) content(c *acp.Content) {
	for text, block := range c.Segments() {
		if block == nil {
			m.put(strings.TrimRight(text, "\n"), "\n")
			continue
		}
		m.block(acp.ViewBlock(block))
	}
}

func (m *markdown) block(b acp.BlockView) {
	switch b.Type {
	case "text":
		m.put(strings.TrimRight(b.Text, "\n"), "\n")
	case "resource":
		m.put(mdCode(blockName(b)), "\n\n")
		m.fence("", b.Text)
	default:
		m.put(mdCode(blockName(b)), "\n")
	}
}

func (m *markdown) tool(c *acp.ToolCall) {
	name := c.Title
	if name == "" {
		name = c.ID
	}
	m.put("**", mdText(c.Kind), "** ", mdText(name), " — *", mdText(c.Status), "*\n")
	for _, raw := range c.Locations {
		l := acp.ViewLocation(raw)
		if l.Line != "" {
			l.Path += ":" + l.Line
		}
		m.put("\n- ", mdCode(l.Path))
	}
	if len(c.Locations) > 0 {
		m.put("\n")
	}
	for _, raw := range c.Content {
		m.put("\n")
		switch v := acp.ViewToolContent(raw); v.Type {
		case "content":
			if v.Block.Type == "text" {
				m.fence("", v.Block.Text)
			} else {
				m.block(v.Block)
			}
		case "diff":
			m.fence("diff", strings.Join(diffText(v.Diff), "\n"))
		case "terminal":
			m.put("terminal ", mdCode(v.TerminalID), "\n")
		default:
			m.put(mdCode("["+v.Type+"]"), "\n")
		}
	}
	if len(c.Content) == 0 {
		m.raw("input", c.RawInput)
		m.raw("output", c.RawOutput)
	}
}

func (m *markdown) raw(label string, raw json.RawMessage) {
	if len(raw) == 0 || null(raw) || string(raw) == "{}" {
		return
	}
	m.put("\n", label, ":\n\n")
	m.fence("json", string(compactJSON(raw)))
}

func (m *markdown) plan(p *acp.Plan) {
	m.put("**Plan**")
	if p.Removed {
		m.put(" *(removed)*")
	}
	m.put("\n\n")
	v := acp.ViewPlan(p.Plan)
	switch v.Type {
	case "items":
		for _, e := range v.Entries {
			box := "[ ]"
			note := ""
			switch e.Status {
			case "completed":
				box = "[x]"
			case "pending":
			default:
				note = " *(" + mdText(e.Status) + ")*"
			}
			if e.Priority == "high" {
				note = " *(high)*" + note
			}
			m.put("- ", box, " ", mdText(e.Content), note, "\n")
		}
	case "markdown":
		m.put(strings.TrimRight(v.Content, "\n"), "\n")
	case "file":
		m.put(mdCode(v.URI), "\n")
	default:
		m.fence("json", string(compactJSON(p.Plan)))
	}
}

// fence is a block of code. It is fenced by more backticks than any run in it.
func (m *markdown) fence(language, text string) {
	if text == "" {
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	m.put(fence, language, "\n", strings.TrimRight(text, "\n"), "\n", fence, "\n")
}

// mdCode is text as code within a line.
func mdCode(s string) string {
	s = oneLine(s)
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if len(ticks) == 1 {
		return ticks + s + ticks
	}
	return ticks + " " + s + " " + ticks
}

// mdText is plain text of others within a line, in which nothing is markup.
func mdText(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		if strings.ContainsRune("\\`*_{}[]<>#|~&!@", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func longestRun(s string, of rune) int {
	longest, n := 0, 0
	for _, r := range s {
		if r == of {
			n++
			longest = max(longest, n)
		} else {
			n = 0
		}
	}
	return longest
}
