package wire

import (
	"os"
	"os/exec"
	"sync"
)

// pipes are the three streams of a child. They are made here and passed as
// files: exec's own pipes would tie Wait to their readers.
type pipes struct {
	stdin, stdout, stderr     *os.File // our ends
	theirs                    []*os.File
	childIn, childOut, child2 *os.File
}

func newPipes(c Command) (p *pipes, err error) {
	p = &pipes{}
	defer func() {
		if err != nil {
			p.closeTheirs()
			p.closeOurs()
		}
	}()
	if p.childIn, p.stdin, err = os.Pipe(); err != nil {
		return p, err
	}
	p.theirs = append(p.theirs, p.childIn)
	if p.stdout, p.childOut, err = os.Pipe(); err != nil {
		return p, err
	}
	p.theirs = append(p.theirs, p.childOut)
	switch {
	case c.Merge:
		p.child2 = p.childOut
	case c.StderrFile != nil:
		p.child2 = c.StderrFile
	default:
		if p.stderr, p.child2, err = os.Pipe(); err != nil {
			return p, err
		}
		p.theirs = append(p.theirs, p.child2)
	}
	return p, nil
}

// command makes the command that writes and reads the pipes.
func (p *pipes) command(c Command) *exec.Cmd {
	cmd := exec.Command(c.Argv[0], c.Argv[1:]...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.childIn, p.childOut, p.child2
	return cmd
}

func (p *pipes) closeTheirs() { closeFiles(p.theirs...) }
func (p *pipes) closeOurs()   { closeFiles(p.stdin, p.stdout, p.stderr) }

func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// tailSize is how much of an agent's stderr is kept for the day it fails.
const tailSize = 16 << 10

// tail keeps the last of what was written to it, and tells others of it.
type tail struct {
	mu   sync.Mutex
	buf  []byte
	tell []func([]byte)

	telling sync.Mutex // held while others are told, so that each hears all in order
}

func (t *tail) write(b []byte) {
	t.telling.Lock()
	defer t.telling.Unlock()
	t.mu.Lock()
	t.buf = append(t.buf, b...)
	if len(t.buf) > 2*tailSize {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-tailSize:]...)
	}
	tell := t.tell
	t.mu.Unlock()
	for _, f := range tell {
		f(b)
	}
}

// tellTo has f told of what is kept, and of what will be written.
func (t *tail) tellTo(f func([]byte)) {
	t.telling.Lock()
	defer t.telling.Unlock()
	t.mu.Lock()
	t.tell = append(t.tell, f)
	before := append([]byte(nil), t.buf...)
	t.mu.Unlock()
	if len(before) > 0 {
		f(before)
	}
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.buf[max(0, len(t.buf)-tailSize):]...)
}
