package commands

import (
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

// nobodyReads is what writing to a pipe says whose other end is closed.
func nobodyReads() []syscall.Errno {
	return []syscall.Errno{windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA, windows.ERROR_PIPE_NOT_CONNECTED}
}
