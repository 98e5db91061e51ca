package pretty

import (
	"bytes"
	"io"

	"github.com/acptool/acptool/wire/scan"
)

// WriteJSONFrom is WriteRawJSON for a document that write gives piece by piece.
// In a pipe it goes out as it comes, so that it is never there as a whole.
func WriteJSONFrom(w io.Writer, s Screen, write func(io.Writer) error) error {
	if s.Terminal || s.Colour {
		var raw bytes.Buffer
		if err := write(&raw); err != nil {
			return err
		}
		return WriteRawJSON(w, s, raw.Bytes())
	}
	c := &compactor{w: w}
	if err := write(c); err != nil {
		return err
	}
	return c.end()
}

// compactor takes the space between the tokens out of a JSON text that comes in
// pieces cut anywhere.
type compactor struct {
	w       io.Writer
	buf     []byte
	inside  bool // a string
	escaped bool // by a backslash at the end of what came
	err     error
}

// compactSize is how much is gathered before it is written.
const compactSize = 64 << 10

func (c *compactor) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && c.err == nil {
		if c.inside {
			k := c.stringEnd(p)
			c.put(p[:k])
			p = p[k:]
			continue
		}
		k := 0
		for k < len(p) && p[k] != '"' && p[k] != ' ' && p[k] != '\t' && p[k] != '\n' && p[k] != '\r' {
			k++
		}
		if k < len(p) && p[k] == '"' {
			k++
			c.inside = true
		}
		c.put(p[:k])
		if p = p[k:]; !c.inside {
			p = p[scan.Space(p, 0):]
		}
	}
	return n, c.err
}

// stringEnd is how much of p belongs to the string that it begins in.
func (c *compactor) stringEnd(p []byte) int {
	i := 0
	if c.escaped {
		c.escaped = false
		i = 1
	}
	for i < len(p) {
		n := bytes.IndexByte(p[i:], '"')
		end := len(p)
		if n >= 0 {
			end = i + n
		}
		back := end
		for back > i && p[back-1] == '\\' {
			back--
		}
		odd := (end-back)%2 != 0
		switch {
		case n < 0:
			c.escaped = odd
			return end
		case !odd:
			c.inside = false
			return end + 1
		}
		i = end + 1
	}
	return len(p)
}

func (c *compactor) put(p []byte) {
	if len(c.buf)+len(p) > compactSize {
		c.flush()
		if len(p) > compactSize {
			if c.err == nil {
				_, c.err = c.w.Write(p)
			}
			return
		}
	}
	c.buf = append(c.buf, p...)
}

func (c *compactor) flush() {
	if c.err == nil && len(c.buf) > 0 {
		_, c.err = c.w.Write(c.buf)
	}
	c.buf = c.buf[:0]
}

// end writes what is left, and a newline.
func (c *compactor) end() error {
	c.put([]byte{'\n'})
	c.flush()
	return c.err
}
