package scan

import (
	"bytes"
	"iter"
	"strings"
	"unicode/utf8"
)

// Unquoted is AppendText as a string, made with one copy however long it is.
func Unquoted(inside []byte) string {
	if bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return string(inside)
	}
	var b strings.Builder
	b.Grow(len(inside))
	var some [64]byte
	for s := inside; len(s) > 0; {
		n := bytes.IndexByte(s, '\\')
		if n < 0 {
			n = len(s)
		}
		if utf8.Valid(s[:n]) {
			b.Write(s[:n])
		} else {
			b.Write(appendText(nil, s[:n], false))
		}
		s = s[n:]
		if n = escapes(s); n < 0 {
			n = len(s)
		}
		b.Write(AppendText(some[:0], s[:n]))
		s = s[n:]
	}
	return b.String()
}

// pieceSize is how much text a piece holds.
const pieceSize = 32 << 10

// Pieces yields AppendText's text in pieces that hold whole characters, so that
// a long text need not be there twice. A piece is valid until the next one.
func Pieces(inside []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		size := min(pieceSize, len(inside))
		buf := make([]byte, 0, size+64)
		for s := inside; len(s) > 0; {
			n := bytes.IndexByte(s, '\\')
			if n < 0 {
				n = len(s)
			}
			for plain := s[:n]; len(plain) > 0; {
				k := wholeRunes(plain, size)
				if len(buf)+k > size && len(buf) > 0 {
					if !yield(buf) {
						return
					}
					buf = buf[:0]
				}
				buf = appendText(buf, plain[:k], false)
				plain = plain[k:]
			}
			s = s[n:]
			if n = escapes(s); n < 0 {
				n = len(s)
			}
			buf = AppendText(buf, s[:n])
			s = s[n:]
			if len(buf) >= size && len(s) > 0 {
				if !yield(buf) {
					return
				}
				buf = buf[:0]
			}
		}
		if len(buf) > 0 {
			yield(buf)
		}
	}
}

// wholeRunes is how much of s, at most size bytes, does not end inside a
// character.
func wholeRunes(s []byte, size int) int {
	if len(s) <= size {
		return len(s)
	}
	for n := size; n > max(size-utf8.UTFMax, 0); n-- {
		if utf8.RuneStart(s[n]) {
			return n
		}
	}
	return size // these bytes are no characters
}

// escapes is the length of the escapes that s begins with: not many, and both
// halves of a surrogate pair or none. It is -1 where one is cut or wrong.
func escapes(s []byte) int {
	const many = 32
	i := 0
	for i < len(s) && s[i] == '\\' {
		if i+1 == len(s) {
			return -1
		}
		if s[i+1] >= utf8.RuneSelf {
			return -1
		}
		if s[i+1] != 'u' {
			i += 2
		} else {
			r := hex4(s[i+2:])
			if r < 0 {
				return -1
			}
			i += 6
			if r >= 0xd800 && r < 0xdc00 { // its other half may follow
				continue
			}
		}
		if i >= many {
			break
		}
	}
	return i
}
