//go:build unix

package commands

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// passedSignals are those that tap and record pass on to the agent.
func passedSignals() []os.Signal {
	return []os.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM}
}

// signalNumber is the signal of a name such as "SIGKILL", 0 if there is none.
func signalNumber(name string) syscall.Signal { return unix.SignalNum(name) }

// surviveFileLimit keeps SIGXFSZ from ending us when a recording meets a limit
// on the size of files (ulimit -f): the write then fails, and traffic goes on.
// The signal is caught and not ignored, since the agent would inherit that.
func surviveFileLimit() (undo func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGXFSZ)
	return func() { signal.Stop(c) }
}

// raise ends this process by a signal, so that whoever waits for us sees what
// ended the agent. It returns if the signal was ignored when we started.
func raise(sig syscall.Signal) {
	if signal.Ignored(sig) {
		return
	}
	signal.Reset(sig)
	if syscall.Kill(os.Getpid(), sig) == nil {
		time.Sleep(time.Second) // it may be delivered to another thread
	}
}
