//go:build unix

package wire_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/acptool/acptool/wire"
)

// connect starts a shell script as the agent of a connection.
func connect(t *testing.T, s *seen, script string) *wire.Conn {
	t.Helper()
	child, err := wire.StartChild(wire.Command{Argv: []string{"sh", "-c", script}})
	if err != nil {
		t.Fatal(err)
	}
	c := wire.NewConn(child, wire.ConnOptions{Handler: s, Observers: []wire.Observer{s}})
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

func TestConversationWithAChild(t *testing.T) {
	s := &seen{}
	c := connect(t, s, `read req; echo hm >&2; echo '{"jsonrpc":"2.0","id":1,"result":{"ok":true}}'; read eof; echo late`)
	m, err := c.Call(t.Context(), "m", nil)
	if err != nil || string(m.Result) != `{"ok":true}` {
		t.Fatalf("got %s, %v", m.Result, err)
	}
	if err := c.Close(context.Background()); err != nil {
		t.Error(err)
	}
	got := strings.Replace(s.all(), "agent stderr hm\n\n", "", 1) // its place among the others is chance
	want := `client {"jsonrpc":"2.0","id":1,"method":"m"} "\n"
agent {"jsonrpc":"2.0","id":1,"result":{"ok":true}} "\n"
client eof
agent late "\n"
agent eof
agent exit 0 `
	if got != want || got == s.all() {
		t.Errorf("got:\n%s\nwant:\n%s", s.all(), want)
	}
}

func TestChildThatDiesFailsTheCallAtOnce(t *testing.T) {
	c := connect(t, &seen{}, `read req; echo 'out of memory' >&2; exit 7`)
	_, err := c.Call(t.Context(), "m", nil)
	var closed *wire.ClosedError
	if !errors.As(err, &closed) || closed.Exit.Code != 7 || string(closed.StderrTail) != "out of memory\n" {
		t.Errorf("got %#v", err)
	}
	if want := "the agent ended with exit status 7"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestChildThatIsKilledIsNamed(t *testing.T) {
	c := connect(t, &seen{}, `read req; kill -9 $$`)
	_, err := c.Call(t.Context(), "m", nil)
	if err == nil || err.Error() != "the agent was killed by SIGKILL" {
		t.Errorf("got %v", err)
	}
}

// An agent that ends and leaves a child that holds its pipes is gone all the
// same.
func TestOrphanDoesNotHideTheEnd(t *testing.T) {
	c := connect(t, &seen{}, `read req; sleep 60 & exit 3`)
	_, err := c.Call(t.Context(), "m", nil)
	var closed *wire.ClosedError
	if !errors.As(err, &closed) || closed.Exit.Code != 3 {
		t.Errorf("got %v", err)
	}
}

// A frame beyond the limit is a named error that fails what is pending.
func TestFrameTooLongFailsTheCall(t *testing.T) {
	child, err := wire.StartChild(wire.Command{Argv: []string{"sh", "-c", `read req; head -c 100000 /dev/zero; read eof`}, MaxFrame: 50000})
	if err != nil {
		t.Fatal(err)
	}
	c := wire.NewConn(child, wire.ConnOptions{})
	defer c.Close(context.Background())
	_, err = c.Call(t.Context(), "m", nil)
	var long *wire.FrameTooLongError
	if !errors.As(err, &long) || long.Limit != 50000 {
		t.Errorf("got %v", err)
	}
}

// Whoever is asked twice to end is in a hurry.
func TestSecondCloseHurriesTheFirst(t *testing.T) {
	ready := make(chan struct{})
	s := &seen{request: func(wire.Message, *wire.Responder) { close(ready) }}
	c := connect(t, s, `trap '' TERM; echo '{"jsonrpc":"2.0","id":1,"method":"ready"}'; while :; do sleep 0.01; done`)
	<-ready
	first := make(chan error, 1)
	go func() { first <- c.Close(context.Background()) }()
	ctx, cancel := context.WithCancel(context.Background())
	second := make(chan error, 1)
	go func() { second <- c.Close(ctx) }()
	cancel()
	if err := <-second; err != nil { // with the ladder's patience: after 7 s
		t.Error(err)
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
	if !strings.HasSuffix(s.all(), "agent exit -1 SIGKILL") {
		t.Errorf("got:\n%s", s.all())
	}
}
