package record

import (
	"io"
	"time"
)

// Env is what the names of files depend on. Members that are nil or zero mean
// the process's own.
type Env struct {
	Getenv func(string) string
	Stdin  io.Reader // what "-" reads; nil: "-" is an error
	Now    func() time.Time
	PID    int
}

// Taken says what Create does when the file exists already.
type Taken uint8

const (
	TakenRefuse Taken = iota // *ExistsError: client commands
	TakenNext                // the next free name (x-2.acp.jsonl): tap and record, since an editor must get its agent
	TakenForce               // write over it: --force
)

// CreateOptions say where a recording goes.
type CreateOptions struct {
	// Name is the file; "" a new one in the default folder. It may hold
	// {time}, {agent} and {pid}, and begin with "~/".
	Name   string
	Taken  Taken
	Agent  []string // the agent's argv or address
	Tool   string   // name and version of this program
	Start  time.Time
	Writer WriterOptions
	Env    Env
}

// Create makes a new recording (mode 0600), takes the lock that says that it
// is being written, and returns the path that it got.
func Create(o CreateOptions) (*Writer, string, error) { return nil, "", errNotBuilt }

// ExistsError says that the file exists and is not written over.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string { return e.Path + " exists already" }

// Folder is where recordings go by default:
// $XDG_STATE_HOME/acptool/recordings.
func Folder(env Env) (string, error) { return "", errNotBuilt }

// Resolve turns a name that a user gave for reading ("", "@last", "~/x", a
// path) into a path.
func Resolve(name string, env Env) (string, error) { return "", errNotBuilt }

// Open opens a recording for reading: a path, "-" for stdin, "@last" or "" for
// the newest one in the default folder.
func Open(name string, env Env) (*Reader, error) { return nil, errNotBuilt }

// Stored is one recording of the default folder.
type Stored struct {
	Path string
	Size int64
	Mod  time.Time
}

// List returns the recordings in folder, newest first.
func List(folder string) ([]Stored, error) { return nil, errNotBuilt }
