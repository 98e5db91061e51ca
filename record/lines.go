package record

import (
	"bytes"
	"io"

	"github.com/acptool/acptool/wire/scan"
)

// chunkSize is how much is read at once. Lines are views into chunks, which are
// never written to again, so a line stays valid for ever.
const (
	chunkSize  = 256 << 10
	firstChunk = 16 << 10 // many files are small
)

// lineScanner splits a stream at '\n'. Its memory is in proportion to the
// longest line.
type lineScanner struct {
	r     io.Reader
	buf   []byte // the chunk, filled up to its length
	start int    // where the next line begins
	seen  int    // buf[start:seen] holds no '\n'
	line  int    // number of the line returned last
	err   error
}

// next returns the next line without its '\n', and whether it had one. The
// last line of the stream may have none; after it comes io.EOF.
func (s *lineScanner) next() ([]byte, bool, error) {
	for {
		if k := bytes.IndexByte(s.buf[s.seen:], '\n'); k >= 0 {
			end := s.seen + k
			line := s.buf[s.start:end:end]
			s.start, s.seen = end+1, end+1
			s.line++
			return line, true, nil
		}
		s.seen = len(s.buf)
		if s.err != nil {
			if s.start == len(s.buf) {
				return nil, false, s.err
			}
			line := s.buf[s.start:len(s.buf):len(s.buf)]
			s.start = len(s.buf)
			s.line++
			return line, false, nil
		}
		s.fill()
	}
}

// fill reads more behind what is there.
func (s *lineScanner) fill() {
	if len(s.buf) == cap(s.buf) {
		rest := s.buf[s.start:]
		size := chunkSize
		if s.buf == nil {
			size = firstChunk
		}
		next := make([]byte, len(rest), max(size, 2*len(rest)))
		copy(next, rest)
		s.buf, s.seen, s.start = next, s.seen-s.start, 0
	}
	for tries := 0; ; tries++ {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		if err != nil {
			s.err = err
		}
		if n > 0 || err != nil {
			return
		}
		if tries > 100 {
			s.err = io.ErrNoProgress
			return
		}
	}
}

// peek returns up to n bytes that come next, without taking them.
func (s *lineScanner) peek(n int) []byte {
	for len(s.buf)-s.start < n && s.err == nil {
		s.fill()
	}
	return s.buf[s.start:min(s.start+n, len(s.buf))]
}

// peekLine is peek, but waits for no more than the first line where that is a
// whole JSON value: a file that grows may have no more yet.
func (s *lineScanner) peekLine(n int) []byte {
	first := s.peekPast(0)
	if line := trimJSON(first); len(line) > 0 {
		if end, ok := scan.Check(line, 0, 0); ok && end == len(line) {
			return s.peek(min(n, len(first)))
		}
	}
	return s.peek(n)
}

// peekPast returns the line, with its end, that begins n bytes ahead, without
// taking it.
func (s *lineScanner) peekPast(n int) []byte {
	for {
		ahead := s.buf[s.start:]
		if len(ahead) > n {
			if k := bytes.IndexByte(ahead[n:], '\n'); k >= 0 {
				return ahead[n : n+k+1]
			}
		}
		if s.err != nil {
			return ahead[min(n, len(ahead)):]
		}
		s.fill()
	}
}

// rest returns all that was not taken yet as a stream.
func (s *lineScanner) rest() io.Reader {
	r := bytes.NewReader(s.buf[s.start:])
	if s.err != nil {
		if s.err == io.EOF {
			return r
		}
		return io.MultiReader(r, failing{s.err})
	}
	return io.MultiReader(r, s.r)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
