package pretty

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Text that comes from the other side is untrusted: on a terminal it could move
// the cursor, set the title, or hide and reorder what follows. Such characters
// are shown as escapes: C0 but tab and newline, DEL, C1, the bidirectional
// overrides, embeddings and isolates, and bytes that are no UTF-8.

// Sanitize returns s fit for a terminal.
func Sanitize(s string) string {
	if cleanString(s) {
		return s
	}
	return string(AppendSanitized(nil, []byte(s)))
}

// AppendSanitized adds text to dst, fit for a terminal.
func AppendSanitized(dst, text []byte) []byte {
	for len(text) > 0 {
		n := cleanPrefix(text)
		dst = append(dst, text[:n]...)
		text = text[n:]
		if len(text) == 0 {
			break
		}
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			dst = appendHex(append(dst, '\\', 'x'), uint32(text[0]), 2)
		case unsafeRune(r):
			dst = appendEscape(dst, r)
		default:
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst
}

// cleanPrefix is the length of the leading bytes that are printable ASCII, tab
// or newline.
func cleanPrefix(b []byte) int {
	for i, c := range b {
		if c >= 0x7f || c < 0x20 && c != '\t' && c != '\n' {
			return i
		}
	}
	return len(b)
}

func cleanString(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7f || c < 0x20 && c != '\t' && c != '\n' {
			return false
		}
	}
	return true
}

// unsafeRune reports whether a terminal must not be given r.
func unsafeRune(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return false
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // embeddings, overrides, isolates
		return true
	}
	return false
}

func appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '\r':
		return append(dst, '\\', 'r')
	case 0x1b:
		return append(dst, '\\', 'e')
	}
	if r < 0x80 {
		return appendHex(append(dst, '\\', 'x'), uint32(r), 2)
	}
	return appendHex(append(dst, '\\', 'u'), uint32(r), 4)
}

func appendHex(dst []byte, v uint32, digits int) []byte {
	const hex = "0123456789abcdef"
	for i := digits - 1; i >= 0; i-- {
		dst = append(dst, hex[v>>(4*i)&15])
	}
	return dst
}

// sanitizer is the writer that NewSanitizer returns.
type sanitizer struct {
	w    io.Writer
	held []byte // the beginning of a character whose rest has not come yet
	buf  []byte
}

// NewSanitizer returns a writer that passes text on to w fit for a terminal.
// A character that is cut between two writes is put together; Close writes
// what is left of one (it does not close w).
func NewSanitizer(w io.Writer) io.WriteCloser { return &sanitizer{w: w} }

func (s *sanitizer) Write(p []byte) (int, error) {
	text := p
	if len(s.held) > 0 {
		text = append(bytes.Clone(s.held), p...)
		s.held = s.held[:0]
	}
	whole := len(text) - cutRune(text)
	s.held = append(s.held, text[whole:]...)
	s.buf = AppendSanitized(s.buf[:0], text[:whole])
	if _, err := s.w.Write(s.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (s *sanitizer) Close() error {
	if len(s.held) == 0 {
		return nil
	}
	s.buf = AppendSanitized(s.buf[:0], s.held)
	s.held = s.held[:0]
	_, err := s.w.Write(s.buf)
	return err
}

// cutRune is the number of bytes at the end of b that begin a character which
// needs more bytes.
func cutRune(b []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		c := b[len(b)-i]
		if utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return i
			}
			return 0
		}
	}
	return 0
}
