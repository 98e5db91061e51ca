package host

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

	"github.com/acptool/acptool/wire"
)

// terminals are the commands that the agent has started and not released.
type terminals struct {
	mu     sync.Mutex
	next   int
	byID   map[string]*terminal
	closed bool
}

func newTerminals() *terminals { return &terminals{byID: map[string]*terminal{}} }

type createParams struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Env     []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"env"`
	Cwd             *string `json:"cwd"`
	OutputByteLimit *int64  `json:"outputByteLimit"`
}

type terminalParams struct {
	TerminalID string `json:"terminalId"`
}

// exitStatus is how a command ended; one of the two is null.
type exitStatus struct {
	ExitCode *int    `json:"exitCode"`
	Signal   *string `json:"signal"`
}

func asExitStatus(e wire.Exit) exitStatus {
	if e.Signal != "" {
		return exitStatus{Signal: &e.Signal}
	}
	return exitStatus{ExitCode: &e.Code}
}

// createTerminal serves terminal/create: it starts the command and returns at
// once. The command runs in the session's cwd unless told otherwise, and only
// within the session's roots.
func (h *Host) createTerminal(p createParams) (any, error) {
	if p.Command == "" {
		return nil, invalid("command is missing")
	}
	dir := ""
	if len(h.o.Roots) > 0 {
		dir = h.o.Roots[0]
	}
	if p.Cwd != nil {
		r, name, err := h.find(*p.Cwd)
		if err != nil {
			return nil, err
		}
		if info, err := r.Stat(name); err != nil {
			return nil, fileError(*p.Cwd, err)
		} else if !info.IsDir() {
			return nil, invalid("cwd %q is not a directory", *p.Cwd)
		}
		dir = *p.Cwd
	}
	program, err := lookPath(p.Command, dir)
	if err != nil {
		return nil, failed(p.Command, err)
	}
	env := os.Environ()
	for _, v := range p.Env {
		env = append(env, v.Name+"="+v.Value)
	}
	t := &terminal{limit: -1, read: make(chan struct{})}
	if p.OutputByteLimit != nil {
		t.limit = max(*p.OutputByteLimit, 0)
	}
	child, err := wire.StartChild(wire.Command{Argv: append([]string{program}, p.Args...), Env: env, Dir: dir, Raw: true, Merge: true})
	if err != nil {
		return nil, failed(p.Command, err)
	}
	t.start(child)
	id, ok := h.terminals.add(t)
	if !ok {
		t.release()
		return nil, failed(p.Command, os.ErrClosed)
	}
	return map[string]string{"terminalId": id}, nil
}

// lookPath finds a program as a shell in dir would.
func lookPath(command, dir string) (string, error) {
	if filepath.Base(command) != command && !filepath.IsAbs(command) {
		command = filepath.Join(dir, command)
	}
	return exec.LookPath(command)
}

func (ts *terminals) add(t *terminal) (string, bool) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.closed {
		return "", false
	}
	ts.next++
	id := fmt.Sprintf("term-%d", ts.next)
	ts.byID[id] = t
	return id, true
}

func (ts *terminals) get(p terminalParams) (*terminal, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t := ts.byID[p.TerminalID]; t != nil {
		return t, nil
	}
	return nil, invalid("no terminal %q", p.TerminalID)
}

// output serves terminal/output.
func (ts *terminals) output(p terminalParams) (any, error) {
	t, err := ts.get(p)
	if err != nil {
		return nil, err
	}
	text, truncated := t.text()
	result := map[string]any{"output": text, "truncated": truncated}
	if e, ended := t.ended(); ended {
		result["exitStatus"] = asExitStatus(e)
	}
	return result, nil
}

// wait serves terminal/wait_for_exit.
func (ts *terminals) wait(ctx context.Context, p terminalParams) (any, error) {
	t, err := ts.get(p)
	if err != nil {
		return nil, err
	}
	select {
	case <-t.read:
		e, _ := t.ended()
		return asExitStatus(e), nil
	case <-ctx.Done():
		return nil, &wire.RPCError{Code: wire.CodeRequestCancelled, Message: "request cancelled"}
	}
}

// kill serves terminal/kill: the command ends, its output stays.
func (ts *terminals) kill(p terminalParams) (any, error) {
	t, err := ts.get(p)
	if err != nil {
		return nil, err
	}
	t.kill()
	return map[string]any{}, nil
}

// release serves terminal/release: the command ends, and the id is gone.
func (ts *terminals) release(p terminalParams) (any, error) {
	t, err := ts.get(p)
	if err != nil {
		return nil, err
	}
	ts.mu.Lock()
	delete(ts.byID, p.TerminalID)
	ts.mu.Unlock()
	t.release()
	return map[string]any{}, nil
}

// close releases all.
func (ts *terminals) close() {
	ts.mu.Lock()
	ts.closed = true
	all := slices.Collect(maps.Values(ts.byID))
	clear(ts.byID)
	ts.mu.Unlock()
	for _, t := range all {
		t.release()
	}
}
