package record

import (
	"io"
	"sync"
)

// aheadEntries is how many entries are handed over at once, and aheadBatches
// how many of such batches are read ahead at most. An entry of a frame's size
// counts for its bytes too, so that memory stays in proportion to the largest.
const (
	aheadEntries = 256
	aheadBytes   = 1 << 20
	aheadBatches = 2
)

// Ahead reads a Reader on a goroutine of its own, while the entries that it
// read before are shown: for files, not for what grows.
type Ahead struct {
	batches chan aheadBatch
	stop    chan struct{}
	once    sync.Once
	batch   aheadBatch
	at      int
}

type aheadBatch struct {
	entries []Entry
	err     error // what ended the file, after the entries
}

// ReadAhead begins to read. From now on the Reader belongs to it, until Next
// has returned an error or Close has returned.
func ReadAhead(r *Reader) *Ahead {
	a := &Ahead{batches: make(chan aheadBatch, aheadBatches), stop: make(chan struct{})}
	// The goroutine ends with the file, or when Close says so.
	go func() {
		defer close(a.batches)
		for {
			b := readBatch(r)
			select {
			case a.batches <- b:
			case <-a.stop:
				return
			}
			if b.err != nil {
				return
			}
		}
	}()
	return a
}

func readBatch(r *Reader) aheadBatch {
	b := aheadBatch{entries: make([]Entry, 0, aheadEntries)}
	for size := 0; len(b.entries) < aheadEntries && size < aheadBytes; {
		e, err := r.Next()
		if err != nil {
			b.err = err
			return b
		}
		size += len(e.Data)
		b.entries = append(b.entries, e)
	}
	return b
}

// Next returns what the Reader's Next returned.
func (a *Ahead) Next() (Entry, error) {
	for a.at == len(a.batch.entries) {
		if a.batch.err != nil {
			return Entry{}, a.batch.err
		}
		b, ok := <-a.batches
		if !ok {
			b.err = io.ErrClosedPipe // after Close
		}
		a.batch, a.at = b, 0
	}
	e := a.batch.entries[a.at]
	a.at++
	return e, nil
}

// Close ends the reading and waits for it.
func (a *Ahead) Close() {
	a.once.Do(func() { close(a.stop) })
	for range a.batches {
	}
}
