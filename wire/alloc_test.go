package wire

import (
	"testing"
	"time"
)

type countObserver struct{ lines, bytes int }

func (o *countObserver) Observe(e Entry) { o.lines++; o.bytes += len(e.Data) }

// A frame on its way through a relay allocates nothing, from the read to the
// observers, also where a read ends in the middle of it.
func TestRelayingAFrameDoesNotAllocate(t *testing.T) {
	frame := []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1"}}` + "\n")
	seen := &countObserver{}
	c := newCapture(func() {})
	d := newDrainer(&RelayOptions{Observers: []Observer{seen}, MaxLine: defaultMaxLine})
	defer d.close()
	pass := func() {
		c.put(time.Second, Agent, EntryLine, frame[:20])
		c.put(time.Second, Agent, EntryLine, frame[20:])
		c.put(time.Second, Client, EntryLine, frame)
		c.wake()
		b := c.take(nil)
		at := 0
		for _, p := range b.pieces {
			d.piece(p, b.bytes[at:at+int(p.n)], &c.exit)
			at += int(p.n)
		}
		d.flush()
		b.bytes, b.pieces = b.bytes[:0], b.pieces[:0]
		c.spare = b
	}
	pass()
	pass()
	before := seen.lines
	if n := testing.AllocsPerRun(1000, pass); n != 0 {
		t.Errorf("%v allocations for two frames", n)
	}
	if got := seen.lines - before; got != 2*1001 { // one run more, to warm up
		t.Errorf("%d frames were seen", got)
	}
}

// Taking an ordinary frame apart allocates the list of its messages, and the
// texts that stay when the line does not.
func TestDecodingAFrameAllocatesLittle(t *testing.T) {
	line := []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hello, world"}}}}`)
	if n := testing.AllocsPerRun(1000, func() { Decode(line) }); n > 3 {
		t.Errorf("%v allocations for a frame", n)
	}
}
