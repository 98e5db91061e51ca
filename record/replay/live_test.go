package replay

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
)

// The scripts of these tests are lines: "> " what the client sends, "< " what
// the agent sends, both without "jsonrpc":"2.0"; "# " is a comment; "! " is an
// entry of a recording that is no message.

// recording makes a recording's text of a script.
func recording(script string) string {
	var b strings.Builder
	for _, l := range steps(script) {
		from := "client"
		switch l.mark {
		case '!':
			b.WriteString(l.text + "\n")
			continue
		case '<':
			from = "agent"
		}
		if !strings.HasPrefix(l.text, "{") {
			fmt.Fprintf(&b, "{\"from\":%q,\"text\":%s}\n", from, encode(l.text))
			continue
		}
		fmt.Fprintf(&b, "{\"from\":%q,\"msg\":%s}\n", from, long(l.text))
	}
	return b.String()
}

type step struct {
	mark byte
	text string
}

func steps(script string) []step {
	var out []step
	for l := range strings.Lines(script) {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' {
			continue
		}
		out = append(out, step{l[0], strings.TrimSpace(l[1:])})
	}
	return out
}

func long(text string) string {
	if strings.HasPrefix(text, "{") {
		return `{"jsonrpc":"2.0",` + text[1:]
	}
	return text
}

func short(line string) string { return strings.Replace(line, `"jsonrpc":"2.0",`, "", 1) }

func load(t testing.TB, text string) *Recording {
	t.Helper()
	rec, err := Load(record.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func script(t testing.TB, text string) *Script {
	t.Helper()
	return load(t, recording(text)).Main()
}

// live is the live client of a player.
type live struct {
	t     testing.TB
	a     *Agent
	in    *io.PipeWriter
	out   *io.PipeReader
	lines *wire.LineReader
	done  chan struct{}
	end   End
	stop  context.CancelFunc
	rest  []string
}

func start(t testing.TB, a *Agent) *live {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	a.o.In, a.o.Out = inR, outW
	ctx, stop := context.WithCancel(context.Background())
	l := &live{t: t, a: a, in: inW, out: outR, lines: wire.NewLineReader(outR, 0), done: make(chan struct{}), stop: stop}
	go func() { // ends with the player
		defer close(l.done)
		var err error
		l.end, err = a.Run(ctx)
		if err != nil {
			t.Error(err)
		}
		outW.Close()
	}()
	t.Cleanup(func() { l.close() })
	return l
}

func agent(t testing.TB, text string, o AgentOptions) *Agent {
	t.Helper()
	a, err := NewAgent(script(t, text), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (l *live) send(text string) {
	l.t.Helper()
	if _, err := io.WriteString(l.in, long(text)+"\n"); err != nil {
		l.t.Fatalf("send %s: %v", text, err)
	}
}

func (l *live) next() string {
	l.t.Helper()
	line, err := l.lines.ReadLine()
	if err != nil {
		l.t.Fatalf("the player has ended: %v", err)
	}
	return short(string(line.Bytes))
}

// talk plays the client's lines and expects the agent's, exactly.
func (l *live) talk(text string) {
	l.t.Helper()
	for _, s := range steps(text) {
		if s.mark == '>' {
			l.send(s.text)
		} else if got := l.next(); got != s.text {
			l.t.Fatalf("got   %s\nwant  %s", got, s.text)
		}
	}
}

// close ends the client's side and gives the verdict.
func (l *live) close() Verdict {
	l.in.Close()
	for {
		line, err := l.lines.ReadLine()
		if err != nil {
			break
		}
		l.rest = append(l.rest, short(string(line.Bytes)))
	}
	<-l.done
	l.stop()
	return l.a.Verdict()
}

// clean ends the client's side and expects that nothing more came and nothing
// diverged.
func (l *live) clean() {
	l.t.Helper()
	v := l.close()
	if len(l.rest) > 0 {
		l.t.Errorf("more came: %s", strings.Join(l.rest, "\n"))
	}
	if v.Diverged(true) {
		l.t.Errorf("diverged: %s", encode(v))
	}
}

func reader(text string) *record.Reader { return record.NewReader(strings.NewReader(text)) }
