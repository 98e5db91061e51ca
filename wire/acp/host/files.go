package host

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// root is one directory within which files are served. The os package holds
// every access inside it, symbolic links and ".." included.
type root struct {
	dirs []string // its spellings: as given, and with links resolved
	fs   *os.Root
}

func openRoot(dir string) (root, error) {
	r, err := os.OpenRoot(dir)
	if err != nil {
		return root{}, err
	}
	dirs := []string{filepath.Clean(dir)}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dirs[0] {
		dirs = append(dirs, real)
	}
	return root{dirs, r}, nil
}

func (r root) close() { _ = r.fs.Close() }

// find maps an absolute path to the root that holds it and the name in it.
func (h *Host) find(path string) (*os.Root, string, error) {
	if !filepath.IsAbs(path) {
		return nil, "", invalid("path %q is not absolute", path)
	}
	for _, r := range h.roots {
		for _, dir := range r.dirs {
			rel, err := filepath.Rel(dir, filepath.Clean(path))
			if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return r.fs, rel, nil
			}
		}
	}
	return nil, "", invalid("path %q is outside the session's directories", path)
}

// fileError tells a missing file from one that may not be used. The message is
// the one that the official SDK gives to this code, since agents go by its words
// (gemini-cli does).
func fileError(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		data, _ := json.Marshal(map[string]string{"uri": path})
		return &wire.RPCError{Code: acp.CodeNotFound, Message: "Resource not found: " + path, Data: data}
	}
	return failed(path, err)
}

type readParams struct {
	Path  string  `json:"path"`
	Line  *uint64 `json:"line"`  // 1 is the first
	Limit *uint64 `json:"limit"` // how many lines
}

// readTextFile serves fs/read_text_file: the whole file, or limit lines from
// line on.
func (h *Host) readTextFile(p readParams) (any, error) {
	dir, name, err := h.find(p.Path)
	if err != nil {
		return nil, err
	}
	f, err := openRegular(dir, name, os.O_RDONLY)
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	defer f.Close()
	text, err := readLines(f, p.Line, p.Limit, h.o.MaxFile)
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	if !utf8.Valid(text) {
		return nil, failed(p.Path, errors.New("not a text file (not UTF-8)"))
	}
	return map[string]string{"content": string(text)}, nil
}

// readLines reads the lines asked for and no more than max bytes of them.
func readLines(r io.Reader, line, limit *uint64, max int64) ([]byte, error) {
	br := bufio.NewReader(r)
	for skip := deref(line, 1); skip > 1; skip-- {
		if err := skipLine(br); err != nil {
			if err == io.EOF {
				return nil, nil
			}
			return nil, err
		}
	}
	var out []byte
	for lines := uint64(0); limit == nil || lines < *limit; {
		chunk, err := br.ReadSlice('\n')
		if int64(len(out)+len(chunk)) > max {
			return nil, errors.New("too large to be read")
		}
		out = append(out, chunk...)
		switch {
		case err == io.EOF:
			return out, nil
		case err == nil:
			lines++
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
	return out, nil
}

// skipLine reads past one line end, however long the line.
func skipLine(br *bufio.Reader) error {
	for {
		_, err := br.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

func deref(n *uint64, otherwise uint64) uint64 {
	if n == nil {
		return otherwise
	}
	return *n
}

type writeParams struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
}

// writeTextFile serves fs/write_text_file; a missing file is created, and the
// directories above it within the root.
func (h *Host) writeTextFile(p writeParams) (any, error) {
	if p.Content == nil {
		return nil, invalid("content is missing")
	}
	dir, name, err := h.find(p.Path)
	if err != nil {
		return nil, err
	}
	if parent := filepath.Dir(name); parent != "." {
		if err := dir.MkdirAll(parent, 0o777); err != nil {
			return nil, fileError(p.Path, err)
		}
	}
	f, err := openRegular(dir, name, os.O_WRONLY|os.O_CREATE)
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = io.WriteString(f, *p.Content)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fileError(p.Path, err)
	}
	return map[string]any{}, nil
}

// openRegular opens a file that must be a regular one. It never waits: opening
// a FIFO could hold us for ever.
func openRegular(dir *os.Root, name string, flag int) (*os.File, error) {
	f, err := dir.OpenFile(name, flag|openNonblock, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
