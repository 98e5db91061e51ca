package record

import (
	"bytes"
	"io"
	"math"
	"strconv"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// chunkSize is how much is read at once. Lines are views into chunks, which are
// never written to again, so a line stays valid for ever.
const (
	chunkSize  = 256 << 10
	firstChunk = 16 << 10 // many files are small
)

// lineScanner splits a stream at '\n'. Its memory is in proportion to the
// longest line, and that has a limit: a device or a file of zeros may have a
// line without an end.
type lineScanner struct {
	r     io.Reader
	most  int    // bytes of a line at most
	buf   []byte // the chunk, filled up to its length
	start int    // where the next line begins
	seen  int    // buf[start:seen] holds no '\n'
	line  int    // number of the line returned last
	long  bool   // err is that the last line is too long; what is there of it is not given out
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
			if s.start == len(s.buf) || s.long {
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
		// What is looked at ahead may hold whole lines before.
		if last := rest[bytes.LastIndexByte(rest, '\n')+1:]; len(last) > s.most {
			s.long, s.err = true, tooLong(s.line+1+bytes.Count(rest, []byte("\n")), last, s.most)
			return
		}
		size := chunkSize
		if s.buf == nil {
			size = firstChunk
		}
		next := make([]byte, len(rest), max(size, min(2*len(rest), max(len(rest), s.most)+chunkSize)))
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
	for {
		ahead := s.buf[s.start:]
		if k := bytes.IndexByte(ahead, '\n'); k >= 0 {
			line := trimJSON(ahead[:k])
			if end, ok := scan.Check(line, 0, 0); ok && end == len(line) && len(line) > 0 {
				return s.peek(min(n, k+1))
			}
			return s.peek(n)
		}
		if len(ahead) >= n || s.err != nil {
			return s.peek(n)
		}
		s.fill()
	}
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

// lineLimit is how long a line of a recording may be that holds a frame of
// frame bytes (0: the default of connections): as base64 it is longer by a
// third, and its time and its redacted places stand beside it.
func lineLimit(frame int64) int {
	if frame <= 0 {
		frame = wire.DefaultMaxFrame
	}
	frame = min(frame, math.MaxInt/2)
	return int(frame + frame/3 + 64<<10)
}

// LongLineError is the Err of a FormatError for a line beyond the limit. What
// comes after it is not read: where the next line begins may never be known.
type LongLineError struct{ Limit int }

func (e *LongLineError) Error() string {
	return "longer than the limit of " + strconv.Itoa(e.Limit) + " bytes"
}

func tooLong(line int, text []byte, most int) error {
	return &FormatError{Line: line, Text: excerpt(text), Err: &LongLineError{most}}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
