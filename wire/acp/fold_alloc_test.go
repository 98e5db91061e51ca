package acp

import (
	"encoding/json"
	"testing"
)

// A chunk of text costs one allocation, the text that a live follower is told;
// what the fold itself holds grows by doubling.
func TestFoldingAChunkAllocatesItsText(t *testing.T) {
	update := json.RawMessage(chunk("agent_message_chunk", "msg_0001", "some words"))
	f := NewFold("s1", V2)
	for range 10_000 {
		f.Update(update)
	}
	if n := testing.AllocsPerRun(1000, func() { f.Update(update) }); n > 2 {
		t.Errorf("%v allocations for a chunk", n)
	}
}
