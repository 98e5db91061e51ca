package commands

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/acptool/acptool/record"
)

// outFile is the file of -o. It has its name only once all of it is there:
// until then it is written beside that, so that a failure leaves neither half a
// file nor a name that is taken.
type outFile struct {
	*os.File
	name  string // where it goes; "" if it is written in its place
	force bool
}

// createOut makes the file of -o. One that exists is written over with force
// only. A device or a pipe is written to, and so is a file to which growing
// output goes that is to be seen meanwhile.
func createOut(name string, force, growing bool) (*outFile, error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return nil, ownf(&fs.PathError{Op: "open", Path: name, Err: errors.New("is a folder")}, "write to a file")
	case err == nil && !info.Mode().IsRegular():
		return openOut(name, os.O_WRONLY)
	case err == nil && !force:
		return nil, &record.ExistsError{Path: name}
	case growing && force:
		return openOut(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	case growing:
		return openOut(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	}
	place := name
	if err == nil { // a link stays one
		if place, err = filepath.EvalSymlinks(name); err != nil {
			return nil, ownf(err, "write to a file")
		}
	}
	f, terr := createBeside(place)
	if terr != nil && err == nil && info != nil {
		return openOut(name, os.O_WRONLY|os.O_TRUNC) // its folder takes no other
	}
	if terr != nil {
		return nil, ownf(besideOf(terr, name), "write to a file")
	}
	if info != nil {
		_ = f.Chmod(info.Mode().Perm()) // as far as the system has such modes
	}
	return &outFile{f, place, force}, nil
}

func openOut(name string, mode int) (*outFile, error) {
	f, err := os.OpenFile(name, mode, 0o600)
	if err != nil {
		return nil, ownf(err, "write to a file")
	}
	return &outFile{File: f}, nil
}

// besideOf is an error about the file beside name, told of name.
func besideOf(err error, name string) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return &fs.PathError{Op: path.Op, Path: name, Err: path.Err}
	}
	return err
}

// Write is for errors: they name the file that was asked for.
func (f *outFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	if err != nil && f.name != "" {
		err = besideOf(err, f.name)
	}
	return n, err
}

// finish closes the file and gives it its name, or takes it away where what it
// should hold did not come to its end.
func (f *outFile) finish(whole bool) error {
	err := f.Close()
	if f.name == "" {
		return err
	}
	if err == nil && whole {
		err = f.place()
	}
	if err != nil || !whole {
		_ = os.Remove(f.Name())
	}
	return err
}

func (f *outFile) place() error {
	if !f.force {
		// A link is refused where somebody took the name meanwhile.
		err := os.Link(f.Name(), f.name)
		if err == nil {
			return os.Remove(f.Name())
		}
		if errors.Is(err, fs.ErrExist) {
			return &record.ExistsError{Path: f.name}
		}
	}
	return os.Rename(f.Name(), f.name)
}
