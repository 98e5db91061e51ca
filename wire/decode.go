package wire

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/acptool/acptool/wire/scan"
)

// Decoded is what a line turned out to be. All of a blank line is zero.
type Decoded struct {
	Messages []Message
	Batch    bool   // the line was an array; Messages are those of its members that are messages
	Noise    []byte // the line, or what stood before a frame that was dug out
	Dug      bool   // Messages were found behind Noise, or glued to each other
	Err      error  // why the line, or a member of the array, is no message

	// Malformed is set where the line is no message but looks like a response
	// that went wrong: JSON-RPC's version, an id, no method. The line is Noise
	// as well.
	Malformed *Message
}

var errEmptyBatch = errors.New("an empty array")

// Decode says what a line of a peer is: a message, a batch, noise. A byte
// order mark, a trailing \r and white space around the line do not count.
func Decode(line []byte) Decoded {
	body := trim(line)
	if len(body) == 0 {
		return Decoded{}
	}
	switch body[0] {
	case '{':
		m, end, err := parseAt(body, 0)
		if err == nil && end == len(body) {
			return Decoded{Messages: []Message{m}}
		}
		if end == len(body) {
			d := Decoded{Noise: line, Err: err}
			if err == errShape && m.Method == "" && m.ID != "" && m.ID != "null" {
				d.Malformed = &m
			}
			return d
		}
	case '[':
		if scan.IsValid(body) {
			return decodeBatch(line, body)
		}
	default:
		if scan.IsValid(body) {
			return Decoded{Noise: line, Err: errNotObject}
		}
	}
	return dig(line, body)
}

// trim takes off what does not count around a message. A byte order mark
// belongs only at the beginning of the stream, where Windows launchers put it;
// one before a later frame does no harm.
func trim(line []byte) []byte {
	line = bytes.TrimPrefix(line, []byte("\ufeff"))
	return bytes.Trim(line, " \t\r\n")
}

// decodeBatch reads the members of body, a valid array.
func decodeBatch(line, body []byte) Decoded {
	d := Decoded{Batch: true}
	n := 0
	c := scan.Cursor{B: body}
	for c.Enter('['); c.Next(); n++ {
		m, err := Parse(c.Skip())
		if err != nil {
			d.Err = fmt.Errorf("member %d of the batch: %w", n+1, err)
			continue
		}
		d.Messages = append(d.Messages, m)
	}
	if n == 0 {
		d.Err = errEmptyBatch
	}
	if len(d.Messages) == 0 {
		return Decoded{Noise: line, Err: d.Err}
	}
	return d
}
