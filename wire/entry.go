package wire

import "time"

// Party is one of the two ends of a connection.
type Party uint8

const (
	Client Party = iota // the editor's side
	Agent               // the agent's side
)

// String returns "client" or "agent", as recordings spell it.
func (p Party) String() string {
	if p == Agent {
		return "agent"
	}
	return "client"
}

// EntryKind says what happened.
type EntryKind uint8

const (
	EntryLine   EntryKind = iota // a line on the wire: a frame, a batch or noise
	EntryStderr                  // bytes on the agent's stderr
	EntryEOF                     // From closed its sending side
	EntryExit                    // the agent's process ended
)

// Entry is one thing that an observer of a connection sees. Data is the line
// without its end, or the bytes of stderr, and belongs to the caller: an
// Observer that keeps it makes a copy.
type Entry struct {
	T    time.Duration // since the connection began, monotonic; time of the read that completed the line
	From Party
	Kind EntryKind
	Data []byte
	EOL  string // "\n", "\r\n" or "" (the stream ended in the middle of a line)
	Exit Exit   // for EntryExit
}

// Exit is how a process ended: by a status or by a signal.
type Exit struct {
	Code   int    // exit status; meaningless if Signal is set
	Signal string // name such as "SIGKILL", "" if none
}

// Observer is told of all that passes, in order, by one goroutine at a time.
// Observe returns before the next entry is shown; what it does with a full
// disk or a slow reader is its own affair and must not fail the connection.
type Observer interface {
	Observe(Entry)
}
