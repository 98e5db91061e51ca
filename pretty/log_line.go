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
	leastGist    = 12  // a gist is not cut below this, even if the terminal then wraps
)

// room is how many columns the gist may take when the rest takes used.
func (l *Log) room(used int) int {
	if l.o.Screen.Width == 0 {
		return pipeGist
	}
	return max(l.o.Screen.Width-used, leastGist)
}

func (l *Log) has(width int) bool { return l.o.Screen.Width == 0 || l.o.Screen.Width >= width }

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
	l.heading(f.sess)
	cols := l.prefix(f.t, f.from, true)
	cols += l.method(&f)
	l.tail = l.tail[:0]
	if l.has(wideEnoughForSize) {
		l.tail = appendSize(append(l.tail, "  "...), int64(len(m)))
	}
	if f.answers {
		l.tail = appendDuration(append(l.tail, "  "...), f.latency)
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
func (l *Log) heading(session []byte) {
	if len(session) == 0 || bytes.Equal(session, l.session) {
		return
	}
	l.session = append(l.session[:0], session...)
	h := append(l.head[:0], l.pal.Dim.on...)
	h = append(h, "session "...)
	h = AppendSanitized(h, session)
	h = append(h, l.pal.Dim.off...)
	l.tail = l.tail[:0]
	l.put(h)
}

// method adds the frame's name and id to the head. A session/update goes by
// its kind; the word says enough.
func (l *Log) method(f *frame) int {
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
	if f.ID != nil {
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
