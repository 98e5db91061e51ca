//go:build unix

package wire

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// guardMark in the environment makes a process the guard.
const guardMark = "ACPTOOL_GUARD_PIPE"

// How long the guard lets an agent that lost its client tidy up.
const guardPatience = time.Second

// Guard is a process of its own that outlives us: when we are killed without
// a chance to clean up, it ends the sessions that it watches over. One guard
// can watch over many children. A nil Guard does nothing.
type Guard struct {
	mu   sync.Mutex
	pipe *os.File
	cmd  *exec.Cmd
}

// StartGuard starts a guard: this very program once more, which must call
// RunGuardIfAsked first of all. It ends when the pipe to it does.
func StartGuard() (*Guard, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	cmd := exec.Command(self)
	cmd.Args = []string{"acptool-guard"}
	cmd.Env = append(os.Environ(), guardMark+"=1")
	cmd.Stdin = theirs
	cmd.SysProcAttr = guardAttr()
	if err := cmd.Start(); err != nil {
		_ = ours.Close()
		return nil, err
	}
	return &Guard{pipe: ours, cmd: cmd}, nil
}

// watch and forget tell the guard of a session. A guard that has died is no
// reason to fail.
func (g *Guard) watch(s session)  { g.say("+", s) }
func (g *Guard) forget(s session) { g.say("-", s) }

func (g *Guard) say(what string, s session) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_, _ = fmt.Fprintf(g.pipe, "%s%d\n", what, s.id())
}

// Close ends the guard and waits for it.
func (g *Guard) Close() error {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = g.pipe.Close()
	return g.cmd.Wait()
}

// RunGuardIfAsked makes this process a guard, and ends it, if it was started
// as one by StartGuard. Every program that starts children calls it before
// anything else; so does TestMain of test binaries.
func RunGuardIfAsked() {
	if os.Getenv(guardMark) == "" {
		return
	}
	endSessions(watched(os.Stdin))
	os.Exit(0)
}

// watched reads what the tool says until it ends, and returns the sessions
// that it left behind.
func watched(r io.Reader) []int {
	living := map[int]bool{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		pid, err := strconv.Atoi(strings.TrimLeft(line, "+-"))
		if err != nil {
			continue
		}
		if strings.HasPrefix(line, "+") {
			living[pid] = true
		} else {
			delete(living, pid)
		}
	}
	var left []int
	for pid := range living {
		left = append(left, pid)
	}
	return left
}

// endSessions ends what a dead client left: their stdin is closed already, so
// SIGTERM at once, and SIGKILL for what does not listen.
func endSessions(leaders []int) {
	var open []session
	for _, pid := range leaders {
		s := sessionOf(pid)
		if !s.empty() {
			_ = s.signalAll(syscall.SIGTERM)
			open = append(open, s)
		}
	}
	deadline := time.Now().Add(guardPatience)
	for _, s := range open {
		for !s.empty() && time.Now().Before(deadline) {
			time.Sleep(10 * time.Millisecond) // the kernel tells nobody when a session ends
		}
		if !s.empty() {
			_ = s.signalAll(os.Kill)
		}
	}
}
