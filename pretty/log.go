package pretty

import (
	"io"

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
	// Redact, if set, is asked for every line and every piece of stderr before
	// anything of it is looked at; what it returns is shown in its place.
	Redact func([]byte) []byte
	// Trusted: every frame is known to be valid JSON (it comes from a
	// recording), so this is not checked again.
	Trusted bool
	// Buffered: written only by Flush and Close, or when much has gathered;
	// otherwise after every entry.
	Buffered bool
}

// Log shows one line a frame: time, direction, method, id, the gist in a few
// words, size, and on responses the latency. It is a Sink.
type Log struct {
	o LogOptions
	w io.Writer
}

// NewLog makes a log that writes to w.
func NewLog(w io.Writer, o LogOptions) *Log { return &Log{o: o, w: w} }

// Begin starts a connection.
func (l *Log) Begin(Connection) {}

// Observe shows one entry.
func (l *Log) Observe(wire.Entry) {}

// Dropped says in the log that n entries were not shown, since the log could
// not keep up.
func (l *Log) Dropped(n int) {}

// Flush writes what is ready.
func (l *Log) Flush() error { return errNotBuilt }

// Close ends the log.
func (l *Log) Close() error { return errNotBuilt }
