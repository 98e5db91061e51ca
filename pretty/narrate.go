package pretty

import (
	"bytes"
	"time"

	"github.com/acptool/acptool/wire"
)

// event is what the pictures (mermaid, html) show as one thing: a frame, a run
// of chunks, or something that is no frame.
type event struct {
	from    wire.Party
	what    string // request, response, notification, noise, malformed, stderr, eof, exit
	name    string // method, or the kind of an update
	id      string // raw JSON, "" if none
	session string
	text    string // the gist
	problem string // what is malformed
	failed  bool   // an error response

	t, last time.Duration
	n       int // frames in it
	size    int64
	answers bool
	latency time.Duration

	bodies []byte // the frames' bytes, a line each, if they are kept
	chunk  []byte // what a run of chunks belongs to
}

// narrator turns entries into events, gathering runs of chunks, and hands each
// to emit when it is complete.
type narrator struct {
	sel     Selection
	columns int  // of the gist
	keep    bool // the frames' bytes
	emit    func(*event)

	track tracker
	gist  gister
	cur   *event // a run that goes on
	run   clip
}

// mostKept bounds the bytes of a run that are kept; a longer one becomes
// several events.
const mostKept = 1 << 20

func newNarrator(sel Selection, columns int, keep bool, emit func(*event)) *narrator {
	return &narrator{sel: sel, columns: columns, keep: keep, emit: emit, gist: gister{pal: NewPalette(false)}}
}

func (n *narrator) begin() {
	n.end()
	n.track.reset()
}

// end completes a run.
func (n *narrator) end() {
	if n.cur == nil {
		return
	}
	e := n.cur
	n.cur = nil
	e.text = string(n.run.dst)
	n.emit(e)
}

func (n *narrator) entry(e *wire.Entry, valid bool) {
	switch e.Kind {
	case wire.EntryLine:
		split(e.Data, valid, func(m []byte) { n.message(e, m) }, func(text []byte, malformed bool) {
			what := "noise"
			if malformed {
				what = "malformed"
			}
			n.other(e, what, text)
		})
	case wire.EntryStderr:
		for line := range bytes.Lines(e.Data) {
			n.other(e, "stderr", line)
		}
	case wire.EntryEOF:
		n.other(e, "eof", []byte("end of input"))
	case wire.EntryExit:
		text := []byte("killed by " + e.Exit.Signal)
		if e.Exit.Signal == "" {
			text = appendInt([]byte("exit status "), e.Exit.Code)
		}
		n.other(e, "exit", text)
	}
}

func (n *narrator) other(e *wire.Entry, what string, text []byte) {
	if !n.sel.picksFrom(e.From) || n.sel.Session != "" || !n.sel.picksNames(names{words: [2]string{what}}) {
		return
	}
	n.end()
	n.gist.start(nil, n.columns)
	n.gist.text(text)
	ev := &event{from: e.From, what: what, name: what, text: string(n.gist.dst), t: e.T, last: e.T, n: 1, size: int64(len(text))}
	n.keepBody(ev, text)
	n.emit(ev)
}

func (n *narrator) message(e *wire.Entry, m []byte) {
	f, ok := n.track.look(e, m)
	if !ok || f.class == wire.KindInvalid {
		n.other(e, "malformed", m)
		return
	}
	if !n.sel.picksFrom(f.from) || !n.sel.picksSession(f.sess) || !n.sel.picksNames(f.names()) {
		return
	}
	if id, content, ok := chunkOf(&f); ok {
		n.chunk(&f, id, content)
		return
	}
	n.end()
	g := &n.gist
	g.problem = ""
	g.start(nil, n.columns)
	g.message(&f)
	ev := n.event(&f)
	ev.text = string(g.dst)
	if g.problem != "" {
		ev.problem = g.where + " " + g.problem
	}
	n.keepBody(ev, m)
	n.emit(ev)
}

func (n *narrator) event(f *frame) *event {
	ev := &event{
		from: f.from, name: string(f.method), id: string(f.ID), session: string(f.sess),
		t: f.t, last: f.t, n: 1, size: int64(len(f.line)), answers: f.answers, latency: f.latency, failed: f.Error != nil,
	}
	ev.what = f.names().words[0]
	if f.Kind != nil {
		ev.name = string(f.Kind)
	}
	if ev.name == "" {
		ev.name = "response to nothing"
	}
	return ev
}

// chunk adds to a run or begins one.
func (n *narrator) chunk(f *frame, id, content []byte) {
	if c := n.cur; c == nil || c.from != f.from || c.name != string(f.Kind) || c.session != string(f.sess) ||
		!bytes.Equal(c.chunk, id) || len(c.bodies) > mostKept {
		n.end()
		n.cur = n.event(f)
		n.cur.n, n.cur.size, n.cur.chunk = 0, 0, bytes.Clone(id)
		n.run.start(nil, n.columns)
	}
	c := n.cur
	c.n++
	c.size += int64(len(f.line))
	c.last = f.t
	n.keepBody(c, f.line)
	if n.run.full {
		return
	}
	n.gist.clip = n.run
	n.gist.chunk(f.Kind, content)
	n.run = n.gist.clip
}

func (n *narrator) keepBody(ev *event, m []byte) {
	if n.keep {
		ev.bodies = append(append(ev.bodies, bytes.TrimRight(m, "\r\n")...), '\n')
	}
}
