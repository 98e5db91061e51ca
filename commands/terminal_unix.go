//go:build unix

package commands

import (
	"context"
	"os"
	"syscall"
	"time"
)

func openTerminal() (*terminal, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return newTerminal(f, f), nil
}

func (t *terminal) close() { t.in.Close() }

// readLine reads what is typed. The end of ctx ends the wait.
func (t *terminal) readLine(ctx context.Context) (string, error) {
	stop := context.AfterFunc(ctx, func() { t.in.SetReadDeadline(time.Now()) })
	defer stop()
	return t.lines.ReadString('\n')
}

// nobodyReads is what writing to a pipe says whose other end is closed.
func nobodyReads() []syscall.Errno { return []syscall.Errno{syscall.EPIPE} }
