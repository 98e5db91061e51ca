package wire

import (
	"context"
	"os"
	"time"
)

// Command says how to start an agent.
type Command struct {
	Argv []string
	Env  []string // as in os.Environ; nil: our own
	Dir  string   // "": our own

	// Stderr is told of all that comes on the agent's stderr, in the pieces
	// in which it comes, by one goroutine. Without it, only the tail is kept.
	Stderr func([]byte)

	// StderrFile, if set, is what the agent writes its stderr to, directly.
	StderrFile *os.File

	// Raw leaves the three streams to the caller (a pass-through): nothing
	// reads them, ReadLine and WriteMessage are not to be used, and the
	// caller closes the files.
	Raw bool

	// MaxFrame is the longest line that ReadLine accepts; 0: DefaultMaxFrame.
	MaxFrame int64

	// Guard watches over the child; nil: a guard of its own.
	Guard *Guard

	Patience Patience
}

// Patience says how long the end of a child is waited for; zero members mean
// the defaults.
type Patience struct {
	EOF     time.Duration // after its stdin was closed, before SIGTERM (5 s)
	Term    time.Duration // after SIGTERM, before SIGKILL (2 s)
	Silence time.Duration // on its stdout after it exited, if others hold the pipe (1 s)
	Drain   time.Duration // reading its stdout after it exited, at most (5 s)
}

// Child is an agent that we started. It is the leader of a session of its
// own. It is a Transport (unless Command.Raw) and a Process.
type Child struct {
	Stdin  *os.File // we write
	Stdout *os.File // we read
	Stderr *os.File // we read; nil with Command.StderrFile
}

// StartError says that an agent could not be started.
type StartError struct {
	Argv []string
	Err  error
}

func (e *StartError) Error() string { return e.Err.Error() }
func (e *StartError) Unwrap() error { return e.Err }

// NotFound says that there is no such program.
func (e *StartError) NotFound() bool { return false }

// NotExecutable says that the program is there and cannot be executed.
func (e *StartError) NotExecutable() bool { return false }

// StartChild starts an agent. It must be closed.
func StartChild(c Command) (*Child, error) { return nil, &StartError{c.Argv, errNotBuilt} }

// ReadLine is Transport's.
func (c *Child) ReadLine() (Line, error) { return Line{}, errNotBuilt }

// WriteMessage is Transport's.
func (c *Child) WriteMessage(msg []byte) error { return errNotBuilt }

// CloseStdin tells the agent that nothing more will come. Safe to repeat.
func (c *Child) CloseStdin() error { return errNotBuilt }

// Close is the shutdown ladder: close the agent's stdin, wait, SIGTERM to its
// session, wait, SIGKILL, reap. ctx's end skips to SIGKILL.
func (c *Child) Close(ctx context.Context) error { return errNotBuilt }

// Signal sends a signal to the agent's process group.
func (c *Child) Signal(sig os.Signal) error { return errNotBuilt }

// Exited is closed when the agent's process has ended.
func (c *Child) Exited() <-chan struct{} { return nil }

// Wait waits for the end of the agent's process. It may be called more than
// once and from several goroutines.
func (c *Child) Wait() Exit { return Exit{} }

// Exit is how the process ended, if it has.
func (c *Child) Exit() (Exit, bool) { return Exit{}, false }

// StderrTail is the last of what the agent wrote on stderr.
func (c *Child) StderrTail() []byte { return nil }

// Address is the command line, quoted for a shell where needed.
func (c *Child) Address() string { return "" }

// Pid is the agent's process id, and the id of its session.
func (c *Child) Pid() int { return 0 }

// Guard is a process of its own that outlives us: when we are killed without
// a chance to clean up, it ends the sessions that it watches over. One guard
// can watch over many children.
type Guard struct{}

// StartGuard starts a guard: this very program once more, which must call
// RunGuardIfAsked first of all.
func StartGuard() (*Guard, error) { return nil, errNotBuilt }

// Close ends the guard.
func (g *Guard) Close() error { return errNotBuilt }

// RunGuardIfAsked makes this process a guard, and ends it, if it was started
// as one by StartGuard. Every program that starts children calls it before
// anything else; so does TestMain of test binaries.
func RunGuardIfAsked() {}
