//go:build unix

package wire

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A process with this name and this argument is a guard. A test binary that
// forgot to call RunGuardIfAsked ends at once, since it has no such flag,
// where without one it would run its tests, which start children, and so on.
const (
	guardName = "acptool-guard"
	guardFlag = "--watch-sessions"
)

// How long the guard lets an agent that lost its client tidy up.
const guardPatience = time.Second

// Guard is a process of its own that outlives us: when we are killed without
// a chance to clean up, it ends the sessions that it watches over. One guard
// can watch over many children. A nil Guard does nothing.
type Guard struct {
	mu       sync.Mutex
	pipe     *os.File
	cmd      *exec.Cmd
	watching int // sessions that are not over
}

// StartGuard starts a guard: this very program once more, which must call
// RunGuardIfAsked first of all. It ends when the pipe to it does.
func StartGuard() (*Guard, error) {
	self, err := ourselves()
	if err != nil {
		return nil, err
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	cmd := exec.Command(self)
	cmd.Args = []string{guardName, guardFlag}
	cmd.Dir = "/" // holds no file system busy
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
func (g *Guard) watch(s session)  { g.say("+", s, 1) }
func (g *Guard) forget(s session) { g.say("-", s, -1) }

func (g *Guard) say(what string, s session, more int) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.watching += more
	_, _ = fmt.Fprintf(g.pipe, "%s%d\n", what, s.id())
}

// Close ends the guard and waits for it. Sessions that it still watches over
// end with it.
func (g *Guard) Close() error {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.watching == 0 {
		_ = g.cmd.Process.Kill() // it may still be starting: do not wait for that
	}
	_ = g.pipe.Close()
	_ = g.cmd.Wait() // its status says nothing
	return nil
}

// RunGuardIfAsked makes this process a guard, and ends it, if it was started
// as one by StartGuard. Every program that starts children calls it before
// anything else; so does TestMain of test binaries.
func RunGuardIfAsked() {
	if len(os.Args) != 2 || os.Args[0] != guardName || os.Args[1] != guardFlag {
		return
	}
	// It lives as long as its client: caught, not ignored, and nobody listens.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
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
// SIGTERM at once, and SIGKILL for what does not listen, until nothing is left
// or the kernel holds it.
func endSessions(leaders []int) {
	var open []session
	for _, pid := range leaders {
		s := sessionOf(pid)
		if !s.empty() {
			open = append(open, s)
			open = append(open, s.strays()...)
		}
	}
	for _, s := range open {
		_ = s.signalAll(syscall.SIGTERM)
	}
	begin := time.Now()
	for len(open) > 0 && time.Since(begin) < guardPatience+killPatience {
		time.Sleep(10 * time.Millisecond) // the kernel tells nobody when a session ends
		open = slices.DeleteFunc(open, session.empty)
		if time.Since(begin) < guardPatience {
			continue
		}
		for _, s := range open {
			_ = s.signalAll(os.Kill)
		}
	}
}
