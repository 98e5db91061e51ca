// Package commands holds one file per subcommand of acptool and what they
// share: the command line, the flag groups, the exit statuses.
package commands

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/acptool/acptool/wire"
)

// Streams are the process's own standard streams. They are files, since some
// commands hand their descriptors on or ask whether they are terminals.
type Streams struct{ In, Out, Err *os.File }

// Main runs the tool with the given arguments (args[0] is the program's name)
// and returns its exit status.
func Main(args []string, std Streams) int {
	wire.RunGuardIfAsked()
	e := newEnv(std, os.Getenv)
	if onlyVersion(args[1:]) {
		// There is nothing that a signal would have to end in order, nor a tree
		// of commands to be asked.
		catchPipe()
		return int(e.finish(e.version()))
	}
	s := watchSignals(context.Background())
	defer s.end()
	e.hard = s.hard
	done := make(chan Exit, 1)
	// This goroutine ends with the command, or with the process where the
	// command hangs in a write to a stream of ours that nobody reads.
	go func() { done <- e.finish(e.run(s.soft, args[1:])) }()
	return int(e.await(done, s))
}

// await waits for the command, but after a signal not for ever: except for one
// that passes signals on, since the agent decides what they mean.
func (e *env) await(done <-chan Exit, s stops) Exit {
	select {
	case x := <-done:
		return x
	case <-s.soft.Done():
	}
	if e.passes.Load() {
		return <-done
	}
	patience := time.NewTimer(graceFirst)
	defer patience.Stop()
	hard := s.hard.Done()
	for {
		select {
		case x := <-done:
			return x
		case <-hard:
			hard = nil
			patience.Reset(graceSecond)
		case <-patience.C:
			var sig *signalError
			if errors.As(context.Cause(s.soft), &sig) {
				return sig.exit()
			}
			return ExitOwnFailure
		}
	}
}
