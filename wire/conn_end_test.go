package wire_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/wiretest"
)

func TestDeadAgentFailsWhatIsPending(t *testing.T) {
	c, agent := newConn(t, &seen{})
	p := start(t, c, "m", nil)
	read(t, agent)
	agent.Stderr("out of memory\n")
	agent.Die(wire.Exit{Code: 7})
	_, err := p.Wait(t.Context())
	var closed *wire.ClosedError
	if !errors.As(err, &closed) || closed.Exit.Code != 7 || !closed.Exited || closed.Local || string(closed.StderrTail) != "out of memory\n" {
		t.Errorf("got %#v", err)
	}
	if _, err := c.Start("m", nil); !errors.As(err, &closed) {
		t.Errorf("afterwards: %v", err)
	}
	if err := c.Notify("n", nil); !errors.As(err, &closed) {
		t.Errorf("afterwards: %v", err)
	}
	<-c.Done()
	if c.Err() != closed {
		t.Errorf("Err is %v", c.Err())
	}
}

func TestCloseFailsWhatIsPending(t *testing.T) {
	c, agent := newConn(t, &seen{})
	p := start(t, c, "m", nil)
	if err := c.Close(context.Background()); err != nil {
		t.Error(err)
	}
	_, err := p.Wait(t.Context())
	var closed *wire.ClosedError
	if !errors.As(err, &closed) || !closed.Local {
		t.Errorf("got %#v", err)
	}
	if m := read(t, agent); m.Method != "m" {
		t.Error("what was queued was not sent")
	}
	if err := c.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if err := c.Notify("n", nil); !errors.As(err, &closed) || !closed.Local {
		t.Errorf("afterwards: %v", err)
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	s := &seen{}
	c, agent := newConn(t, s)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := c.Call(ctx, "m", nil); err != why {
		t.Errorf("got %v", err)
	}
	req := read(t, agent)
	agent.Reply(req, `1`) // late, and no longer of interest: no warning
	p := start(t, c, "m", nil)
	if _, err := p.Wait(ctx); err != why {
		t.Errorf("got %v", err)
	}
	agent.Reply(read(t, agent), `2`)
	if m, err := p.Wait(t.Context()); err != nil || string(m.Result) != "2" {
		t.Errorf("got %s, %v", m.Result, err)
	}
	if m, err := p.Wait(ctx); err != nil || string(m.Result) != "2" {
		t.Errorf("a response that is there does not count: %v", err)
	}
	if got := s.all(); got != "" {
		t.Errorf("reported %s", got)
	}
}

func TestFlushWaitsUntilAllIsSent(t *testing.T) {
	c, agent := newConn(t, &seen{})
	if err := c.Notify("n", nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	agent.Close(context.Background())
	<-c.Done()
	if err := c.Flush(t.Context()); err != nil {
		t.Errorf("nothing was left unsent: %v", err)
	}
}

func TestWriteErrorFailsTheRequest(t *testing.T) {
	client, agent := wiretest.Pipe()
	c := wire.NewConn(&deaf{client}, wire.ConnOptions{})
	defer c.Close(context.Background())
	p := start(t, c, "m", nil)
	_, err := p.Wait(t.Context())
	var closed *wire.ClosedError
	if !errors.As(err, &closed) || !errors.Is(err, errDeaf) {
		t.Errorf("got %v", err)
	}
	if err := c.Flush(t.Context()); !errors.Is(err, errDeaf) {
		t.Errorf("Flush: %v", err)
	}
	agent.Close(context.Background())
}

// deaf is a transport whose peer has closed its stdin and lives on.
type deaf struct{ *wiretest.End }

var errDeaf = errors.New("deaf")

func (d *deaf) WriteMessage([]byte) error { return errDeaf }

func TestObserversSeeAllInOrder(t *testing.T) {
	client, agent := wiretest.Pipe()
	s := &seen{}
	c := wire.NewConn(client, wire.ConnOptions{Observers: []wire.Observer{s}})
	p := start(t, c, "m", nil)
	req := read(t, agent)
	agent.Stderr("hm\n")
	agent.SendRaw([]byte("noise\r\n\n"))
	agent.Reply(req, `1`)
	if _, err := p.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	agent.SendRaw([]byte("cut"))
	agent.Die(wire.Exit{Signal: "SIGKILL"})
	<-c.Done()
	c.Close(context.Background())
	want := `client {"jsonrpc":"2.0","id":1,"method":"m"} "\n"
agent stderr hm

agent noise "\r\n"
agent  "\n"
agent {"jsonrpc":"2.0","id":1,"result":1} "\n"
agent cut ""
agent eof
agent exit 0 SIGKILL
client eof`
	if got := s.all(); got != want {
		t.Errorf("got:\n%s", got)
	}
}

// A peer that stops reading while it sends must not be waited for: answers
// queue up, and reading goes on.
func TestPeerThatDoesNotReadCannotStopReading(t *testing.T) {
	client, agent := wiretest.Pipe()
	block := make(chan struct{})
	s := &seen{}
	c := wire.NewConn(&slow{client, block}, wire.ConnOptions{Handler: s})
	for range 50 {
		agent.Send(`{"jsonrpc":"2.0","id":1,"method":"a"}`)
	}
	agent.CloseWrite()
	<-c.Done()
	if n := strings.Count(s.all(), "request"); n != 50 {
		t.Errorf("%d requests were read", n)
	}
	close(block)
	c.Close(context.Background())
}

type slow struct {
	*wiretest.End
	block <-chan struct{}
}

func (s *slow) WriteMessage(m []byte) error {
	<-s.block
	return s.End.WriteMessage(m)
}

// Whatever a peer sends, the connection ends, requests of the peer are all
// that is answered, and our own request has one outcome.
func FuzzConn(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `[{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":"2.0","method":"n"}]`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1}` + "\nnoise\n" + `{"jsonrpc":"2.0","id":2,"error":7}` + "\n" + `{"jsonrpc":"2.0","method":"$/cancel_request"}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		client, agent := wiretest.Pipe()
		s := &seen{}
		c := wire.NewConn(client, wire.ConnOptions{Handler: s, Observers: []wire.Observer{s}})
		p, err := c.Start("m", nil)
		if err != nil {
			t.Fatal(err)
		}
		agent.SendRaw(in)
		agent.CloseWrite()
		<-p.Done()
		<-c.Done()
		c.Close(context.Background())
		asked := strings.Count(s.all(), "request ")
		for answers := 0; ; {
			line, err := agent.ReadLine()
			if err != nil {
				break
			}
			d := wire.Decode(line.Bytes)
			for _, m := range d.Messages {
				if m.Kind() == wire.KindResponse {
					answers++
				}
			}
			if d.Noise != nil || d.Err != nil || answers > asked {
				t.Fatalf("sent %q, %d answers to %d requests", line.Bytes, answers, asked)
			}
		}
	})
}
