package commands

import (
	"context"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// openTerminal opens the console that the process is attached to.
func openTerminal() (*terminal, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		in.Close()
		return nil, err
	}
	return newTerminal(in, out), nil
}

// close leaves in to a read that was given up, and to the process's end.
func (t *terminal) close() {
	t.out.Close()
	if t.lines != nil {
		t.in.Close()
	}
}

// readLine reads what is typed. The end of ctx ends the wait, after which
// nothing else can be read: a console's read has no deadline.
func (t *terminal) readLine(ctx context.Context) (string, error) {
	type answer struct {
		line string
		err  error
	}
	typed := make(chan answer, 1)
	lines := t.lines
	go func() { // ends with the next line that is typed, or with the process
		line, err := lines.ReadString('\n')
		typed <- answer{line, err}
	}()
	select {
	case a := <-typed:
		return a.line, a.err
	case <-ctx.Done():
		t.lines = nil
		return "", ctx.Err()
	}
}

// nobodyReads is what writing to a pipe says whose other end is closed.
func nobodyReads() []syscall.Errno {
	return []syscall.Errno{windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA, windows.ERROR_PIPE_NOT_CONNECTED}
}
