package scan

import "encoding/binary"

// maxDepth is how deep values may be nested, as in encoding/json: what is
// valid here can be decoded there.
const maxDepth = 10000

// Valid is the index behind the value that begins at b[i] (white space before
// it is stepped over), or -1 if there is no valid one (RFC 8259). Like
// encoding/json it does not ask whether strings are UTF-8. Nothing is allocated
// for values that are nested at most 64 deep.
func Valid(b []byte, i int) int {
	var near [64]byte
	open := near[:0] // the brackets that are open
	var top byte     // the innermost of them
value:
	if i = Space(b, i); i >= len(b) {
		return -1
	}
	switch c := b[i]; c {
	case '{', '[':
		if len(open) >= maxDepth {
			return -1
		}
		i = Space(b, i+1)
		if i < len(b) && b[i] == c+2 { // '}' is '{'+2, ']' is '['+2
			i++
			goto behind
		}
		open = append(open, c)
		if c == '{' {
			goto key
		}
		goto value
	case '"':
		i = ValidString(b, i)
	case 't':
		i = literal(b, i, "true")
	case 'f':
		i = literal(b, i, "false")
	case 'n':
		i = literal(b, i, "null")
	default:
		i = number(b, i)
	}
	if i < 0 {
		return -1
	}
behind:
	if len(open) == 0 {
		return i
	}
	if i = Space(b, i); i >= len(b) {
		return -1
	}
	top = open[len(open)-1]
	switch b[i] {
	case ',':
		i++
		if top == '[' {
			goto value
		}
	case top + 2:
		i++
		open = open[:len(open)-1]
		goto behind
	default:
		return -1
	}
key:
	if i = ValidKey(b, i); i < 0 {
		return -1
	}
	goto value
}

// ValidKey is the index behind the colon of the member that begins at b[i]
// (white space before it is stepped over), or -1.
func ValidKey(b []byte, i int) int {
	i = Space(b, i)
	if i = ValidString(b, i); i < 0 {
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
	i++
	for {
		for i+8 <= len(b) && plain8(binary.LittleEndian.Uint64(b[i:])) {
			i += 8
		}
		if i >= len(b) {
			return -1
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c < ' ':
			return -1
		case c != '\\':
			i++
			continue
		}
		if i+1 >= len(b) {
			return -1
		}
		switch b[i+1] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			if hex4(b[i+2:]) < 0 {
				return -1
			}
			i += 6
		default:
			return -1
		}
	}
}

// plain8 reports that none of eight bytes is a quote, a backslash or a control
// character: a byte of (x - 0x01…) with its high bit set, where that of x is
// not, was zero; the same for "less than 0x20".
func plain8(w uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote := w ^ (ones * '"')
	slash := w ^ (ones * '\\')
	return ((quote-ones)&^quote|(slash-ones)&^slash|(w-ones*' ')&^w)&high == 0
}

func literal(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

func number(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch first := i; {
	case i >= len(b):
		return -1
	case b[i] == '0':
		i++
	default:
		if i = digits(b, i); i == first {
			return -1
		}
	}
	if i < len(b) && b[i] == '.' {
		first := i + 1
		if i = digits(b, first); i == first {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		first := i
		if i = digits(b, first); i == first {
			return -1
		}
	}
	return i
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}
