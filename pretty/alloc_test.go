package pretty

import (
	"io"
	"testing"

	"github.com/acptool/acptool/wire"
)

const chunkFrame = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":"some \"quoted\" words\n"}}}}`
const toolFrame = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","title":"Edit","content":[{"type":"content","content":{"type":"text","text":"a result"}}]}}}`

// What is done for every frame of a long session allocates nothing.
func TestHotPathsDoNotAllocate(t *testing.T) {
	log := NewLog(io.Discard, LogOptions{Screen: Screen{Colour: true, Width: 100}, Buffered: true})
	selected := NewLog(io.Discard, LogOptions{Buffered: true, Select: Selection{Only: []string{"tool_*"}, Session: "s-1"}})
	f, err := CompileFilter(`select(.method == "session/update") | .params.update.content.text? // empty`, FilterOptions{Out: io.Discard, Raw: true})
	if err != nil {
		t.Fatal(err)
	}
	filter := NewFilterStream(f, StreamOptions{})
	stats := NewStats(io.Discard, StatsOptions{})
	for _, c := range []struct {
		name  string
		sink  Sink
		frame string
	}{
		{"log, chunk", log, chunkFrame}, {"log, tool call", log, toolFrame}, {"log, selected", selected, toolFrame},
		{"log, not selected", selected, chunkFrame}, {"filter", filter, chunkFrame}, {"stats", stats, toolFrame},
	} {
		e := wire.Entry{From: wire.Agent, Data: []byte(c.frame)}
		for range 2000 {
			c.sink.Frame(e) // buffers grow to their size
		}
		if n := testing.AllocsPerRun(1000, func() { c.sink.Frame(e) }); n != 0 {
			t.Errorf("%s: %v allocations for a frame", c.name, n)
		}
	}
}
