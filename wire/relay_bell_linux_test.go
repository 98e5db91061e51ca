package wire

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Whoever rings after the end (the agent's process ended, an observer made
// room) must not write into what has the bell's number by then: it was another
// connection's socket.
func TestRelayBellRungAfterTheEndWritesNowhere(t *testing.T) {
	file := func(f *os.File, err error) *os.File {
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	null := func() *os.File { return file(os.OpenFile(os.DevNull, os.O_RDWR, 0)) }
	e, err := newPollEngine(&RelayOptions{
		Start:  time.Now(),
		Client: Side{In: null(), Out: null()},
		Agent:  Side{In: null(), Out: null()},
	})
	if err != nil || e == nil {
		t.Fatal(e, err)
	}
	poll := e.(*pollEngine)
	bell := poll.bell
	poll.close()

	r, w, err := os.Pipe()
	file(r, err)
	file(w, err)
	same, err := unix.FcntlInt(w.Fd(), unix.F_DUPFD_CLOEXEC, bell)
	if err != nil {
		t.Fatal(err)
	}
	if same != bell {
		unix.Close(same)
		t.Fatalf("the number %d was taken by somebody else", bell)
	}
	poll.wake()
	unix.Close(same)
	w.Close()
	b := make([]byte, 16)
	if n, _ := r.Read(b); n > 0 {
		t.Errorf("%q was written", b[:n])
	}
}
