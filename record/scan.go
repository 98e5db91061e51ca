package record

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// maxDepth is how deep JSON may nest before it counts as text: the same as
// encoding/json's, so that what we call a frame is one for every Go reader.
const maxDepth = 10000

// validJSON says whether b is exactly one JSON value with nothing around it
// but white space (RFC 8259), as encoding/json's Valid does, only faster: every
// line of a recording passes here.
func validJSON(b []byte) bool {
	i := skipSpace(b, 0)
	end, ok := skipValue(b, i, 0)
	return ok && skipSpace(b, end) == len(b)
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns the end of the JSON value that begins at b[i]. Where it
// fails, an end of len(b) says that the text is the beginning of a value, and
// any other end that it is none.
func skipValue(b []byte, i, depth int) (int, bool) {
	if i >= len(b) {
		return i, false
	}
	switch c := b[i]; c {
	case '"':
		return skipString(b, i)
	case '{':
		return skipObject(b, i, depth+1)
	case '[':
		return skipArray(b, i, depth+1)
	case 't':
		return skipWord(b, i, "true")
	case 'f':
		return skipWord(b, i, "false")
	case 'n':
		return skipWord(b, i, "null")
	default:
		return skipNumber(b, i)
	}
}

func skipObject(b []byte, i, depth int) (int, bool) {
	if depth > maxDepth {
		return i, false
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, true
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return i, false
		}
		end, ok := skipString(b, i)
		if !ok {
			return end, false
		}
		i = end
		if i < len(b) && b[i] != ':' {
			i = skipSpace(b, i)
		}
		if i >= len(b) || b[i] != ':' {
			return i, false
		}
		i++
		if i < len(b) && b[i] <= ' ' {
			i = skipSpace(b, i)
		}
		if i, ok = skipValue(b, i, depth); !ok {
			return i, false
		}
		if i < len(b) && b[i] <= ' ' {
			i = skipSpace(b, i)
		}
		if i >= len(b) {
			return i, false
		}
		if b[i] == '}' {
			return i + 1, true
		}
		if b[i] != ',' {
			return i, false
		}
		i++
		if i < len(b) && b[i] <= ' ' {
			i = skipSpace(b, i)
		}
	}
}

func skipArray(b []byte, i, depth int) (int, bool) {
	if depth > maxDepth {
		return i, false
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, true
	}
	for {
		var ok bool
		if i, ok = skipValue(b, i, depth); !ok {
			return i, false
		}
		i = skipSpace(b, i)
		if i >= len(b) {
			return i, false
		}
		if b[i] == ']' {
			return i + 1, true
		}
		if b[i] != ',' {
			return i, false
		}
		i = skipSpace(b, i+1)
	}
}

func skipWord(b []byte, i int, word string) (int, bool) {
	if n := min(len(b)-i, len(word)); string(b[i:i+n]) != word[:n] {
		return i, false
	} else if n < len(word) {
		return len(b), false
	}
	return i + len(word), true
}

func skipNumber(b []byte, i int) (int, bool) {
	if i < len(b) && b[i] == '-' {
		i++
	}
	if i >= len(b) {
		return i, false
	}
	switch {
	case b[i] == '0':
		i++
	case b[i] >= '1' && b[i] <= '9':
		i = skipDigits(b, i)
	default:
		return i, false
	}
	if i < len(b) && b[i] == '.' {
		end := skipDigits(b, i+1)
		if end == i+1 {
			return end, false
		}
		i = end
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		end := skipDigits(b, i)
		if end == i {
			return end, false
		}
		i = end
	}
	return i, true
}

func skipDigits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

// skipString returns the end of the string that begins with the quote at b[i].
func skipString(b []byte, i int) (int, bool) {
	i++
	for {
		i = plainRun(b, i)
		if i >= len(b) {
			return i, false
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, true
		case c < ' ':
			return i, false
		}
		// A backslash.
		if i+1 >= len(b) {
			return len(b), false
		}
		switch b[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			for _, c := range b[i+2 : min(i+6, len(b))] {
				if !isHex(c) {
					return i, false
				}
			}
			if len(b)-i < 6 {
				return len(b), false
			}
			i += 6
		default:
			return i, false
		}
	}
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// plainRun returns the index of the first byte from i on that is a quote, a
// backslash or a control character; eight bytes at a time, as strings are most
// of what there is.
func plainRun(b []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	for i+8 <= len(b) {
		v := binary.LittleEndian.Uint64(b[i:])
		q := v ^ ones*'"'
		s := v ^ ones*'\\'
		hit := (q-ones)&^q | (s-ones)&^s | (v-ones*' ')&^v
		if hit &= highs; hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
		i += 8
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' {
		i++
	}
	return i
}

// unquote returns what a JSON string (with its quotes) stands for. Escaped
// surrogates without a partner become U+FFFD. Without escapes it is a view.
func unquote(raw []byte) []byte {
	raw = raw[1 : len(raw)-1]
	i := plainRun(raw, 0)
	if i == len(raw) {
		return raw
	}
	out := make([]byte, 0, len(raw))
	out = append(out, raw[:i]...)
	for i < len(raw) {
		if raw[i] != '\\' {
			end := max(plainRun(raw, i), i+1)
			out = append(out, raw[i:end]...)
			i = end
			continue
		}
		switch c := raw[i+1]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, n := unquoteRune(raw[i:])
			out = utf8.AppendRune(out, r)
			i += n
			continue
		default:
			out = append(out, c)
		}
		i += 2
	}
	return out
}

// unquoteRune reads one \uXXXX or a pair of them.
func unquoteRune(b []byte) (rune, int) {
	r := hex4(b[2:6])
	if r < 0xd800 || r > 0xdfff {
		return r, 6
	}
	if r < 0xdc00 && len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if low := hex4(b[8:12]); low >= 0xdc00 && low <= 0xdfff {
			return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(b []byte) rune {
	var r rune
	for _, c := range b {
		r <<= 4
		switch {
		case c >= 'a':
			r |= rune(c-'a') + 10
		case c >= 'A':
			r |= rune(c-'A') + 10
		default:
			r |= rune(c - '0')
		}
	}
	return r
}
