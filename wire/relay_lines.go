package wire

import (
	"bytes"
	"time"
)

const (
	// defaultMaxLine is the longest line that observers see in one piece.
	defaultMaxLine = 256 << 20
	// lineShort is the longest line that is gathered in ordinary memory.
	lineShort = 256 << 10
	// lineChunk is the size of the pieces in which a longer one is gathered,
	// unless the system has something better. A line grown by doubling would
	// need three times its size at the peak.
	lineChunk = 1 << 20
	// lineKeep is the longest line whose chunk is kept for the next one.
	lineKeep = 4 << 20
)

// lineCutter cuts what one party says into lines, for observers. Lines that
// are complete in one piece are shown where they stand, without a copy.
type lineCutter struct {
	from Party
	max  int
	show func(e Entry, kept bool) // kept: e.Data stays valid
	room func(size int) []byte    // makes a chunk

	n      int // length of the unfinished line
	short  []byte
	chunks [][]byte // in place of short when the line is long
	spare  []byte
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
		n := min(len(p), l.max-l.n)
		if len(l.chunks) == 0 && l.n+n <= lineShort {
			l.short = append(l.short, p[:n]...)
		} else {
			n = l.keepLong(p[:n])
		}
		l.n += n
		p = p[n:]
	}
}

// keepLong adds what fits into the last chunk.
func (l *lineCutter) keepLong(p []byte) int {
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last]) == cap(l.chunks[last]) {
		c := l.spare
		if l.spare = nil; c == nil {
			c = l.room(l.max - l.n + len(l.short))
		}
		l.chunks = append(l.chunks, c)
		last++
	}
	c := append(l.chunks[last], l.short...) // of the beginning, once
	l.short = l.short[:0]
	n := min(len(p), cap(c)-len(c))
	l.chunks[last] = append(c, p[:n]...)
	return n
}

// kept returns the unfinished line in one piece, and whether that piece stays
// valid. Several chunks are joined and given back one by one, while the line's
// memory comes into use: the line is held about once.
func (l *lineCutter) kept() ([]byte, bool) {
	switch len(l.chunks) {
	case 0:
		return l.short, false
	case 1:
		return l.chunks[0], false
	}
	line := make([]byte, 0, l.n)
	for i, c := range l.chunks {
		line = append(line, c...)
		freeChunk(c)
		l.chunks[i] = nil
	}
	l.chunks = l.chunks[:0]
	return line, true
}

func (l *lineCutter) reset() {
	if len(l.chunks) == 1 && l.n <= lineKeep {
		l.spare = l.chunks[0][:0]
	} else {
		for _, c := range l.chunks {
			freeChunk(c)
		}
	}
	l.n, l.short, l.chunks = 0, l.short[:0], l.chunks[:0]
}

// close gives back what is kept for the next line.
func (l *lineCutter) close() {
	if l.spare != nil {
		freeChunk(l.spare)
		l.spare = nil
	}
}
