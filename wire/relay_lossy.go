package wire

import "sync"

const (
	// lossySize bounds what waits for one lossy observer. One entry is always
	// admitted, however large.
	lossySize = 4 << 20
	// lossyPressure is how much may wait before it is woken at once.
	lossyPressure = 256 << 10
	// lossyShare is the size from which an entry that stays valid is not
	// copied.
	lossyShare = 64 << 10
)

// lossyQueue stands between the drain and one lossy observer, so that a log
// that is stuck holds up neither the traffic nor a recording. It has its own
// goroutine, which ends when end was called and all was shown.
type lossyQueue struct {
	to    Lossy
	awake chan struct{}
	done  chan struct{}

	mu    sync.Mutex
	fill  *lossyBlock
	spare *lossyBlock
	ended bool
}

type lossyBlock struct {
	bytes   []byte
	entries []lossyEntry
	size    int
	dropped int // after the entries
}

// lossyEntry is an entry whose Data, unless shared, are the next n bytes of
// the block.
type lossyEntry struct {
	Entry
	n int
}

func newLossyQueue(to Lossy) *lossyQueue {
	q := &lossyQueue{to: to, awake: make(chan struct{}, 1), done: make(chan struct{}),
		fill: &lossyBlock{}, spare: &lossyBlock{}}
	go q.run()
	return q
}

// put takes an entry, or counts it as dropped. Once one was dropped all are,
// until the observer takes the block: so the count stands at the right place.
func (q *lossyQueue) put(e Entry, kept bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := q.fill
	cost := len(e.Data) + 64
	if b.dropped > 0 || b.size > 0 && b.size+cost > lossySize {
		b.dropped++
		return
	}
	b.size += cost
	x := lossyEntry{Entry: e}
	if !kept || len(e.Data) < lossyShare {
		x.n = len(e.Data)
		b.bytes = append(b.bytes, e.Data...)
		x.Data = nil
	}
	b.entries = append(b.entries, x)
	if b.size >= lossyPressure {
		q.wake()
	}
}

func (q *lossyQueue) wake() {
	select {
	case q.awake <- struct{}{}:
	default:
	}
}

func (q *lossyQueue) end() {
	q.mu.Lock()
	q.ended = true
	q.mu.Unlock()
	q.wake()
}

func (q *lossyQueue) run() {
	defer close(q.done)
	yieldToTraffic()
	for {
		<-q.awake
		q.mu.Lock()
		b, ended := q.fill, q.ended
		q.fill, q.spare = q.spare, nil
		q.mu.Unlock()
		q.show(b)
		clear(b.entries) // lets go of shared data
		*b = lossyBlock{bytes: b.bytes[:0], entries: b.entries[:0]}
		q.mu.Lock()
		q.spare = b
		q.mu.Unlock()
		if ended {
			return
		}
	}
}

func (q *lossyQueue) show(b *lossyBlock) {
	at := 0
	for i := range b.entries {
		e := b.entries[i].Entry
		if n := b.entries[i].n; n > 0 {
			e.Data = b.bytes[at : at+n : at+n]
			at += n
		}
		q.to.Observe(e)
	}
	if b.dropped > 0 {
		q.to.Dropped(b.dropped)
	}
	if f, ok := q.to.(Flusher); ok && len(b.entries)+b.dropped > 0 {
		f.Flush() // it keeps its own error
	}
}
