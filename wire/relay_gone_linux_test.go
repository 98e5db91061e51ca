package wire

import (
	"net"
	"os"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// A client that was killed leaves no agent behind, even one that ignores EOF
// and says nothing: the system tells that nobody reads any more.
func TestRelayClientThatIsGone(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, order := range []string{"stdin first", "stdout first"} {
		s := play(t, RelayOptions{times: soon})
		s.write(s.toAgent, "q\n")
		if got := s.read(s.stdin, 2); got != "q\n" {
			t.Errorf("agent got %q", got)
		}
		first, second := s.toAgent, s.fromAgent
		if order == "stdout first" {
			first, second = second, first
		}
		first.Close()
		if len(s.process.signals) > 0 {
			t.Errorf("%s: a half-close was taken for the end", order)
		}
		second.Close()
		if got := <-s.process.signals; got != syscall.SIGTERM {
			t.Errorf("%s: signal %v", order, got)
		}
		s.exit(Exit{Signal: "SIGTERM"})
		s.wait()
	}
}

// Node gives its children sockets for pipes.
func TestRelayClientOnSocketsThatIsGone(t *testing.T) {
	defer goleak.VerifyNone(t)
	pair := func() (ours, theirs *os.File) {
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		return os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
	}
	in, toUs := pair()
	out, fromUs := pair()
	stdin, agentIn, _ := os.Pipe()
	agentOut, stdout, _ := os.Pipe()
	p := &playedProcess{signals: make(chan os.Signal, 8), ended: make(chan struct{})}
	result := make(chan error, 1)
	go func() { // ends with the pass-through
		_, err := Relay(RelayOptions{Client: Side{In: in, Out: out}, Agent: Side{In: agentOut, Out: agentIn}, Process: p, times: soon})
		result <- err
	}()
	toUs.Close()
	// The half-close has arrived when the agent sees it.
	if n, _ := stdin.Read(make([]byte, 1)); n != 0 || len(p.signals) > 0 {
		t.Errorf("%d bytes, %d signals", n, len(p.signals))
	}
	fromUs.Close()
	if got := <-p.signals; got != syscall.SIGTERM {
		t.Errorf("signal %v", got)
	}
	stdout.Close()
	stdin.Close()
	p.end(Exit{})
	if err := <-result; err != nil {
		t.Error(err)
	}
}

// A socket that was half-closed and is still read is a client that waits.
func TestRelayClientThatHalfClosesASocket(t *testing.T) {
	defer goleak.VerifyNone(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	stdin, agentIn, _ := os.Pipe()
	agentOut, stdout, _ := os.Pipe()
	p := &playedProcess{signals: make(chan os.Signal, 8), ended: make(chan struct{})}
	result := make(chan error, 1)
	go func() { // ends with the pass-through
		_, err := Relay(RelayOptions{Client: Side{In: server, Out: server}, Agent: Side{In: agentOut, Out: agentIn}, Process: p, times: soon})
		result <- err
	}()
	client.(*net.TCPConn).CloseWrite()
	if n, _ := stdin.Read(make([]byte, 1)); n != 0 {
		t.Errorf("%d bytes", n)
	}
	stdout.WriteString("late\n")
	b := make([]byte, 5)
	if _, err := client.Read(b); err != nil || string(b) != "late\n" || len(p.signals) > 0 {
		t.Errorf("%q, %v, %d signals", b, err, len(p.signals))
	}
	stdout.Close()
	stdin.Close()
	p.end(Exit{})
	if err := <-result; err != nil {
		t.Error(err)
	}
}
