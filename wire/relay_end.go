package wire

import (
	"os"
	"sync"
	"syscall"
	"time"
)

// supervisor knows how a pass-through ends: what signals and the agent's exit
// lead to, and when. The engine asks it after each wake and each time that it
// named.
type supervisor struct {
	o *RelayOptions

	// The shutdown ladder; used by the engine's goroutine alone.
	rung int       // steps taken: 1 begun, 2 SIGTERM, 3 SIGKILL
	due  time.Time // of the next step
	by   os.Signal // the first signal that came
	left time.Time // when the agent was found to have exited

	mu      sync.Mutex
	pending []os.Signal
	exit    *Exit
	wake    func()
	done    chan struct{}
	ended   sync.WaitGroup
}

// newSupervisor starts to listen for signals and for the process's end.
func newSupervisor(o *RelayOptions, wake func()) *supervisor {
	s := &supervisor{o: o, wake: wake, done: make(chan struct{})}
	if o.Signals != nil {
		s.ended.Go(func() { // ends when close closes done
			for {
				select {
				case sig := <-o.Signals:
					s.mu.Lock()
					s.pending = append(s.pending, sig)
					s.mu.Unlock()
					wake()
				case <-s.done:
					return
				}
			}
		})
	}
	if o.Process != nil {
		s.ended.Go(func() { // ends with the process, which run waits for
			exit := o.Process.Wait()
			s.mu.Lock()
			s.exit = &exit
			s.mu.Unlock()
			wake()
		})
	}
	return s
}

// close waits for the supervisor's goroutines.
func (s *supervisor) close() {
	close(s.done)
	s.ended.Wait()
}

// look passes on the signals that came and takes the steps that are due.
func (s *supervisor) look(now time.Time) {
	s.mu.Lock()
	signals := s.pending
	s.pending = nil
	if s.exit != nil && s.left.IsZero() {
		s.left = now
	}
	s.mu.Unlock()
	if !s.left.IsZero() {
		return
	}
	for _, sig := range signals {
		s.signal(sig)
		if s.by == nil {
			s.by = sig
			s.shutdown(now)
		} else {
			s.rung, s.due = 2, now // the second one: at once
		}
	}
	for s.rung > 0 && s.rung < 3 && !now.Before(s.due) {
		s.rung++
		if s.rung == 2 {
			s.signal(syscall.SIGTERM)
			s.due = now.Add(s.o.times.term)
		} else {
			s.signal(os.Kill)
		}
	}
}

func (s *supervisor) signal(sig os.Signal) {
	if s.o.Process != nil {
		s.o.Process.Signal(sig) // it may have ended already
	}
}

// shutdown begins the ladder. After a signal the agent's stdin is closed at
// once; where the agent has closed its stdout, the client, who is told, may
// first say what it has to say.
func (s *supervisor) shutdown(now time.Time) {
	if s.rung == 0 {
		s.rung, s.due = 1, now.Add(s.o.times.stdin)
	}
}

// stopping reports whether the agent's stdin is to be closed, whatever still
// comes from the client.
func (s *supervisor) stopping() bool {
	return s.by != nil || s.rung > 1 || !s.left.IsZero()
}

// exited reports whether there is no process (any more) to wait for. Where the
// agent is no process, the last rung counts as its exit.
func (s *supervisor) exited() bool {
	if s.o.Process == nil {
		return s.rung >= 2
	}
	return !s.left.IsZero()
}

// overdue reports whether our own outputs have had their time: for stderr
// always, for stdout only after a signal, since a client that reads slowly is
// to get the agent's last bytes.
func (s *supervisor) overdue(now time.Time, stderr bool) bool {
	return !s.left.IsZero() && (stderr || s.by != nil) && now.Sub(s.left) >= s.o.times.output
}

// next is when look wants to be called again; zero if that is not known.
func (s *supervisor) next() time.Time {
	switch {
	case !s.left.IsZero():
		return s.left.Add(s.o.times.output)
	case s.rung == 1 || s.rung == 2:
		return s.due
	}
	return time.Time{}
}

func (s *supervisor) processExit() *Exit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exit
}

func (s *supervisor) result() Exit {
	if e := s.processExit(); e != nil {
		return *e
	}
	if s.by != nil {
		return Exit{Signal: signalName(s.by)}
	}
	return Exit{}
}
