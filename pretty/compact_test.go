package pretty

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
)

// A document that comes in pieces is laid out as one that is there as a whole,
// wherever it is cut.
func FuzzWriteJSONFrom(f *testing.F) {
	f.Add([]byte(`{ "a" : [ ] , "b\\\" " : "\\" , "c": [1 , -2.50, true,"x\u0020y"] }`), uint16(3))
	f.Add([]byte(`"\\\\\" "`), uint16(1))
	f.Add([]byte("{\n  \"a\": {\t},\r\n \"b\": \"\\\"\"}"), uint16(2))
	f.Fuzz(func(t *testing.T, doc []byte, size uint16) {
		if !json.Valid(doc) {
			return
		}
		for _, s := range []Screen{{}, {Terminal: true}, {Colour: true}} {
			var want, got bytes.Buffer
			if err := WriteRawJSON(&want, s, doc); err != nil {
				t.Fatal(err)
			}
			n := int(size)%len(doc) + 1
			err := WriteJSONFrom(&got, s, func(w io.Writer) error {
				for rest := doc; len(rest) > 0; rest = rest[min(n, len(rest)):] {
					if _, err := w.Write(rest[:min(n, len(rest))]); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil || got.String() != want.String() {
				t.Fatalf("%v\n%q\n%q", err, got.String(), want.String())
			}
		}
	})
}

// full is a writer with no room.
type full struct{ wrote int }

func (f *full) Write(p []byte) (int, error) { f.wrote++; return 0, io.ErrShortWrite }

func TestWriteJSONFromEndsWithItsWriter(t *testing.T) {
	var w full
	pieces := 0
	err := WriteJSONFrom(&w, Screen{}, func(w io.Writer) error {
		for range 100 {
			pieces++
			if _, err := w.Write(bytes.Repeat([]byte("1,"), compactSize/3)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != io.ErrShortWrite || w.wrote != 1 || pieces > 3 {
		t.Errorf("%v after %d writes of %d pieces", err, w.wrote, pieces)
	}
}
