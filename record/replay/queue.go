package replay

import (
	"errors"
	"io"
	"sync"

	"github.com/acptool/acptool/wire"
)

// queue holds the lines that came and were not looked at yet, without bound:
// while we write, the other side may be writing too, and two full pipes would
// wait for each other for ever.
type queue struct {
	mu    sync.Mutex
	lines [][]byte
	err   error
	wake  chan struct{} // holds a token when something changed
}

// read fills a queue from r on a goroutine that ends with r.
func read(r io.Reader, max int64) *queue {
	q := &queue{wake: make(chan struct{}, 1)}
	go func() {
		lines := wire.NewLineReader(r, max)
		for {
			l, err := lines.ReadLine()
			q.mu.Lock()
			if err != nil {
				q.err = err
			} else {
				q.lines = append(q.lines, l.Bytes)
			}
			q.mu.Unlock()
			select {
			case q.wake <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	return q
}

// take is the next line, nil if there is none now, and then what the stream
// ended with (nil while it goes on).
func (q *queue) take() ([]byte, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.lines) == 0 {
		return nil, q.err
	}
	l := q.lines[0]
	q.lines = q.lines[1:]
	if l == nil {
		l = []byte{}
	}
	return l, nil
}

// plainEnd says whether a stream just ended.
func plainEnd(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe)
}
