// Package scan looks at JSON text without decoding it: it finds members and
// the ends of values, and unquotes single strings. It trusts that the text is
// valid JSON where that is cheap to do; on text that is not, it returns
// something but never reads outside and never panics.
package scan

import "bytes"

// Space is the index of the first byte at or behind i that is no white space.
func Space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// String is the index behind the string that begins (with its quote) at b[i],
// or -1 if it has no end.
func String(b []byte, i int) int {
	i++
	// Most strings are short: a loop over them beats the call that finds a
	// quote far away.
	for near := min(i+16, len(b)); i < near; i++ {
		if b[i] == '"' {
			return i + 1
		}
		if b[i] == '\\' {
			break
		}
	}
	for {
		if i > len(b) {
			return -1
		}
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		end := i + n
		if n == 0 || b[end-1] != '\\' {
			return end + 1
		}
		back := end
		for back > i && b[back-1] == '\\' {
			back--
		}
		if (end-back)%2 == 0 {
			return end + 1
		}
		i = end + 1
	}
}

// Value is the index behind the value that begins at b[i], or -1 if it is cut.
func Value(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return String(b, i)
	case '{', '[':
		return container(b, i)
	case '}', ']', ',', ':', ' ', '\t', '\n', '\r':
		return -1 // no value begins so
	}
	for i++; i < len(b); i++ {
		switch b[i] {
		case ',', '}', ']', ' ', '\t', '\n', '\r', ':', '"', '{', '[':
			return i
		}
	}
	return i
}

func container(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = String(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// Cursor walks over JSON text member by member.
type Cursor struct {
	B   []byte
	I   int  // of the next byte to look at
	Bad bool // the text ended early or is not JSON; nothing more is found
}

// At is the first byte of the value at the cursor, 0 if there is none.
func (c *Cursor) At() byte {
	if c.I = Space(c.B, c.I); c.I < len(c.B) {
		return c.B[c.I]
	}
	return 0
}

// Enter steps into the object ('{') or array ('[') at the cursor and reports
// whether there is one; if not, the cursor stays.
func (c *Cursor) Enter(open byte) bool {
	if c.At() != open {
		return false
	}
	c.I++
	return true
}

// Key steps to the value of the next member of the object that the cursor is
// in and returns its key's text. At the end of the object it steps out and
// returns false.
func (c *Cursor) Key() ([]byte, bool) {
	if !c.more('}') {
		return nil, false
	}
	if c.B[c.I] != '"' {
		return nil, c.fail()
	}
	key, end := plainKey(c.B, c.I)
	if end < 0 {
		if end = String(c.B, c.I); end < 0 {
			return nil, c.fail()
		}
		key = Text(c.B[c.I:end])
	}
	if c.I = Space(c.B, end); c.I >= len(c.B) || c.B[c.I] != ':' {
		return nil, c.fail()
	}
	c.I = Space(c.B, c.I+1)
	return key, true
}

// plainKey returns the string at b[i] and the index behind it if it is plain
// ASCII without escapes, as nearly all keys are.
func plainKey(b []byte, i int) ([]byte, int) {
	for j := i + 1; j < len(b); j++ {
		switch ch := b[j]; {
		case ch == '"':
			return b[i+1 : j], j + 1
		case ch == '\\' || ch >= 0x80:
			return nil, -1
		}
	}
	return nil, -1
}

// Next steps to the next element of the array that the cursor is in. At the
// end of the array it steps out and returns false.
func (c *Cursor) Next() bool { return c.more(']') }

// more steps over a comma to what follows, or out behind close.
func (c *Cursor) more(close byte) bool {
	if c.Bad {
		return false
	}
	at := c.At()
	if at == ',' {
		c.I++
		at = c.At()
	}
	switch at {
	case close:
		c.I++
		return false
	case 0, ']', '}', ',', ':':
		return c.fail()
	}
	return true
}

// Skip steps over the value at the cursor and returns its bytes.
func (c *Cursor) Skip() []byte {
	c.I = Space(c.B, c.I)
	end := Value(c.B, c.I)
	if end < 0 {
		c.fail()
		return nil
	}
	v := c.B[c.I:end]
	c.I = end
	return v
}

func (c *Cursor) fail() bool {
	c.Bad = true
	c.I = len(c.B)
	return false
}

// Member is the value of the last member of obj with this key, nil if obj is no
// object or has none.
func Member(obj []byte, key string) []byte {
	c := Cursor{B: obj}
	if !c.Enter('{') {
		return nil
	}
	var found []byte
	for {
		k, ok := c.Key()
		if !ok {
			return found
		}
		v := c.Skip()
		if string(k) == key {
			found = v
		}
	}
}

// First is the value of the first member of obj with this key, nil if there is
// none. It looks no further, so it is for what is shown and not for what counts:
// of several members with one name the last one counts.
func First(obj []byte, key string) []byte {
	c := Cursor{B: obj}
	if !c.Enter('{') {
		return nil
	}
	for {
		k, ok := c.Key()
		if !ok {
			return nil
		}
		if v := c.Skip(); string(k) == key {
			return v
		}
	}
}

// Pick finds the values of several keys in one look at obj: out[i] is that of
// keys[i], nil if there is none.
func Pick(obj []byte, out [][]byte, keys ...string) {
	clear(out)
	c := Cursor{B: obj}
	if !c.Enter('{') {
		return
	}
	for {
		k, ok := c.Key()
		if !ok {
			return
		}
		v := c.Skip()
		for i, key := range keys {
			if string(k) == key {
				out[i] = v
			}
		}
	}
}

// Path is Member, one key after the other.
func Path(obj []byte, keys ...string) []byte {
	for _, k := range keys {
		if obj = Member(obj, k); obj == nil {
			return nil
		}
	}
	return obj
}
