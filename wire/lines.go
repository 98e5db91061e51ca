package wire

import (
	"fmt"
	"io"
)

// DefaultMaxFrame is how long a line may be where nothing else is said. It is
// far beyond what peers send and only keeps a peer that never ends its line
// from eating all memory.
const DefaultMaxFrame = 256 << 20

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
func (l *LineReader) ReadLine() (Line, error) { return Line{}, errNotBuilt }
