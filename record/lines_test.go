package record

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// endless is a stream that never ends its line, as a device may be.
type endless struct {
	text byte
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text
	}
	e.read += len(p)
	return len(p), nil
}

// A line has a limit, whatever it begins with, and wherever it stands.
func TestEndlessLines(t *testing.T) {
	const header = `{"format":"acptool","version":1}` + "\n"
	for name, begin := range map[string]string{
		"at once":             "",
		"after an entry":      header + `{"t":1,"from":"agent","text":"x"}` + "\n",
		"in an entry":         header + `{"t":1,"from":"agent","text":"`,
		"in a frame":          `{"jsonrpc":"2.0","method":"`,
		"in an export":        `{"exportedAt":1,"session":{},"messages":[{"raw":"`,
		"after frames":        `{"jsonrpc":"2.0","method":"x"}` + "\n",
		"after a bad start":   "hello\n",
		"in a value of lines": header + "{\n\"t\":\n",
	} {
		tail := &endless{text: 'a'}
		r := Env{MaxFrame: 1 << 10}.reader(io.MultiReader(strings.NewReader(begin), tail))
		var err error
		for err == nil {
			_, err = r.Next()
		}
		var format *FormatError
		if !errors.As(err, &format) {
			t.Errorf("%s: %v", name, err)
		}
		if tail.read > 8<<20 {
			t.Errorf("%s: %d bytes were read", name, tail.read)
		}
	}
	lines := &endless{text: '\n'}
	r := Env{MaxFrame: 1 << 10}.reader(io.MultiReader(strings.NewReader(header+"{"), lines))
	var long *LongLineError
	if _, err := r.Next(); !errors.As(err, &long) || !strings.HasPrefix(err.Error(), "line 2: longer than the limit of") {
		t.Errorf("a value of endless lines: %v", err)
	}
}

// What fits is read, also where it is longer than what is read at once.
func TestLineLimitLetsFramesPass(t *testing.T) {
	text := strings.Repeat("x", 3*chunkSize)
	file := `{"format":"acptool","version":1}` + "\n" + `{"t":1,"from":"agent","text":"` + text + `"}` + "\n"
	r := Env{MaxFrame: 3 * chunkSize}.reader(strings.NewReader(file))
	if e, err := r.Next(); err != nil || string(e.Data) != text {
		t.Errorf("%d bytes, %v", len(e.Data), err)
	}
}
