package commands

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

var errNotExist = fs.ErrNotExist

// roots are the directories that served methods stay in, symlinks included:
// the session's cwd and added directories ("SHOULD serve as a boundary for tool
// operations", session setup).
type roots struct{ dirs []rootDir }

type rootDir struct {
	root *os.Root
	// names are the ways to write the directory: as it was given, and with
	// symlinks resolved.
	names []string
}

func openRoots(dirs []string) (*roots, error) {
	r := &roots{}
	for _, d := range dirs {
		root, err := os.OpenRoot(d)
		if err != nil {
			r.close()
			return nil, err
		}
		rd := rootDir{root: root, names: []string{d}}
		if real, err := filepath.EvalSymlinks(d); err == nil && real != d {
			rd.names = append(rd.names, real)
		}
		r.dirs = append(r.dirs, rd)
	}
	return r, nil
}

func (r *roots) close() {
	for _, d := range r.dirs {
		d.root.Close()
	}
}

// find gives the root that a path is in, and the path from there.
func (r *roots) find(path string) (*os.Root, string, error) {
	if !filepath.IsAbs(path) {
		return nil, "", invalidParams("the path is not absolute: %s", path)
	}
	for _, d := range r.dirs {
		for _, name := range d.names {
			if rel, err := filepath.Rel(name, filepath.Clean(path)); err == nil && filepath.IsLocal(rel) {
				return d.root, rel, nil
			}
		}
	}
	return nil, "", invalidParams("outside of the session's directories: %s", path)
}

type fileParams struct {
	Path    string `json:"path"`
	Line    *int   `json:"line"`
	Limit   *int   `json:"limit"`
	Content string `json:"content"`
}

// open opens a regular file and nothing else. It does not block on a FIFO or a
// device.
func (r *roots) open(path string, flag int) (*os.File, error) {
	root, rel, err := r.find(path)
	if err != nil {
		return nil, err
	}
	if flag&os.O_CREATE != 0 {
		if err := root.MkdirAll(filepath.Dir(rel), 0o777); err != nil {
			return nil, fileError(path, err)
		}
	}
	f, err := root.OpenFile(rel, flag|syscall.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, fileError(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("not a regular file: %s", path)
	}
	if err != nil {
		f.Close()
		return nil, fileError(path, err)
	}
	return f, nil
}

// readText serves fs/read_text_file; line counts from 1.
func (r *roots) readText(p fileParams) (any, error) {
	f, err := r.open(p.Path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	text := string(b)
	if p.Line != nil || p.Limit != nil {
		text = someLines(text, p.Line, p.Limit)
	}
	return map[string]string{"content": text}, nil
}

// someLines is limit lines of text from the given one on.
func someLines(text string, line, limit *int) string {
	lines := strings.SplitAfter(text, "\n")
	if line != nil && *line > 1 {
		lines = lines[min(*line-1, len(lines)):]
	}
	if limit != nil && *limit >= 0 && *limit < len(lines) {
		lines = lines[:*limit]
	}
	return strings.Join(lines, "")
}

// writeText serves fs/write_text_file. What stands at the path is looked at
// before it is emptied.
func (r *roots) writeText(p fileParams) (any, error) {
	f, err := r.open(p.Path, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteString(p.Content)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	return struct{}{}, nil
}
