package commands

import (
	"bufio"
	"os"
)

// terminal is where a person is asked, whatever the standard streams are.
type terminal struct {
	in, out *os.File
	lines   *bufio.Reader // of in
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
