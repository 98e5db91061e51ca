package record

import (
	"encoding/base64"
	"io"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
)

// flushSize is how much a Writer gathers before it writes of its own accord.
const flushSize = 64 << 10

// liveDelay is how long an entry may stay in the buffer of a live Writer. The
// format promises 10 ms (design: "each write ends at a line end and happens
// within 10 ms").
const liveDelay = 5 * time.Millisecond

// WriterOptions are the choices of a Writer.
type WriterOptions struct {
	// Redact takes secrets out before anything is written; nil keeps all.
	Redact *Redactor
	// Live makes the Writer flush by itself within 10 ms of an entry. Without
	// it the owner calls Flush.
	Live bool
	// NoHeader leaves the header out.
	NoHeader bool
}

// Writer writes a recording. It is a wire.Observer: it never fails the
// connection that it watches. The first error stops it for good and is told by
// Err, Flush and Close. Every write ends at the end of a line, so that a file
// that grows can be read at any time.
//
// A Writer is safe for use by several goroutines.
type Writer struct {
	mu     sync.Mutex
	w      io.Writer
	o      WriterOptions
	buf    []byte
	err    error
	closed bool
	timer  *time.Timer // runs while a live Writer's buffer is not empty
	armed  bool
	onErr  func()
}

// NewWriter begins a recording on w with header h. Empty members of the header
// are filled in or left out. If w is an io.Closer, Close closes it.
func NewWriter(w io.Writer, h Header, o WriterOptions) *Writer {
	rw := &Writer{w: w, o: o}
	if !o.NoHeader {
		rw.mu.Lock()
		rw.header(h)
		rw.mu.Unlock()
	}
	return rw
}

// Header begins another connection in the same recording.
func (w *Writer) Header(h Header) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.header(h)
}

func (w *Writer) header(h Header) {
	if w.stopped() {
		return
	}
	if w.o.Redact != nil {
		h = w.o.Redact.Header(h)
	}
	w.buf = appendHeader(w.buf, h)
	w.added()
}

// Observe records one entry.
func (w *Writer) Observe(e wire.Entry) { w.Write(Entry{Entry: e}) }

// Write records one entry with what a recording said about it: the converter's
// way. Entry.Frame, Conn, Header and FileLine are not used.
func (w *Writer) Write(e Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped() {
		return
	}
	if w.o.Redact != nil {
		e = w.o.Redact.Entry(e)
	}
	w.buf = appendEntry(w.buf, e)
	w.added()
}

func (w *Writer) stopped() bool { return w.err != nil || w.closed }

// added is called after each line that was put into the buffer.
func (w *Writer) added() {
	if len(w.buf) >= flushSize {
		w.flush()
		return
	}
	if !w.o.Live || w.armed {
		return
	}
	w.armed = true
	if w.timer == nil {
		// The timer's goroutine ends with one flush; Close stops the timer.
		w.timer = time.AfterFunc(liveDelay, func() { _ = w.Flush() })
		return
	}
	w.timer.Reset(liveDelay)
}

// Flush writes what is in the buffer.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	return w.err
}

func (w *Writer) flush() {
	w.armed = false
	if w.stopped() || len(w.buf) == 0 {
		return
	}
	_, err := w.w.Write(w.buf)
	if cap(w.buf) > 4*flushSize {
		w.buf = nil // one large frame does not keep its memory
	} else {
		w.buf = w.buf[:0]
	}
	if err != nil {
		w.fail(err)
	}
}

// fail stops the recording for good, and lets go of the file, so that nobody
// takes it for one that still grows.
func (w *Writer) fail(err error) {
	w.err = err
	w.buf = nil
	if c, ok := w.w.(io.Closer); ok {
		_ = c.Close()
	}
	if w.onErr != nil {
		w.onErr()
	}
}

// OnError sets a function that is called once, when the recording stops
// because of an error. It must not call the Writer.
func (w *Writer) OnError(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.onErr = f
}

// Err is the error that stopped the recording, if any.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Close flushes and closes the file.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.stopped() {
		return w.err
	}
	w.closed = true
	w.buf = nil
	if c, ok := w.w.(io.Closer); ok {
		w.err = c.Close()
	}
	return w.err
}

