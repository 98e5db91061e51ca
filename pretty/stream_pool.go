package pretty

import "sync"

// filterPool runs a filter on several goroutines and writes the results in the
// order of the inputs. Inputs travel in batches, so that handing them over
// costs nothing each; as many batches exist as keep the workers busy, and put
// waits for a free one, so memory does not grow.
type filterPool struct {
	f       *Filter
	batch   *batch // being filled
	work    chan *batch
	pending []*batch // handed over, in order
	free    []*batch
	made    int
	most    int
	workers sync.WaitGroup
}

// batch is a piece of the input and its results.
type batch struct {
	data []byte
	docs []batchDoc
	output
	done chan struct{} // one token when the results are there
}

type batchDoc struct {
	end  int // of its bytes in data
	vars Vars
}

// A batch is handed over when it has so many bytes or inputs.
const (
	batchBytes = 256 << 10
	batchDocs  = 1024
)

func newFilterPool(f *Filter, workers int) *filterPool {
	p := &filterPool{f: f, work: make(chan *batch), most: 3 * workers}
	for range workers {
		ev := newEvaluator(f.prog)
		p.workers.Add(1)
		go p.serve(ev) // ends when work is closed
	}
	return p
}

func (p *filterPool) serve(ev *evaluator) {
	defer p.workers.Done()
	for b := range p.work {
		ev.output = output{out: b.out[:0], errs: b.errs[:0]}
		start := 0
		for i := range b.docs {
			d := &b.docs[i]
			ev.run(b.data[start:d.end], &d.vars)
			start = d.end
		}
		b.output = ev.output
		b.done <- struct{}{}
	}
}

// put takes a copy of an input. It returns what Flush would return if that is
// known already.
func (p *filterPool) put(doc []byte, v *Vars) error {
	if p.batch == nil {
		var err error
		if p.batch, err = p.fresh(); err != nil {
			return err
		}
	}
	b := p.batch
	b.data = append(b.data, doc...)
	b.docs = append(b.docs, batchDoc{end: len(b.data), vars: *v})
	if len(b.data) < batchBytes && len(b.docs) < batchDocs {
		return nil
	}
	return p.hand()
}

// fresh is an empty batch, of those that are done if need be.
func (p *filterPool) fresh() (*batch, error) {
	if len(p.free) == 0 && p.made >= p.most {
		if err := p.collect(); err != nil {
			return nil, err
		}
	}
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b, nil
	}
	p.made++
	return &batch{done: make(chan struct{}, 1)}, nil
}

// hand gives the batch that was filled to a worker.
func (p *filterPool) hand() error {
	b := p.batch
	p.batch = nil
	for {
		select {
		case p.work <- b:
			p.pending = append(p.pending, b)
			return nil
		default:
		}
		// All workers are busy: write what is ready meanwhile.
		if len(p.pending) == 0 {
			p.work <- b
			p.pending = append(p.pending, b)
			return nil
		}
		select {
		case p.work <- b:
			p.pending = append(p.pending, b)
			return nil
		case <-p.pending[0].done:
			if err := p.wrote(); err != nil {
				return err
			}
		}
	}
}

// collect waits for the oldest batch and writes its results.
func (p *filterPool) collect() error {
	<-p.pending[0].done
	return p.wrote()
}

// wrote writes the results of the oldest batch, which is done.
func (p *filterPool) wrote() error {
	b := p.pending[0]
	p.pending = append(p.pending[:0], p.pending[1:]...)
	total := &p.f.eval.output
	total.add(&b.output)
	err := b.writeTo(p.f.prog.o.Out, p.f.prog.o.Err)
	if err == nil && total.halt != nil {
		err = total.halt
	}
	b.data, b.docs = b.data[:0], b.docs[:0]
	b.output = output{out: b.out[:0], errs: b.errs[:0]}
	if cap(b.data) > 8*batchBytes {
		b.data = nil // one huge frame must not be kept for ever
	}
	if cap(b.out) > 8*batchBytes {
		b.out = nil
	}
	p.free = append(p.free, b)
	return err
}

func (p *filterPool) flush() error {
	if p.batch != nil && len(p.batch.docs) > 0 {
		if err := p.hand(); err != nil {
			return err
		}
	}
	for len(p.pending) > 0 {
		if err := p.collect(); err != nil {
			return err
		}
	}
	return nil
}

// close ends the workers and waits for them.
func (p *filterPool) close() {
	close(p.work)
	p.workers.Wait()
	p.pending = nil
}
