package wire

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// stage is a pass-through between a client and an agent that the test plays.
type stage struct {
	t *testing.T

	toAgent   *os.File // the client's ends
	fromAgent *os.File
	stdin     *os.File // the agent's ends
	stdout    *os.File
	stderr    *os.File
	errOut    *os.File // where the agent's stderr arrives

	process *playedProcess
	signals chan os.Signal
	result  chan Exit
}

type playedProcess struct {
	signals chan os.Signal
	once    sync.Once
	ended   chan struct{}
	exit    Exit
}

func (p *playedProcess) Signal(s os.Signal) error { p.signals <- s; return nil }
func (p *playedProcess) Wait() Exit               { <-p.ended; return p.exit }
func (p *playedProcess) end(e Exit)               { p.once.Do(func() { p.exit = e; close(p.ended) }) }

// soon are the waits of tests in which they shall run out.
var soon = relayTimes{stdin: time.Millisecond, term: time.Millisecond,
	silent: 20 * time.Millisecond, linger: 100 * time.Millisecond, output: 20 * time.Millisecond}

// onEngines runs a test with each way of copying.
func onEngines(t *testing.T, test func(t *testing.T, o RelayOptions)) {
	for _, copying := range []bool{false, true} {
		t.Run(fmt.Sprintf("copying=%v", copying), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			test(t, RelayOptions{copying: copying})
		})
	}
}

// play starts a pass-through. The test ends it with s.wait.
func play(t *testing.T, o RelayOptions) *stage {
	t.Helper()
	s := &stage{t: t, result: make(chan Exit, 1), signals: make(chan os.Signal, 3),
		process: &playedProcess{signals: make(chan os.Signal, 8), ended: make(chan struct{})}}
	var ours [5]*os.File
	ours[0], s.toAgent = s.pipe()
	s.fromAgent, ours[1] = s.pipe()
	s.stdin, ours[2] = s.pipe()
	ours[3], s.stdout = s.pipe()
	ours[4], s.stderr = s.pipe()
	var errIn *os.File
	s.errOut, errIn = s.pipe()
	o.Client = Side{In: ours[0], Out: ours[1]}
	o.Agent = Side{In: ours[3], Out: ours[2]}
	o.AgentErr, o.Err = ours[4], errIn
	o.Process, o.Signals = s.process, s.signals
	go func() {
		exit, err := Relay(o)
		if err != nil {
			t.Error(err)
		}
		errIn.Close()
		s.result <- exit
	}()
	return s
}

