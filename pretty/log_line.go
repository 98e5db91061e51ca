package pretty

import (
	"bytes"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
)

// Below these widths a line leaves out what is of least use.
const (
	wideEnoughToAlign = 100
	wideEnoughForSize = 60
	wideEnoughForTime = 40

	methodColumn = 26  // methods, kinds and ids stand in this column where there is room
	pipeGist     = 160 // columns of gist where the width is not known
	leastGist    = 12  // where less than this is left for the gist, the size goes, then the id
)

// room is how many columns the gist may take when the rest takes used.
func (l *Log) room(used int) int {
	if l.o.Screen.Width == 0 {
		return pipeGist
	}
	return max(l.o.Screen.Width-used, 0)
}

// has says whether there are so many columns beside the connection's name.
func (l *Log) has(width int) bool {
	return l.o.Screen.Width == 0 || l.o.Screen.Width-len(l.tag) >= width
}

// cramped says whether too little is left for the gist.
func (l *Log) cramped(used int) bool { return l.room(used) < leastGist }

// prefix begins a line in l.head with its time and direction and returns the
// columns it took.
func (l *Log) prefix(t time.Duration, from wire.Party, arrow bool) int {
	h := l.head[:0]
	cols := 0
	if l.has(wideEnoughForTime) {
		h = append(h, l.pal.Time.on...)
		n := len(h)
		if l.o.Zone != nil && !l.started.IsZero() {
			h = appendClock(h, l.started.Add(t).In(l.o.Zone))
		} else {
			h = appendSeconds(h, t)
		}
		cols += len(h) - n + 1
		h = append(append(h, l.pal.Time.off...), ' ')
	}
	if l.tag != "" {
		h = append(h, l.tag...)
		h = append(h, ' ')
		cols += utf8.RuneCountInString(l.tag) + 1
	}
	switch {
	case !arrow:
		h = append(h, "· "...)
	case from == wire.Client:
		h = append(l.pal.Client.append(h, "→"), ' ')
	default:
		h = append(l.pal.Agent.append(h, "←"), ' ')
	}
	l.head = h
	return cols + 2
}

// message shows one JSON object.
func (l *Log) message(e *wire.Entry, m []byte) {
	f, ok := l.track.look(e, m)
	if !ok || f.class == wire.KindInvalid {
		l.plain(e, "malformed", l.pal.Bad, m, true)
		return
	}
	if !l.picks(&f) {
		return
	}
	if l.o.Body == BodyNone && f.Kind != nil && l.grow(&f) {
		return
	}
	l.endRun()
	l.heading(&f)
	cols := l.name(&f, 0)
	l.end(&f, l.has(wideEnoughForSize), len(m))
	if l.cramped(cols + len(l.tail)) {
		l.end(&f, false, 0)
		cols = l.name(&f, len(l.tail))
	}
	g := &l.gist
	g.problem = ""
	g.start(l.head, l.room(cols+len(l.tail)))
	g.message(&f)
	line := g.dst
	if g.problem != "" {
		line = append(append(line, ' '), l.pal.Bad.on...)
		line = append(append(line, "malformed: "...), g.where...)
		line = append(append(line, ' '), g.problem...)
		line = append(line, l.pal.Bad.off...)
	}
	l.put(line)
	l.body(m)
}

// name writes the head of a frame's line and returns its columns. Where the tail
// of so many columns then leaves too little for the gist, the id is left out.
func (l *Log) name(f *frame, tail int) int {
	cols := l.prefix(f.t, f.from, true)
	start := len(l.head)
	n := l.method(f, true)
	if tail > 0 && l.cramped(cols+n+tail) {
		l.head = l.head[:start]
		n = l.method(f, false)
	}
	return cols + n
}

// end makes the tail of a frame's line: its size and, of an answer, the latency.
func (l *Log) end(f *frame, sized bool, size int) {
	l.tail = l.tail[:0]
	if sized {
		l.tail = appendSize(append(l.tail, "  "...), int64(size))
	}
	if f.answers {
		l.tail = appendDuration(append(l.tail, "  "...), f.latency)
	}
}

// picks says whether the selection wants the frame.
func (l *Log) picks(f *frame) bool {
	s := &l.o.Select
	if !s.picksSession(f.sess) {
		return false
	}
	if len(s.Only) == 0 && len(s.Except) == 0 {
		return true
	}
	n := f.names()
	if l.problem {
		g := gister{pal: l.pal}
		g.start(nil, 1)
		g.message(f)
		if g.problem != "" {
			n.words[1] = "malformed"
		}
	}
	return s.picksNames(n)
}

// names are what the selection's globs are compared with.
func (f *frame) names() names {
	n := names{method: f.method, kind: f.Kind}
	switch f.class {
	case wire.KindRequest:
		n.words[0] = "request"
	case wire.KindNotification:
		n.words[0] = "notification"
	case wire.KindResponse:
		n.words[0] = "response"
		if f.Error != nil {
			n.words[1] = "error"
		}
	}
	return n
}

// heading says which session the lines below are about, when that changes. Its
// id is never shortened: real ids share long beginnings.
// Among the lines of several connections it has their time and name.
func (l *Log) heading(f *frame) {
	if len(f.sess) == 0 || bytes.Equal(f.sess, l.session) {
		return
	}
	l.session = append(l.session[:0], f.sess...)
	l.head = l.head[:0]
	if l.tag != "" {
		l.prefix(f.t, f.from, false)
	}
	h := append(l.head, l.pal.Dim.on...)
	h = append(h, "session "...)
	h = AppendSanitized(h, f.sess)
	h = append(h, l.pal.Dim.off...)
	l.tail = l.tail[:0]
	l.put(h)
}

// method adds the frame's name and id to the head. A session/update goes by
// its kind; the word says enough.
func (l *Log) method(f *frame, id bool) int {
	h := l.head
	start := len(h)
	h = append(h, l.pal.Method.on...)
	colours := len(l.pal.Method.on) + len(l.pal.Method.off)
	switch {
	case f.Kind != nil && updateGist(string(f.Kind)) != nil:
		h = append(h, f.Kind...)
	case f.Kind != nil:
		h = append(h, "session/update "...)
		h = AppendSanitized(h, f.Kind)
	case f.method != nil:
		h = AppendSanitized(h, f.method)
	default:
		h = append(h, "response to nothing"...)
	}
	h = append(h, l.pal.Method.off...)
	if f.ID != nil && id {
		h = append(append(h, ' '), l.pal.ID.on...)
		h = AppendSanitized(append(h, '#'), f.ID)
		h = append(h, l.pal.ID.off...)
		colours += len(l.pal.ID.on) + len(l.pal.ID.off)
	}
	cols := utf8.RuneCount(h[start:]) - colours
	if l.has(wideEnoughToAlign) {
		for ; cols < methodColumn; cols++ {
			h = append(h, ' ')
		}
	}
	l.head = append(h, "  "...)
	return cols + 2
}

// body shows the message itself, if that is wanted.
func (l *Log) body(m []byte) {
	out := l.out
	switch l.o.Body {
	case BodyPretty:
		out.buf = append(out.buf, l.style.margin...)
		out.buf = append(l.style.append(out.buf, m), '\n')
	case BodyRaw:
		if l.o.Screen.Terminal {
			out.buf = l.style.append(out.buf, m)
		} else {
			out.buf = append(out.buf, m...)
		}
		out.buf = append(out.buf, '\n')
	}
}

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }
