package pretty

import (
	"bytes"
	"time"

	"github.com/acptool/acptool/wire"
)

// run is a run of chunks: of one kind, one session and one message, tool call,
// terminal or compaction, with nothing shown between. It is one line, which
// grows as chunks come and is ended by the next line.
type run struct {
	on       bool
	from     wire.Party
	kind, id []byte
	n        int
	size     int64
	start    time.Duration
	last     time.Duration
	text     clip
	unsized  bool // there is no room for the size
	bare     bool // nor for the count and the duration
}

// tailOfRun is the room kept for what ends a run: count, size, duration.
const (
	tailOfRun = 26
	sizeOfRun = 10 // the size's part of it
)

// chunkOf finds what a chunk carries and what it belongs to.
func chunkOf(f *frame) (id, content []byte, ok bool) {
	switch string(f.Kind) {
	case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "session_message_chunk",
		"tool_call_content_chunk", "terminal_output_chunk", "compaction_summary_chunk":
		return f.Entity, f.Content, len(f.Content) > 0 && (f.Content[0] == '{' || f.Content[0] == '"')
	}
	return nil, nil, false
}

// grow adds a chunk to the run, or begins one. It reports false for what is no
// chunk.
func (l *Log) grow(f *frame) bool {
	id, content, ok := chunkOf(f)
	if !ok {
		return false
	}
	r := &l.run
	if !r.on || l.out.growing != l || f.from != r.from || !bytes.Equal(f.Kind, r.kind) ||
		!bytes.Equal(id, r.id) || !bytes.Equal(f.sess, l.session) {
		l.beginRun(f, id)
	}
	r.n++
	r.size += int64(len(f.line))
	r.last = f.t
	if r.text.full {
		return true
	}
	g := &l.gist
	g.clip = r.text
	g.dst = l.out.buf
	g.problem = ""
	g.chunk(f.Kind, content)
	l.out.buf = g.dst
	r.text = g.clip
	r.text.dst = nil
	return true
}

// chunk adds what one chunk carries.
func (g *gister) chunk(kind, content []byte) {
	switch string(kind) {
	case "terminal_output_chunk":
		g.base64(content)
	case "tool_call_content_chunk":
		g.toolContent(content)
	default:
		g.block(content)
	}
}

func (l *Log) beginRun(f *frame, id []byte) {
	l.endRun()
	l.heading(f)
	if l.out.growing != nil {
		l.out.growing.endRun()
	}
	r := &l.run
	*r = run{
		on: true, from: f.from, start: f.t,
		kind: append(r.kind[:0], f.Kind...), id: append(r.id[:0], id...),
	}
	cols := l.name(f, 0)
	l.out.buf = append(l.out.buf, l.head...)
	p := l.paintOf(f.Kind)
	l.out.buf = append(l.out.buf, p.on...)
	tail := tailOfRun
	if !l.has(wideEnoughForSize) || l.cramped(cols+tail) {
		r.unsized, tail = true, tailOfRun-sizeOfRun
	}
	if l.cramped(cols + tail) { // the text says most
		r.bare, tail = true, 0
	}
	r.text.start(nil, l.room(cols+tail))
	l.out.growing = l
}

func (l *Log) paintOf(kind []byte) Paint {
	switch string(kind) {
	case "agent_thought_chunk":
		return l.pal.Thought
	case "user_message_chunk":
		return l.pal.User
	}
	return l.pal.Text
}

// endRun ends the line of the run with how many chunks it had, their size and
// how long they took.
func (l *Log) endRun() {
	r := &l.run
	if !r.on {
		return
	}
	r.on = false
	l.out.growing = nil
	b := append(l.out.buf, l.paintOf(r.kind).off...)
	b = append(b, l.pal.Dim.on...)
	if r.n > 1 && !r.bare {
		b = appendInt(append(b, "  ×"...), r.n)
	}
	if !r.unsized {
		b = appendSize(append(b, "  "...), r.size)
	}
	if r.n > 1 && !r.bare {
		b = appendDuration(append(b, "  "...), r.last-r.start)
	}
	l.out.buf = append(append(b, l.pal.Dim.off...), '\n')
}
