package pretty

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"github.com/acptool/acptool/wire/scan"
)

// WriteJSON writes v as one JSON document and a newline, in one write: indented
// (and coloured) on a terminal, compact on one line in a pipe. Raw messages and
// json.Number inside v keep their digits, and nothing is escaped for HTML.
func WriteJSON(w io.Writer, s Screen, v any) error {
	raw, ok := v.(json.RawMessage)
	if !ok {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return err
		}
		raw = b.Bytes()
	}
	return WriteRawJSON(w, s, raw)
}

// WriteRawJSON is WriteJSON for a document that is JSON already. Its key order,
// digits and escapes stay as they are; only the space between tokens changes.
func WriteRawJSON(w io.Writer, s Screen, raw []byte) error {
	out := newJSONStyle(s, !s.Terminal).append(nil, raw)
	_, err := w.Write(append(out, '\n'))
	return err
}

// jsonStyle lays JSON text out again without decoding it.
type jsonStyle struct {
	compact bool
	pal     *Palette
	clean   bool // control characters inside strings become \u escapes
	margin  string
}

func newJSONStyle(s Screen, compact bool) *jsonStyle {
	return &jsonStyle{compact: compact, pal: NewPalette(s.Colour), clean: s.Terminal}
}

// append adds raw, which is one valid JSON text. What is not valid JSON comes
// out in some form, but never panics.
func (st *jsonStyle) append(dst, raw []byte) []byte {
	depth := 0
	expectKey := false
	var object [256]bool // whether each open level is an object; deeper ones count as arrays
	for i := 0; i < len(raw); {
		c := raw[i]
		switch c {
		case ' ', '\t', '\n', '\r':
			i++
		case '{', '[':
			if j := scan.Space(raw, i+1); j < len(raw) && raw[j] == c+2 { // empty
				dst = append(dst, c, c+2)
				i = j + 1
				continue
			}
			depth++
			if depth < len(object) {
				object[depth] = c == '{'
			}
			expectKey = c == '{'
			dst = st.newline(append(dst, c), depth)
			i++
		case '}', ']':
			depth = max(depth-1, 0)
			expectKey = false
			dst = append(st.newline(dst, depth), c)
			i++
		case ',':
			expectKey = depth < len(object) && object[depth]
			dst = st.newline(append(dst, c), depth)
			i++
		case ':':
			expectKey = false
			dst = append(dst, c)
			if !st.compact {
				dst = append(dst, ' ')
			}
			i++
		case '"':
			end := stringEnd(raw, i)
			p := st.pal.String
			if expectKey {
				p = st.pal.Key
			}
			dst = append(dst, p.on...)
			dst = st.text(dst, raw[i:end])
			dst = append(dst, p.off...)
			i = end
		default:
			end := i + 1
			for end < len(raw) && !delimiter(raw[end]) {
				end++
			}
			dst = append(dst, st.pal.Value.on...)
			dst = st.text(dst, raw[i:end])
			dst = append(dst, st.pal.Value.off...)
			i = end
		}
	}
	return dst
}

func (st *jsonStyle) newline(dst []byte, depth int) []byte {
	if st.compact {
		return dst
	}
	dst = append(dst, '\n')
	dst = append(dst, st.margin...)
	for range depth {
		dst = append(dst, "  "...)
	}
	return dst
}

// text adds a token's own bytes. What a terminal must not see becomes a JSON
// escape, so that the document still says the same.
func (st *jsonStyle) text(dst, b []byte) []byte {
	if !st.clean {
		return append(dst, b...)
	}
	for len(b) > 0 {
		n := cleanPrefix(b)
		dst = append(dst, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			break
		}
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, `\ufffd`...)
		case unsafeRune(r):
			dst = appendHex(append(dst, '\\', 'u'), uint32(r), 4)
		default:
			dst = append(dst, b[:size]...)
		}
		b = b[size:]
	}
	return dst
}

func delimiter(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', ',', ':', '{', '}', '[', ']', '"':
		return true
	}
	return false
}

// stringEnd is the index behind the string that begins at b[i], or the end of b
// where the string has none.
func stringEnd(b []byte, i int) int {
	if end := scan.String(b, i); end >= 0 {
		return end
	}
	return len(b)
}
