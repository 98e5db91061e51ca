package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Taken says what Create does when the file exists already.
type Taken uint8

const (
	TakenRefuse Taken = iota // *ExistsError: client commands
	TakenNext                // the next free name (x-2.acp.jsonl): tap and record, since an editor must get its agent
	TakenForce               // a new file in its place: --force
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
// is being written, writes the header and returns the path that it got. In the
// default folder it keeps the newest recordings and deletes the others.
func Create(o CreateOptions) (*Writer, string, error) {
	if o.Start.IsZero() {
		o.Start = o.Env.now()
	}
	path, taken := o.Name, o.Taken
	folder := ""
	if path == "" {
		var err error
		if folder, err = Folder(o.Env); err != nil {
			return nil, "", err
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, "", err
		}
		path, taken = filepath.Join(folder, defaultPattern), TakenNext
	}
	path, err := o.Env.expand(path, o)
	if err != nil {
		return nil, "", err
	}
	f, path, err := createFile(path, taken)
	if err != nil {
		return nil, "", err
	}
	w := NewWriter(f, Header{Started: o.Start, Tool: o.Tool, Agent: o.Agent, PID: o.Env.pid()}, o.Writer)
	if err := w.Flush(); err != nil {
		return nil, "", err
	}
	if folder != "" {
		prune(folder, path)
	}
	return w, path, nil
}

// ExistsError says that the file exists and is not written over.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string { return e.Path + " exists already" }

// createFile makes the file and locks it. No file of somebody else is ever
// written over: O_EXCL decides, also between two that start at once. What is no
// regular file (/dev/null, a FIFO, /dev/fd/3) is written to as it is.
func createFile(path string, taken Taken) (*os.File, string, error) {
	for n := 1; ; n++ {
		name := numbered(path, n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			lockFile(f)
			return f, name, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, "", err
		}
		info, statErr := os.Stat(name)
		if statErr == nil && !info.Mode().IsRegular() {
			if info.IsDir() {
				return nil, "", fmt.Errorf("%s is a folder", name)
			}
			f, err := os.OpenFile(name, os.O_WRONLY|openNonblock, 0)
			return f, name, err
		}
		switch taken {
		case TakenRefuse:
			return nil, "", &ExistsError{Path: name}
		case TakenForce:
			// Whoever still writes the old file or reads it keeps it.
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, "", err
			}
			n--
		}
	}
}

// numbered puts -2, -3, … before the extension.
func numbered(path string, n int) string {
	if n < 2 {
		return path
	}
	ext := Extension
	if !strings.HasSuffix(path, ext) {
		ext = filepath.Ext(path)
	}
	return strings.TrimSuffix(path, ext) + "-" + strconv.Itoa(n) + ext
}
