package pretty

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
)

// Whatever passes, nothing panics, and nothing reaches a terminal that could
// steer it.
func FuzzSinks(f *testing.F) {
	for _, name := range []string{"v1.script", "v2.script"} {
		for _, e := range script(f, name) {
			f.Add(e.Data, e.From == wire.Agent, e.Kind == wire.EntryStderr)
		}
	}
	f.Add([]byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"terminal_output_chunk","data":"G1s="}}}`), true, false)
	f.Fuzz(func(t *testing.T, data []byte, agent, stderr bool) {
		e := wire.Entry{Data: data}
		if agent {
			e.From = wire.Agent
		}
		if stderr {
			e.Kind = wire.EntryStderr
		}
		terminal := Screen{Terminal: true, Width: 80}
		for _, open := range []func(*bytes.Buffer) Sink{
			func(b *bytes.Buffer) Sink { return NewLog(b, LogOptions{Screen: terminal}) },
			func(b *bytes.Buffer) Sink { return NewLog(b, LogOptions{Screen: terminal, Body: BodyPretty}) },
			func(b *bytes.Buffer) Sink { return NewLog(b, LogOptions{Screen: terminal, Body: BodyRaw}) },
			func(b *bytes.Buffer) Sink { return NewMermaid(b, Selection{}) },
			func(b *bytes.Buffer) Sink { return NewHTML(b, "t", Selection{}) },
			func(b *bytes.Buffer) Sink { return NewStats(b, StatsOptions{Screen: terminal}) },
			func(b *bytes.Buffer) Sink { return NewFolding(b, FoldingOptions{Screen: terminal}) },
			func(b *bytes.Buffer) Sink { return NewFolding(b, FoldingOptions{Screen: terminal, Form: FoldMarkdown}) },
			func(b *bytes.Buffer) Sink { return NewFolding(b, FoldingOptions{Screen: terminal, Form: FoldPatch}) },
			func(b *bytes.Buffer) Sink {
				f, err := CompileFilter(".", FilterOptions{Out: b, Screen: terminal})
				if err != nil {
					t.Fatal(err)
				}
				return NewFilterStream(f, StreamOptions{})
			},
		} {
			var b bytes.Buffer
			s := open(&b)
			s.Observe(e)
			s.Observe(e)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if !utf8.Valid(b.Bytes()) {
				t.Fatalf("%T wrote bytes that are no UTF-8: %q", s, b.String())
			}
			if i := strings.IndexFunc(b.String(), unsafeRune); i >= 0 {
				t.Fatalf("%T wrote %q", s, b.String()[i:])
			}
		}
	})
}
