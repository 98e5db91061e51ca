package commands

import (
	"context"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// mostOutput bounds what is kept of a terminal's output where the agent names
// no limit of its own.
const mostOutput = 16 << 20

// terminals are the commands that the agent runs through terminal/*. Each is a
// child in a session of its own, so that it can be ended with all it started.
type terminals struct {
	roots *roots
	cwd   string

	mu   sync.Mutex
	next int
	all  map[string]*terminal
}

func newTerminals(r *roots, cwd string) *terminals {
	return &terminals{roots: r, cwd: cwd, all: map[string]*terminal{}}
}

type terminal struct {
	child *wire.Child
	done  chan struct{} // closed when the process has ended and its output was read
	limit int

	mu        sync.Mutex
	output    []byte
	truncated bool
}

type terminalParams struct {
	TerminalID string   `json:"terminalId"`
	Command    string   `json:"command"`
	Args       []string `json:"args"`
	Env        []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"env"`
	Cwd   *string `json:"cwd"`
	Limit *int    `json:"outputByteLimit"`
}

// exitObject is how a terminal's process ended.
type exitObject struct {
	Code   *int    `json:"exitCode"`
	Signal *string `json:"signal"`
}

// create serves terminal/create.
func (t *terminals) create(p terminalParams) (any, error) {
	if p.Command == "" {
		return nil, invalidParams("no command")
	}
	dir := t.cwd
	if p.Cwd != nil {
		root, rel, err := t.roots.find(*p.Cwd)
		if err != nil {
			return nil, err
		}
		if info, err := root.Stat(rel); err != nil || !info.IsDir() {
			return nil, invalidParams("not a directory: %s", *p.Cwd)
		}
		dir = *p.Cwd
	}
	env := os.Environ()
	for _, v := range p.Env {
		env = append(env, v.Name+"="+v.Value)
	}
	child, err := wire.StartChild(wire.Command{Argv: append([]string{p.Command}, p.Args...), Env: env, Dir: dir, Raw: true})
	if err != nil {
		return nil, &wire.RPCError{Code: acp.CodeInternal, Message: err.Error()}
	}
	child.Stdin.Close()
	x := &terminal{child: child, done: make(chan struct{}), limit: mostOutput}
	if p.Limit != nil && *p.Limit >= 0 && *p.Limit < mostOutput {
		x.limit = *p.Limit
	}
	var reading sync.WaitGroup
	// Both end with the end of their pipe, at the latest when it is closed.
	reading.Go(func() { x.read(child.Stdout) })
	reading.Go(func() { x.read(child.Stderr) })
	go func() { // ends with the process and its pipes
		child.Wait()
		// Whoever holds the pipes still (a background process) has a moment.
		stop := time.AfterFunc(200*time.Millisecond, func() { child.Stdout.Close(); child.Stderr.Close() })
		reading.Wait()
		stop.Stop()
		close(x.done)
	}()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	id := fmt.Sprintf("term-%d", t.next)
	t.all[id] = x
	return map[string]string{"terminalId": id}, nil
}

func (x *terminal) read(f *os.File) {
	buf := make([]byte, 32<<10)
	for {
		n, err := f.Read(buf)
		x.add(buf[:n])
		if err != nil {
			return
		}
	}
}

// add keeps the end of the output: "truncates from the beginning … at a
// character boundary".
func (x *terminal) add(b []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.output = append(x.output, b...)
	if over := len(x.output) - x.limit; over > 0 {
		for over < len(x.output) && !utf8.RuneStart(x.output[over]) {
			over++
		}
		x.output = append(x.output[:0], x.output[over:]...)
		x.truncated = true
	}
}

func (t *terminals) get(id string) (*terminal, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x := t.all[id]; x != nil {
		return x, nil
	}
	return nil, invalidParams("no such terminal: %s", id)
}

// output serves terminal/output.
func (t *terminals) output(p terminalParams) (any, error) {
	x, err := t.get(p.TerminalID)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	out := map[string]any{"output": string(x.output), "truncated": x.truncated}
	select {
	case <-x.done:
		out["exitStatus"] = x.exit()
	default:
	}
	return out, nil
}

func (x *terminal) exit() exitObject {
	e, _ := x.child.Exit()
	if e.Signal != "" {
		return exitObject{Signal: &e.Signal}
	}
	return exitObject{Code: &e.Code}
}

// wait serves terminal/wait_for_exit.
func (t *terminals) wait(ctx context.Context, p terminalParams) (any, error) {
	x, err := t.get(p.TerminalID)
	if err != nil {
		return nil, err
	}
	select {
	case <-x.done:
		return x.exit(), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// kill serves terminal/kill: the process ends, its output stays readable.
func (t *terminals) kill(p terminalParams) (any, error) {
	x, err := t.get(p.TerminalID)
	if err != nil {
		return nil, err
	}
	x.child.Signal(syscall.SIGKILL)
	return struct{}{}, nil
}

// release serves terminal/release.
func (t *terminals) release(p terminalParams) (any, error) {
	x, err := t.get(p.TerminalID)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	delete(t.all, p.TerminalID)
	t.mu.Unlock()
	x.end()
	return struct{}{}, nil
}

// end ends the process and all it started, and waits for that.
func (x *terminal) end() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // no patience: the agent is done with it
	x.child.Close(ctx)
	<-x.done
}

// close ends every terminal that was not released.
func (t *terminals) close() {
	t.mu.Lock()
	all := t.all
	t.all = map[string]*terminal{}
	t.mu.Unlock()
	for _, x := range all {
		x.end()
	}
}
