package pretty

import (
	"bytes"
	"io"
	"time"

	"github.com/acptool/acptool/wire"
)

// Body says whether the log shows the messages themselves under their lines.
type Body uint8

const (
	BodyNone   Body = iota // one line a frame
	BodyPretty             // the message, indented
	BodyRaw                // the message's own bytes on one line
)

// LogOptions are the choices of a Log. The zero value is a plain log of all.
type LogOptions struct {
	Screen Screen
	Body   Body
	Select Selection
	// Zone, if set, makes times of day in this zone where the connection's
	// beginning is known; otherwise times are seconds since it.
	Zone *time.Location
	// Redact, if set, is asked for every line and every line of stderr before
	// anything of it is looked at; what it returns is shown in its place.
	Redact func([]byte) []byte
	// Buffered: written only by Flush and Close, or when much has gathered;
	// otherwise after every entry.
	Buffered bool
}

// Log shows one line a frame: time, direction, method, id, the gist in a few
// words, size, and on responses the latency. A run of chunks is one line that
// grows. A Log is a Sink, and a wire.Lossy and wire.Flusher for a relay.
type Log struct {
	o       LogOptions
	out     *logOutput
	pal     *Palette
	style   *jsonStyle // of bodies
	track   tracker
	problem bool // the selection asks for malformed frames

	tag     string
	started time.Time
	session []byte // of the last line
	stderr  []byte // a line that has not ended
	errT    time.Duration
	run     run

	head, tail []byte // of the line in the making
	gist       gister
}

// logOutput is the stream that logs of several connections share.
type logOutput struct {
	w       io.Writer
	buf     []byte
	err     error
	growing *Log // whose run of chunks is the last line, which has no end yet
}

// NewLog makes a log that writes to w.
func NewLog(w io.Writer, o LogOptions) *Log { return newLog(&logOutput{w: w}, o) }

func newLog(out *logOutput, o LogOptions) *Log {
	l := &Log{o: o, out: out, pal: NewPalette(o.Screen.Colour)}
	l.style = newJSONStyle(o.Screen, o.Body != BodyPretty)
	l.style.margin = "    "
	l.gist.pal = l.pal
	ask := names{words: [2]string{"malformed"}}
	l.problem = len(o.Select.Only) > 0 && anyGlob(o.Select.Only, ask) || anyGlob(o.Select.Except, ask)
	return l
}

// Sibling is a log of another connection on the same stream: their lines come
// whole, one after the other. Both are used by one goroutine at a time.
func (l *Log) Sibling() *Log { return newLog(l.out, l.o) }

// Begin starts a connection.
func (l *Log) Begin(c Connection) {
	l.finish()
	l.track.reset()
	l.tag, l.started = Sanitize(c.Name), c.Started
	l.session = l.session[:0]
}

// Observe shows one entry.
func (l *Log) Observe(e wire.Entry) { l.entry(&e, false) }

// Frame shows a line that is known to be valid JSON.
func (l *Log) Frame(e wire.Entry) { l.entry(&e, true) }

func (l *Log) entry(e *wire.Entry, valid bool) {
	if l.o.Select.picksFrom(e.From) {
		switch e.Kind {
		case wire.EntryLine:
			l.line(e, valid)
		case wire.EntryStderr:
			l.errors(e)
		case wire.EntryEOF:
			l.event(e, "eof", "end of input")
		case wire.EntryExit:
			l.exit(e)
		}
	} else if e.Kind == wire.EntryLine {
		// Its answer may be shown, with method and latency.
		split(e.Data, valid, func(m []byte) { l.track.look(e, m) }, func([]byte, bool) {})
	}
	if !l.o.Buffered || len(l.out.buf) > 1<<16 {
		l.out.flush()
	}
}

func (l *Log) line(e *wire.Entry, valid bool) {
	data := e.Data
	if l.o.Redact != nil {
		data = l.o.Redact(data)
	}
	split(data, valid, func(m []byte) { l.message(e, m) }, func(text []byte, malformed bool) {
		if malformed {
			l.plain(e, "malformed", l.pal.Bad, text, true)
		} else {
			l.plain(e, "noise", l.pal.Warn, text, true)
		}
	})
}

