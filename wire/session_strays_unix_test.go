//go:build unix

package wire

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// strayForTests makes a session of its own, as agents do for the commands that
// they run, and stays, whatever it is told. Its pid goes into the FIFO.
func strayForTests(fifo string) {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	f, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		os.Exit(1)
	}
	if _, err := syscall.Setsid(); err != nil {
		os.Exit(1)
	}
	_, _ = f.WriteString(strconv.Itoa(os.Getpid()) + "\n")
	for { // the FIFO stays open, so that its end is the stray's
		<-told
		runtime.KeepAlive(f)
	}
}

// An agent that has to be ended takes along what it has started in sessions of
// their own; one that ends by itself knows what it leaves behind.
func TestChildStrays(t *testing.T) {
	const stray, wait = `WIRE_TEST_STRAY="$1" "$2" & `, `while :; do sleep 0.01; done`
	hurried, cancel := context.WithCancel(context.Background())
	cancel()
	for name, tt := range map[string]struct {
		script   string
		patience Patience
		end      func(*Child)
		left     bool
	}{
		"hurry":          {stray + wait, Patience{}, func(c *Child) { _ = c.Close(hurried) }, false},
		"below a shell":  {"(" + stray + wait + ") & wait", Patience{}, func(c *Child) { _ = c.Close(hurried) }, false},
		"dies of TERM":   {stray + wait, Patience{EOF: short, Term: long}, func(c *Child) { _ = c.Close(context.Background()) }, false},
		"is killed":      {"trap '' TERM; " + stray + wait, Patience{EOF: short, Term: short}, func(c *Child) { _ = c.Close(context.Background()) }, false},
		"KILL passed on": {stray + wait, Patience{}, func(c *Child) { _ = c.Signal(os.Kill) }, false},
		"guarded":        {stray + wait, Patience{}, func(c *Child) { endSessions([]int{c.Pid()}) }, false},
		"ends by itself": {stray + `cat >/dev/null`, Patience{EOF: long}, func(c *Child) { _ = c.Close(context.Background()) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			name := fifo(t)
			c := patientSh(t, tt.patience, tt.script, name, os.Args[0])
			f, err := os.Open(name) // opens once the stray has
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			said := bufio.NewReader(f)
			line, err := said.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			pid, _ := strconv.Atoi(strings.TrimSpace(line))
			tt.end(c)
			if left := !sessionOf(pid).empty(); left != tt.left {
				t.Errorf("left %t, want %t", left, tt.left)
			}
			_ = sessionOf(pid).signal(os.Kill)
			if _, err := said.ReadByte(); err != io.EOF {
				t.Error(err)
			}
		})
	}
}