func (s *stage) pipe() (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// exit plays the agent's orderly end.
func (s *stage) exit(e Exit) {
	s.stdout.Close()
	s.stderr.Close()
	s.stdin.Close()
	s.process.end(e)
}

func (s *stage) wait() Exit {
	s.t.Helper()
	select {
	case e := <-s.result:
		return e
	case <-time.After(30 * time.Second):
		s.t.Fatal("the pass-through does not end")
		panic("unreachable")
	}
}

func (s *stage) write(f *os.File, p string) {
	s.t.Helper()
	if _, err := io.WriteString(f, p); err != nil {
		s.t.Error(err)
	}
}

// read reads exactly n bytes.
func (s *stage) read(f *os.File, n int) string {
	s.t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(f, b); err != nil {
		s.t.Error(err)
	}
	return string(b)
}

func readFile(f *os.File) <-chan []byte {
	c := make(chan []byte, 1)
	go func() { // ends at EOF
		b, _ := io.ReadAll(f)
		c <- b
	}()
	return c
}

// tape is an observer that keeps all.
type tape struct {
	mu      sync.Mutex
	entries []Entry
}

func (o *tape) Observe(e Entry) {
	e.Data = bytes.Clone(e.Data)
	o.mu.Lock()
	o.entries = append(o.entries, e)
	o.mu.Unlock()
}

// bytes puts together again what one party said.
func (o *tape) bytes(from Party, kind EntryKind) string {
	var b strings.Builder
	for _, e := range o.entries {
		if e.From == from && e.Kind == kind {
			b.Write(e.Data)
			b.WriteString(e.EOL)
		}
	}
	return b.String()
}

// kinds tells the story in short: who did what.
func (o *tape) kinds() string {
	names := map[EntryKind]string{EntryLine: "line", EntryStderr: "stderr", EntryEOF: "eof", EntryExit: "exit"}
	var w []string
	for _, e := range o.entries {
		w = append(w, e.From.String()+" "+names[e.Kind])
	}
	return strings.Join(w, ", ")
}

var oddBytes = map[string]string{
	"empty":              "",
	"invalid UTF-8":      "{\"a\":\"\xff\xfe\xc3\"}\n",
	"CRLF":               "{\"a\":1}\r\n\r\n{}\r\n",
	"lone CR":            "a\rb\r\r\n\r",
	"NUL":                "\x00\n\x00\x00{}\n",
	"blank lines":        "\n\n\n",
	"half a line":        `{"jsonrpc":`,
	"no final newline":   "{}\n{}",
	"line separators":    "{\"a\":\"\u2028\u2029\u0085\"}\n",
	"duplicate keys":     `{"a":1,"a":1.50,"a":9007199254740993}` + "\n",
	"larger than a pipe": strings.Repeat("0123456789abcdef", 40<<10) + "\n{}\n",
	"many lines":         strings.Repeat("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n", 20<<10),
	"lines as long as a limit": strings.Repeat("x", lineShort-1) + "\r\n" + strings.Repeat("y", lineShort) +
		"\r\n" + strings.Repeat("z", lineShort+1) + "\r\n" + strings.Repeat("x", 2*lineChunk) + "\n" +
		strings.Repeat("x", 2*lineChunk+1) + "\r",
}

func TestRelayPassesEveryByte(t *testing.T) {
	for name, text := range oddBytes {
		t.Run(name, func(t *testing.T) {
			onEngines(t, func(t *testing.T, o RelayOptions) {
				seen := &tape{}
				o.Observers = []Observer{seen}
				s := play(t, o)
				atAgent, atClient, atErr := readFile(s.stdin), readFile(s.fromAgent), readFile(s.errOut)
				var writers sync.WaitGroup
				for _, f := range []*os.File{s.toAgent, s.stdout, s.stderr} {
					writers.Go(func() { s.write(f, text); f.Close() })
				}
				writers.Wait()
				if got := string(<-atAgent); got != text {
					t.Errorf("the agent got %d bytes, not the %d that the client sent", len(got), len(text))
				}
				s.exit(Exit{Code: 3})
				if e := s.wait(); e != (Exit{Code: 3}) {
					t.Errorf("exit %v", e)
				}
				for what, got := range map[string]string{
					"client":          string(<-atClient),
					"stderr":          string(<-atErr),
					"observed client": seen.bytes(Client, EntryLine),
					"observed agent":  seen.bytes(Agent, EntryLine),
					"observed stderr": seen.bytes(Agent, EntryStderr),
				} {
					if got != text {
						t.Errorf("%s: %d bytes, not the %d that were sent", what, len(got), len(text))
					}
				}
				last := seen.entries[len(seen.entries)-1]
				if last.Kind != EntryExit || last.Exit.Code != 3 {
					t.Errorf("the last entry is %+v", last)
				}
			})
		})
	}
}

// Bytes are not held back until a line is complete.
func TestRelayPassesHalfLinesAtOnce(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.Observers = []Observer{&tape{}}
		s := play(t, o)
		for _, p := range []string{"{", `"id"`, ":1}", "\n"} {
			s.write(s.toAgent, p)
			if got := s.read(s.stdin, len(p)); got != p {
				t.Errorf("agent got %q", got)
			}
			s.write(s.stdout, p)
			if got := s.read(s.fromAgent, len(p)); got != p {
				t.Errorf("client got %q", got)
			}
		}
		s.exit(Exit{})
		s.wait()
	})
}

