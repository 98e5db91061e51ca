//go:build unix

package commands

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
)

// TestAQuestionEndsWithItsContext: also where reads have no deadline, as on
// macOS's /dev/tty, for which a pipe stands that was opened to block.
func TestAQuestionEndsWithItsContext(t *testing.T) {
	for name, open := range map[string]func() (r, w *os.File, err error){
		"with a deadline": os.Pipe,
		"without": func() (r, w *os.File, err error) {
			var fds [2]int
			if err := syscall.Pipe(fds[:]); err != nil {
				return nil, nil, err
			}
			return os.NewFile(uintptr(fds[0]), "blocking"), os.NewFile(uintptr(fds[1]), "blocking"), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			in, typist, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			defer typist.Close() // ends the read that was given up
			tty := newTerminal(in, in)
			typist.WriteString("1\n")
			if line, err := tty.readLine(t.Context()); err != nil || line != "1\n" {
				t.Errorf("got %q, %v", line, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if line, err := tty.readLine(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("got %q, %v; want the context's end", line, err)
			}
			tty.close()
		})
	}
}
