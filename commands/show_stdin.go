package commands

import (
	"context"
	"io"
	"os"
)

// endableStdin is our stdin as a reader that ends (io.EOF) when ctx does. The
// goroutine that reads a pipe or a terminal is the one that cannot be ended; it
// goes with the process.
func (e *env) endableStdin(ctx context.Context) io.Reader {
	if info, err := e.In.Stat(); err == nil && info.Mode().IsRegular() {
		return e.In
	}
	return &endable{ctx: ctx, in: e.In}
}

type endable struct {
	ctx  context.Context
	in   *os.File
	got  chan piece
	rest []byte
	err  error
}

type piece struct {
	data []byte
	err  error
}

func (r *endable) Read(p []byte) (int, error) {
	if r.got == nil {
		r.got = make(chan piece)
		go r.pump()
	}
	for len(r.rest) == 0 && r.err == nil {
		select {
		case x := <-r.got:
			r.rest, r.err = x.data, x.err
		case <-r.ctx.Done():
			r.err = io.EOF
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	if n > 0 {
		return n, nil
	}
	return 0, r.err
}

// pump reads until stdin or ctx ends.
func (r *endable) pump() {
	for {
		buf := make([]byte, 64<<10)
		n, err := r.in.Read(buf)
		select {
		case r.got <- piece{buf[:n], err}:
		case <-r.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}
