package wire

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
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

	// Merge sends the agent's stderr where its stdout goes.
	Merge bool

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
	Orphans time.Duration // for the rest of its session once it has exited, before SIGTERM (500 ms)
	Term    time.Duration // after SIGTERM, before SIGKILL (2 s)
	Silence time.Duration // on its stdout after it exited, if others hold the pipe (1 s)
	Drain   time.Duration // reading its stdout after it exited, at most (5 s)
}

// withDefaults fills in what was left out. A real agent needs 2 s to end
// after its stdin was closed.
func (p Patience) withDefaults() Patience {
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	set(&p.EOF, 5*time.Second)
	set(&p.Orphans, 500*time.Millisecond)
	set(&p.Term, 2*time.Second)
	set(&p.Silence, time.Second)
	set(&p.Drain, 5*time.Second)
	return p
}

// Child is an agent that we started. It is the leader of a session of its
// own. It is a Transport (unless Command.Raw).
type Child struct {
	Stdin  *os.File // we write
	Stdout *os.File // we read
	Stderr *os.File // we read; nil with Command.StderrFile or Merge

	argv     []string
	patience Patience
	session  session
	guard    *Guard
	ownGuard bool

	exited   chan struct{} // closed when the process has ended
	exit     Exit          // set before
	exitTime time.Time

	lines      *LineReader
	reading    atomic.Bool // ReadLine was called
	writing    sync.Mutex
	tail       tail
	stderrDone chan struct{} // closed when stderr was read to its end

	stdinOnce sync.Once
	closeOnce sync.Once
	closed    chan struct{} // closed when Close has done its work
	hurry     chan struct{} // closed when a Close runs out of time
	hurryOnce sync.Once
	raw       bool
}

// StartChild starts an agent. It must be closed. The error is a *StartError.
func StartChild(c Command) (*Child, error) {
	if len(c.Argv) == 0 {
		return nil, &StartError{[]string{""}, exec.ErrNotFound}
	}
	p, err := newPipes(c)
	if err != nil {
		return nil, &StartError{c.Argv, err}
	}
	ch := &Child{
		Stdin: p.stdin, Stdout: p.stdout, Stderr: p.stderr,
		argv: c.Argv, patience: c.Patience.withDefaults(), raw: c.Raw, guard: c.Guard,
		exited: make(chan struct{}), closed: make(chan struct{}), hurry: make(chan struct{}), stderrDone: make(chan struct{}),
	}
	started := make(chan error, 1)
	go ch.run(func() *exec.Cmd { return p.command(c) }, started) // ends with the process
	err = <-started
	p.closeTheirs()
	if err != nil {
		p.closeOurs()
		return nil, startError(c, err)
	}
	ch.readStreams(c)
	return ch, nil
}

// run starts the process and waits for it, on one goroutine that keeps its OS
// thread: the parent-death signal is sent when the thread that started the
// child ends, not when the process does.
func (c *Child) run(command func() *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := command()
	s, err := startInSession(cmd)
	if shell := withShell(command, err); shell != nil {
		cmd = shell
		s, err = startInSession(cmd)
	}
	if err != nil {
		started <- err
		return
	}
	c.session = s
	if c.guard == nil {
		// Started after the agent, which is the slower of the two to get
		// going. Without a guard only our own sudden death goes unguarded.
		c.guard, _ = StartGuard()
		c.ownGuard = true
	}
	c.guard.watch(s)
	started <- nil
	_ = cmd.Wait()
	c.exit = exitOf(cmd.ProcessState)
	c.exitTime = time.Now()
	close(c.exited)
}

// Signal sends a signal to the agent's process group. SIGKILL, after which it
// cannot tidy up itself, also reaches what has left its session.
func (c *Child) Signal(sig os.Signal) error {
	if _, over := c.Exit(); over && c.session.empty() {
		return os.ErrProcessDone // its number may be another's by now
	}
	if sig != os.Kill {
		return c.session.signal(sig)
	}
	strays := c.session.strays()
	err := c.session.signal(sig)
	killAll(strays)
	return err
}

// Exited is closed when the agent's process has ended.
func (c *Child) Exited() <-chan struct{} { return c.exited }

// Wait waits for the end of the agent's process. It may be called more than
// once and from several goroutines.
func (c *Child) Wait() Exit {
	<-c.exited
	return c.exit
}

// Exit is how the process ended, if it has.
func (c *Child) Exit() (Exit, bool) {
	select {
	case <-c.exited:
		return c.exit, true
	default:
		return Exit{}, false
	}
}

// StderrTail is the last of what the agent wrote on stderr. Once the agent has
// exited it is complete.
func (c *Child) StderrTail() []byte {
	select {
	case <-c.exited:
		<-c.stderrDone
	default:
	}
	return c.tail.bytes()
}

// Address is the command line, quoted for a shell where needed.
func (c *Child) Address() string { return QuoteLine(c.argv) }

// Pid is the agent's process id, and the id of its session.
func (c *Child) Pid() int { return c.session.id() }

// Close is the shutdown ladder: close the agent's stdin, wait, SIGTERM to its
// session, wait, SIGKILL, reap. ctx's end skips to SIGKILL.
func (c *Child) Close(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { c.hurryOnce.Do(func() { close(c.hurry) }) })
	defer stop()
	c.closeOnce.Do(func() { go c.climbDown() }) // ends with the ladder
	<-c.closed
	return nil
}
