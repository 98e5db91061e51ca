//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// interrupted starts a prompt, waits for its first words and sends a signal.
func (p *peer) interrupted(signal syscall.Signal, args ...string) outcome {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := p.command(ctx, append(append([]string{tool}, args...), append([]string{"--"}, p.agent...)...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	reader := bufio.NewReader(stdout)
	first, err := reader.ReadByte()
	if err != nil {
		p.t.Fatalf("nothing said: %v\nstderr: %s", err, stderr.String())
	}
	if err := cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	rest, err := io.ReadAll(reader)
	if err != nil {
		p.t.Fatal(err)
	}
	err = cmd.Wait()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		p.t.Fatal(err)
	}
	return outcome{string(first) + string(rest), stderr.String(), cmd.ProcessState.ExitCode()}
}

// TestInterruptCancelsTheTurn: a signal cancels, the confirmed end is awaited,
// an open question is answered, and no process is left.
func TestInterruptCancelsTheTurn(t *testing.T) {
	for signal, exit := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		t.Run(signal.String(), func(t *testing.T) {
			eachKind(t, func(t *testing.T, p *peer, _ bool) {
				o := p.interrupted(signal, "prompt", "say:begun wait say:never").wantExit(t, exit)
				if !strings.HasPrefix(o.stdout, "begun") || strings.Contains(o.stdout, "never") {
					t.Errorf("stdout %q", o.stdout)
				}
				said := strings.Join(p.said("client"), " ")
				if !strings.HasSuffix(said, "session/prompt session/cancel") {
					t.Errorf("the client said %s", said)
				}
			})
		})
	}
}

// TestKilledToolLeavesNoAgent: nobody is left to clean up, and yet the agent
// and what a wrapper put between are gone.
func TestKilledToolLeavesNoAgent(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	p.agent = []string{"sh", "-c", "node " + p.agent[1] + "; true"}
	if o := p.interrupted(syscall.SIGKILL, "prompt", "say:begun wait"); o.exit != -1 {
		t.Errorf("exit %d", o.exit)
	}
}
