package wire

import (
	"os"
	"slices"
	"syscall"
	"time"
)

// climbDown takes the rungs of the shutdown ladder, each only if the one
// before it was not enough, until nothing of the agent's session is left. What
// has left the session may outlive an agent that ends by itself, which knows
// why; an agent that has to be ended takes it along.
func (c *Child) climbDown() {
	defer close(c.closed)
	_ = c.CloseStdin() // an agent that is well ends by itself; real ones need up to 2 s
	if !c.gone(c.patience.EOF, c.patience.Orphans, c.hurry) {
		strays := c.session.strays()
		_ = c.session.signalAll(syscall.SIGTERM)
		if !c.gone(c.patience.Term, c.patience.Term, c.hurry) {
			strays = append(strays, c.session.strays()...)
			c.kill()
		}
		killAll(strays)
	}
	c.guard.forget(c.session)
	c.session.close()
	if c.ownGuard {
		_ = c.guard.Close()
	}
	if !c.raw {
		<-c.stderrDone // bounded by Patience.Drain
		if !c.reading.Load() {
			_ = c.Stdout.Close()
		}
	}
}

// How long a killed process may take to go. Only the kernel can hold it.
const killPatience = 2 * time.Second

// kill ends the session until nothing is left of it: what is born while the
// list of its processes is read dies in the next round.
func (c *Child) kill() {
	for begin := time.Now(); time.Since(begin) < killPatience; {
		_ = c.session.signalAll(os.Kill)
		if c.gone(killPatience, 20*time.Millisecond, nil) {
			return
		}
	}
}

// killAll kills sessions until nothing is left of them, or the kernel holds it.
func killAll(sessions []session) {
	begin := time.Now()
	for time.Since(begin) < killPatience {
		sessions = slices.DeleteFunc(sessions, session.empty)
		if len(sessions) == 0 {
			return
		}
		for _, s := range sessions {
			_ = s.signalAll(os.Kill)
		}
		time.Sleep(time.Millisecond) // the kernel tells nobody when a session ends
	}
}

// gone waits until the agent and all of its session have ended: for the agent
// as long as patience lasts, for what outlives it as long as orphans does; and
// not at all any more when there is a hurry.
func (c *Child) gone(patience, orphans time.Duration, hurry <-chan struct{}) bool {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-c.exited:
	case <-limit.C:
		return false
	case <-hurry:
		return false
	}
	deadline := time.Now().Add(orphans)
	for pause := time.Millisecond; !c.session.empty(); pause = min(2*pause, 20*time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
		t := time.NewTimer(pause) // the kernel tells nobody when a session ends
		select {
		case <-t.C:
		case <-hurry:
			t.Stop()
			return false
		}
	}
	return true
}
