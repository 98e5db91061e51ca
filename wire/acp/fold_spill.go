package acp

import (
	"io"
	"strings"
	"unicode/utf8"
)

// spill takes JSON that is being appended to a slice out of it whenever it has
// grown enough, and writes it. A nil spill leaves it there.
type spill struct {
	w   io.Writer
	err error // the first; nothing is written after it
}

// spillSize is how much is gathered before it is written.
const spillSize = 32 << 10

// append is append(dst, p...).
func (s *spill) append(dst, p []byte) []byte {
	if s == nil || len(dst)+len(p) < spillSize {
		return append(dst, p...)
	}
	dst = s.all(dst)
	if len(p) >= spillSize {
		s.all(p)
		return dst
	}
	return append(dst, p...)
}

// all writes p and returns it empty.
func (s *spill) all(p []byte) []byte {
	if s.err == nil && len(p) > 0 {
		_, s.err = s.w.Write(p)
	}
	return p[:0]
}

// appendInside appends text, which is UTF-8, as the inside of a JSON string: byte
// for byte as encoding/json has it, and without its copies.
func (s *spill) appendInside(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	from := 0
	for i, c := range text {
		switch {
		case c >= utf8.RuneSelf:
			// U+2028 and U+2029 are e2 80 a8 and e2 80 a9.
			if c != 0xa8 && c != 0xa9 || i < 2 || text[i-1] != 0x80 || text[i-2] != 0xe2 {
				continue
			}
			dst = append(dst, text[from:i-2]...)
			dst = append(dst, '\\', 'u', '2', '0', '2', hex[c&0xf])
		case c == '"', c == '\\':
			dst = append(append(dst, text[from:i]...), '\\', c)
		case c == '<', c == '>', c == '&', c < ' ':
			dst = append(dst, text[from:i]...)
			if k := strings.IndexByte("\b\f\n\r\t", c); k >= 0 {
				dst = append(dst, '\\', "bfnrt"[k])
			} else {
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
			}
		default:
			continue
		}
		from = i + 1
	}
	return s.append(dst, text[from:])
}
