package pretty

import (
	"time"

	"github.com/acptool/acptool/wire"
)

// Connection is what is known of a connection before its first entry: the
// header of a recording, or the command that was just started.
type Connection struct {
	Number  int       // 0, 1, … in a recording that holds several
	Name    string    // shown where several are seen at once
	Started time.Time // wall clock of T = 0; zero if not known
	Agent   []string  // command line, or one word with the address
}

// Sink consumes entries and shows them in its own form: the log, a filter, the
// statistics, the pictures. Begin starts a connection (its request ids and
// times are its own); a sink that was never told of one assumes a nameless one.
// Flush hands what was written so far to the writer below; Close writes what
// can only be known at the end. Frame is Observe for a line that is known to be
// valid JSON (a recording says so), which spares checking it again. Errors of that writer come from both, the first
// one again and again.
type Sink interface {
	wire.Observer
	Begin(Connection)
	Frame(wire.Entry)
	Flush() error
	Close() error
}