func TestRelayClientEOFIsAHalfClose(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		seen := &tape{}
		o.Observers = []Observer{seen}
		o.times = soon
		o.times.stdin = time.Hour // nothing is to be ended
		s := play(t, o)
		s.write(s.toAgent, "q\n")
		s.toAgent.Close()
		if b := <-readFile(s.stdin); string(b) != "q\n" {
			t.Errorf("agent got %q", b)
		}
		s.write(s.stdout, "late answer\n") // the agent takes its time
		if got := s.read(s.fromAgent, 12); got != "late answer\n" {
			t.Errorf("client got %q", got)
		}
		s.exit(Exit{Code: 1})
		if e := s.wait(); e.Code != 1 {
			t.Errorf("exit %v", e)
		}
		if len(s.process.signals) > 0 {
			t.Errorf("the agent got a signal: %v", <-s.process.signals)
		}
		want := "client line, client eof, agent line, agent eof, agent exit"
		if got := seen.kinds(); got != want {
			t.Errorf("observed %s", got)
		}
	})
}

func TestRelayAnswerNeverStandsBeforeItsQuestion(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		seen := &tape{}
		o.Observers = []Observer{seen}
		s := play(t, o)
		for i := range 2000 {
			q := fmt.Sprintf("%06d\n", i)
			s.write(s.toAgent, q)
			s.write(s.stdout, s.read(s.stdin, len(q)))
			s.read(s.fromAgent, len(q))
		}
		s.exit(Exit{})
		s.wait()
		for i, e := range seen.entries[:4000] {
			if want := fmt.Sprintf("%06d", i/2); string(e.Data) != want || e.From != Party(i%2) {
				t.Fatalf("entry %d is %s %q", i, e.From, e.Data)
			}
			if i > 0 && e.T < seen.entries[i-1].T {
				t.Fatalf("entry %d goes back in time", i)
			}
		}
	})
}

// A client that is gone is told to the agent by its failing writes.
func TestRelayClientThatDoesNotReadFailsTheAgentsWrites(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		s := play(t, o)
		s.fromAgent.Close()
		var err error
		for err == nil {
			_, err = s.stdout.Write(make([]byte, 4096))
		}
		if !strings.Contains(err.Error(), "broken pipe") {
			t.Error(err)
		}
		s.exit(Exit{Signal: "SIGPIPE"})
		if e := s.wait(); e.Signal != "SIGPIPE" {
			t.Errorf("exit %v", e)
		}
	})
}

// An agent that closed its stdin is told to the client likewise.
// So is one that has said EOF; an agent that takes no notice of either is ended.
func TestRelayAgentThatIgnoresThatItsClientIsGone(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.times = soon
		s := play(t, o)
		s.toAgent.Close()
		s.fromAgent.Close()
		for err := error(nil); err == nil; { // until it fails
			_, err = s.stdout.WriteString("x\n")
		}
		if got := <-s.process.signals; got != syscall.SIGTERM {
			t.Errorf("signal %v", got)
		}
		s.exit(Exit{Signal: "SIGTERM"})
		s.wait()
	})
}

func TestRelayAgentThatDoesNotReadFailsTheClientsWrites(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		s := play(t, o)
		s.stdin.Close()
		var err error
		for err == nil {
			_, err = s.toAgent.Write(make([]byte, 4096))
		}
		s.write(s.stdout, "bye\n")
		if got := s.read(s.fromAgent, 4); got != "bye\n" {
			t.Errorf("client got %q", got)
		}
		s.exit(Exit{})
		s.wait()
	})
}

func TestRelaySignalsAndLadder(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.times = soon
		s := play(t, o)
		s.signals <- syscall.SIGINT
		if b := <-readFile(s.stdin); len(b) != 0 { // its stdin is closed
			t.Errorf("agent got %q", b)
		}
		for _, want := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
			if got := <-s.process.signals; got != want {
				t.Errorf("signal %v, want %v", got, want)
			}
		}
		s.exit(Exit{Signal: "SIGKILL"})
		if e := s.wait(); e.Signal != "SIGKILL" {
			t.Errorf("exit %v", e)
		}
	})
}