func appendHeader(b []byte, h Header) []byte {
	b = append(b, `{"format":"`+FormatName+`","version":`...)
	b = strconv.AppendInt(b, FormatVersion, 10)
	if !h.Started.IsZero() {
		b = append(b, `,"started":"`...)
		b = h.Started.UTC().AppendFormat(b, "2006-01-02T15:04:05.000000Z")
		b = append(b, '"')
	}
	if h.Tool != "" {
		b = append(b, `,"tool":`...)
		b = appendString(b, h.Tool)
	}
	if h.Agent != nil {
		b = append(b, `,"agent":`...)
		b = appendStrings(b, h.Agent)
	}
	if h.PID != 0 {
		b = append(b, `,"pid":`...)
		b = strconv.AppendInt(b, int64(h.PID), 10)
	}
	if len(h.Redacted) > 0 {
		b = append(b, `,"redacted":`...)
		b = appendStrings(b, h.Redacted)
	}
	return append(b, '}', '\n')
}

// appendEntry appends the line for e. The frame's own bytes are copied.
func appendEntry(b []byte, e Entry) []byte {
	b = append(b, `{"t":`...)
	b = appendSeconds(b, e.T)
	switch e.Kind {
	case wire.EntryEOF:
		b = append(b, `,"event":"eof"`...)
		b = appendFrom(b, e.From)
	case wire.EntryExit:
		b = append(b, `,"event":"exit"`...)
		if e.Exit.Signal != "" {
			b = append(b, `,"signal":`...)
			b = appendString(b, e.Exit.Signal)
		} else {
			b = append(b, `,"code":`...)
			b = strconv.AppendInt(b, int64(e.Exit.Code), 10)
		}
	case wire.EntryStderr:
		b = appendFrom(b, e.From)
		b = appendBytes(b, "stderr", "stderr64", e.Data)
	default:
		b = appendFrom(b, e.From)
		if IsFrame(e.Data) {
			b = append(b, `,"msg":`...)
			b = append(b, e.Data...)
		} else {
			b = appendBytes(b, "text", "base64", e.Data)
		}
		if e.EOL != "\n" {
			b = append(b, `,"eol":`...)
			b = appendString(b, e.EOL)
		}
	}
	if len(e.Redacted) > 0 {
		b = append(b, `,"redacted":`...)
		b = appendStrings(b, e.Redacted)
	}
	if len(e.Ignore) > 0 {
		b = append(b, `,"ignore":`...)
		b = appendStrings(b, e.Ignore)
	}
	return append(b, '}', '\n')
}

// IsFrame says whether a line may stand as the "msg" of an entry: valid UTF-8,
// valid JSON, an object or an array, with nothing around it.
func IsFrame(line []byte) bool {
	n := len(line)
	if n < 2 || line[0] != '{' && line[0] != '[' || line[n-1] != '}' && line[n-1] != ']' {
		return false
	}
	if !utf8.Valid(line) {
		return false
	}
	// One level of the depth that readers take belongs to the entry around it.
	end, ok := skipValue(line, 0, 1)
	return ok && end == n
}

func appendFrom(b []byte, p wire.Party) []byte {
	if p == wire.Agent {
		return append(b, `,"from":"agent"`...)
	}
	return append(b, `,"from":"client"`...)
}

// appendBytes appends data as a string under name, or, if it is not UTF-8, in
// base64 under name64.
func appendBytes(b []byte, name, name64 string, data []byte) []byte {
	b = append(b, ',', '"')
	if utf8.Valid(data) {
		b = append(b, name...)
		b = append(b, '"', ':')
		return appendString(b, data)
	}
	b = append(b, name64...)
	b = append(b, '"', ':', '"')
	b = base64.StdEncoding.AppendEncode(b, data)
	return append(b, '"')
}

// appendSeconds appends d in seconds with six places.
func appendSeconds(b []byte, d time.Duration) []byte {
	if d < 0 {
		d = 0
	}
	us := int64(d / time.Microsecond)
	b = strconv.AppendInt(b, us/1e6, 10)
	b = append(b, '.')
	f := us % 1e6
	for p := int64(1e5); p > 0; p /= 10 {
		b = append(b, byte('0'+f/p%10))
	}
	return b
}

func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s)
	}
	return append(b, ']')
}

// appendString appends s as a JSON string. Only what must be escaped is,
// besides DEL and the two line separators that some readers take for line
// ends. What is not UTF-8 becomes U+FFFD.
func appendString[T string | []byte](b []byte, s T) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
			switch {
			case r == utf8.RuneError && n == 1:
				b = append(append(b, s[from:i]...), "\ufffd"...)
				from = i + n
			case r == '\u2028' || r == '\u2029':
				b = append(append(b, s[from:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
				from = i + n
			}
			i += n
			continue
		}
		if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
			i++
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}
