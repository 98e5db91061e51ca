package wire

import (
	"io"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	pipeSize     = 64 << 10 // what a pipe holds unless it is asked for more
	pipeSizeGrow = 1 << 20  // the most that the system allows everybody
)

// pollFile is a descriptor of our own for a file or socket that was given to
// us: the Go runtime's poller does not watch it, and nobody else closes it.
type pollFile struct {
	fd    int
	owner io.Closer // what the descriptor was taken from; closed with it
	mode  uint32    // file type bits of stat
	out   bool
	ready bool // write does not block; otherwise only after poll, and little
	grown bool
}

// openPollFile returns nil if x has no descriptor.
func openPollFile(x any, out bool) *pollFile {
	sc, ok := x.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return nil
	}
	f := &pollFile{fd: -1, out: out}
	f.owner, _ = x.(io.Closer)
	raw.Control(func(fd uintptr) {
		f.fd, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 3)
	})
	var st unix.Stat_t
	if f.fd < 0 || err != nil || unix.Fstat(f.fd, &st) != nil {
		return nil
	}
	f.mode = st.Mode & unix.S_IFMT
	if out {
		f.prepare()
	}
	return f
}

// prepare finds a way to write without blocking: two full pipes would
// otherwise hold each other up for ever. The flag O_NONBLOCK belongs to the
// open file, which we share with whoever started us, and must not be set; but
// a pipe can be opened anew.
func (f *pollFile) prepare() {
	flags, err := unix.FcntlInt(uintptr(f.fd), unix.F_GETFL, 0)
	switch {
	case f.mode == unix.S_IFREG, f.mode == unix.S_IFSOCK, err == nil && flags&unix.O_NONBLOCK != 0:
		f.ready = true
	case f.mode == unix.S_IFIFO:
		own, err := unix.Open("/proc/self/fd/"+strconv.Itoa(f.fd), unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err == nil {
			unix.Close(f.fd)
			f.fd, f.ready = own, true
		}
	}
}

// settle closes a file that the descriptor was taken from, unless it is one of
// our standard streams or a socket with two directions: so the runtime's
// poller is not woken by it.
func (f *pollFile) settle() {
	if f == nil || f.mode == unix.S_IFSOCK {
		return
	}
	if file, ok := f.owner.(*os.File); ok && !isStandard(file) {
		file.Close()
		f.owner = nil
	}
}

func isStandard(file *os.File) bool {
	standard := true
	if raw, err := file.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { standard = fd <= 2 })
	}
	return standard
}

// write writes what it can without blocking.
func (f *pollFile) write(p []byte) (int, error) {
	switch {
	case f.mode == unix.S_IFSOCK:
		n, err := unix.SendmsgN(f.fd, p, nil, nil, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
		return n, err
	case !f.ready && len(p) > pipeAtomic:
		p = p[:pipeAtomic]
	}
	return unix.Write(f.fd, p)
}

// pipeAtomic is how much a pipe takes without blocking once poll has said that
// it can be written to (pipe(7), PIPE_BUF).
const pipeAtomic = 4096

// grow makes a pipe larger. That is asked for when one was found to be full: a
// quiet connection shall not use up what the system allows a user.
func (f *pollFile) grow() {
	if f != nil && f.mode == unix.S_IFIFO && !f.grown {
		f.grown = true
		unix.FcntlInt(uintptr(f.fd), unix.F_SETPIPE_SZ, pipeSizeGrow) // where the system allows
	}
}

// close tells the other end that this was all. It returns nil, for whoever
// holds the file.
func (f *pollFile) close() *pollFile {
	if f == nil {
		return nil
	}
	if f.out && f.mode == unix.S_IFSOCK {
		unix.Shutdown(f.fd, unix.SHUT_WR)
	}
	f.release()
	if f.owner != nil {
		f.owner.Close()
	}
	return nil
}

// release gives up the descriptor alone.
func (f *pollFile) release() {
	if f != nil {
		unix.Close(f.fd)
	}
}
