package wire

import "time"

// showCaptured shows the observers what has been captured, until its end. It runs on
// a goroutine of its own, which ends when the capture has ended.
func showCaptured(c *capture, o *RelayOptions) {
	yieldToTraffic()
	d := newDrainer(o)
	defer d.close()
	for b := c.take(nil); b != nil; b = c.take(b) {
		at := 0
		for _, p := range b.pieces {
			d.piece(p, b.bytes[at:at+int(p.n)], &c.exit)
			at += int(p.n)
		}
		d.flush()
	}
	d.endLines(time.Since(o.Start))
	d.flush()
}

// drainer turns pieces into entries and hands them out.
type drainer struct {
	lines [2]lineCutter // by Party
	sure  []Observer    // that hold up the traffic when they are slow
	lossy []*lossyQueue
	grace time.Duration // for a lossy one that is stuck at the end
}

func newDrainer(o *RelayOptions) *drainer {
	d := &drainer{grace: o.times.output}
	for _, to := range o.Observers {
		if l, ok := to.(Lossy); ok {
			d.lossy = append(d.lossy, newLossyQueue(l))
		} else {
			d.sure = append(d.sure, to)
		}
	}
	for _, p := range []Party{Client, Agent} {
		d.lines[p] = lineCutter{from: p, max: o.MaxLine, show: d.show, room: newChunk}
	}
	return d
}

func (d *drainer) piece(p piece, data []byte, exit *Exit) {
	switch p.kind {
	case EntryLine:
		d.lines[p.from].add(p.t, data)
	case EntryEOF:
		d.lines[p.from].end(p.t)
		d.show(Entry{T: p.t, From: p.from, Kind: EntryEOF}, false)
	case EntryStderr:
		d.show(Entry{T: p.t, From: p.from, Kind: EntryStderr, Data: data}, false)
	case EntryExit:
		d.endLines(p.t)
		d.show(Entry{T: p.t, From: p.from, Kind: EntryExit, Exit: *exit}, false)
	}
}

// endLines shows the half lines of parties that were not read to their end.
func (d *drainer) endLines(t time.Duration) {
	for i := range d.lines {
		d.lines[i].end(t)
	}
}

func (d *drainer) show(e Entry, kept bool) {
	for _, q := range d.lossy {
		q.put(e, kept)
	}
	for _, o := range d.sure {
		o.Observe(e)
	}
}

// flush is called when all that was captured has been shown.
func (d *drainer) flush() {
	for _, q := range d.lossy {
		q.wake()
	}
	for _, o := range d.sure {
		if f, ok := o.(Flusher); ok {
			f.Flush() // it keeps its own error; the traffic goes on
		}
	}
}

// close ends the queues of the lossy observers and waits for them, though not
// long: one that is stuck in its write is left behind.
func (d *drainer) close() {
	for i := range d.lines {
		d.lines[i].close()
	}
	for _, q := range d.lossy {
		q.end()
	}
	late := time.NewTimer(d.grace)
	defer late.Stop()
	for _, q := range d.lossy {
		select {
		case <-q.done:
		case <-late.C:
			return
		}
	}
}
