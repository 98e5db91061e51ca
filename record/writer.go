package record

import (
	"io"
	"sync"
	"time"

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
	frame := e.Kind == wire.EntryLine && IsFrame(e.Data)
	if w.o.Redact != nil {
		e = w.o.Redact.entry(e, frame) // a frame stays one
	}
	w.buf = appendEntry(w.buf, e, frame)
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
