package record

import (
	"errors"
	"fmt"
	"io"
)

var errNotBuilt = errors.New("not built yet")

// Reader reads a recording, or another tool's capture, entry by entry, in
// memory proportional to the largest entry.
type Reader struct {
	r io.Reader
}

// NewReader reads from r. What r holds is found out by looking at it: our
// format, a foreign capture, plain or packed with gzip or zstd.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// Next returns the next entry, io.EOF at the end, a *VersionError for a file
// from the future, a *FormatError for what cannot be read. The entry's Data
// stays valid and is the caller's.
func (r *Reader) Next() (Entry, error) { return Entry{}, errNotBuilt }

// Header is the header that was read last, nil before the first.
func (r *Reader) Header() *Header { return nil }

// Source is the format that was found; "" before the first call of Next.
func (r *Reader) Source() Source { return "" }

// Truncated says, after io.EOF, that the file ends in the middle of an entry.
func (r *Reader) Truncated() bool { return false }

// Close closes the file if Open opened it.
func (r *Reader) Close() error { return nil }

// FormatError says that a file is no recording, and where that shows.
type FormatError struct {
	Line int    // line of the file, from 1
	Text string // beginning of that line
	Err  error  // what is wrong with it, may be nil
}

func (e *FormatError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("line %d: %v: %s", e.Line, e.Err, e.Text)
	}
	return fmt.Sprintf("line %d: not a recording: %s", e.Line, e.Text)
}

func (e *FormatError) Unwrap() error { return e.Err }

// VersionError says that a recording was written by a newer program.
type VersionError struct {
	Version int
	Tool    string
}

func (e *VersionError) Error() string {
	s := fmt.Sprintf("recording has format version %d; this program reads up to version %d", e.Version, FormatVersion)
	if e.Tool != "" {
		s += " (written by " + e.Tool + ")"
	}
	return s
}
