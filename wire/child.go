package wire

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
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

// StartError says that an agent could not be started.
type StartError struct {
	Argv []string
	Err  error
}

func (e *StartError) Error() string {
	err := e.Err
	var pe *fs.PathError
	var ee *exec.Error
	if errors.As(err, &pe) {
		err = pe.Err
	} else if errors.As(err, &ee) {
		err = ee.Err
	}
	return "cannot start " + e.Argv[0] + ": " + err.Error()
}
func (e *StartError) Unwrap() error { return e.Err }

// NotFound says that there is no such program.
func (e *StartError) NotFound() bool {
	return errors.Is(e.Err, exec.ErrNotFound) || errors.Is(e.Err, fs.ErrNotExist)
}

// NotExecutable says that the program is there and cannot be executed.
func (e *StartError) NotExecutable() bool { return !e.NotFound() && isNotExecutable(e.Err) }

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
	if ch.guard == nil {
		ch.guard, _ = StartGuard() // without one, only our own sudden death goes unguarded
		ch.ownGuard = true
	}
	started := make(chan error, 1)
	go ch.run(p.command(c), started) // ends with the process
	err = <-started
	p.closeTheirs()
	if err != nil {
		p.closeOurs()
		if ch.ownGuard {
			_ = ch.guard.Close()
		}
		return nil, &StartError{c.Argv, err}
	}
	ch.readStreams(c)
	return ch, nil
}

// run starts the process and waits for it, on one goroutine that keeps its OS
// thread: the parent-death signal is sent when the thread that started the
// child ends, not when the process does.
func (c *Child) run(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s, err := startInSession(cmd)
	if err == nil {
		c.session = s
		c.guard.watch(s)
	}
	started <- err
	if err != nil {
		return
	}
	_ = cmd.Wait()
	c.exit = exitOf(cmd.ProcessState)
	c.exitTime = time.Now()
	close(c.exited)
}

// readStreams begins to read what the agent writes, unless the caller does.
func (c *Child) readStreams(cmd Command) {
	if c.raw {
		close(c.stderrDone)
		return
	}
	c.lines = NewLineReader(&lastWords{f: c.Stdout, c: c}, cmd.MaxFrame)
	if c.Stderr == nil {
		close(c.stderrDone)
	} else {
		go c.readStderr(cmd.Stderr) // ends with stderr, or soon after the process
	}
	go func() { // ends right after the process
		<-c.exited
		until := time.Now().Add(c.patience.Silence)
		_ = c.Stdout.SetReadDeadline(until)
		if c.Stderr != nil {
			_ = c.Stderr.SetReadDeadline(until)
		}
	}()
}

func (c *Child) readStderr(tell func([]byte)) {
	defer close(c.stderrDone)
	r := &lastWords{f: c.Stderr, c: c}
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		if n > 0 {
			c.tail.write(buf[:n])
			if tell != nil {
				tell(buf[:n])
			}
		}
		if err != nil {
			return
		}
	}
}

// lastWords reads one of the agent's streams to its end; once the agent has
// exited, silence is an end too, since its children may hold the pipe for ever.
type lastWords struct {
	f *os.File
	c *Child
}

func (r *lastWords) Read(b []byte) (int, error) {
	n, err := r.f.Read(b)
	select {
	case <-r.c.exited:
		until := time.Now().Add(r.c.patience.Silence)
		if last := r.c.exitTime.Add(r.c.patience.Drain); until.After(last) {
			until = last
		}
		_ = r.f.SetReadDeadline(until)
	default:
	}
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// ReadLine is Transport's.
func (c *Child) ReadLine() (Line, error) { return c.lines.ReadLine() }

// WriteMessage is Transport's. One write per message, so that messages of
// several goroutines never mix.
func (c *Child) WriteMessage(msg []byte) error {
	line := make([]byte, 0, len(msg)+1)
	line = append(append(line, msg...), '\n')
	_, err := c.Stdin.Write(line)
	return err
}

// CloseStdin tells the agent that nothing more will come. Safe to repeat.
func (c *Child) CloseStdin() error {
	var err error
	c.stdinOnce.Do(func() { err = c.Stdin.Close() })
	return err
}

// Signal sends a signal to the agent's process group.
func (c *Child) Signal(sig os.Signal) error { return c.session.signal(sig) }

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
func (c *Child) Address() string {
	words := make([]string, len(c.argv))
	for i, w := range c.argv {
		words[i] = quote(w)
	}
	return strings.Join(words, " ")
}

// quote writes a word as a POSIX shell reads it.
func quote(w string) string {
	if w != "" && !strings.ContainsFunc(w, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-", r)
	}) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

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
