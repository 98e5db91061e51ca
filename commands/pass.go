package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// pass is one pass-through between our stdin and stdout and an agent: what tap
// and record have in common.
type pass struct {
	e      *env
	c      *cli.Context
	target target
	env    []string // of the agent, nil for ours
	start  time.Time
	client *wire.Side     // nil: our stdin and stdout
	end    chan os.Signal // ends the pass-through as a signal would

	stderr    io.Writer // where the agent's stderr goes; nil on a terminal
	shown     bool      // the agent's stderr is shown by the log
	observers []wire.Observer
	recording *recording
	closers   []io.Closer
	troubles  []string // told again at the end
	connected bool     // there was an agent to talk to
}

// pass reads the flags that both commands have.
func (e *env) pass(c *cli.Context) (*pass, error) {
	if _, err := e.words(c, 0, 0); err != nil {
		return nil, err
	}
	t, err := e.agent(c)
	if err != nil {
		return nil, err
	}
	if _, _, err := e.screens(c); err != nil {
		return nil, err
	}
	if _, err := e.redactor(c); err != nil {
		return nil, err
	}
	p := &pass{e: e, c: c, target: t, start: time.Now(), end: make(chan os.Signal, 4)}
	for _, kv := range c.StringSlice("env") {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			return nil, usagef("as in --env KEY=value", "--env %s: no variable and value", wire.Quote(kv))
		}
	}
	if extra := append(t.Env, c.StringSlice("env")...); len(extra) > 0 {
		p.env = append(os.Environ(), extra...)
	}
	if !e.say.tty {
		p.stderr = e.Err
	}
	return p, nil
}

// trouble tells of something that does not stop the traffic: now, and again at
// the end, since much may have been shown in between.
func (p *pass) trouble(what string, err error) {
	text := what + " cannot be written: " + err.Error()
	p.e.say.line("warning", text+"; the traffic goes on")
	p.troubles = append(p.troubles, text)
}

// record adds a recording. An editor gets its agent whether the file can be
// written or not.
func (p *pass) record(name string, taken record.Taken) {
	redactor, err := p.e.redactor(p.c)
	if err != nil {
		return // pass has checked it
	}
	w, path, err := record.Create(record.CreateOptions{
		Name: name, Taken: taken, Agent: p.target.command(), Tool: "acptool " + toolVersion(), Start: p.start,
		Writer: record.WriterOptions{Redact: redactor},
		Env:    record.Env{Getenv: p.e.getenv},
	})
	if err != nil {
		p.trouble("the recording", err)
		return
	}
	if name != "" && path != name && !strings.ContainsAny(name, "{~") {
		p.e.say.note(fmt.Sprintf("%s exists; recording to %s", name, path))
	}
	if redactor == nil {
		p.e.say.note("secrets are kept in " + path)
	}
	p.recording = &recording{Writer: w, path: path, p: p}
	p.observers = append(p.observers, p.recording)
}

// recording is a recording whose first failure is told at once.
type recording struct {
	*record.Writer
	path   string
	p      *pass
	failed bool
}

// Flush is called within 10 ms of each entry.
func (r *recording) Flush() error {
	err := r.Writer.Flush()
	r.told(err)
	return err
}

func (r *recording) told(err error) {
	if err != nil && !r.failed {
		r.failed = true
		r.p.trouble("the recording "+r.path, err)
	}
}

// run passes everything on until the agent has ended, and ends as it did.
func (p *pass) run() error {
	signals := p.end
	for _, s := range passedSignals() {
		if !signal.Ignored(s) { // by nohup
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	defer surviveFileLimit()()
	if p.stderr == nil && !p.shown {
		p.observers = append(p.observers, stderrSink{p.e.say})
	}
	exit, err := p.relay(signals)
	if p.recording != nil {
		p.recording.told(p.recording.Close())
		if !p.connected {
			dropRecording(p.recording.path)
		}
	}
	for _, o := range p.observers {
		if l, ok := o.(*logSink); ok {
			// A log that cannot be written is no failure. Nor is a
			// filter's halt; of our stderr nothing could be told.
			var halt *pretty.HaltError
			if err := l.Close(); err != nil && l.w != p.e.Err && !errors.As(err, &halt) {
				p.troubles = append(p.troubles, "the log cannot be written: "+err.Error())
			}
		}
	}
	for _, c := range p.closers {
		c.Close()
	}
	for _, t := range p.troubles {
		p.e.say.line("warning", t)
	}
	if err != nil {
		return passFailure(err)
	}
	if p.client != nil {
		return nil // how the agent ended is not how the listener ends
	}
	return p.endAs(exit)
}

// relay starts or connects to the agent and passes.
func (p *pass) relay(signals <-chan os.Signal) (wire.Exit, error) {
	o := wire.RelayOptions{
		Client: wire.Side{In: p.e.In, Out: p.e.Out}, Err: p.stderr,
		Signals: signals, Observers: p.observers, Start: p.start,
	}
	if p.client != nil {
		o.Client = *p.client
	}
	if !p.target.started() {
		dial, err := p.e.dialOptions(p.c)
		if err != nil {
			return wire.Exit{}, err
		}
		side, end, err := wire.DialSide(p.c.Context, p.target.Address, dial, p.e.say.warn)
		if err != nil {
			return wire.Exit{}, err
		}
		defer end()
		p.connected = true
		o.Agent = side
		return wire.Relay(o)
	}
	child, err := wire.StartChild(wire.Command{Argv: p.target.Argv, Env: p.env, Raw: true})
	if err != nil {
		return wire.Exit{}, err
	}
	defer child.Close(context.Background())
	p.connected = true
	o.Agent, o.AgentErr, o.Process = wire.Side{In: child.Stdout, Out: child.Stdin}, child.Stderr, child
	return wire.Relay(o)
}

// passFailure gives an error of ours the status that env and timeout have for
// it.
func passFailure(err error) error {
	var start *wire.StartError
	exit := ExitPassOwnFailure
	if errors.As(err, &start) && start.NotFound() {
		exit = ExitPassNotFound
	} else if start != nil && start.NotExecutable() {
		exit = ExitPassNotExecutable
	}
	var usage *usageError
	if errors.As(err, &usage) {
		return err
	}
	return &exitError{exit, err}
}

// endAs ends as the agent did: by its status, or by the signal that killed it.
func (p *pass) endAs(exit wire.Exit) error {
	if exit.Signal == "" {
		return exitWith(Exit(exit.Code))
	}
	sig := signalNumber(exit.Signal)
	switch sig {
	case syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL:
		raise(sig)
	}
	return exitWith(Exit(128 + int(sig)))
}
