package scan

import (
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep values may be nested, as in encoding/json: what is
// valid here can be decoded there.
const maxDepth = 10000

// IsValid says whether b is one JSON value with nothing but white space around
// it (RFC 8259), as json.Valid does, at several times its speed: every line of
// a connection and of a recording passes here. Neither asks whether strings are
// UTF-8. Nothing is allocated.
func IsValid(b []byte) bool {
	end, ok := Check(b, Space(b, 0), 0)
	return ok && Space(b, end) == len(b)
}

// Valid is the index behind the value that begins at b[i] (white space before
// it is stepped over), or -1 if there is no valid one.
func Valid(b []byte, i int) int {
	if end, ok := Check(b, Space(b, i), 0); ok {
		return end
	}
	return -1
}

// ValidKey is the index behind the colon of the member that begins at b[i]
// (white space before it is stepped over), or -1.
func ValidKey(b []byte, i int) int {
	if i = ValidString(b, Space(b, i)); i < 0 {
		return -1
	}
	if i = Space(b, i); i >= len(b) || b[i] != ':' {
		return -1
	}
	return i + 1
}

// ValidString is the index behind the string that begins (with its quote) at
// b[i], or -1 if there is no valid one.
func ValidString(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	if end, ok := skipString(b, i); ok {
		return end
	}
	return -1
}

// Check returns the end of the value that begins at b[i], with no white space
// before it, depth levels deep in another. Where it fails, an end of len(b)
// says that the text is the beginning of a value, and any other end that it is
// none.
func Check(b []byte, i, depth int) (int, bool) {
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
	i = Space(b, i+1)
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
			i = Space(b, i)
		}
		if i >= len(b) || b[i] != ':' {
			return i, false
		}
		i++
		if i < len(b) && b[i] <= ' ' {
			i = Space(b, i)
		}
		if i, ok = Check(b, i, depth); !ok {
			return i, false
		}
		if i < len(b) && b[i] <= ' ' {
			i = Space(b, i)
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
			i = Space(b, i)
		}
	}
}

func skipArray(b []byte, i, depth int) (int, bool) {
	if depth > maxDepth {
		return i, false
	}
	i = Space(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, true
	}
	for {
		var ok bool
		if i, ok = Check(b, i, depth); !ok {
			return i, false
		}
		i = Space(b, i)
		if i >= len(b) {
			return i, false
		}
		if b[i] == ']' {
			return i + 1, true
		}
		if b[i] != ',' {
			return i, false
		}
		i = Space(b, i+1)
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
