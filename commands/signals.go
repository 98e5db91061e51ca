package commands

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// signalError is the cause of a context that a signal ended.
type signalError struct{ sig syscall.Signal }

func (s *signalError) Error() string { return "ended by " + signalName(s.sig) }

// exit is the status a shell gives for a process that the signal ended.
func (s *signalError) exit() Exit { return Exit(128 + int(s.sig)) }

func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGINT:
		return "SIGINT"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGHUP:
		return "SIGHUP"
	case syscall.SIGQUIT:
		return "SIGQUIT"
	}
	return s.String()
}

// How long a command may still take after the first signal (a cancelled turn,
// then the shutdown ladder of the agent) and after the second, before the tool
// ends all the same. A stdout or stderr that nobody reads must not hold us.
const (
	graceFirst  = 16 * time.Second
	graceSecond = 3 * time.Second
)

// stops are the two ends that a run can be put to from outside: soft when the
// first signal comes, so that a turn is cancelled and the agent shut down in
// order; hard when a second one comes.
type stops struct {
	soft, hard context.Context
	end        func()
}

// watchSignals turns SIGINT, SIGTERM and SIGHUP into the ends of two contexts,
// and SIGQUIT (Ctrl-\ on a terminal, whose user waits for nothing any more) into
// both ends at once. A signal that was ignored when we started (nohup) stays
// ignored.
func watchSignals(parent context.Context) stops {
	soft, softEnd := context.WithCancelCause(parent)
	hard, hardEnd := context.WithCancelCause(parent)
	got := make(chan os.Signal, 4)
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			signal.Notify(got, s)
		}
	}
	catchPipe()
	done := make(chan struct{})
	// This goroutine ends when end is called.
	go func() {
		for {
			select {
			case s := <-got:
				cause := &signalError{s.(syscall.Signal)}
				if soft.Err() != nil || s == syscall.SIGQUIT {
					hardEnd(cause)
				}
				softEnd(cause)
			case <-done:
				return
			}
		}
	}()
	// The signals stay caught: the process is about to end with the command's
	// status, and letting go of each costs a change of threads.
	return stops{soft: soft, hard: hard, end: func() {
		close(done)
		softEnd(nil)
		hardEnd(nil)
	}}
}

// catchPipe catches SIGPIPE, so that writing to a closed stdout gives an error
// instead of killing us before the agent is shut down. It is never set to
// ignore, since agents would inherit that.
func catchPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
