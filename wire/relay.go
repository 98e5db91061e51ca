package wire

import (
	"errors"
	"io"
	"os"
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

	// copying forces one goroutine for each direction, for tests.
	copying bool
}

// Relay passes bytes between client and agent as they come, in the pieces in
// which they come, until the agent has ended, and tells the observers what
// passed. It returns how the agent's process ended.
//
// EOF of the client closes the agent's stdin and nothing else; EOF or exit of
// the agent ends the pass-through after its last bytes.
func Relay(o RelayOptions) (Exit, error) {
	return Exit{}, errors.New("relay: not built yet")
}
