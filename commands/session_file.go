package commands

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSessionFile is more than any session's id takes: what is longer, or has no
// end as a device has none, is another file that was named by mistake.
const maxSessionFile = 1 << 16

// readSessionFile is the id in --session-file; "" where there is none yet. A
// file that could not be written after the turn is told of before it: by then
// the turn is paid for.
func readSessionFile(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", sessionFileError(probe(name), name)
	case err != nil:
		return "", sessionFileError(err, name)
	case !info.Mode().IsRegular():
		return "", sessionFileError(errors.New("not a regular file"), name)
	case info.Size() > maxSessionFile:
		return "", sessionFileError(errNoSessionID, name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", sessionFileError(err, name)
	}
	id := strings.TrimSpace(string(text))
	if !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl) {
		return "", sessionFileError(errNoSessionID, name)
	}
	return id, nil
}

var errNoSessionID = errors.New("its text is no session id")

func sessionFileError(err error, name string) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // it may name the file beside it
	}
	return ownf(err, "the session file %s", name)
}

// probe says whether a file can be made beside name.
func probe(name string) error {
	f, err := createBeside(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func createBeside(name string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
}

// writeSessionFile writes the id so that nobody ever reads half of it. The
// error names it: the session is there all the same.
func writeSessionFile(name, id string) error {
	f, err := createBeside(name)
	if err != nil {
		return ownf(err, "write the session file for session %s", id)
	}
	_, err = f.WriteString(id + "\n")
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return ownf(err, "write the session file for session %s", id)
	}
	return nil
}
