package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

// pipeline is a row of processes that stand between the ends in and out, each
// one's stdout the next one's stdin.
type pipeline struct {
	in, out *os.File
	procs   []*exec.Cmd
}

// start connects commands by pipes. Its ends block a thread when they block,
// as those of a C program do.
func (b *bench) start(argvs ...[]string) (*pipeline, error) {
	p := &pipeline{}
	next, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	for _, argv := range argvs {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		c := exec.CommandContext(b.ctx, argv[0], argv[1:]...)
		c.Stdin, c.Stdout = next, w
		err = c.Start()
		next.Close()
		w.Close()
		if err != nil {
			return nil, err
		}
		p.procs = append(p.procs, c)
		next = r
	}
	p.out = next
	p.in.Fd() // sets the blocking mode
	p.out.Fd()
	return p, nil
}

// end closes the input, reads the rest and waits for all.
func (p *pipeline) end() error {
	p.in.Close()
	io.Copy(io.Discard, p.out)
	p.out.Close()
	for _, c := range p.procs {
		if err := c.Wait(); err != nil {
			return fmt.Errorf("%s: %w", c, err)
		}
	}
	return nil
}
