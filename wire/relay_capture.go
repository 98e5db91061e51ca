package wire

import (
	"sync"
	"time"
)

const (
	// captureSize bounds what waits for the observers. Beyond it traffic
	// waits, as it would on a full pipe.
	captureSize = 2 << 20
	// capturePressure is how much may wait before the observers are woken at
	// once.
	capturePressure = 256 << 10
	// captureDelay is how long something may wait for them otherwise. Design:
	// "sinks drain within 10 ms".
	captureDelay = 8 * time.Millisecond
	// captureRead is the room that there must be for another read.
	captureRead = 64 << 10
	// captureOver is how far the bound may be exceeded: in one round each
	// stream may read what roomFor allowed at its beginning.
	captureOver = 512 << 10
	// pieceCost is what a piece counts for beside its bytes, so that a stream
	// of single bytes is bounded too.
	pieceCost = 16
)

// capture holds what has passed until the observers are shown it: one sequence
// for all streams of a connection. It has two blocks; one is filled while the
// other is emptied. Nobody is woken for a single piece: whoever put the first
// one into an empty block sees to it that wake is called within captureDelay.
type capture struct {
	awake chan struct{} // holds an element when the observers shall be shown
	room  func()        // called when there is room again and someone wanted it

	mu     sync.Mutex
	fill   *block
	spare  *block // nil while it is emptied
	exit   Exit   // of the piece of kind EntryExit
	wanted bool
	ended  bool
}

type block struct {
	bytes  []byte
	pieces []piece
}

// piece is one read from one stream. Its bytes stand in the block, behind those
// of the pieces before it.
type piece struct {
	t    time.Duration
	n    int32
	from Party
	kind EntryKind
}

func newCapture(room func()) *capture {
	return &capture{fill: newBlock(), spare: newBlock(), room: room, awake: make(chan struct{}, 1)}
}

// newBlock has room for all that one may hold, so that it is never copied to a
// larger one. What is not used costs nothing: the system gives memory by the
// page when it is first written to.
func newBlock() *block { return &block{bytes: make([]byte, 0, captureSize+captureOver)} }

func (c *capture) free() int {
	return captureSize - len(c.fill.bytes) - pieceCost*(len(c.fill.pieces)+1)
}

// roomFor returns how many bytes the next piece may have. If they are too few
// to be worth a read it returns 0, and room will be called.
func (c *capture) roomFor() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return captureSize
	}
	n := c.free()
	if n < captureRead {
		c.wanted = true
		return 0
	}
	return n
}

// put takes one piece, which roomFor allowed, and reports whether it is the
// first of those that wait.
func (c *capture) put(t time.Duration, from Party, kind EntryKind, p []byte) (first bool) {
	c.mu.Lock()
	if c.ended { // a reader that could not be stopped; nobody is shown this
		c.mu.Unlock()
		return false
	}
	b := c.fill
	first = len(b.pieces) == 0
	b.bytes = append(b.bytes, p...)
	b.pieces = append(b.pieces, piece{t: t, n: int32(len(p)), from: from, kind: kind})
	urgent := len(b.bytes) >= capturePressure || kind == EntryEOF || c.free() < captureRead
	c.mu.Unlock()
	if urgent {
		c.wake()
	}
	return first
}

// end says that nothing more comes, but for how the agent ended if it was a
// process.
func (c *capture) end(t time.Duration, exit *Exit) {
	c.mu.Lock()
	if exit != nil {
		c.exit = *exit
		c.fill.pieces = append(c.fill.pieces, piece{t: t, from: Agent, kind: EntryExit})
	}
	c.ended = true
	c.mu.Unlock()
	c.wake()
}

// wake has the observers shown what there is now.
func (c *capture) wake() {
	select {
	case c.awake <- struct{}{}:
	default:
	}
}

// take gives back the block that it returned last, waits until it is woken,
// and returns what has gathered: nil after the end.
func (c *capture) take(done *block) *block {
	if done != nil {
		done.bytes, done.pieces = done.bytes[:0], done.pieces[:0]
		c.mu.Lock()
		c.spare = done
		c.mu.Unlock()
	}
	for {
		c.mu.Lock()
		ended := c.ended
		c.mu.Unlock()
		if !ended {
			<-c.awake
		}
		c.mu.Lock()
		if len(c.fill.pieces) > 0 {
			b := c.fill
			c.fill, c.spare = c.spare, nil
			wanted := c.wanted
			c.wanted = false
			c.mu.Unlock()
			if wanted {
				c.room()
			}
			return b
		}
		ended = c.ended
		c.mu.Unlock()
		if ended {
			return nil
		}
	}
}
