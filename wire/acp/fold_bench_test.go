package acp

import (
	"encoding/json"
	"fmt"
	"testing"
)

// A long answer: what a fold costs per chunk, and that what it holds is in
// proportion to the text.
func BenchmarkFoldChunks(b *testing.B) {
	chunks := make([]json.RawMessage, 1000)
	for i := range chunks {
		chunks[i] = json.RawMessage(chunk("agent_message_chunk", "msg_0001", fmt.Sprintf("word %d, \"quoted\"\n", i)))
	}
	f := NewFold("s1", V2)
	b.ReportAllocs()
	size := 0
	for i := 0; b.Loop(); i++ {
		f.Update(chunks[i%len(chunks)])
		size += len(chunks[i%len(chunks)])
	}
	b.SetBytes(int64(size / b.N))
}

func BenchmarkFoldToolCalls(b *testing.B) {
	update := json.RawMessage(call(`,"title":"t","kind":"edit","status":"completed","content":[{"type":"content","content":` + text1("x") + `}],"locations":[{"path":"/a","line":3}],"rawInput":{"a":[1,2,3]}`))
	f := NewFold("s1", V2)
	b.ReportAllocs()
	b.SetBytes(int64(len(update)))
	for b.Loop() {
		f.Update(update)
	}
}

func BenchmarkFoldJSON(b *testing.B) {
	f := NewFold("s1", V2)
	for i := range 100_000 {
		f.Update(json.RawMessage(chunk("agent_message_chunk", "msg_0001", fmt.Sprintf("word %d ", i))))
	}
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(f.AppendJSON(nil))))
	}
}
