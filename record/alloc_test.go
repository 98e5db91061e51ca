package record

import (
	"bytes"
	"testing"

	"github.com/acptool/acptool/wire"
)

// Recording a frame, with the search for secrets, allocates nothing.
func TestRecordingAFrameDoesNotAllocate(t *testing.T) {
	w := NewWriter(discard{}, Header{}, WriterOptions{Redact: newTestRedactor(t, RedactOptions{})})
	e := line(wire.Agent, sampleChunk, "\n")
	for range 2 * flushSize / len(sampleChunk) {
		w.Observe(e) // the buffer grows to its size
	}
	if n := testing.AllocsPerRun(1000, func() { w.Observe(e) }); n != 0 {
		t.Errorf("%v allocations for a frame", n)
	}
}

// Reading a frame back allocates nothing of its own either.
func TestReadingAFrameDoesNotAllocate(t *testing.T) {
	var in bytes.Buffer
	w := NewWriter(&in, Header{}, WriterOptions{})
	for range 2000 {
		w.Observe(line(wire.Agent, sampleChunk, "\n"))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := NewReader(&in)
	next := func() {
		if e, err := r.Next(); err != nil || len(e.Data) != len(sampleChunk) {
			t.Fatal(e, err)
		}
	}
	for range 900 {
		next()
	}
	if n := testing.AllocsPerRun(1000, next); n != 0 {
		t.Errorf("%v allocations for a frame", n)
	}
}
