package record

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/acptool/acptool/wire"
)

func line(from wire.Party, data, eol string) wire.Entry {
	return wire.Entry{From: from, Kind: wire.EntryLine, Data: []byte(data), EOL: eol}
}

func TestWriterWritesTheFormat(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, Header{
		Started: time.Date(2026, 11, 30, 4, 0, 0, 123456789, time.UTC), Tool: "acptool 0.1.0", Agent: []string{"a", "b \"c\""}, PID: 7,
	}, WriterOptions{})
	at := func(e wire.Entry, d time.Duration) wire.Entry { e.T = d; return e }
	w.Observe(at(line(wire.Client, `{"id":1.0,"a":1.50,"a":"\u00e9"}`, "\n"), 412*time.Microsecond+999))
	w.Observe(at(line(wire.Agent, `[{"x":1}]`, "\r\n"), time.Second))
	w.Observe(at(line(wire.Agent, ` {"x":1}`, "\n"), time.Second))
	w.Observe(at(line(wire.Agent, "na\u00efve\t\u2028\x01\"", "\n"), 90*time.Minute))
	w.Observe(at(line(wire.Agent, "\xff\xfe\x00a", ""), 0))
	w.Observe(at(line(wire.Agent, "42", "\n"), 0))
	w.Observe(wire.Entry{Kind: wire.EntryStderr, From: wire.Agent, Data: []byte("loading\n")})
	w.Observe(wire.Entry{Kind: wire.EntryStderr, From: wire.Agent, Data: []byte{0xff}})
	w.Observe(wire.Entry{Kind: wire.EntryEOF, From: wire.Client})
	w.Observe(wire.Entry{Kind: wire.EntryExit, Exit: wire.Exit{Code: 3}})
	w.Observe(wire.Entry{Kind: wire.EntryExit, Exit: wire.Exit{Signal: "SIGKILL"}})
	w.Write(Entry{Entry: line(wire.Client, `{}`, "\n"), Redacted: []string{"/a"}, Ignore: []string{".b"}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := `{"format":"acptool","version":1,"started":"2026-11-30T04:00:00.123456Z","tool":"acptool 0.1.0","agent":["a","b \"c\""],"pid":7}
{"t":0.000412,"from":"client","msg":{"id":1.0,"a":1.50,"a":"\u00e9"}}
{"t":1.000000,"from":"agent","msg":[{"x":1}],"eol":"\r\n"}
{"t":1.000000,"from":"agent","text":" {\"x\":1}"}
{"t":5400.000000,"from":"agent","text":"naïve\t\u2028\u0001\""}
{"t":0.000000,"from":"agent","base64":"//4AYQ==","eol":""}
{"t":0.000000,"from":"agent","text":"42"}
{"t":0.000000,"from":"agent","stderr":"loading\n"}
{"t":0.000000,"from":"agent","stderr64":"/w=="}
{"t":0.000000,"event":"eof","from":"client"}
{"t":0.000000,"event":"exit","code":3}
{"t":0.000000,"event":"exit","signal":"SIGKILL"}
{"t":0.000000,"from":"client","msg":{},"redacted":["/a"],"ignore":[".b"]}
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

// writes collects what each write brought.
type writes struct {
	all  []string
	ch   chan string
	fail error
}

func (w *writes) Write(p []byte) (int, error) {
	if w.fail != nil {
		return 0, w.fail
	}
	w.all = append(w.all, string(p))
	if w.ch != nil {
		w.ch <- string(p)
	}
	return len(p), nil
}

func TestWritesEndAtLineEnds(t *testing.T) {
	out := &writes{}
	w := NewWriter(out, Header{}, WriterOptions{})
	for range 1000 {
		w.Observe(line(wire.Agent, sampleChunk, "\n"))
	}
	w.Observe(line(wire.Agent, `"`+strings.Repeat("x", 1<<20)+`"`, "\n"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(out.all) < 3 {
		t.Errorf("%d writes", len(out.all))
	}
	for _, p := range out.all {
		if !strings.HasSuffix(p, "}\n") || !strings.HasPrefix(p, "{") {
			t.Fatalf("a write begins %.20q and ends %q", p, p[len(p)-10:])
		}
	}
}

func TestLiveWriterFlushesByItself(t *testing.T) {
	out := &writes{ch: make(chan string, 10)}
	w := NewWriter(out, Header{}, WriterOptions{Live: true})
	if got := <-out.ch; !strings.HasPrefix(got, `{"format"`) {
		t.Errorf("first write: %q", got)
	}
	w.Observe(line(wire.Agent, `{}`, "\n"))
	if got := <-out.ch; got != `{"t":0.000000,"from":"agent","msg":{}}`+"\n" {
		t.Errorf("second write: %q", got)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// The first error ends the recording, is told once and stays; the connection
// that is watched never sees it.
func TestErrorEndsTheRecording(t *testing.T) {
	full := errors.New("disk full")
	out := &writes{}
	w := NewWriter(out, Header{}, WriterOptions{})
	told := 0
	w.OnError(func() { told++ })
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	out.fail = full
	w.Observe(line(wire.Agent, `{}`, "\n"))
	if err := w.Flush(); !errors.Is(err, full) {
		t.Errorf("Flush: %v", err)
	}
	out.fail = nil
	w.Observe(line(wire.Agent, `{}`, "\n"))
	if err := w.Close(); !errors.Is(err, full) || !errors.Is(w.Err(), full) {
		t.Errorf("Close: %v, Err: %v", err, w.Err())
	}
	if told != 1 || len(out.all) != 1 {
		t.Errorf("told %d times, %d writes", told, len(out.all))
	}
}

func TestWriterRedacts(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, Header{Agent: []string{"a", "--api-key", "k"}}, WriterOptions{Redact: newTestRedactor(t, RedactOptions{})})
	w.Observe(line(wire.Client, `{"params":{"token":"t"}}`, "\n"))
	w.Observe(line(wire.Agent, `see ?token=t`, "\n"))
	w.Observe(wire.Entry{Kind: wire.EntryStderr, From: wire.Agent, Data: []byte("X_TOKEN=t\n")})
	_ = w.Close()
	want := `{"format":"acptool","version":1,"agent":["a","--api-key","[redacted]"],"redacted":["/agent/2"]}
{"t":0.000000,"from":"client","msg":{"params":{"token":"[redacted]"}},"redacted":["/params/token"]}
{"t":0.000000,"from":"agent","text":"see ?token=[redacted]","redacted":[""]}
{"t":0.000000,"from":"agent","stderr":"X_TOKEN=[redacted]\n","redacted":[""]}
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

func BenchmarkWriter(b *testing.B) {
	w := NewWriter(discard{}, Header{}, WriterOptions{Redact: newTestRedactor(b, RedactOptions{})})
	e := line(wire.Agent, sampleChunk, "\n")
	b.SetBytes(int64(len(e.Data)))
	b.ReportAllocs()
	for b.Loop() {
		w.Observe(e)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
