package pretty

import (
	"bufio"
	"io"
	"strings"

	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// page is a writer of text for people that remembers its first error (as
// bufio.Writer does), colours, and makes text of others harmless on a terminal.
type page struct {
	w      *bufio.Writer
	screen Screen
	pal    *Palette
}

func newPage(w io.Writer, s Screen) *page {
	return &page{w: bufio.NewWriterSize(w, 1<<16), screen: s, pal: NewPalette(s.Colour)}
}

// put writes words of ours.
func (p *page) put(parts ...string) {
	for _, s := range parts {
		_, _ = p.w.WriteString(s)
	}
}

// theirs is text of the other side, fit for where it goes.
func (p *page) theirs(s string) string {
	if p.screen.Terminal {
		return Sanitize(s)
	}
	return s
}

// line is theirs on one line.
func (p *page) line(s string) string {
	return p.theirs(strings.Join(strings.Fields(s), " "))
}

// indented writes text line by line behind a margin, each line in a colour.
func (p *page) indented(margin, text string, c Paint) {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" {
			p.put("\n")
			continue
		}
		p.put(margin, c.on, p.theirs(line), c.off, "\n")
	}
}

// text is everything in a fold, with the items written by t.
func (p *page) text(t *transcript, f *acp.Fold) {
	p.put(p.pal.Dim.on, "session ", p.line(f.SessionID()))
	if title := f.Title(); title != "" {
		p.put(" · ", p.line(title))
	}
	p.put(p.pal.Dim.off, "\n")
	for _, item := range f.Items() {
		p.put("\n")
		t.item(item)
	}
	if notes := endNotes(f); len(notes) > 0 {
		p.put("\n")
		for _, n := range notes {
			p.put(p.pal.Dim.on, p.line(n), p.pal.Dim.off, "\n")
		}
	}
	for _, w := range f.Warnings() {
		p.put(p.pal.Warn.on, "malformed ", p.line(warned(w)), " ", p.line(w.Path), ": ", p.line(w.Message), times(w.Count), p.pal.Warn.off, "\n")
	}
}

// warned is the kind of what was malformed.
func warned(w acp.Warning) string {
	if w.Kind == "" {
		return "update"
	}
	return w.Kind
}

func times(n int) string {
	if n < 2 {
		return ""
	}
	return " (" + string(appendInt(nil, n)) + " times)"
}

// endNotes say how the session stands and what it used.
func endNotes(f *acp.Fold) []string {
	var notes []string
	if s, ok := f.State(); ok {
		note := "state: " + s.Name
		if s.Name == acp.StateUnknown && f.LastState() != "" {
			note += " (last known: " + f.LastState() + ")"
		}
		notes = append(notes, note)
	}
	if r := f.StopReason(); r != "" {
		notes = append(notes, "ended: "+string(r))
	}
	if u := f.Usage(); u != nil {
		note := "context: " + plain(scan.Member(u, "used")) + " of " + plain(scan.Member(u, "size")) + " tokens"
		notes = append(notes, note)
	}
	if c := f.Cost(); c != nil {
		notes = append(notes, "cost: "+plain(money(scan.Member(c, "amount")))+" "+plain(scan.Member(c, "currency")))
	}
	if u := f.TurnUsage(); u != nil {
		note := "last turn:"
		for _, k := range [...][2]string{{"inputTokens", "in"}, {"outputTokens", "out"}, {"thoughtTokens", "thinking"}, {"totalTokens", "all"}} {
			if n := scan.Member(u, k[0]); n != nil && !null(n) {
				note += " " + k[1] + " " + plain(n)
			}
		}
		notes = append(notes, note+" tokens")
	}
	return notes
}

// plain is a JSON scalar's text, digits as they came.
func plain(raw []byte) string {
	if t := scan.Text(raw); t != nil {
		return string(t)
	}
	return string(raw)
}
