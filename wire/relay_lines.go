package wire

import (
	"bytes"
	"time"
)

const (
	// defaultMaxLine is the longest line that observers see in one piece.
	defaultMaxLine = 256 << 20
	// lineChunk is the size of the pieces in which a long line is kept. A line
	// grown by doubling would need three times its size at the peak.
	lineChunk = 256 << 10
)

// lineCutter cuts what one party says into lines, for observers. Lines that
// are complete in one piece are shown where they stand, without a copy.
type lineCutter struct {
	from Party
	max  int
	show func(e Entry, kept bool) // kept: e.Data stays valid

	n      int // length of the unfinished line
	short  []byte
	chunks [][]byte // whole chunks before short
}

// add takes the next bytes.
func (l *lineCutter) add(t time.Duration, p []byte) {
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.keep(t, p)
			return
		}
		line := p[:i]
		p = p[i+1:]
		if l.n == 0 {
			l.line(t, line, "\n", false)
			continue
		}
		l.keep(t, line)
		line, kept := l.kept()
		l.line(t, line, "\n", kept)
		l.reset()
	}
}

// end shows what stood after the last line end.
func (l *lineCutter) end(t time.Duration) {
	if l.n == 0 {
		return
	}
	line, kept := l.kept()
	l.line(t, line, "", kept)
	l.reset()
}

// line shows one line; a carriage return before the newline belongs to its end.
func (l *lineCutter) line(t time.Duration, line []byte, eol string, kept bool) {
	if eol == "\n" && len(line) > 0 && line[len(line)-1] == '\r' {
		line, eol = line[:len(line)-1], "\r\n"
	}
	l.show(Entry{T: t, From: l.from, Kind: EntryLine, Data: line, EOL: eol}, kept)
}

// keep adds to the unfinished line.
func (l *lineCutter) keep(t time.Duration, p []byte) {
	for len(p) > 0 {
		if l.n >= l.max {
			l.end(t)
		}
		if len(l.short) == lineChunk {
			chunk := newChunk()
			l.chunks = append(l.chunks, append(chunk, l.short...))
			l.short = l.short[:0]
		}
		n := min(len(p), lineChunk-len(l.short), l.max-l.n)
		l.short = append(l.short, p[:n]...)
		l.n += n
		p = p[n:]
	}
}

// kept returns the unfinished line in one piece, and whether that piece is its
// own. The chunks are given back one by one, while the line's memory comes into
// use: the line is held about once.
func (l *lineCutter) kept() ([]byte, bool) {
	if len(l.chunks) == 0 {
		return l.short, false
	}
	line := make([]byte, 0, l.n)
	for i, c := range l.chunks {
		line = append(line, c...)
		freeChunk(c)
		l.chunks[i] = nil
	}
	l.chunks = l.chunks[:0]
	return append(line, l.short...), true
}

func (l *lineCutter) reset() {
	l.n = 0
	l.short = l.short[:0]
}
