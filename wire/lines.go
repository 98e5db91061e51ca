package wire

import (
	"bytes"
	"fmt"
	"io"
)

// DefaultMaxFrame is how long a line may be where nothing else is said. It is
// far beyond what peers send and only keeps a peer that never ends its line
// from eating all memory.
const DefaultMaxFrame = 256 << 20

// How much is read at once: usually, and in the middle of a line that did not
// fit into that.
const (
	readSize  = 32 << 10
	chunkSize = 256 << 10
)

// FrameTooLongError is a line beyond the limit. The stream cannot be read
// further: where the next line begins is not known.
type FrameTooLongError struct {
	Limit int64
}

func (e *FrameTooLongError) Error() string {
	return fmt.Sprintf("a line is longer than the limit of %d bytes (--max-frame)", e.Limit)
}

// LineReader cuts a stream into lines at \n and nowhere else: neither a lone
// \r nor U+2028 ends a line. No byte is lost: the concatenation of all lines
// and their ends is the stream.
type LineReader struct {
	r   io.Reader
	max int64
	buf []byte // the read buffer
	pos int    // buf[pos:end] is read and not handed out
	end int
	err error // what the stream ended with; returned once the buffer is empty
}

// NewLineReader reads from r lines of at most max bytes, their end not
// counted. max <= 0 means DefaultMaxFrame.
func NewLineReader(r io.Reader, max int64) *LineReader {
	if max <= 0 {
		max = DefaultMaxFrame
	}
	return &LineReader{r: r, max: max}
}

// ReadLine returns the next line, which is the caller's to keep. At the end
// of the stream: io.EOF, or the error that reading met; *FrameTooLongError.
// What the stream ended with in the middle of a line is a line without an end.
func (l *LineReader) ReadLine() (Line, error) {
	var parts partial
	for {
		if have := l.buf[l.pos:l.end]; len(have) > 0 {
			n := bytes.IndexByte(have, '\n')
			if n < 0 {
				parts.add(have)
				l.pos = l.end
			} else {
				l.pos += n + 1
				line := endLine(parts.join(have[:n]), "\n")
				if int64(len(line.Bytes)) > l.max {
					return Line{}, l.tooLong()
				}
				return line, nil
			}
			// A \r that may belong to the line's end does not count yet.
			if parts.size > l.max+1 {
				return Line{}, l.tooLong()
			}
		}
		if l.err != nil {
			if parts.size == 0 {
				return Line{}, l.err
			}
			if parts.size > l.max {
				return Line{}, l.tooLong()
			}
			return Line{Bytes: parts.join(nil)}, nil
		}
		l.fill(parts.size)
	}
}

// fill reads once. Where a long line is under way it reads in large pieces.
func (l *LineReader) fill(pending int64) {
	size := readSize
	if pending > 0 {
		size = chunkSize
	}
	if len(l.buf) != size {
		l.buf = make([]byte, size)
	}
	l.pos, l.end = 0, 0
	for idle := 0; l.end == 0 && l.err == nil; idle++ {
		l.end, l.err = l.r.Read(l.buf)
		if idle == 100 && l.err == nil {
			l.err = io.ErrNoProgress
		}
	}
}

func (l *LineReader) tooLong() error {
	l.err = &FrameTooLongError{l.max}
	l.pos, l.end = 0, 0
	return l.err
}

func endLine(b []byte, eol string) Line {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return Line{Bytes: b[: n-1 : n-1], EOL: "\r\n"}
	}
	return Line{Bytes: b, EOL: eol}
}

// partial is the beginning of a line whose end is not there yet, in pieces, so
// that a line of any length is copied twice and no more than its own length
// lies around beside it.
type partial struct {
	pieces [][]byte
	size   int64
}

func (p *partial) add(b []byte) {
	p.size += int64(len(b))
	if n := len(p.pieces) - 1; n >= 0 && cap(p.pieces[n])-len(p.pieces[n]) > 0 {
		last := p.pieces[n]
		take := min(cap(last)-len(last), len(b))
		p.pieces[n] = append(last, b[:take]...)
		b = b[take:]
	}
	if len(b) > 0 {
		size := len(b)
		if p.size > readSize {
			size = chunkSize
		}
		p.pieces = append(p.pieces, append(make([]byte, 0, size), b...))
	}
}

// join returns the pieces and rest as one.
func (p *partial) join(rest []byte) []byte {
	line := make([]byte, 0, p.size+int64(len(rest)))
	for i, b := range p.pieces {
		line = append(line, b...)
		p.pieces[i] = nil
	}
	return append(line, rest...)
}
