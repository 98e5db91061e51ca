package record

import (
	"bytes"
	"io"
	"testing"

	"github.com/acptool/acptool/wire"
)

func TestReadAhead(t *testing.T) {
	var in bytes.Buffer
	w := NewWriter(&in, Header{}, WriterOptions{})
	for range 3*aheadEntries + 1 {
		w.Observe(line(wire.Agent, sampleChunk, "\n"))
	}
	_ = w.Close()
	in.WriteString("prose\n")
	file := in.Bytes()
	a := ReadAhead(NewReader(bytes.NewReader(file)))
	n := 0
	for {
		e, err := a.Next()
		if err != nil {
			if _, ok := err.(*FormatError); !ok {
				t.Errorf("%v", err)
			}
			break
		}
		if string(e.Data) != sampleChunk || e.FileLine != n+2 {
			t.Fatalf("entry %d: line %d", n, e.FileLine)
		}
		n++
	}
	if _, err := a.Next(); n != 3*aheadEntries+1 || err == nil {
		t.Errorf("%d entries, then %v", n, err)
	}
	a.Close()
	// Closed in the middle: the goroutine ends (the leak check tells).
	a = ReadAhead(NewReader(bytes.NewReader(file)))
	if _, err := a.Next(); err != nil {
		t.Error(err)
	}
	a.Close()
	a.Close()
	a = ReadAhead(NewReader(bytes.NewReader(nil)))
	if _, err := a.Next(); err != io.EOF {
		t.Error(err)
	}
	a.Close()
}
