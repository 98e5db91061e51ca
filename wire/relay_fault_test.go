package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// stuck is an observer that hangs in its first call until it is released.
type stuck struct {
	tape
	once    sync.Once
	hangs   chan struct{}
	release chan struct{}
}

func newStuck() *stuck { return &stuck{hangs: make(chan struct{}), release: make(chan struct{})} }

func (o *stuck) Observe(e Entry) {
	o.once.Do(func() { close(o.hangs) })
	<-o.release
	o.tape.Observe(e)
}

// stuckLog is one that may lose entries.
type stuckLog struct {
	*stuck
	dropped []int // how many, and after how many entries: in turns
}

func (o *stuckLog) Dropped(n int) { o.dropped = append(o.dropped, len(o.entries), n) }

// A log that hangs stalls neither the traffic nor a recording, and is told in
// the end how much it missed.
func TestRelayLogThatHangsLosesEntries(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		log, rec := &stuckLog{stuck: newStuck()}, &tape{}
		o.Observers = []Observer{log, rec}
		s := play(t, o)
		line := strings.Repeat("x", 1<<10-1) + "\n"
		const n = 16 << 10
		got := readFile(s.fromAgent)
		for range n {
			s.write(s.stdout, line)
		}
		s.exit(Exit{})
		if b := <-got; len(b) != n*len(line) {
			t.Errorf("client got %d bytes", len(b))
		}
		<-log.hangs
		close(log.release)
		s.wait()
		lines := strings.Count(rec.kinds(), "agent line")
		if lines != n {
			t.Errorf("the recording has %d lines of %d", lines, n)
		}
		sum := len(log.entries)
		for i := 1; i < len(log.dropped); i += 2 {
			sum += log.dropped[i]
		}
		if want := len(rec.entries); sum != want || len(log.dropped) == 0 {
			t.Errorf("the log knows of %d entries of %d; dropped: %v", sum, want, log.dropped)
		}
	})
}

// A log that never comes back does not keep us from ending.
func TestRelayEndsWithoutALogThatHangs(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		log := &stuckLog{stuck: newStuck()}
		defer close(log.release)
		o.Observers = []Observer{log}
		o.times = soon
		s := play(t, o)
		s.write(s.stdout, "x\n")
		s.exit(Exit{})
		s.wait()
	})
}

// writeUntilFull writes until nobody has taken anything for a moment, and
// returns how much was taken.
func writeUntilFull(t *testing.T, f *os.File, piece []byte) int {
	t.Helper()
	total := 0
	for {
		if err := f.SetWriteDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		n, err := f.Write(piece)
		total += n
		if errors.Is(err, os.ErrDeadlineExceeded) {
			f.SetWriteDeadline(time.Time{})
			return total
		}
		if err != nil || total > 1<<30 {
			t.Fatalf("wrote %d bytes, then %v", total, err)
		}
	}
}

// A recording is lossless: when it cannot keep up, traffic waits.
func TestRelayRecordingHoldsTrafficBack(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		rec := newStuck()
		o.Observers = []Observer{rec}
		s := play(t, o)
		got := readFile(s.stdin)
		taken := writeUntilFull(t, s.toAgent, bytes.Repeat([]byte("0123456\n"), 1<<10))
		if taken > 16<<20 {
			t.Errorf("%d bytes were taken", taken)
		}
		close(rec.release)
		s.toAgent.Close()
		if b := <-got; len(b) != taken {
			t.Errorf("agent got %d bytes of %d", len(b), taken)
		}
		s.exit(Exit{})
		s.wait()
		if n := len(rec.bytes(Client, EntryLine)); n != taken {
			t.Errorf("recorded %d bytes of %d", n, taken)
		}
	})
}

// Back-pressure reaches the sender: a client that has stopped reading costs no
// memory, and does not hold up what it says itself.
func TestRelayClientThatStoppedReading(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.Observers = []Observer{&tape{}}
		s := play(t, o)
		taken := writeUntilFull(t, s.stdout, make([]byte, 32<<10))
		if taken > 8<<20 {
			t.Errorf("%d bytes were taken", taken)
		}
		for range 100 {
			s.write(s.toAgent, "still here\n")
			if got := s.read(s.stdin, 11); got != "still here\n" {
				t.Fatalf("agent got %q", got)
			}
		}
		got := readFile(s.fromAgent)
		s.exit(Exit{})
		if b := <-got; len(b) != taken {
			t.Errorf("client got %d bytes of %d", len(b), taken)
		}
		s.wait()
	})
}

// One frame is always admitted, however large, and is shown in one piece.
func TestRelayFrameOf64MiB(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		seen := &tape{}
		o.Observers = []Observer{seen}
		s := play(t, o)
		frame := make([]byte, 64<<20)
		for i := range frame {
			frame[i] = byte('a' + i%23)
		}
		frame[len(frame)-1] = '\n'
		got := readFile(s.fromAgent)
		s.write(s.stdout, string(frame))
		s.exit(Exit{})
		if b := <-got; !bytes.Equal(b, frame) {
			t.Errorf("client got %d other bytes", len(b))
		}
		s.wait()
		if e := seen.entries[0]; e.EOL != "\n" || !bytes.Equal(e.Data, frame[:len(frame)-1]) {
			t.Errorf("observed %d bytes, end %q", len(e.Data), e.EOL)
		}
	})
}

