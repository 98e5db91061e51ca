package main

import (
	"fmt"
	"regexp"
	"strings"
)

// roff makes the body of a man page from the light markup in which our prose is
// written:
//
//	# HEADING              a section
//	## Heading             a subsection
//	text `code` *emphasis* a paragraph; an empty line ends it
//	- TERM                 an entry of a list; its text is the indented lines
//	  text                 below it
//	    code               lines indented by four: kept as they are
//
// ASCII alone comes out, so that every output device can show it.
type roff struct {
	b     strings.Builder
	para  []string
	code  bool // inside kept lines
	fresh bool // no paragraph mark is needed: a heading stands above
}

func (r *roff) line(format string, a ...any) { fmt.Fprintf(&r.b, format+"\n", a...) }

// write adds text in our markup.
func (r *roff) write(text string) {
	inItem := false
	blank := 0
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, " \n")
		kept := strings.HasPrefix(l, "    ")
		if l == "" {
			blank++
			if !r.code {
				r.flush()
			}
			continue
		}
		if r.code && !kept {
			r.endCode()
		}
		switch {
		case kept:
			r.flush()
			for ; r.code && blank > 0; blank-- {
				r.line("")
			}
			r.beginCode()
			r.line("%s", escapeLine(l[4:]))
		case strings.HasPrefix(l, "# "):
			r.section(l[2:])
			inItem = false
		case strings.HasPrefix(l, "## "):
			r.flush()
			r.line(".SS %s", escape(l[3:]))
			r.fresh, inItem = true, false
		case strings.HasPrefix(l, "- "):
			r.flush()
			r.line(".TP")
			r.line("%s", inline(l[2:]))
			inItem, r.fresh = true, true
		case inItem && strings.HasPrefix(l, "  "):
			if blank > 0 && len(r.para) == 0 && !r.fresh {
				r.line(".IP")
			}
			r.para = append(r.para, strings.TrimSpace(l))
			r.fresh = true
		default:
			if inItem {
				r.flush()
				inItem, r.fresh = false, false
			}
			r.para = append(r.para, strings.TrimSpace(l))
		}
		blank = 0
	}
	r.flush()
	r.endCode()
	r.fresh = false
}

func (r *roff) section(title string) {
	r.flush()
	r.endCode()
	r.line(".SH %s", escape(title))
	r.fresh = true
}

// flush writes the paragraph that was gathered.
func (r *roff) flush() {
	if len(r.para) == 0 {
		return
	}
	if !r.fresh {
		r.line(".PP")
	}
	for _, l := range r.para {
		r.line("%s", inline(l))
	}
	r.para, r.fresh = nil, false
}

func (r *roff) beginCode() {
	if r.code {
		return
	}
	if !r.fresh {
		r.line(".PP")
	}
	r.line(".RS 4\n.nf")
	r.code, r.fresh = true, false
}

func (r *roff) endCode() {
	if r.code {
		r.line(".fi\n.RE")
		r.code = false
	}
}

// item is an entry of a list: a term and one paragraph.
func (r *roff) item(term, text string) {
	r.flush()
	r.line(".TP")
	r.line("%s", term)
	r.line("%s", inline(text))
	r.fresh = false
}

var (
	codeMark = regexp.MustCompile("`([^`]+)`")
	emphasis = regexp.MustCompile(`\*([A-Za-z][A-Za-z0-9_ .-]*)\*`)
)

// inline sets `code` bold and *emphasis* in italics.
func inline(s string) string {
	var out strings.Builder
	at := 0
	for _, m := range codeMark.FindAllStringSubmatchIndex(s, -1) {
		out.WriteString(emphasised(s[at:m[0]]))
		out.WriteString(`\fB` + escape(s[m[2]:m[3]]) + `\fR`)
		at = m[1]
	}
	out.WriteString(emphasised(s[at:]))
	return guard(out.String())
}

func emphasised(s string) string {
	return emphasis.ReplaceAllString(escape(s), `\fI$1\fR`)
}

// escapeLine is escape for a line of its own.
func escapeLine(s string) string { return guard(escape(s)) }

// guard keeps a line from being read as a request.
func guard(s string) string {
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		return `\&` + s
	}
	return s
}

// escape makes text safe in roff, and ASCII.
func escape(s string) string {
	s = strings.NewReplacer(
		`\`, `\e`, "-", `\-`, "…", "...", "→", "->", "←", "<-", "⇥", "<TAB>", "–", `\-`, "·", "*", "×", "x", "’", "'",
		"'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`,
	).Replace(s)
	for _, c := range s {
		if c > 126 {
			panic(fmt.Sprintf("a man page holds %q, which not every terminal can show: %s", c, s))
		}
	}
	return s
}