func TestRelaySecondSignalTakesTheLastRung(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.times = soon
		o.times.stdin, o.times.term = time.Hour, time.Hour
		s := play(t, o)
		for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
			s.signals <- sig
			if got := <-s.process.signals; got != sig {
				t.Errorf("signal %v, want %v", got, sig)
			}
		}
		if got := <-s.process.signals; got != os.Kill {
			t.Errorf("signal %v, want kill", got)
		}
		s.exit(Exit{Signal: "SIGKILL"})
		s.wait()
	})
}

// An agent that has closed its stdout and lives on is of no use any more.
func TestRelayAgentEOFWithoutExitIsEnded(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.times = soon
		s := play(t, o)
		s.write(s.stdout, "x")
		s.stdout.Close()
		if b := <-readFile(s.fromAgent); string(b) != "x" {
			t.Errorf("client got %q", b)
		}
		if got := <-s.process.signals; got != syscall.SIGTERM {
			t.Errorf("signal %v", got)
		}
		s.exit(Exit{Signal: "SIGTERM"})
		s.wait()
	})
}

// A grandchild that holds the agent's pipes cannot hold us.
func TestRelayGrandchildHoldsThePipes(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.times = soon
		s := play(t, o)
		s.write(s.stdout, "last words")
		s.process.end(Exit{Code: 5}) // stdout and stderr stay open
		if e := s.wait(); e.Code != 5 {
			t.Errorf("exit %v", e)
		}
		if b := <-readFile(s.fromAgent); string(b) != "last words" {
			t.Errorf("client got %q", b)
		}
	})
}

// The client gets the last bytes however late it reads them.
func TestRelayLastBytesWaitForASlowClient(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		o.times = soon
		s := play(t, o)
		sent := make(chan int, 1)
		go func() { // ends when all is written
			n, _ := s.stdout.Write(bytes.Repeat([]byte("x"), 1<<20))
			s.exit(Exit{})
			sent <- n
		}()
		s.read(s.fromAgent, 1)
		if n := 1 + len(<-readFile(s.fromAgent)); n != <-sent {
			t.Errorf("client got %d bytes", n)
		}
		s.wait()
	})
}

// shownOne is an observer that tells of each call.
type shownOne struct{ shown, flushed chan struct{} }

func (o shownOne) Observe(Entry) { o.shown <- struct{}{} }
func (o shownOne) Flush() error  { o.flushed <- struct{}{}; return nil }

// Observers are shown what passed although nothing more passes.
func TestRelayObserversDoNotWaitForMoreTraffic(t *testing.T) {
	onEngines(t, func(t *testing.T, o RelayOptions) {
		seen := shownOne{make(chan struct{}, 8), make(chan struct{}, 8)}
		o.Observers = []Observer{seen}
		s := play(t, o)
		for range 3 {
			s.write(s.stdout, "x\n")
			<-seen.shown
			<-seen.flushed
		}
		s.exit(Exit{})
		s.wait()
	})
}

// Where the system has no room that costs nothing, long lines are gathered in
// chunks.
func TestLineCutterJoinsChunks(t *testing.T) {
	var got strings.Builder
	l := lineCutter{max: defaultMaxLine, room: func(int) []byte { return make([]byte, 0, 100_000) },
		show: func(e Entry, kept bool) { got.Write(e.Data); got.WriteString(e.EOL) }}
	defer l.close()
	var want strings.Builder
	for _, n := range []int{0, 1, lineShort, lineShort + 1, 300_000, 299_999, 3, lineKeep + 1, 500_000} {
		text := strings.Repeat("0123456789", n/10+1)[:n] + "\n"
		want.WriteString(text)
		for p := []byte(text); len(p) > 0; {
			k := min(len(p), 70_001)
			l.add(0, p[:k])
			p = p[k:]
		}
	}
	l.end(0)
	if got.String() != want.String() {
		t.Errorf("%d bytes, want %d", got.Len(), want.Len())
	}
}