// A line without end does not fill the memory either.
func TestRelayLineLongerThanTheLimitComesInPieces(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		seen := &tape{}
		o.Observers = []Observer{seen}
		o.MaxLine = 10
		s := play(t, o)
		const text = "0123456789\n01234567890123456789\r\nabcdefghijklm"
		got := readFile(s.fromAgent)
		s.write(s.stdout, text)
		s.exit(Exit{})
		if b := <-got; string(b) != text {
			t.Errorf("client got %q", b)
		}
		s.wait()
		if b := seen.bytes(Agent, EntryLine); b != text {
			t.Errorf("observed %q", b)
		}
		for _, e := range seen.entries {
			if len(e.Data) > 20 { // a whole line may come in one read
				t.Errorf("an entry of %d bytes", len(e.Data))
			}
		}
	})
}

// Nobody reads our stderr: the agent is held up by it as it would be without
// us, but its end is not.
func TestRelayStderrThatNobodyReads(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.times = soon
		s := play(t, o)
		writeUntilFull(t, s.stderr, make([]byte, 32<<10))
		s.write(s.stdout, "x")
		if got := s.read(s.fromAgent, 1); got != "x" {
			t.Errorf("client got %q", got)
		}
		s.exit(Exit{})
		s.wait()
	})
}

// After a signal, a client that does not read does not hold us either.
func TestRelaySignalWhileTheClientDoesNotRead(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.times = soon
		s := play(t, o)
		writeUntilFull(t, s.stdout, make([]byte, 32<<10))
		s.signals <- os.Interrupt
		if got := <-s.process.signals; got != os.Interrupt {
			t.Errorf("signal %v", got)
		}
		s.process.end(Exit{Signal: "SIGINT"})
		if e := s.wait(); e.Signal != "SIGINT" {
			t.Errorf("exit %v", e)
		}
	})
}

// A pass-through between sockets: a half-close stays one.
func TestRelayBetweenSockets(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		seen := &tape{}
		o.Observers = []Observer{seen}
		client, ours := socketPair(t)
		agent, theirs := socketPair(t)
		o.Client, o.Agent = SocketSide(ours), SocketSide(theirs)
		ended := make(chan Exit, 1)
		go func() { // ends with the pass-through
			exit, _ := Relay(o)
			ours.Close()
			theirs.Close()
			ended <- exit
		}()
		big := bytes.Repeat([]byte("0123456789abcde\n"), 1<<16)
		go func() { // ends when all is written
			client.Write(big)
			client.CloseWrite()
		}()
		if b, err := io.ReadAll(agent); err != nil || !bytes.Equal(b, big) {
			t.Errorf("agent got %d bytes, %v", len(b), err)
		}
		go func() { // ends when all is written
			agent.Write(big)
			agent.Close()
		}()
		if b, err := io.ReadAll(client); err != nil || !bytes.Equal(b, big) {
			t.Errorf("client got %d bytes, %v", len(b), err)
		}
		<-ended
		client.Close()
		for _, p := range []Party{Client, Agent} {
			if seen.bytes(p, EntryLine) != string(big) {
				t.Errorf("what the %s said was not observed", p)
			}
		}
	})
}

func socketPair(t *testing.T) (a, b *net.UnixConn) {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "s"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if a, err = net.DialUnix("unix", nil, l.Addr().(*net.UnixAddr)); err != nil {
		t.Fatal(err)
	}
	if b, err = l.AcceptUnix(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// FuzzRelay sends any bytes through, in pieces of any size.
func FuzzRelay(f *testing.F) {
	for _, text := range oddBytes {
		if len(text) < 1<<10 {
			f.Add([]byte(text), []byte(text), uint8(3), uint16(8))
		}
	}
	f.Fuzz(func(t *testing.T, fromClient, fromAgent []byte, piece uint8, limit uint16) {
		seen := &tape{}
		s := play(t, RelayOptions{Observers: []Observer{seen, &stuckLog{stuck: released()}}, MaxLine: int(limit)})
		atAgent, atClient := readFile(s.stdin), readFile(s.fromAgent)
		var writers sync.WaitGroup
		for w, text := range map[*os.File][]byte{s.toAgent: fromClient, s.stdout: fromAgent} {
			writers.Go(func() { // ends when all is written
				for p := text; len(p) > 0; {
					n := min(len(p), 1+int(piece))
					w.Write(p[:n])
					p = p[n:]
				}
				w.Close()
			})
		}
		writers.Wait()
		if b := <-atAgent; !bytes.Equal(b, fromClient) {
			t.Errorf("agent got %q", b)
		}
		s.exit(Exit{})
		if b := <-atClient; !bytes.Equal(b, fromAgent) {
			t.Errorf("client got %q", b)
		}
		s.wait()
		if b := seen.bytes(Client, EntryLine); b != string(fromClient) {
			t.Errorf("observed of the client %q", b)
		}
		if b := seen.bytes(Agent, EntryLine); b != string(fromAgent) {
			t.Errorf("observed of the agent %q", b)
		}
	})
}

func released() *stuck {
	s := newStuck()
	close(s.release)
	return s
}
