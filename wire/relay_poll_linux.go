package wire

import (
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// relayRead is the most that is read at once.
const relayRead = 256 << 10

// pollEngine copies all streams on one thread, which waits for all of them at
// once. That is what makes a pass-through as quick as two cats: no goroutine
// has to be woken to move a frame.
type pollEngine struct {
	o    *RelayOptions
	mu   sync.Mutex // of bell, which others ring
	bell int        // an eventfd; -1 once it is closed and its number may be another's

	toward *pollStream   // client to agent
	back   *pollStream   // agent to client
	all    []*pollStream // those two and, if there is one, stderr

	watch int  // of one round: where the client's reading end stands, or -1
	gone  bool // the client has said EOF and reads no more

	waiting bool          // something waits in the capture,
	show    time.Duration // and has to be shown by then
}

// pollStream is one direction.
type pollStream struct {
	from Party
	kind EntryKind
	src  *pollFile // nil when nothing more is read
	dst  *pollFile // nil when nothing more is written
	buf  []byte
	left []byte // the part of buf that is not yet written
	eof  bool   // the source said that it has ended
	lost bool   // the destination took no more

	// Of one round: where the files stand in the list for poll, or -1.
	read, write int
	came        bool // there was something to read

	// After the agent's exit: how long its next bytes have been waited for,
	// and how long altogether.
	silent, waited time.Duration
	late           int // bytes read when that was long enough
}

func (s *pollStream) done() bool { return s.src == nil && len(s.left) == 0 }

// newPollEngine returns nil if one of the streams is not the system's.
func newPollEngine(o *RelayOptions) (engine, error) {
	e := &pollEngine{o: o, bell: -1}
	e.toward = &pollStream{from: Client, kind: EntryLine}
	e.back = &pollStream{from: Agent, kind: EntryLine}
	e.all = []*pollStream{e.toward, e.back}
	ok := e.toward.open(o.Client.In, o.Agent.Out) && e.back.open(o.Agent.In, o.Client.Out)
	if ok && o.AgentErr != nil {
		stderr := &pollStream{from: Agent, kind: EntryStderr}
		e.all = append(e.all, stderr)
		ok = stderr.open(o.AgentErr, o.Err)
		if stderr.dst != nil {
			stderr.dst.owner = nil // our stderr stays open
		}
	}
	var err error
	if ok {
		e.bell, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	}
	if !ok || err != nil {
		for _, s := range e.all {
			s.src.release()
			s.dst.release()
		}
		return nil, nil // goroutines can do it
	}
	for _, s := range e.all {
		s.buf = make([]byte, relayRead)
		s.src.settle()
		s.dst.settle()
	}
	return e, nil
}

// open takes the descriptors of a stream; dst may be nil.
func (s *pollStream) open(src, dst any) bool {
	s.src = openPollFile(src, false)
	if dst != nil {
		s.dst = openPollFile(dst, true)
	}
	return s.src != nil && (dst == nil || s.dst != nil)
}

func (e *pollEngine) wake() {
	one := [8]byte{1} // any number but zero, in either byte order
	e.mu.Lock()
	if e.bell >= 0 {
		unix.Write(e.bell, one[:])
	}
	e.mu.Unlock()
}

func (e *pollEngine) run(s *supervisor, c *capture) {
	defer e.close()
	fds := make([]unix.PollFd, 0, 5)
	last := time.Since(e.o.Start)
	for !e.finished(s) {
		room := captureSize
		if c != nil {
			room = c.roomFor()
		}
		fds = e.interest(fds[:0], room)
		_, err := unix.Poll(fds, e.timeout(s, last))
		t := time.Since(e.o.Start)
		if err != nil && err != unix.EINTR { // out of memory
			time.Sleep(time.Millisecond)
		}
		if err != nil {
			continue
		}
		if fds[0].Revents != 0 || s.rung > 0 {
			e.attend(s, t)
		}
		for _, st := range e.all {
			if st.write > 0 && fds[st.write].Revents != 0 && len(st.left) > 0 {
				st.flush()
			}
			st.came = st.read > 0 && fds[st.read].Revents != 0
			if st.came {
				e.move(st, c, t, room)
			}
		}
		if e.watch > 0 && fds[e.watch].Revents != 0 || e.toward.eof && e.back.lost {
			e.gone = true
		}
		if s.exited() {
			e.linger(s, t, t-last)
		} else if (e.back.eof || e.gone) && s.rung == 0 {
			// It says nothing any more, or nobody is there to say it to.
			s.shutdown(e.o.Start.Add(t))
			e.attend(s, t)
		}
		if e.waiting && t >= e.show {
			e.waiting = false
			c.wake()
		}
		last = t
	}
}

// interest lists what this round waits for: the bell first.
func (e *pollEngine) interest(fds []unix.PollFd, room int) []unix.PollFd {
	fds = append(fds, unix.PollFd{Fd: int32(e.bell), Events: unix.POLLIN})
	for _, st := range e.all {
		st.read, st.write = -1, -1
		switch {
		case len(st.left) > 0:
			st.write = len(fds)
			fds = append(fds, unix.PollFd{Fd: int32(st.dst.fd), Events: unix.POLLOUT})
		case st.src != nil && room > 0:
			st.read = len(fds)
			fds = append(fds, unix.PollFd{Fd: int32(st.src.fd), Events: unix.POLLIN})
		}
	}
	e.watch = -1
	if e.toward.eof && !e.gone && e.back.dst != nil && e.back.write < 0 {
		// "EOF is a half-close" only as long as the client still reads; whether
		// it does is told without asking (POLLERR, POLLHUP). A client that was
		// killed would otherwise leave an agent behind that ignores EOF.
		e.watch = len(fds)
		fds = append(fds, unix.PollFd{Fd: int32(e.back.dst.fd)})
	}
	return fds
}

// timeout returns how long poll may wait, in milliseconds.
func (e *pollEngine) timeout(s *supervisor, now time.Duration) int {
	wait := time.Duration(-1)
	until := func(d time.Duration) {
		if d = max(d, 0); wait < 0 || d < wait {
			wait = d
		}
	}
	if e.waiting {
		until(e.show - now)
	}
	if s.rung > 0 || s.exited() {
		if next := s.next(); !next.IsZero() {
			if d := next.Sub(e.o.Start) - now; d > 0 || !s.exited() {
				until(d)
			}
		}
	}
	if s.exited() {
		for _, st := range e.all {
			if st.read > 0 {
				until(min(e.o.times.silent-st.silent, e.o.times.linger-st.waited))
			}
		}
	}
	if wait < 0 {
		return -1
	}
	return int((wait + time.Millisecond - 1) / time.Millisecond)
}

// attend does what a ring of the bell, or the shutdown ladder, asks for.
func (e *pollEngine) attend(s *supervisor, t time.Duration) {
	var b [8]byte
	unix.Read(e.bell, b[:])
	s.look(e.o.Start.Add(t))
	if s.stopping() {
		e.toward.stop()
	}
}

// move reads once from a stream and passes on what came.
func (e *pollEngine) move(st *pollStream, c *capture, t time.Duration, room int) {
	if st.src == nil { // the bell stopped it in this round
		return
	}
	n, err := unix.Read(st.src.fd, st.buf[:min(len(st.buf), room)])
	if err == unix.EAGAIN || err == unix.EINTR {
		return
	}
	if n > 0 {
		if c != nil && c.put(t, st.from, st.kind, st.buf[:n]) {
			e.waiting, e.show = true, t+captureDelay
		}
		st.left = st.buf[:n]
		st.silent = 0
		if st.waited >= e.o.times.linger {
			st.late += n
		}
		if n >= pipeSize {
			st.src.grow()
			st.dst.grow()
		}
		if st.dst == nil {
			st.left = nil
		} else if st.dst.ready {
			st.flush()
		}
		return
	}
	st.eof = true // an error (a terminal that went away, a reset) ends it likewise
	if c != nil && st.kind == EntryLine {
		c.put(t, st.from, EntryEOF, nil)
	}
	st.stop()
}

// flush writes what it can without waiting.
func (s *pollStream) flush() {
	n, err := s.dst.write(s.left)
	switch {
	case err == nil:
		s.left = s.left[n:]
	case err == unix.EAGAIN || err == unix.EINTR:
	case s.kind == EntryStderr:
		s.left = nil // it is drained all the same
		s.dst = s.dst.close()
	default:
		s.lost = true
		s.stop() // so that the source is told, as it would be by a pipe
	}
}

// stop ends a stream and says so to both ends.
func (s *pollStream) stop() {
	s.left = nil
	s.src = s.src.close()
	s.dst = s.dst.close()
}

// linger reads what is left in the agent's pipes after its exit, but is not
// held by others that hold them. Time counts only while nothing is there, and
// what lies in a pipe when it is up is still read: as much as a pipe holds.
func (e *pollEngine) linger(s *supervisor, t, passed time.Duration) {
	now := e.o.Start.Add(t)
	for _, st := range e.all {
		if st.read > 0 {
			st.waited += passed
			if !st.came {
				st.silent += passed
			}
		}
		long := st.waited >= e.o.times.linger && (!st.came || st.late >= pipeSizeGrow)
		quiet := st.src != nil && len(st.left) == 0 && (st.silent >= e.o.times.silent || long)
		if quiet || len(st.left) > 0 && s.overdue(now, st.kind == EntryStderr) {
			st.stop()
		}
	}
}

func (e *pollEngine) finished(s *supervisor) bool {
	for _, st := range e.all[1:] {
		if !st.done() {
			return e.o.Process == nil && s.exited()
		}
	}
	return e.o.Process == nil || s.exited()
}

func (e *pollEngine) close() {
	for _, st := range e.all {
		st.stop()
	}
	e.mu.Lock()
	unix.Close(e.bell)
	e.bell = -1
	e.mu.Unlock()
}
