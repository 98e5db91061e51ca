package pretty

import (
	"bytes"
	"runtime"

	"github.com/acptool/acptool/wire"
)

// StreamOptions are the choices of a FilterStream.
type StreamOptions struct {
	Select  Selection
	Updates bool // the input is params.update of each session/update, nothing else
	// Workers is how many goroutines decode and run the filter, with results in
	// order: 0 or 1 is the caller alone, negative as many as there are
	// processors. With more than one, results appear in pieces, at Flush at the
	// latest: right for files, wrong for what is watched.
	Workers int
	Redact  func([]byte) []byte
}

// FilterStream runs a filter over the messages of a connection: the members of
// an array one by one, with $from, $t, $method, $ms and $session. What is no
// JSON object is no input. It is a Sink.
type FilterStream struct {
	f     *Filter
	o     StreamOptions
	track tracker
	look  bool // each frame must be looked at

	file string
	line int

	err  error
	pool *filterPool  // several workers
	feed *filterInput // a filter with input or inputs
}

// NewFilterStream applies f, which from then on belongs to the stream.
func NewFilterStream(f *Filter, o StreamOptions) *FilterStream {
	s := &FilterStream{f: f, o: o}
	s.look = o.Updates || f.prog.usesFrames || len(o.Select.Only) > 0 || len(o.Select.Except) > 0 || o.Select.Session != ""
	if o.Workers < 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	switch {
	case f.prog.pulls:
		s.feed = newFilterInput(f)
	case o.Workers > 1 && !f.prog.sideways:
		s.pool = newFilterPool(f, o.Workers)
	}
	return s
}

// Begin starts a connection.
func (s *FilterStream) Begin(Connection) { s.track.reset() }

// At says where the entries that follow stand, for input_filename and
// input_line_number. Without it the inputs are counted.
func (s *FilterStream) At(file string, line int) { s.file, s.line = file, line }

// Observe takes one entry.
func (s *FilterStream) Observe(e wire.Entry) { s.entry(&e, false) }

// Frame takes a line that is known to be valid JSON.
func (s *FilterStream) Frame(e wire.Entry) { s.entry(&e, true) }

func (s *FilterStream) entry(e *wire.Entry, valid bool) {
	if e.Kind != wire.EntryLine || s.err != nil {
		return
	}
	picked := s.o.Select.picksFrom(e.From)
	if !picked && !s.look {
		return
	}
	if s.file == "" {
		s.line++
	}
	data := e.Data
	if s.o.Redact != nil {
		data = s.o.Redact(data)
	}
	if valid && len(data) > 0 && data[0] == '{' {
		s.message(e, data, picked)
		return
	}
	split(data, valid, func(m []byte) { s.message(e, m, picked) }, func([]byte, bool) {})
}

func (s *FilterStream) message(e *wire.Entry, doc []byte, picked bool) {
	v := Vars{File: s.file, Line: s.line}
	if s.f.prog.usesVars {
		v.From = e.From.String()
		v.T, v.Timed = e.T, true
	}
	if s.look {
		f, ok := s.track.look(e, doc)
		if !ok || !picked || !s.picks(&f) {
			return
		}
		if s.o.Updates {
			if f.Update == nil || string(f.Method) != "session/update" {
				return
			}
			doc = f.Update
		}
		if s.f.prog.usesFrames {
			v.Method, v.Session = string(f.method), string(f.sess)
			v.Latency, v.Answers = f.latency, f.answers
		}
	}
	s.apply(doc, &v)
}

func (s *FilterStream) picks(f *frame) bool {
	return s.o.Select.picksSession(f.sess) && s.o.Select.picksNames(f.names())
}

// mostGathered is how much output waits for a Flush at most.
const mostGathered = 1 << 16

// apply runs the filter, here or elsewhere. doc is the caller's.
func (s *FilterStream) apply(doc []byte, v *Vars) {
	switch {
	case s.feed != nil:
		s.feed.put(pulled{doc: bytes.Clone(doc), vars: *v})
		s.err = s.feed.failed()
	case s.pool != nil:
		s.err = s.pool.put(doc, v)
	default:
		ev := s.f.eval
		if ev.run(doc, v); len(ev.out) > mostGathered || ev.halt != nil {
			s.write()
		}
	}
}

// write passes on what the caller's own evaluator has gathered.
func (s *FilterStream) write() {
	ev := s.f.eval
	if err := ev.writeTo(s.f.prog.o.Out, s.f.prog.o.Err); err != nil && s.err == nil {
		s.err = err
	}
	if ev.halt != nil && s.err == nil {
		s.err = ev.halt
	}
}

// Flush writes the results of what was taken. With several workers it waits
// for them.
func (s *FilterStream) Flush() error {
	switch {
	case s.feed != nil:
		s.err = s.feed.failed()
	case s.pool != nil:
		if s.err == nil { // what is left after a halt must not be written
			s.err = s.pool.flush()
		}
	default:
		s.write()
	}
	return s.err
}

// Close flushes and ends the goroutines. A *HaltError says that the filter
// wanted the end; Done tells so earlier.
func (s *FilterStream) Close() error {
	if s.feed != nil {
		if err := s.feed.close(); s.err == nil {
			s.err = err
		}
		return s.err
	}
	err := s.Flush()
	if s.pool != nil {
		s.pool.close()
		s.pool = nil
	}
	return err
}

// Done reports whether more entries would have no effect: the filter halted or
// the output failed.
func (s *FilterStream) Done() bool { return s.err != nil }

// pulled is an input that waits for the filter to ask for it.
type pulled struct {
	doc  []byte
	vars Vars
}

// filterInput runs a filter that asks for its inputs itself (input, inputs): on
// a goroutine of its own, which close ends.
type filterInput struct {
	f      *Filter
	in     chan pulled
	done   chan struct{} // closed when the goroutine has ended
	err    error         // valid when done is closed
	closed bool
}

func newFilterInput(f *Filter) *filterInput {
	q := &filterInput{f: f, in: make(chan pulled, 64), done: make(chan struct{})}
	f.in.next = func() (any, bool) {
		p, ok := <-q.in
		if !ok {
			return nil, false
		}
		return f.eval.decoder.decode(p.doc, f.prog.want), true
	}
	go q.run() // ends when in is closed or an error makes more inputs pointless
	return q
}

func (q *filterInput) run() {
	defer close(q.done)
	ev := q.f.eval
	for p := range q.in {
		ev.run(p.doc, &p.vars)
		if q.err = ev.writeTo(q.f.prog.o.Out, q.f.prog.o.Err); q.err != nil {
			return
		}
		if ev.halt != nil {
			q.err = ev.halt
			return
		}
	}
}

func (q *filterInput) put(p pulled) {
	select {
	case q.in <- p:
	case <-q.done:
	}
}

// failed is the error that ended the goroutine, nil while it runs.
func (q *filterInput) failed() error {
	select {
	case <-q.done:
		return q.err
	default:
		return nil
	}
}

func (q *filterInput) close() error {
	if !q.closed {
		q.closed = true
		close(q.in)
	}
	<-q.done
	return q.err
}
