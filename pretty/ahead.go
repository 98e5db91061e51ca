package pretty

import "github.com/acptool/acptool/wire"

// aheadBatch is how many entries are handed over at once, and aheadBatches how
// many such batches wait at most.
const (
	aheadBatch   = 256
	aheadBatches = 4
)

// Ahead runs a Sink on a goroutine of its own, so that reading a file goes on
// while what was read is shown. It is a Sink; the entries' Data must stay valid,
// as that of a recording's reader does. Close ends the goroutine.
type Ahead struct {
	sink  Sink
	batch []aheadItem
	work  chan aheadWork
	ended chan struct{}
	err   error // of the last flush or of the close
}

type aheadItem struct {
	entry wire.Entry
	begin *Connection
	valid bool
}

type aheadWork struct {
	items []aheadItem
	done  chan error // not nil: flush, and tell
	close bool
}

// NewAhead gives s to a goroutine; nobody else may use it until Close returned.
func NewAhead(s Sink) *Ahead {
	a := &Ahead{sink: s, work: make(chan aheadWork, aheadBatches), ended: make(chan struct{})}
	go a.run() // ends at the work with close
	return a
}

func (a *Ahead) run() {
	defer close(a.ended)
	for w := range a.work {
		for i := range w.items {
			switch it := &w.items[i]; {
			case it.begin != nil:
				a.sink.Begin(*it.begin)
			case it.valid:
				a.sink.Frame(it.entry)
			default:
				a.sink.Observe(it.entry)
			}
		}
		if w.close {
			w.done <- a.sink.Close()
			return
		}
		if w.done != nil {
			w.done <- a.sink.Flush()
		}
	}
}

func (a *Ahead) add(it aheadItem) {
	if a.batch == nil {
		a.batch = make([]aheadItem, 0, aheadBatch)
	}
	if a.batch = append(a.batch, it); len(a.batch) == aheadBatch {
		a.work <- aheadWork{items: a.batch}
		a.batch = nil
	}
}

// Begin starts a connection.
func (a *Ahead) Begin(c Connection) { a.add(aheadItem{begin: &c}) }

// Observe takes one entry.
func (a *Ahead) Observe(e wire.Entry) { a.add(aheadItem{entry: e}) }

// Frame takes a line that is known to be valid JSON.
func (a *Ahead) Frame(e wire.Entry) { a.add(aheadItem{entry: e, valid: true}) }

// Flush waits until the sink has shown and flushed what was taken.
func (a *Ahead) Flush() error { return a.finish(false) }

// Close closes the sink and waits for it.
func (a *Ahead) Close() error { return a.finish(true) }

func (a *Ahead) finish(last bool) error {
	select {
	case <-a.ended: // closed before
		return a.err
	default:
	}
	done := make(chan error, 1)
	a.work <- aheadWork{items: a.batch, done: done, close: last}
	a.batch = nil
	a.err = <-done
	if last {
		<-a.ended
	}
	return a.err
}
