package commands

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"sync/atomic"
	"syscall"
)

// stdout is our standard output. Its errors say that they are its own, so that
// a closed pipe ends the tool silently with ExitOutputClosed wherever it is
// found out. On a terminal, and where stderr is the same file, it knows whether
// it stands in the middle of a line, where a note on stderr would otherwise be
// glued to the text.
type stdout struct {
	f     *os.File
	lines bool         // it is of interest where lines end
	open  *atomic.Bool // the last line that was written has no end
}

func newStdout(f *os.File, shared bool) stdout {
	return stdout{f, shared || isTerminal(f), new(atomic.Bool)}
}

// sameStream says whether two streams end up in the same place, as with 2>&1.
func sameStream(a, b *os.File) bool {
	if a == nil || b == nil {
		return false
	}
	one, err := a.Stat()
	if err != nil {
		return false
	}
	two, err := b.Stat()
	return err == nil && os.SameFile(one, two)
}

// outputError is a failed write to our standard output.
type outputError struct{ err error }

func (o *outputError) Error() string { return "write to standard output: " + o.err.Error() }
func (o *outputError) Unwrap() error { return o.err }

func (s stdout) Write(p []byte) (int, error) {
	n, err := s.f.Write(p)
	if n > 0 && s.lines {
		s.open.Store(p[n-1] != '\n')
	}
	return s.wrote(n, err)
}

// WriteString is Write without a copy.
func (s stdout) WriteString(p string) (int, error) {
	n, err := s.f.WriteString(p)
	if n > 0 && s.lines {
		s.open.Store(p[n-1] != '\n')
	}
	return s.wrote(n, err)
}

func (s stdout) wrote(n int, err error) (int, error) {
	if err != nil {
		return n, &outputError{err}
	}
	return n, nil
}

// isOutputClosed says whether err comes from writing to a stdout that nobody
// reads any more.
func isOutputClosed(err error) bool {
	var out *outputError
	return errors.As(err, &out) && slices.ContainsFunc(nobodyReads(), func(n syscall.Errno) bool { return errors.Is(out.err, n) })
}

// writeLine writes v as one line of JSON.
func writeLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
