package pretty

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/acptool/acptool/wire/scan"
)

// clip gathers the text of one line up to a number of columns. What does not
// fit is neither decoded nor copied, so that a frame of many MiB costs no more
// than a small one. White space becomes single spaces, and control characters
// become escapes: a line stays a line.
type clip struct {
	dst  []byte
	room int  // columns left, one kept back for the ellipsis
	full bool // something did not fit; nothing more is taken
	gap  bool // a space is due before the next character
	any  bool // something was written
}

// start begins anew behind dst with so many columns; nothing is taken where
// there are none.
func (c *clip) start(dst []byte, columns int) {
	*c = clip{dst: dst, room: columns - 1, full: columns <= 0}
}

func (c *clip) cut() {
	if !c.full {
		c.dst = append(c.dst, "…"...)
		c.full = true
	}
}

// glyph adds one character of so many columns.
func (c *clip) glyph(b []byte, columns int) bool {
	if c.gap && c.any {
		if c.room < columns+1 {
			c.cut()
			return false
		}
		c.dst = append(c.dst, ' ')
		c.room--
	}
	c.gap = false
	if c.room < columns {
		c.cut()
		return false
	}
	c.any = true
	c.room -= columns
	c.dst = append(c.dst, b...)
	return true
}

// text adds text that comes from the other side.
func (c *clip) text(b []byte) {
	for len(b) > 0 && !c.full {
		// No further than there is room: of a long text, little is shown.
		if n := printable(b[:min(len(b), max(c.room, 0)+1)]); n > 0 && (!c.gap || !c.any) && n <= c.room {
			c.dst = append(c.dst, b[:n]...)
			c.room -= n
			c.any, c.gap = true, false
			b = b[n:]
			continue
		}
		ch := b[0]
		switch {
		case ch == ' ' || ch == '\n' || ch == '\t' || ch == '\r':
			c.gap = true
			b = b[1:]
		case ch < utf8.RuneSelf && ch > 0x20 && ch != 0x7f:
			c.glyph(b[:1], 1)
			b = b[1:]
		default:
			r, size := utf8.DecodeRune(b)
			if r == utf8.RuneError && size == 1 || unsafeRune(r) {
				var esc [8]byte
				e := AppendSanitized(esc[:0], b[:size])
				c.glyph(e, len(e))
			} else if unicode.IsSpace(r) {
				c.gap = true
			} else {
				c.glyph(b[:size], columnsOf(r))
			}
			b = b[size:]
		}
	}
}

// printable is the number of leading bytes that are visible ASCII.
func printable(b []byte) int {
	for i, ch := range b {
		if ch <= 0x20 || ch >= 0x7f {
			return i
		}
	}
	return len(b)
}

// say adds words of our own, as they are.
func (c *clip) say(s string) {
	for i := 0; i < len(s) && !c.full; {
		if s[i] == ' ' {
			c.gap = true
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r < utf8.RuneSelf {
			c.glyph([]byte{s[i]}, 1)
		} else {
			c.glyph([]byte(s[i:i+size]), columnsOf(r))
		}
		i += size
	}
}

// space lets what follows stand apart from what is there, but not behind a
// bracket that opens.
func (c *clip) space() {
	if n := len(c.dst); n == 0 || c.dst[n-1] != '(' && c.dst[n-1] != '[' {
		c.gap = true
	}
}

// id adds an id, whole even where there is no room for it: real ids share long
// beginnings, so that a shortened one says nothing.
func (c *clip) id(raw []byte) {
	if c.full {
		return
	}
	text := scan.Text(raw)
	if text == nil {
		text = raw
	}
	room := c.room
	c.room = max(room, 3*len(text)+1)
	before := c.room
	c.text(text)
	c.room = max(room-(before-c.room), 0)
}

// json adds a JSON value: a string's text, anything else as it is written. Of a
// long string only as much is decoded as can be shown.
func (c *clip) json(raw []byte) {
	if len(raw) == 0 || c.full {
		return
	}
	if raw[0] != '"' {
		c.text(raw[:min(len(raw), 6*c.room+64)])
		return
	}
	if len(raw) < 2 {
		return
	}
	inside := raw[1 : len(raw)-1]
	var room [512]byte
	for len(inside) > 0 && !c.full {
		piece := inside[:pieceOf(inside, 384)]
		inside = inside[len(piece):]
		if bytes.IndexByte(piece, '\\') < 0 {
			c.text(piece)
		} else {
			c.text(scan.AppendText(room[:0], piece))
		}
	}
}

// pieceOf is the length of a piece of the inside of a JSON string, about limit,
// that cuts neither an escape nor a character nor a surrogate pair.
func pieceOf(s []byte, limit int) int {
	if len(s) <= limit+16 {
		return len(s)
	}
	i := 0
	for i < limit {
		switch {
		case s[i] != '\\':
			i++
		case s[i+1] != 'u':
			i += 2
		case surrogate(s[i:], "89ab") && surrogate(s[i+6:], "cdef"):
			i += 12
		default:
			i += 6
		}
	}
	for k := 0; k < utf8.UTFMax && !utf8.RuneStart(s[i]); k++ {
		i++
	}
	return i
}

// surrogate reports whether s begins with the escape of one half of a pair: the
// second digit tells which.
func surrogate(s []byte, second string) bool {
	return s[0] == '\\' && s[1] == 'u' && s[2]|0x20 == 'd' && strings.IndexByte(second, s[3]|0x20) >= 0
}

// on and off switch a colour; they take no columns. A space that is due is
// written first, so that it has no colour.
func (c *clip) on(p Paint) {
	if p.on != "" && !c.full {
		if c.gap && c.any && c.room > 0 {
			c.dst = append(c.dst, ' ')
			c.room--
			c.gap = false
		}
		c.dst = append(c.dst, p.on...)
	}
}

func (c *clip) off(p Paint) { c.dst = append(c.dst, p.off...) }

// columnsOf is the number of columns that a terminal gives r.
func columnsOf(r rune) int {
	if r < 0x300 {
		return 1
	}
	for _, w := range [...][2]rune{
		{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff},
		{0xa000, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60},
		{0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd},
	} {
		if r >= w[0] && r <= w[1] {
			return 2
		}
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	return 1
}
