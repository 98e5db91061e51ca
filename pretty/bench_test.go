package pretty

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// benchEntries are the frames of a recording named by ACPTOOL_BENCH, or a small
// made-up mix.
func benchEntries(b *testing.B) ([]wire.Entry, int64) {
	b.Helper()
	var all []wire.Entry
	var size int64
	add := func(e wire.Entry) {
		all = append(all, e)
		size += int64(len(e.Data))
	}
	if name := os.Getenv("ACPTOOL_BENCH"); name != "" {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<26)
		for lines.Scan() {
			e := wire.Entry{T: time.Duration(len(all)) * time.Millisecond, Data: bytes.Clone(scan.Member(lines.Bytes(), "msg"))}
			if e.Data == nil {
				continue
			}
			if string(scan.Member(lines.Bytes(), "from")) == `"agent"` {
				e.From = wire.Agent
			}
			add(e)
		}
		return all, size
	}
	for i := range 1000 {
		text := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"01a22ac0-b51d","update":{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"some words \"and\" more\n"}}}}`
		if i%20 == 0 {
			text = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"01a22ac0-b51d","update":{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","content":[{"type":"content","content":{"type":"text","text":"a longer piece of output"}}]}}}`
		}
		add(wire.Entry{From: wire.Agent, T: time.Duration(i) * time.Millisecond, Data: []byte(text)})
	}
	return all, size
}

func BenchmarkLog(b *testing.B) {
	entries, size := benchEntries(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		l := NewLog(io.Discard, LogOptions{Screen: Screen{Colour: true}, Buffered: true})
		for _, e := range entries {
			l.Frame(e)
		}
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
