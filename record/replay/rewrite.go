package replay

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// rewriter changes strings inside a frame; every other byte stays.
type rewriter struct {
	exact map[string]string // whole string values
	paths []pathMove        // inside of strings, keys too

	traces [][]byte // one of them, or an unusual escape, stands in every frame that is changed
	sure   bool     // that traces are all of them
	many   *manyMoves
}

// newRewriter prepares a rewriter for many frames.
func newRewriter(exact map[string]string, paths []pathMove) *rewriter {
	w := &rewriter{exact: exact, paths: paths}
	if len(exact)+len(paths) > 8 { // to search for so much costs more than to look at each string
		w.many = newManyMoves(paths)
		return w
	}
	for old := range exact {
		w.traces = append(w.traces, []byte(`"`+escaped(old)+`"`))
	}
	for _, m := range paths {
		w.traces = append(w.traces, []byte(escaped(m.old)))
	}
	w.sure = !slices.ContainsFunc(w.traces, func(t []byte) bool {
		return bytes.ContainsFunc(t, func(r rune) bool { return r < ' ' || r == utf8.RuneError })
	})
	return w
}

// escaped is text in a JSON string, as nearly everybody writes it.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
}

// untouched says that nothing in raw is to be changed, where that is quickly
// seen: a letter can be spelled in no other way than as \u and a slash as \/,
// and else each text stands in the frame as it is.
func (w *rewriter) untouched(raw []byte) bool {
	if !w.sure {
		return false
	}
	for _, t := range w.traces {
		if bytes.Contains(raw, t) {
			return false
		}
	}
	return bytes.IndexByte(raw, '\\') < 0 || !bytes.Contains(raw, []byte(`\u`)) && !bytes.Contains(raw, []byte(`\/`))
}

// pathMove is a folder that stands elsewhere now.
type pathMove struct{ old, new string }

func (w *rewriter) idle() bool { return len(w.exact) == 0 && len(w.paths) == 0 }

// id is a request id as it stands in a frame that apply rewrote.
func (w *rewriter) id(id wire.ID) wire.ID {
	if w.idle() {
		return id
	}
	return wire.ID(w.apply([]byte(id)))
}

// apply returns raw itself where there is nothing to change.
func (w *rewriter) apply(raw []byte) []byte {
	if w.idle() || w.untouched(raw) {
		return raw
	}
	var out []byte
	copied := 0
	for i := 0; i < len(raw); {
		if raw[i] != '"' {
			i++
			continue
		}
		end := scan.String(raw, i)
		if end < 0 {
			break
		}
		old := string(scan.Text(raw[i:end]))
		text := old
		if k := scan.Space(raw, end); k >= len(raw) || raw[k] != ':' {
			if v, ok := w.exact[old]; ok {
				text = v
			}
		}
		if text == old {
			text = w.moved(text)
		}
		if text != old {
			out = append(append(out, raw[copied:i]...), encode(text)...)
			copied = end
		}
		i = end
	}
	if out == nil {
		return raw
	}
	return append(out, raw[copied:]...)
}

// moved makes all moves in text, one after the other.
func (w *rewriter) moved(text string) string {
	if w.many != nil {
		return w.many.apply(text)
	}
	for _, m := range w.paths {
		text = m.apply(text)
	}
	return text
}

// apply moves the folder wherever it stands in text as a whole path or as the
// beginning of one.
func (m pathMove) apply(text string) string {
	if m.old == "" || m.old == m.new || !strings.Contains(text, m.old) {
		return text
	}
	var b strings.Builder
	for at := 0; ; {
		i := strings.Index(text[at:], m.old)
		if i < 0 {
			b.WriteString(text[at:])
			return b.String()
		}
		i += at
		end := i + len(m.old)
		b.WriteString(text[at:i])
		if beginsPath(text[:i]) && endsName(text[end:]) {
			b.WriteString(m.new)
		} else {
			b.WriteString(m.old)
		}
		at = end
	}
}

// beginsPath says whether a path can begin behind the text.
func beginsPath(before string) bool {
	if before == "" || strings.HasSuffix(before, "://") {
		return true
	}
	c := before[len(before)-1]
	return !isNameByte(c) && c != '/' && c != '\\' && c != '.'
}

// endsName says whether a name in a path can end before the text.
func endsName(after string) bool {
	if after == "" {
		return true
	}
	if after[0] == '.' { // the end of a sentence, or a longer name
		return len(after) == 1 || !isNameByte(after[1])
	}
	return !isNameByte(after[0])
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c >= 0x80
}

// cleanFolder is a folder as it is looked for: without a slash at its end, and
// "" where nothing may be moved.
func cleanFolder(dir string) string {
	dir = strings.TrimRight(dir, `/\`)
	if len(dir) < 2 {
		return ""
	}
	return dir
}

// withID is a frame with another id; every other byte stays.
func withID(raw []byte, id wire.ID) []byte {
	var out []byte
	copied := 0
	c := scan.Cursor{B: raw}
	if !c.Enter('{') {
		return raw
	}
	for {
		key, ok := c.Key()
		if !ok {
			break
		}
		v := c.Skip()
		if string(key) == "id" {
			end := c.I
			begin := end - len(v)
			out = append(append(out, raw[copied:begin]...), id...)
			copied = end
		}
	}
	return append(out, bytes.Clone(raw[copied:])...)
}
