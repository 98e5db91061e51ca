package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/acptool/acptool/wire"
)

// readAll reads all entries; the error is nil at the end of the file.
func readAll(t testing.TB, in io.Reader) ([]Entry, *Reader, error) {
	t.Helper()
	r := NewReader(in)
	var all []Entry
	for {
		e, err := r.Next()
		if err == io.EOF {
			return all, r, nil
		}
		if err != nil {
			return all, r, err
		}
		all = append(all, e)
	}
}

// show is an entry in a few words.
func show(e Entry) string {
	s := fmt.Sprintf("%d %.6f %s ", e.Conn, e.T.Seconds(), e.From)
	switch e.Kind {
	case wire.EntryEOF:
		s += "eof"
	case wire.EntryExit:
		s += fmt.Sprintf("exit %d%s", e.Exit.Code, e.Exit.Signal)
	case wire.EntryStderr:
		s += fmt.Sprintf("stderr %q", e.Data)
	default:
		if e.Frame {
			s += fmt.Sprintf("msg %s", e.Data)
		} else {
			s += fmt.Sprintf("text %q", e.Data)
		}
		if e.EOL != "\n" {
			s += fmt.Sprintf(" eol=%q", e.EOL)
		}
	}
	return s
}

func showAll(all []Entry) string {
	var b strings.Builder
	for _, e := range all {
		b.WriteString(show(e) + "\n")
	}
	return b.String()
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The recording of version 1 that is kept for ever: what it says, and that it
// is written again as it was.
func TestVersion1StaysReadable(t *testing.T) {
	in := fixture(t, "v1.acp.jsonl")
	all, r, err := readAll(t, bytes.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "v1.golden", showAll(all))
	h := r.Header()
	if h.Tool != "acptool 0.1.0" || h.PID != 4711 || len(h.Agent) != 4 || h.Started.Nanosecond() != 123456000 || h.Redacted[0] != "/agent/3" {
		t.Errorf("header %+v", h)
	}
	var out bytes.Buffer
	w := NewWriter(&out, *h, WriterOptions{})
	for _, e := range all {
		w.Write(e)
	}
	_ = w.Close()
	if d := cmp.Diff(string(in), out.String()); d != "" {
		t.Error(d)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile("testdata/"+name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(string(fixture(t, name)), got); d != "" {
		t.Errorf("%s: %s", name, d)
	}
}

func TestReaderIsPatient(t *testing.T) {
	const head = `{"format":"acptool","version":1}` + "\n"
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"blank lines, CRLF, a comment, a BOM", "\ufeff\r\n" + head + "\n\r\n{\"comment\":\"x\"}\r\n" + `{"t":1,"from":"agent","msg":{}}` + "\r\n", "0 1.000000 agent msg {}\n"},
		{"no header", `{"from":"client","msg":{}}` + "\n", "0 0.000000 client msg {}\n"},
		{"a comment first", `{"comment":"by hand"}` + "\n" + `{"from":"client","msg":{}}`, "0 0.000000 client msg {}\n"},
		{"missing and strange t", head + `{"t":2.5,"from":"agent","msg":{}}` + "\n" + `{"from":"agent","msg":[]}` + "\n" + `{"t":"x","from":"agent","text":""}` + "\n" + `{"t":-1,"from":"agent","text":"a"}` + "\n" + `{"t":1e99,"from":"agent","text":"b"}`,
			"0 2.500000 agent msg {}\n0 2.500000 agent msg []\n0 2.500000 agent text \"\"\n0 2.500000 agent text \"a\"\n0 2.500000 agent text \"b\"\n"},
		{"unknown members and events", head + `{"t":1,"from":"agent","weather":{"a":[1]},"msg":{"x":1},"zz":null}` + "\n" + `{"t":2,"event":"pause"}` + "\n" + `{"t":2,"from":"proxy","msg":{}}` + "\n" + `{"what":1}` + "\n" + `{"t":3,"event":"exit","signal":"SIGTERM"}`,
			"0 1.000000 agent msg {\"x\":1}\n0 3.000000 agent exit 0SIGTERM\n"},
		{"headers that recur", head + `{"t":5,"from":"agent","msg":{}}` + "\n" + head + `{"t":1,"from":"agent","msg":{}}` + "\n" + head + head + `{"from":"agent","msg":{}}`,
			"0 5.000000 agent msg {}\n1 1.000000 agent msg {}\n3 0.000000 agent msg {}\n"},
		{"pretty-printed", "{\n  \"format\": \"acptool\",\n  \"version\": 1\n}\n{\n  \"t\": 1.5,\n  \"from\": \"agent\",\n  \"msg\": {\n    \"a\": [\n      1.50,\n      \"x  y\"\n    ]\n  }\n}\n{\"from\":\"agent\",\"msg\":{}}\n",
			"0 1.500000 agent msg {\"a\":[1.50,\"x  y\"]}\n0 1.500000 agent msg {}\n"},
		{"cut off, and another behind it", head + `{"t":1,"from":"agent","msg":{"a":"b` + head + `{"t":1,"from":"agent","msg":{}}`, "1 1.000000 agent msg {}\n"},
		{"cut off in a line of its own", head + `{"t":1,"from":"agent","msg":{"a":[` + "\n" + `{"t":2,"from":"agent","msg":{}}` + "\n" + `{"t":3,"from":"agent","msg":{"a":"` + "\n" + `{"t":4,"from":"agent","msg":{}}`, "0 2.000000 agent msg {}\n0 4.000000 agent msg {}\n"},
		{"zeros at the end", head + `{"t":1,"from":"agent","msg":{}}` + "\n\x00\x00\x00\x00", "0 1.000000 agent msg {}\n"},
	} {
		all, _, err := readAll(t, strings.NewReader(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := cmp.Diff(c.want, showAll(all)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestFileCutOffAnywhere(t *testing.T) {
	in := fixture(t, "v1.acp.jsonl")
	whole, _, _ := readAll(t, bytes.NewReader(in))
	for n := range in {
		all, r, err := readAll(t, bytes.NewReader(in[:n]))
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		lines := bytes.Count(in[:n], []byte("\n"))
		if rest := in[bytes.LastIndexByte(in[:n], '\n')+1 : n]; json.Valid(rest) {
			lines++ // only the line end is missing
		} else if len(rest) > 0 && r.Truncated() != 1 {
			t.Fatalf("cut at %d: Truncated %d", n, r.Truncated())
		}
		if want := max(0, lines-1); len(all) != want { // one is the header
			t.Fatalf("cut at %d: %d entries, want %d", n, len(all), want)
		}
		if d := cmp.Diff(showAll(whole[:len(all)]), showAll(all)); d != "" {
			t.Fatalf("cut at %d: %s", n, d)
		}
	}
}

func TestPackedRecordings(t *testing.T) {
	in := fixture(t, "v1.acp.jsonl")
	var gz, zs bytes.Buffer
	g := gzip.NewWriter(&gz)
	_, _ = g.Write(in)
	_ = g.Close()
	z, err := zstd.NewWriter(&zs)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = z.Write(in)
	_ = z.Close()
	want, _, _ := readAll(t, bytes.NewReader(in))
	for name, packed := range map[string][]byte{"gzip": gz.Bytes(), "zstd": zs.Bytes()} {
		all, r, err := readAll(t, iotest.OneByteReader(bytes.NewReader(packed)))
		if err != nil || showAll(all) != showAll(want) {
			t.Errorf("%s: %v\n%s", name, err, showAll(all))
		}
		_ = r.Close()
		// Cut off, as of a process that was killed.
		_, r, err = readAll(t, bytes.NewReader(packed[:len(packed)*2/3]))
		if err != nil {
			t.Errorf("%s cut off: %v", name, err)
		}
		_ = r.Close()
	}
}

func TestFromTheFuture(t *testing.T) {
	_, _, err := readAll(t, strings.NewReader(`{"format":"acptool","version":2,"tool":"acptool 9.0"}`+"\n{\"t\":1}"))
	var v *VersionError
	if !errors.As(err, &v) || v.Version != 2 || !strings.Contains(err.Error(), "acptool 9.0") {
		t.Errorf("%v", err)
	}
}

func TestNoRecording(t *testing.T) {
	for in, line := range map[string]int{
		"hello\n":                             1,
		"\n\n{\"a\":1}\n":                     3,
		`{"format":"other"}`:                  1,
		"[1,2]":                               1,
		"42":                                  1,
		`{"version":1,"messages":"x"}`:        1,
		`{"format":"acptool"}` + "\nhello\n":  2,
		`{"format":"acptool"}` + "\n[1]\n":    2,
		`{"format":"acptool"}` + "\n{\"a\" 1": 2,
	} {
		_, _, err := readAll(t, strings.NewReader(in))
		var f *FormatError
		if !errors.As(err, &f) || f.Line != line || f.Text == "" {
			t.Errorf("%q: %v", in, err)
		}
	}
}

// A frame of many chunks, and lines that lie across the edges of chunks.
func TestLongLines(t *testing.T) {
	var in bytes.Buffer
	w := NewWriter(&in, Header{}, WriterOptions{})
	long := strings.Repeat("0123456789", chunkSize/4)
	for i := range 300 {
		n := i * 997
		if i == 150 {
			n = len(long)
		}
		w.Observe(line(wire.Agent, `{"x":"`+long[:n]+`"}`, "\n"))
	}
	_ = w.Close()
	all, _, err := readAll(t, &in)
	if err != nil || len(all) != 300 {
		t.Fatal(len(all), err)
	}
	for i, e := range all {
		n := i * 997
		if i == 150 {
			n = len(long)
		}
		if len(e.Data) != n+8 || !e.Frame {
			t.Fatalf("entry %d: %d bytes", i, len(e.Data))
		}
	}
}

func TestRaw(t *testing.T) {
	client, agent := "{\"a\": 1.50}\r\n\xff\nnoise\n", "\n\n[1]\nhalf \u2028"
	if got := throughRecording(t, client, agent, wire.Client); got != client {
		t.Errorf("client %q", got)
	}
	if got := throughRecording(t, client, agent, wire.Agent); got != agent {
		t.Errorf("agent %q", got)
	}
}

// throughRecording records two streams, reads the recording and gives one of
// them back.
func throughRecording(t testing.TB, client, agent string, party wire.Party) string {
	t.Helper()
	var file, out bytes.Buffer
	w := NewWriter(&file, Header{}, WriterOptions{})
	for from, stream := range []string{client, agent} {
		for _, l := range strings.SplitAfter(stream, "\n") {
			if l == "" {
				continue
			}
			data, eol := l, ""
			if d, ok := strings.CutSuffix(data, "\n"); ok {
				data, eol = d, "\n"
				if d, ok := strings.CutSuffix(data, "\r"); ok {
					data, eol = d, "\r\n"
				}
			}
			w.Observe(line(wire.Party(from), data, eol))
		}
	}
	_ = w.Close()
	if err := WriteRaw(&out, NewReader(&file), party); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func FuzzRaw(f *testing.F) {
	f.Add("{}\n", "[]\r\n\r\n\xff\n")
	f.Add("{\"a\":\"\\ud800\"}\r\r\n", "null\n {}\n\x00")
	f.Fuzz(func(t *testing.T, client, agent string) {
		if got := throughRecording(t, client, agent, wire.Client); got != client {
			t.Errorf("client %q, want %q", got, client)
		}
		if got := throughRecording(t, client, agent, wire.Agent); got != agent {
			t.Errorf("agent %q, want %q", got, agent)
		}
	})
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"v1.acp.jsonl", "lines.jsonl", "acpx.stream.ndjson", "acpdbg.jsonl", "inspector.jsonl", "devtools.json", "conductor.jsons"} {
		f.Add(fixture(f, name))
	}
	f.Add([]byte("{\n\"format\": \"acptool\"\n}\n{\"t\":1,\"from\":\"agent\",\"base64\":\"!\"}"))
	f.Add([]byte("noise\n[\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}\n[[[\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		all, r, err := readAll(t, bytes.NewReader(in))
		_ = r.Close()
		if err != nil && len(all) == 0 {
			return
		}
		// What was read can be written and read again as it was.
		var out bytes.Buffer
		w := NewWriter(&out, Header{}, WriterOptions{})
		for _, e := range all {
			if e.Frame != IsFrame(e.Data) && e.Frame {
				t.Fatalf("%q is no frame", e.Data)
			}
			e.Conn = 0
			w.Write(e)
		}
		_ = w.Close()
		again, _, err := readAll(t, &out)
		if err != nil || len(again) != len(all) {
			t.Fatalf("again: %d of %d entries, %v", len(again), len(all), err)
		}
		for i := range all {
			if !bytes.Equal(all[i].Data, again[i].Data) || all[i].From != again[i].From || all[i].Kind != again[i].Kind {
				t.Fatalf("entry %d: %s, again: %s", i, show(all[i]), show(again[i]))
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	var in bytes.Buffer
	w := NewWriter(&in, Header{}, WriterOptions{})
	for range 10000 {
		w.Observe(line(wire.Agent, sampleChunk, "\n"))
	}
	_ = w.Close()
	b.SetBytes(int64(in.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(bytes.NewReader(in.Bytes()))
		for {
			if _, err := r.Next(); err != nil {
				break
			}
		}
	}
}
