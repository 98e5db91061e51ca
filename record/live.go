package record

import "time"

// The states of a session in a live recording.
const (
	StateRunning        = "running"
	StateRequiresAction = "requires_action"
	StateIdle           = "idle"
	StateExited         = "exited"
)

// Live is what a recording says about a session.
type Live struct {
	Path      string
	Header    *Header
	SessionID string    // "" if the connection has no session yet
	State     string    // one of the State constants
	Since     time.Time // when the state began; zero if the file does not say
	Writing   bool      // a living process holds the file open for writing
}

// LiveState says in which state the session is that the recording at path
// shows; sessionID "" means the one that had traffic last. A recording that
// nobody writes any more is exited, whatever its last entry says.
func LiveState(path, sessionID string) (Live, error) { return Live{}, errNotBuilt }
