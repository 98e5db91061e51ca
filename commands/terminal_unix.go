//go:build unix

package commands

import (
	"os"
	"syscall"
)

func openTerminal() (*terminal, error) {
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return newTerminal(f, f), nil
}

// nobodyReads is what writing to a pipe says whose other end is closed.
func nobodyReads() []syscall.Errno { return []syscall.Errno{syscall.EPIPE} }
