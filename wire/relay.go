package wire

import (
	"io"
	"os"
	"runtime"
	"time"
)

// Side is one end of a pass-through: what the party says comes out of In, what
// it is told goes into Out. Closing Out is a half-close: it tells the party
// that nothing more will come, and leaves In open. The pass-through closes
// both when it is done with them.
//
// Files and sockets of the system are read and written by one thread that
// waits for all of them at once, where the system allows (poll(2)); anything
// else by a goroutine for each direction.
type Side struct {
	In  io.ReadCloser
	Out io.WriteCloser
}

// Process is the agent's process, if the agent is one. A *Child is a Process.
type Process interface {
	// Signal sends a signal to the process's group.
	Signal(os.Signal) error
	// Wait waits for the process's end and says how it ended. It may be
	// called more than once.
	Wait() Exit
}

// Lossy is an Observer that is not worth a stall: a log. When it cannot keep
// up, entries are left out, and it is told how many, at the place where they
// would have come.
type Lossy interface {
	Observer
	Dropped(n int)
}

// Flusher is an Observer that gathers what it writes. It is flushed when the
// entries that were there have been shown to it: within 10 ms of the oldest,
// and at once at an EOF, at the end, and when much has gathered.
type Flusher interface {
	Flush() error
}

// RelayOptions say what is passed on to whom.
type RelayOptions struct {
	Client Side
	Agent  Side

	// AgentErr is the agent's stderr, nil if there is none; Err is where its
	// bytes go, nil if they are only observed.
	AgentErr io.ReadCloser
	Err      io.Writer

	// Process is nil where the agent is no process of ours. Then the
	// pass-through ends when the agent closes its side.
	Process Process

	// Signals are passed on to the agent, and the first one begins the
	// shutdown ladder: its stdin is closed, and after 5 s it is ended by
	// SIGTERM, after 2 s more by SIGKILL. A second one takes the last rung.
	Signals <-chan os.Signal

	// Observers are shown each line, each piece of stderr, each end, in the
	// order in which they passed. One that is a Lossy never holds up the
	// traffic; any other does, when more than a few MiB wait for it.
	Observers []Observer

	// Start is the time that entries count from; zero means now.
	Start time.Time

	// MaxLine is the longest line that is shown to observers in one piece
	// (256 MiB if it is 0). A longer one, which is passed on like any other,
	// comes as several entries, all but the last without a line end.
	MaxLine int

	copying bool       // one goroutine for each direction, for tests
	times   relayTimes // shorter ones, for tests
}

// relayTimes are the waits of a pass-through.
type relayTimes struct {
	stdin  time.Duration // from the closing of the agent's stdin to SIGTERM
	term   time.Duration // from SIGTERM to SIGKILL
	silent time.Duration // after the agent's exit: silence on its pipes that ends reading them
	linger time.Duration // after the agent's exit: waiting for its pipes altogether
	output time.Duration // our own exit waits no longer for our stderr or a log
}

// Relay passes bytes between client and agent as they come, in the pieces in
// which they come, until the agent has ended, and tells the observers what
// passed. It returns how the agent's process ended; where there is no process
// and a signal made the end, that signal.
//
// EOF of the client closes the agent's stdin and nothing else, unless the
// client takes nothing more either: then it is gone, and the shutdown ladder
// begins. EOF or exit of the agent ends the pass-through after the agent's last bytes. A client that
// no longer reads makes the agent's writes fail, as if they were connected
// directly. A grandchild that holds the agent's pipes after its exit does not
// hold us.
func Relay(o RelayOptions) (Exit, error) {
	if o.Start.IsZero() {
		o.Start = time.Now()
	}
	if o.MaxLine <= 0 {
		o.MaxLine = defaultMaxLine
	}
	if o.times == (relayTimes{}) {
		o.times = relayTimes{stdin: 5 * time.Second, term: 2 * time.Second,
			silent: time.Second, linger: 5 * time.Second, output: 2 * time.Second}
	}
	// With one processor each read of the one thread would first have to be
	// noticed as blocking by the runtime's monitor, before a sink can run.
	if runtime.GOMAXPROCS(0) < 2 {
		runtime.GOMAXPROCS(2)
	}

	e, err := newEngine(&o)
	if err != nil {
		return Exit{}, err
	}
	s := newSupervisor(&o, e.wake)
	defer s.close()
	if len(o.Observers) == 0 {
		e.run(s, nil)
		return s.result(), nil
	}
	c := newCapture(e.wake)
	drained := make(chan struct{})
	go func() { // ends with the capture, below
		defer close(drained)
		showCaptured(c, &o)
	}()
	e.run(s, c)
	c.end(time.Since(o.Start), s.processExit())
	<-drained
	return s.result(), nil
}

// engine copies the streams of one pass-through.
type engine interface {
	// run copies until the agent has ended and all its bytes are passed on.
	run(*supervisor, *capture)
	// wake makes run look at its supervisor and its capture.
	wake()
}

func newEngine(o *RelayOptions) (engine, error) {
	if !o.copying {
		if e, err := newPollEngine(o); e != nil || err != nil {
			return e, err
		}
	}
	return newCopyEngine(o), nil
}
