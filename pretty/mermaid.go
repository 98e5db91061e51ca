package pretty

import (
	"bufio"
	"io"
	"strings"

	"github.com/acptool/acptool/wire"
)

// mermaidColumns is how much of a gist an arrow carries.
const mermaidColumns = 60

// Mermaid draws a sequence diagram (mermaid.js) as text, to be put into an
// issue or a pull request. A run of chunks is one arrow. It is a Sink.
type Mermaid struct {
	w       *bufio.Writer
	n       *narrator
	begun   bool
	session string
}

// NewMermaid writes the diagram to w as entries come.
func NewMermaid(w io.Writer, sel Selection) *Mermaid {
	m := &Mermaid{w: bufio.NewWriter(w)}
	m.n = newNarrator(sel, mermaidColumns, false, m.draw)
	return m
}

func (m *Mermaid) put(parts ...string) {
	for _, s := range parts {
		_, _ = m.w.WriteString(s) // bufio.Writer keeps the error for Flush
	}
}

// head begins the diagram.
func (m *Mermaid) head() {
	if !m.begun {
		m.begun = true
		m.put("sequenceDiagram\n  participant C as Client\n  participant A as Agent\n")
	}
}

// Begin starts a connection.
func (m *Mermaid) Begin(c Connection) {
	m.head()
	m.n.begin()
	m.session = ""
	if c.Number > 0 {
		m.put("  Note over C,A: connection ", string(appendInt(nil, c.Number+1)), "\n")
	}
}

// Observe takes one entry.
func (m *Mermaid) Observe(e wire.Entry) { m.n.entry(&e, false) }

// Frame takes a line that is known to be valid JSON.
func (m *Mermaid) Frame(e wire.Entry) { m.n.entry(&e, true) }

// draw adds one arrow or note.
func (m *Mermaid) draw(e *event) {
	m.head()
	if e.session != "" && e.session != m.session {
		m.session = e.session
		m.put("  Note over C,A: session ", mermaidText(e.session), "\n")
	}
	from, to := "C", "A"
	if e.from == wire.Agent {
		from, to = "A", "C"
	}
	var arrow string
	switch e.what {
	case "request":
		arrow = "->>"
	case "response":
		arrow = "-->>"
		if e.failed {
			arrow = "--x"
		}
	case "notification":
		arrow = "-)"
	case "eof", "exit", "stderr":
		side := "right of A"
		if e.from == wire.Client {
			side = "left of C"
		}
		text := e.text
		if e.what == "stderr" {
			text = "stderr: " + text
		}
		m.put("  Note ", side, ": ", mermaidText(text), "\n")
		return
	default: // noise, malformed
		arrow = "-x"
	}
	text := e.name
	if e.id != "" {
		text += " #" + e.id
	}
	if e.text != "" {
		text += " · " + e.text
	}
	if e.problem != "" {
		text += " (malformed: " + e.problem + ")"
	}
	if e.n > 1 {
		text += " ×" + string(appendInt(nil, e.n))
	}
	if e.answers {
		text += " (" + string(appendDuration(nil, e.latency)) + ")"
	}
	m.put("  ", from, arrow, to, ": ", mermaidText(text), "\n")
}

// mermaidText is text in which mermaid finds no syntax of its own: it takes #
// for an entity, ; for the end of a statement, and the rest for HTML.
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range Sanitize(oneLine(s)) {
		if strings.ContainsRune("#;<>&%{}\\\"`", r) {
			b.WriteString("#" + string(appendInt(nil, int(r))) + ";")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Flush writes what is ready.
func (m *Mermaid) Flush() error { return m.w.Flush() }

// Close ends the diagram.
func (m *Mermaid) Close() error {
	m.head()
	m.n.end()
	return m.w.Flush()
}
