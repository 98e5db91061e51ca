package scan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Text is the text of a JSON string (with its quotes), decoded as encoding/json
// does: a lone half of a surrogate pair and bytes that are no UTF-8 become
// U+FFFD. It is a view of s where nothing has to be changed, and nil if s is no
// string.
func Text(s []byte) []byte {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return nil
	}
	s = s[1 : len(s)-1]
	if bytes.IndexByte(s, '\\') < 0 && utf8.Valid(s) {
		return s
	}
	return AppendText(make([]byte, 0, len(s)), s)
}

// Bytes is as Text, but bytes that are no UTF-8 stay what they are.
func Bytes(s []byte) []byte {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return nil
	}
	s = s[1 : len(s)-1]
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	return unescape(make([]byte, 0, len(s)), s, true)
}

// AppendText adds the decoded text of the inside of a JSON string to dst.
func AppendText(dst, s []byte) []byte { return unescape(dst, s, false) }

// unescape adds the inside of a JSON string to dst; keep lets bytes that are no
// UTF-8 stay.
func unescape(dst, s []byte, keep bool) []byte {
	for len(s) > 0 {
		n := bytes.IndexByte(s, '\\')
		if n < 0 {
			return appendText(dst, s, keep)
		}
		dst = appendText(dst, s[:n], keep)
		s = s[n+1:]
		if len(s) == 0 {
			return dst
		}
		c := s[0]
		if c >= utf8.RuneSelf {
			continue // no escape, and perhaps no character
		}
		s = s[1:]
		switch c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(s)
			if r < 0 {
				return append(dst, "\ufffd"...)
			}
			s = s[4:]
			if utf16.IsSurrogate(r) {
				if len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
					if both := utf16.DecodeRune(r, hex4(s[2:])); both != utf8.RuneError {
						dst = utf8.AppendRune(dst, both)
						s = s[6:]
						continue
					}
				}
				r = utf8.RuneError
			}
			dst = utf8.AppendRune(dst, r)
		default: // quote, backslash, slash
			dst = append(dst, c)
		}
	}
	return dst
}

func appendText(dst, s []byte, keep bool) []byte {
	if keep || utf8.Valid(s) {
		return append(dst, s...)
	}
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		dst = utf8.AppendRune(dst, r)
		s = s[n:]
	}
	return dst
}

// hex4 reads four hexadecimal digits, -1 if they are not there.
func hex4(s []byte) rune {
	if len(s) < 4 {
		return -1
	}
	var r rune
	for _, c := range s[:4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return r
}
