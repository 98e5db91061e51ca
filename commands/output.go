package commands

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
)

// stdout is our standard output. Its errors say that they are its own, so that
// a closed pipe ends the tool silently with ExitOutputClosed wherever it is
// found out.
type stdout struct{ f *os.File }

// outputError is a failed write to our standard output.
type outputError struct{ err error }

func (o *outputError) Error() string { return "write to standard output: " + o.err.Error() }
func (o *outputError) Unwrap() error { return o.err }

func (s stdout) Write(p []byte) (int, error) {
	n, err := s.f.Write(p)
	if err != nil {
		return n, &outputError{err}
	}
	return n, nil
}

// isOutputClosed says whether err comes from writing to a stdout that nobody
// reads any more.
func isOutputClosed(err error) bool {
	var out *outputError
	return errors.As(err, &out) && errors.Is(out.err, syscall.EPIPE)
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
