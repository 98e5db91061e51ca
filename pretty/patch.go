package pretty

import (
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// roots remembers in which folder each session works: the cwd of the request
// that made it or took it up.
type roots struct {
	asked   map[string]string // by the id of the request
	session map[string]string
}

func newRoots() *roots { return &roots{asked: map[string]string{}, session: map[string]string{}} }

func (r *roots) look(from wire.Party, p acp.Peeked) {
	if from == wire.Client {
		switch string(p.Method) {
		case "session/new", "session/load", "session/resume", "session/fork":
			cwd := textMember(p.Params, "cwd")
			if len(p.Session) > 0 && string(p.Method) != "session/fork" {
				r.session[string(p.Session)] = cwd
			} else {
				r.asked[string(p.ID)] = cwd
			}
		}
		return
	}
	if cwd, ok := r.asked[string(p.ID)]; ok && len(p.Method) == 0 {
		delete(r.asked, string(p.ID))
		if len(p.Session) > 0 {
			r.session[string(p.Session)] = cwd
		}
	}
}

// WritePatch writes the edits of a session's completed tool calls, in order, as
// unified diffs with a/ and b/ before paths relative to cwd, as git apply and
// patch -p1 take them. What cannot be a patch is told in a line that both skip.
func WritePatch(w io.Writer, f *acp.Fold, cwd string) error {
	p := patch{cwd: path.Clean(strings.ReplaceAll(cwd, `\`, "/"))}
	for _, i := range f.Items() {
		if i.Tool == nil || i.Tool.Status != "completed" {
			continue
		}
		for _, c := range i.Tool.Content {
			if d := acp.ViewToolContent(c).Diff; d != nil {
				p.diff(d)
			}
		}
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

type patch struct {
	b   strings.Builder
	cwd string
}

func (p *patch) diff(d *acp.DiffView) {
	switch {
	case d.HasTexts:
		p.texts(d)
	case d.Patch != "":
		p.given(d.Patch)
	default:
		for _, c := range d.Changes {
			p.skip("the agent gave no text: " + c.Operation + " " + c.Path)
		}
	}
}

func (p *patch) skip(why string) { p.b.WriteString("# left out, " + oneLine(Sanitize(why)) + "\n") }

// local is a path below cwd, relative to it; false for one that is not.
func (p *patch) local(name string) (string, bool) {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if path.IsAbs(name) || len(name) > 1 && name[1] == ':' {
		rest, ok := strings.CutPrefix(name, strings.TrimSuffix(p.cwd, "/")+"/")
		return rest, ok
	}
	return name, name != ".." && !strings.HasPrefix(name, "../")
}

// texts is a diff of version 1: the text before and after.
func (p *patch) texts(d *acp.DiffView) {
	c := d.Changes[0]
	name, ok := p.local(c.Path)
	if !ok {
		p.skip("not in the session's folder: " + c.Path)
		return
	}
	s := section{before: name, after: name}
	if c.Operation == "add" {
		s.before, s.more = "", []string{"new file mode 100644\n"}
	}
	for _, l := range unifiedLines(wholeLines(d.OldText), wholeLines(d.NewText)) {
		if l[0] == '@' {
			l += "\n"
		} else if !strings.HasSuffix(l, "\n") {
			l += "\n\\ No newline at end of file\n"
		}
		s.hunks = append(s.hunks, l)
	}
	if len(s.hunks) > 0 || c.Operation == "add" {
		s.named = len(s.hunks) > 0
		p.section(s)
	}
}

// wholeLines are the lines of a text with their ends.
func wholeLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// section is what a patch says of one file; "" stands for /dev/null.
type section struct {
	before, after string
	more          []string // lines between "diff --git" and "---", with their ends
	named         bool     // "---" and "+++" are there
	hunks         []string // lines with their ends
}

func (p *patch) section(s section) {
	a, b := s.before, s.after
	if a == "" {
		a = b
	}
	if b == "" {
		b = a
	}
	p.b.WriteString("diff --git " + quotePath("a/"+a) + " " + quotePath("b/"+b) + "\n" + strings.Join(s.more, ""))
	if s.named {
		side := func(mark, prefix, name string) {
			if name == "" {
				name = "/dev/null"
			} else {
				name = quotePath(prefix + name)
			}
			if strings.Contains(name, " ") {
				name += "\t" // else patch takes what follows the space for a date
			}
			p.b.WriteString(mark + name + "\n")
		}
		side("--- ", "a/", s.before)
		side("+++ ", "b/", s.after)
	}
	p.b.WriteString(strings.Join(s.hunks, ""))
}

// quotePath writes a path as git does: between quotes where it holds what would
// end the line or look like a quote.
func quotePath(name string) string {
	if !strings.ContainsAny(name, "\"\\") && strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0 {
		return name
	}
	return strconv.Quote(name)
}

func unquotePath(name string) string {
	name, _, _ = strings.Cut(strings.TrimRight(name, "\r\n"), "\t")
	if s, err := strconv.Unquote(name); err == nil && name[0] == '"' {
		return s
	}
	return name
}
