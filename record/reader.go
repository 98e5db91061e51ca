package record

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Reader reads a recording, or another tool's capture, entry by entry, in
// memory proportional to the largest entry.
//
// It is patient with what it reads: unknown members and events are passed
// over; blank lines, CRLF, comments, entries that were pretty-printed, missing
// times, a missing header, headers that recur and a file cut off anywhere are
// all fine.
type Reader struct {
	in       io.Reader
	maxFrame int64 // of a line, 0 for the default
	closers  []func() error
	lines    *lineScanner
	decode   decoder
	source   Source
	header   *Header
	conn     int
	any      bool // an entry or a header was read
	last     Entry
	torn     int
	onWait   func()
	err      error
}

// decoder reads one format. It returns the next entries; none is fine.
type decoder interface {
	next() (Entry, error)
}

// NewReader reads from r. What r holds is found out by looking at it: our
// format, a foreign capture, plain or packed with gzip or zstd.
func NewReader(r io.Reader) *Reader { return &Reader{in: r} }

// Next returns the next entry, io.EOF at the end, a *VersionError for a file
// from the future, a *FormatError for what cannot be read. Errors are final.
// The entry's Data stays valid and is the caller's.
func (r *Reader) Next() (Entry, error) {
	if r.err != nil {
		return Entry{}, r.err
	}
	if r.decode == nil {
		if r.err = r.open(); r.err != nil {
			return Entry{}, r.err
		}
	}
	e, err := r.decode.next()
	if err != nil {
		r.err = err
		return Entry{}, err
	}
	if !e.HasT {
		e.T = r.last.T
	}
	e.Conn, e.Header = r.conn, r.header
	r.last.T = e.T
	r.any = true
	return e, nil
}

// begin takes a header: it begins the first connection, or another.
func (r *Reader) begin(h *Header) {
	if r.any {
		r.conn++
	}
	r.any = true
	r.header = h
	r.last = Entry{}
}

// Header is the header that was read last, nil before the first.
func (r *Reader) Header() *Header { return r.header }

// Source is the format that was found; "" before the first call of Next.
func (r *Reader) Source() Source { return r.source }

// Truncated says how many entries were found cut off, as the last one of a
// file is whose writer was killed.
func (r *Reader) Truncated() int { return r.torn }

// Close closes the file if Open opened it.
func (r *Reader) Close() error {
	var err error
	for _, c := range r.closers {
		err = errors.Join(err, c())
	}
	r.closers = nil
	if r.err == nil {
		r.err = io.ErrClosedPipe
	}
	return err
}

// open looks at the beginning of the stream.
func (r *Reader) open() error {
	in := bufio.NewReaderSize(r.in, 16)
	magic, _ := in.Peek(4)
	most := lineLimit(r.maxFrame)
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return &FormatError{Line: 1, Err: err}
		}
		r.lines = &lineScanner{r: cutOff{z}, most: most}
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return &FormatError{Line: 1, Err: err}
		}
		r.closers = append(r.closers, func() error { z.Close(); return nil })
		r.lines = &lineScanner{r: cutOff{z}, most: most}
	default:
		r.lines = &lineScanner{r: in, most: most}
	}
	if bytes.HasPrefix(r.lines.peek(3), []byte("\ufeff")) {
		r.lines.start += 3
	}
	return r.detect()
}

// cutOff takes a packed stream that ends too early for one that ends.
type cutOff struct{ r io.Reader }

func (c cutOff) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

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

// excerpt is the beginning of a line, for an error.
func excerpt(line []byte) string {
	const most = 80
	if len(line) > most {
		return string(validText(line[:most])) + "…"
	}
	return string(validText(line))
}

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