// errors shows the lines of stderr. The last one may have no end yet.
func (l *Log) errors(e *wire.Entry) {
	data := e.Data
	for {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			break
		}
		line := data[:i]
		if len(l.stderr) > 0 {
			l.stderr = append(l.stderr, line...)
			line = l.stderr
		}
		l.errorLine(e, line)
		l.stderr = l.stderr[:0]
		data = data[i+1:]
	}
	l.stderr = append(l.stderr, data...)
	l.errT = e.T
	if len(l.stderr) > 1<<16 {
		l.pendingError()
	}
}

func (l *Log) pendingError() {
	if len(l.stderr) > 0 {
		l.errorLine(&wire.Entry{T: l.errT, From: wire.Agent, Kind: wire.EntryStderr}, l.stderr)
		l.stderr = l.stderr[:0]
	}
}

func (l *Log) errorLine(e *wire.Entry, line []byte) {
	line = bytes.TrimRight(line, "\r")
	if l.o.Redact != nil {
		line = l.o.Redact(line)
	}
	l.plain(e, "stderr", l.pal.Warn, line, false)
}

func (l *Log) exit(e *wire.Entry) {
	l.pendingError()
	var text []byte
	switch {
	case e.Exit.Signal != "":
		text = append(append(text, "killed by "...), e.Exit.Signal...)
	default:
		text = append(text, "exit status "...)
		text = appendInt(text, e.Exit.Code)
	}
	l.event(e, "exit", string(text))
}

// event shows what is no traffic.
func (l *Log) event(e *wire.Entry, name, text string) {
	if l.o.Select.Session == "" {
		l.plain(e, name, l.pal.Dim, []byte(text), false)
	}
}

// plain shows a line that is no message.
func (l *Log) plain(e *wire.Entry, name string, p Paint, text []byte, sized bool) {
	if !l.o.Select.picksNames(names{words: [2]string{name}}) || l.o.Select.Session != "" {
		return
	}
	l.endRun()
	cols := l.prefix(e.T, e.From, e.Kind == wire.EntryLine || e.Kind == wire.EntryEOF)
	l.head = p.append(l.head, name)
	l.head = append(l.head, "  "...)
	cols += len(name) + 2
	l.tail = l.tail[:0]
	if sized {
		l.tail = appendSize(append(l.tail, "  "...), int64(len(e.Data)))
	}
	g := &l.gist
	g.start(l.head, l.room(cols+len(l.tail)))
	g.on(p)
	g.text(text)
	g.off(p)
	l.put(g.dst)
}

// Dropped says in the log that n entries were not shown, since the log could
// not keep up.
func (l *Log) Dropped(n int) {
	l.endRun()
	l.head = l.head[:0]
	text := appendInt([]byte("… "), n)
	text = append(text, " entries are not shown: the log could not keep up"...)
	l.tail = l.tail[:0]
	l.put(l.pal.Bad.append(l.head, string(text)))
	// Which requests wait for an answer is not known any more.
	l.track.reset()
}

// put ends the line in the making and takes it over.
func (l *Log) put(line []byte) {
	l.head = line[:0]
	out := l.out
	if out.growing != nil {
		out.growing.endRun()
	}
	out.buf = append(out.buf, line...)
	out.buf = append(out.buf, l.pal.Dim.on...)
	out.buf = append(out.buf, l.tail...)
	out.buf = append(out.buf, l.pal.Dim.off...)
	out.buf = append(out.buf, '\n')
}

// finish ends what has no end yet.
func (l *Log) finish() {
	l.pendingError()
	l.endRun()
}

// Flush writes what is ready.
func (l *Log) Flush() error { return l.out.flush() }

// Close ends the log: a line that still grows, and a last line of stderr. It
// does not close the writer.
func (l *Log) Close() error {
	l.finish()
	return l.out.flush()
}

func (o *logOutput) flush() error {
	if len(o.buf) > 0 && o.err == nil {
		_, o.err = o.w.Write(o.buf)
	}
	if cap(o.buf) > 1<<20 {
		o.buf = nil // one huge body must not be kept for ever
	}
	o.buf = o.buf[:0]
	return o.err
}
