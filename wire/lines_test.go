package wire

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

func allLines(r *LineReader) (lines []Line, err error) {
	for {
		line, err := r.ReadLine()
		if err != nil {
			return lines, err
		}
		lines = append(lines, line)
	}
}

func TestLinesAreSplitAtNewlineOnly(t *testing.T) {
	in := "a\nb\r\n\n\r\nc\rd\u2028e\x85f\x0bg\n\r\r\nlast\r"
	want := []Line{{[]byte("a"), "\n"}, {[]byte("b"), "\r\n"}, {nil, "\n"}, {nil, "\r\n"},
		{[]byte("c\rd\u2028e\x85f\x0bg"), "\n"}, {[]byte("\r"), "\r\n"}, {[]byte("last\r"), ""}}
	for name, r := range map[string]io.Reader{
		"whole":        strings.NewReader(in),
		"byte by byte": iotest.OneByteReader(strings.NewReader(in)),
		"with EOF":     iotest.DataErrReader(strings.NewReader(in)),
	} {
		got, err := allLines(NewLineReader(r, 0))
		if err != io.EOF || len(got) != len(want) {
			t.Fatalf("%s: %d lines, %v", name, len(got), err)
		}
		for i := range got {
			if !bytes.Equal(got[i].Bytes, want[i].Bytes) || got[i].EOL != want[i].EOL {
				t.Errorf("%s: line %d is %q %q, want %q %q", name, i, got[i].Bytes, got[i].EOL, want[i].Bytes, want[i].EOL)
			}
		}
	}
}

func TestLinesStayValid(t *testing.T) {
	in := strings.Repeat("0123456789abcdef\n", 20000)
	lines, _ := allLines(NewLineReader(strings.NewReader(in), 0))
	for i, l := range lines {
		if string(l.Bytes) != "0123456789abcdef" {
			t.Fatalf("line %d became %q", i, l.Bytes)
		}
	}
}

func TestLineErrorComesAfterTheBytes(t *testing.T) {
	broken := errors.New("broken")
	r := NewLineReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 0)
	lines, err := allLines(r)
	if err != broken || len(lines) != 2 || string(lines[1].Bytes) != "b" || lines[1].EOL != "" {
		t.Fatalf("%q, %v", lines, err)
	}
	if _, err := r.ReadLine(); err != broken {
		t.Fatalf("again: %v", err)
	}
}

func TestLineLimit(t *testing.T) {
	const max = 100000
	for _, c := range []struct {
		length int
		end    string
		ok     bool
	}{
		{max, "\n", true}, {max, "\r\n", true}, {max, "", true}, {max + 1, "\n", false}, {max + 1, "\r\n", false},
		{max + 1, "", false}, {5 * max, "\n", false}, {5 * max, "", false},
	} {
		r := NewLineReader(strings.NewReader("first\n"+strings.Repeat("x", c.length)+c.end), max)
		lines, err := allLines(r)
		var long *FrameTooLongError
		switch {
		case c.ok && (err != io.EOF || len(lines) != 2 || len(lines[1].Bytes) != c.length):
			t.Errorf("%d %q: %d lines, %v", c.length, c.end, len(lines), err)
		case !c.ok && (!errors.As(err, &long) || long.Limit != max || len(lines) != 1):
			t.Errorf("%d %q: %d lines, %v", c.length, c.end, len(lines), err)
		}
	}
}

// endless gives a stream without a newline.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) {
	e.n += int64(len(p))
	return len(p), nil
}

func TestLineLimitStopsReading(t *testing.T) {
	src := &endless{}
	if _, err := NewLineReader(src, 1<<20).ReadLine(); err == nil || src.n > 2<<20 {
		t.Errorf("read %d bytes, %v", src.n, err)
	}
}

func TestLongLineTakesMemoryInProportion(t *testing.T) {
	const length = 16 << 20
	r := NewLineReader(io.MultiReader(io.LimitReader(&endless{}, length), strings.NewReader("\n")), 0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	line, err := r.ReadLine()
	runtime.ReadMemStats(&after)
	if err != nil || len(line.Bytes) != length {
		t.Fatal(len(line.Bytes), err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > length*5/2 {
		t.Errorf("a line of %d MiB took %d MiB", length>>20, got>>20)
	}
}

func FuzzLineReader(f *testing.F) {
	f.Add([]byte("a\nb\r\n\n\r\r\nc"), 3)
	f.Add([]byte(strings.Repeat("x", 70000)+"\r\ny"), 4096)
	f.Fuzz(func(t *testing.T, in []byte, step int) {
		r := NewLineReader(&stepReader{in, step}, int64(len(in)))
		var out []byte
		for {
			line, err := r.ReadLine()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if bytes.IndexByte(line.Bytes, '\n') >= 0 {
				t.Fatalf("a newline in %q", line.Bytes)
			}
			if line.EOL == "\n" && bytes.HasSuffix(line.Bytes, []byte("\r")) {
				t.Fatalf("\\r left in %q", line.Bytes)
			}
			out = append(append(out, line.Bytes...), line.EOL...)
		}
		if !bytes.Equal(in, out) {
			t.Fatalf("%q became %q", in, out)
		}
	})
}

// stepReader gives at most step bytes at a time.
type stepReader struct {
	rest []byte
	step int
}

func (s *stepReader) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := min(len(p), len(s.rest), max(1, s.step))
	copy(p, s.rest[:n])
	s.rest = s.rest[n:]
	return n, nil
}

func BenchmarkLineReader(b *testing.B) {
	in := strings.Repeat(strings.Repeat("x", 199)+"\n", 10000)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		allLines(NewLineReader(strings.NewReader(in), 0))
	}
}
