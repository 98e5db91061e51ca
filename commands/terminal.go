package commands

import (
	"bufio"
	"context"
	"os"
	"time"
)

// terminal is where a person is asked, whatever the standard streams are.
type terminal struct {
	in, out *os.File
	lines   *bufio.Reader // of in; nil once a read was given up
}

func newTerminal(in, out *os.File) *terminal {
	return &terminal{in: in, out: out, lines: bufio.NewReader(in)}
}

// hasTerminal says whether there is one.
func hasTerminal() bool {
	t, err := openTerminal()
	if err != nil {
		return false
	}
	t.close()
	return true
}

// readLine reads what is typed. The end of ctx ends the wait. A console of
// Windows and macOS's /dev/tty, which kqueue does not take, have no deadlines:
// there the read is given up, and nothing else can be read.
func (t *terminal) readLine(ctx context.Context) (string, error) {
	type answer struct {
		line string
		err  error
	}
	typed := make(chan answer, 1)
	lines := t.lines
	go func() { // ends at the deadline; without one with the next line, or the process
		line, err := lines.ReadString('\n')
		typed <- answer{line, err}
	}()
	select {
	case a := <-typed:
		return a.line, a.err
	case <-ctx.Done():
		if t.in.SetReadDeadline(time.Now()) == nil {
			<-typed
		} else {
			t.lines = nil
		}
		return "", ctx.Err()
	}
}

// close leaves in to a read that was given up: closing might wait for it.
func (t *terminal) close() {
	if t.out != t.in {
		t.out.Close()
	}
	if t.lines != nil {
		t.in.Close()
	}
}
