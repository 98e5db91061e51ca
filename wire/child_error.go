package wire

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// StartError says that an agent could not be started.
type StartError struct {
	Argv []string
	Err  error
}

func (e *StartError) Error() string {
	var path *fs.PathError
	var lookup *exec.Error
	switch {
	case errors.As(e.Err, &path) && path.Op == "chdir":
		return "cannot start " + e.Argv[0] + " in " + path.Path + ": " + path.Err.Error()
	case errors.Is(e.Err, errInterpreter):
		return "cannot start " + e.Argv[0] + ": " + errInterpreter.Error()
	case errors.As(e.Err, &path):
		return "cannot start " + e.Argv[0] + ": " + path.Err.Error()
	case errors.As(e.Err, &lookup):
		return "cannot start " + e.Argv[0] + ": " + lookup.Err.Error()
	}
	return "cannot start " + e.Argv[0] + ": " + e.Err.Error()
}

// Unwrap gives the system's error.
func (e *StartError) Unwrap() error { return e.Err }

// NotFound says that there is no such program, or none that its first line
// names as its interpreter.
func (e *StartError) NotFound() bool {
	var path *fs.PathError
	if errors.As(e.Err, &path) && path.Op == "chdir" {
		return false
	}
	return errors.Is(e.Err, exec.ErrNotFound) || errors.Is(e.Err, fs.ErrNotExist)
}

// NotExecutable says that the program is there and cannot be executed.
func (e *StartError) NotExecutable() bool {
	var path *fs.PathError
	if errors.As(e.Err, &path) && path.Op == "chdir" {
		return false
	}
	return !e.NotFound() && isNotExecutable(e.Err)
}

// errInterpreter explains the system's "no such file" about a file that is
// there.
var errInterpreter = errors.New("the interpreter that its first line names does not exist")

// startError makes the system's error tell more.
func startError(c Command, err error) *StartError {
	e := &StartError{Argv: c.Argv, Err: err}
	name := c.Argv[0]
	plain := !strings.ContainsRune(name, '/') && filepath.Base(name) == name
	switch {
	case plain && errors.Is(err, exec.ErrNotFound):
		if denied := unexecutable(name); denied != "" {
			e.Err = &fs.PathError{Op: "exec", Path: denied, Err: fs.ErrPermission}
		}
	case c.Dir != "" && dirError(c.Dir) != nil:
		e.Err = &fs.PathError{Op: "chdir", Path: c.Dir, Err: dirError(c.Dir)}
	case e.NotFound():
		if !filepath.IsAbs(name) {
			name = filepath.Join(c.Dir, name)
		}
		if info, statErr := os.Stat(name); statErr == nil && !info.IsDir() {
			e.Err = errors.Join(errInterpreter, err)
		}
	}
	return e
}

// dirError says what keeps a directory from being entered.
func dirError(dir string) error {
	info, err := os.Stat(dir)
	var path *fs.PathError
	switch {
	case errors.As(err, &path):
		return path.Err
	case err == nil && !info.IsDir():
		return syscall.ENOTDIR
	}
	return err
}

// unexecutable finds a file of this name in PATH. The search for programs left
// it out because nobody may execute it; a shell says so, too.
func unexecutable(name string) string {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}
