package wire

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// maxSocketPath is what fits into a socket's address: 108 bytes on Linux, 104
// on macOS, with the zero at the end.
const maxSocketPath = 103

// listenUnix listens on a socket that only its owner can reach at any moment:
// it is bound in a private directory, given its mode, and renamed into place.
// A socket that is there already is replaced only if nobody answers on it.
func listenUnix(address, path string) (*Listener, error) {
	if path == "" {
		return nil, &AddressError{address, "nothing follows unix:"}
	}
	if strings.HasPrefix(path, "///") { // written like a URL
		path = path[2:]
	}
	if len(path) > maxSocketPath {
		return nil, &ListenError{address, errors.New("the path is too long for a socket")}
	}
	if err := clearStale(path); err != nil {
		return nil, &ListenError{address, err}
	}
	dir, err := os.MkdirTemp(filepath.Dir(path), ".acptool-")
	if err != nil {
		return nil, &ListenError{address, bare(err)}
	}
	defer os.RemoveAll(dir)
	private := filepath.Join(dir, "s")
	if len(private) > maxSocketPath {
		return nil, &ListenError{address, errors.New("the path is too long for a socket")}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: private, Net: "unix"})
	if err != nil {
		return nil, &ListenError{address, listenCause(err)}
	}
	l.SetUnlinkOnClose(false) // it has another name by then
	var mine fs.FileInfo
	if err = os.Chmod(private, 0o600); err == nil {
		if err = os.Rename(private, path); err == nil {
			mine, err = os.Lstat(path)
		}
	}
	if err != nil {
		_ = l.Close()
		return nil, &ListenError{address, bare(err)}
	}
	return lineListener(l, address, func() error {
		err := l.Close()
		// Whoever replaced our socket keeps theirs.
		if now, serr := os.Lstat(path); serr == nil && os.SameFile(mine, now) {
			_ = os.Remove(path)
		}
		return err
	}), nil
}

// How long a socket's owner has to answer before the socket counts as stale.
const staleAfter = time.Second

// clearStale makes way for a new socket: one on which nobody answers is
// removed, anything else stays.
func clearStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return bare(err)
	case info.Mode().Type() != fs.ModeSocket:
		return errors.New("a file is there that is no socket")
	}
	conn, err := net.DialTimeout("unix", path, staleAfter)
	if err == nil {
		_ = conn.Close()
		return errors.New("address in use: somebody answers there")
	}
	if !isRefused(err) {
		return errors.New("a socket is there, and it cannot be told whether it is in use: " + listenCause(err).Error())
	}
	return os.Remove(path)
}

// bare takes operation and path off an error of the file system.
func bare(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
