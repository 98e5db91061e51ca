package acp

import (
	"encoding/json"
	"io"
	"unicode/utf8"
)

// spill takes JSON that is being appended to a slice out of it whenever it has
// grown enough, and writes it. A nil spill leaves it there.
type spill struct {
	w   io.Writer
	err error // the first; nothing is written after it
}

// spillSize is how much is gathered, and how much is encoded at once.
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

// appendString appends text as a JSON string, as encoding/json has it. It is
// encoded in pieces, since encoding makes a copy.
func (s *spill) appendString(dst, text []byte) []byte {
	dst = append(dst, '"')
	for len(text) > 0 {
		n := pieceEnd(text)
		quoted, err := json.Marshal(string(text[:n])) // cannot fail on a string
		if err == nil {
			dst = s.append(dst, quoted[1:len(quoted)-1])
		}
		text = text[n:]
	}
	return append(dst, '"')
}

// pieceEnd is where a piece at the beginning of text may end: not inside a
// character.
func pieceEnd(text []byte) int {
	if len(text) <= spillSize {
		return len(text)
	}
	for n := spillSize; n > spillSize-utf8.UTFMax; n-- {
		if utf8.RuneStart(text[n]) {
			return n
		}
	}
	return spillSize // these bytes are no characters
}
