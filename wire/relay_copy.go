package wire

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// copyEngine copies each stream on a goroutine of its own: for systems without
// a poll(2) that does for all, and for streams that are no files.
type copyEngine struct {
	o     *RelayOptions
	bell  chan struct{} // has one element when run should look
	ended chan *copyStream

	toward, back *copyStream
	agents       []*copyStream // back and, if there is one, stderr

	mu   sync.Mutex
	room *sync.Cond // there may be room in the capture
	show *time.Timer
}

// copyStream is one direction. Its goroutine ends when src has ended, or was
// closed; a read from our own stdin is the one that cannot be made to end.
type copyStream struct {
	from Party
	kind EntryKind
	src  io.ReadCloser
	dst  io.Writer

	closed atomic.Bool  // by us
	eof    atomic.Bool  // by the source
	lost   atomic.Bool  // the destination took no more
	done   bool         // of run: the goroutine has ended
	since  atomic.Int64 // when the read that is going on began, 0 if none is
	waited atomic.Int64 // time spent in reads after the agent's exit
	after  atomic.Bool  // the agent has exited
}

func newCopyEngine(o *RelayOptions) *copyEngine {
	e := &copyEngine{o: o, bell: make(chan struct{}, 1), ended: make(chan *copyStream, 3)}
	e.room = sync.NewCond(&e.mu)
	e.toward = &copyStream{from: Client, kind: EntryLine, src: o.Client.In, dst: o.Agent.Out}
	e.back = &copyStream{from: Agent, kind: EntryLine, src: o.Agent.In, dst: o.Client.Out}
	e.agents = []*copyStream{e.back}
	if o.AgentErr != nil {
		e.agents = append(e.agents, &copyStream{from: Agent, kind: EntryStderr, src: o.AgentErr, dst: o.Err})
	}
	return e
}

func (e *copyEngine) wake() {
	e.mu.Lock()
	e.room.Broadcast()
	e.mu.Unlock()
	select {
	case e.bell <- struct{}{}:
	default:
	}
}

func (e *copyEngine) run(s *supervisor, c *capture) {
	if c != nil {
		e.show = time.AfterFunc(time.Hour, c.wake)
		defer e.show.Stop()
	}
	go e.copy(e.toward, c)
	for _, st := range e.agents {
		go e.copy(st, c)
	}
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		now := time.Now()
		s.look(now)
		if e.back.done && e.o.Process != nil && !s.exited() && (e.back.eof.Load() || e.back.lost.Load() && e.toward.eof.Load()) {
			s.shutdown(now) // it says nothing any more, or nobody is there to say it to
		}
		if s.stopping() && !e.toward.done {
			e.stop(e.toward)
		}
		if s.exited() {
			e.linger(s, now)
		}
		if e.finished(s) {
			break
		}
		timer.Reset(e.timeout(s, now))
		select {
		case st := <-e.ended:
			st.done = true
		case <-e.bell:
		case <-timer.C:
		}
	}
	for _, st := range append(e.agents, e.toward) {
		if !st.done {
			e.stop(st)
		}
	}
}

func (e *copyEngine) timeout(s *supervisor, now time.Time) time.Duration {
	wait := time.Hour
	if s.exited() {
		wait = max(e.o.times.silent/10, time.Millisecond)
	} else if next := s.next(); !next.IsZero() {
		wait = max(next.Sub(now), 0)
	}
	return wait
}

// stop ends a stream and says so to both ends.
func (e *copyEngine) stop(st *copyStream) {
	st.closed.Store(true)
	st.src.Close()
	if st.kind == EntryLine {
		st.dst.(io.Closer).Close()
	}
}

// linger ends reading the agent's pipes after its exit when others hold them.
func (e *copyEngine) linger(s *supervisor, now time.Time) {
	for _, st := range e.agents {
		if st.done {
			continue
		}
		st.after.Store(true)
		since := st.since.Load()
		var reading time.Duration
		if since != 0 {
			reading = now.Sub(later(s.left, time.Unix(0, since)))
		}
		quiet := reading >= e.o.times.silent || reading+time.Duration(st.waited.Load()) >= e.o.times.linger
		if quiet || since == 0 && s.overdue(now, st.kind == EntryStderr) {
			e.stop(st)
			st.done = true // whether its goroutine can be ended or not
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (e *copyEngine) finished(s *supervisor) bool {
	if e.o.Process == nil && s.exited() {
		return true
	}
	for _, st := range e.agents {
		if !st.done {
			return false
		}
	}
	return e.o.Process == nil || s.exited()
}

// copy copies one stream to its end.
func (e *copyEngine) copy(st *copyStream, c *capture) {
	defer func() { e.ended <- st }()
	buf := make([]byte, 64<<10)
	for {
		room := len(buf)
		if c != nil {
			room = e.waitForRoom(c, room)
		}
		began := time.Now()
		st.since.Store(began.UnixNano())
		n, err := st.src.Read(buf[:room])
		st.since.Store(0)
		now := time.Now()
		if st.after.Load() {
			st.waited.Add(int64(now.Sub(began)))
		}
		if n > 0 {
			e.capture(c, now, st, st.kind, buf[:n])
			if st.dst != nil {
				if _, werr := st.dst.Write(buf[:n]); werr != nil && st.kind == EntryLine {
					st.lost.Store(true)
					e.stop(st) // so that the source is told, as it would be by a pipe
					return
				} else if werr != nil {
					st.dst = nil // stderr is drained all the same
				}
			}
		}
		if err != nil {
			if !st.closed.Load() {
				st.eof.Store(true)
				if st.kind == EntryLine {
					e.capture(c, now, st, EntryEOF, nil)
				}
			}
			e.stop(st)
			return
		}
	}
}

func (e *copyEngine) waitForRoom(c *capture, want int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if n := c.roomFor(); n > 0 {
			return min(n, want)
		}
		e.room.Wait()
	}
}

// capture puts a piece where the observers find it. Only the first one that
// waits sets the timer.
func (e *copyEngine) capture(c *capture, now time.Time, st *copyStream, kind EntryKind, p []byte) {
	if c != nil && c.put(now.Sub(e.o.Start), st.from, kind, p) {
		e.show.Reset(captureDelay)
	}
}
