package commands

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

// dialing is what the flags say about connections, read and checked once,
// before any agent is started.
type dialing struct {
	e       *env
	client  acp.Options
	dial    wire.DialOptions
	env     []string // --env
	timeout time.Duration

	record   string
	force    bool
	redact   bool
	log      *os.File // --log
	verbose  bool
	screen   pretty.Screen // of stderr
	stderr   *os.File      // --agent-stderr FILE
	showsErr bool          // --agent-stderr show
}

// dialing reads the connection flags.
func (e *env) dialing(c *cli.Context) (*dialing, error) {
	d := &dialing{e: e, env: c.StringSlice("env"), timeout: c.Duration("timeout"),
		record: c.String("record"), force: c.Bool("force"), redact: !c.Bool("no-redact"), verbose: c.Bool("v")}
	for _, kv := range d.env {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			return nil, usagef("as in --env KEY=value", "--env %s: no variable and value", wire.Quote(kv))
		}
	}
	choice, err := acp.ParseChoice(c.String("protocol"))
	if err != nil {
		return nil, err
	}
	d.client = acp.Options{
		Protocol:    choice,
		Info:        acp.Implementation{Name: "acptool", Version: toolVersion()},
		InitTimeout: c.Duration("init-timeout"),
		IdleTimeout: c.Duration("idle-timeout"),
		Drain:       c.Duration("drain"),
		Auth:        c.String("auth"),
	}
	if p := c.String("init-params"); p != "" {
		if !json.Valid([]byte(p)) || strings.TrimSpace(p)[0] != '{' {
			return nil, usagef(`as in --init-params '{"clientCapabilities":{}}'`, "--init-params takes a JSON object")
		}
		d.client.InitParams = json.RawMessage(p)
	}
	if d.dial, err = e.dialOptions(c); err != nil {
		return nil, err
	}
	_, d.screen, err = e.screens(c)
	if err != nil {
		return nil, err
	}
	return d, d.files(c)
}

// files opens what the flags name for writing, so that a bad name is told
// before an agent is started.
func (d *dialing) files(c *cli.Context) error {
	if name := c.String("log"); name != "" {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return ownf(err, "open the log")
		}
		d.log = f
	}
	switch name := c.String("agent-stderr"); name {
	case "hide", "":
	case "show":
		d.showsErr = true
	default:
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return ownf(err, "open the file for the agent's stderr")
		}
		d.stderr = f
	}
	return nil
}

// close closes the files.
func (d *dialing) close() {
	if d.log != nil {
		d.log.Close()
	}
	if d.stderr != nil {
		d.stderr.Close()
	}
}

// dialOptions reads the flags for sockets. TLS is set up only where asked for.
func (e *env) dialOptions(c *cli.Context) (wire.DialOptions, error) {
	o := wire.DialOptions{MaxFrame: c.Int64("max-frame")}
	for _, h := range c.StringSlice("header") {
		k, v, ok := strings.Cut(h, ":")
		if k = strings.TrimSpace(k); !ok || k == "" {
			return o, usagef("as in --header 'X-Name: value'", "--header %s: no name and value", wire.Quote(h))
		}
		if o.Header == nil {
			o.Header = http.Header{}
		}
		o.Header.Add(k, strings.TrimSpace(v))
	}
	if name := c.String("bearer-env"); name != "" {
		token := e.getenv(name)
		if token == "" {
			return o, usagef("", "--bearer-env: the variable %s is not set", name)
		}
		if o.Header == nil {
			o.Header = http.Header{}
		}
		o.Header.Set("Authorization", "Bearer "+token)
	}
	ca, insecure := c.String("cacert"), c.Bool("insecure")
	if ca == "" && !insecure {
		return o, nil
	}
	o.TLS = &tls.Config{InsecureSkipVerify: insecure}
	if ca != "" {
		pem, err := readFile(ca)
		if err != nil {
			return o, ownf(err, "read --cacert")
		}
		o.TLS.RootCAs = x509.NewCertPool()
		if !o.TLS.RootCAs.AppendCertsFromPEM(pem) {
			return o, usagef("the file holds certificates in PEM form", "--cacert %s holds no certificate", ca)
		}
	}
	return o, nil
}

// link is an open connection to an agent and what watches it.
type link struct {
	*acp.Client
	d        *dialing
	target   target
	recorder *record.Writer
	recPath  string
	log      []pretty.Sink
	logFile  pretty.Sink // the one of --log
	noise    atomic.Int64

	mu   sync.Mutex
	wire wire.Transport // the transport in use, for the end of the agent's stderr
}

// connect opens a connection. adjust, if not nil, sets what is particular to
// the command. The link must be closed.
func (d *dialing) connect(ctx context.Context, t target, adjust func(*acp.Options)) (*link, error) {
	l := &link{d: d, target: t}
	o := d.client
	o.Events.Warn = d.e.say.warn
	o.Noise = l.heard
	if adjust != nil {
		adjust(&o)
	}
	if err := l.watch(&o); err != nil {
		return nil, err
	}
	client, err := acp.Connect(ctx, l.dial, o)
	if err != nil {
		err = l.explain(err)
		l.closeWatchers()
		if l.recorder != nil && !l.dialled() {
			dropRecording(l.recPath)
		}
		if !t.started() {
			err = &addressError{err, t.Address}
		} else if t.byNpx() {
			err = &npxError{err}
		}
		return nil, err
	}
	l.Client = client
	return l, nil
}

// watch adds the observers that the flags ask for.
func (l *link) watch(o *acp.Options) error {
	d := l.d
	if d.record != "" {
		redactor, err := d.redactor()
		if err != nil {
			return err
		}
		taken := record.TakenRefuse
		if d.force {
			taken = record.TakenForce
		}
		w, path, err := record.Create(record.CreateOptions{
			Name: d.record, Taken: taken, Agent: l.target.command(), Tool: "acptool " + toolVersion(), Start: time.Now(),
			Writer: record.WriterOptions{Redact: redactor, Live: true},
			Env:    record.Env{Getenv: d.e.getenv},
		})
		if err != nil {
			return err
		}
		l.recorder, l.recPath = w, path
		o.Observers = append(o.Observers, w)
	}
	if d.verbose {
		if err := l.addLog(d.e.say, d.screen); err != nil {
			return err
		}
	}
	if d.log != nil {
		if err := l.addLog(d.log, pretty.Screen{}); err != nil {
			return err
		}
		l.logFile = l.log[len(l.log)-1]
	}
	for _, s := range l.log {
		s.Begin(pretty.Connection{Agent: l.target.command(), Started: time.Now()})
		o.Observers = append(o.Observers, s)
	}
	return nil
}

// redactor takes secrets out of what is written down; nil with --no-redact.
func (d *dialing) redactor() (*record.Redactor, error) {
	if !d.redact {
		return nil, nil
	}
	return record.NewRedactor(record.RedactOptions{})
}

func (l *link) addLog(w io.Writer, screen pretty.Screen) error {
	o := pretty.LogOptions{Screen: screen}
	r, err := l.d.redactor()
	if err != nil {
		return err
	}
	if r != nil {
		o.Redact = func(line []byte) []byte { out, _ := r.Line(line); return out }
	}
	l.log = append(l.log, pretty.NewLog(w, o))
	return nil
}

// dial makes one connection to the target. An agent that refuses version 2 is
// dialled a second time.
func (l *link) dial(ctx context.Context) (wire.Transport, error) {
	t, err := l.open(ctx)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wire != nil {
		for _, s := range l.log {
			s.Begin(pretty.Connection{Number: 1, Agent: l.target.command(), Started: time.Now()})
		}
		if l.recorder != nil {
			l.recorder.Header(record.Header{Started: time.Now(), Tool: "acptool " + toolVersion(), Agent: l.target.command(), PID: os.Getpid()})
		}
	}
	l.wire = t
	return t, nil
}

func (l *link) open(ctx context.Context) (wire.Transport, error) {
	if !l.target.started() {
		return wire.Dial(ctx, l.target.Address, l.d.dial)
	}
	c := wire.Command{Argv: l.target.Argv, StderrFile: l.d.stderr, MaxFrame: l.d.dial.MaxFrame}
	if len(l.target.Env)+len(l.d.env) > 0 {
		c.Env = append(append(os.Environ(), l.target.Env...), l.d.env...)
	}
	if l.d.showsErr {
		c.Stderr = func(b []byte) { l.d.e.say.agent(b) }
	}
	child, err := wire.StartChild(c)
	if err != nil {
		return nil, err
	}
	return child, nil
}

// close ends the connection in order and the watchers after it. The error is
// that of the recording or of --log: a run whose traffic should be kept and was
// not has failed, though all else went well.
func (l *link) close() error {
	l.Client.Close(l.d.e.hard)
	return l.closeWatchers()
}

// mostNoise is how many lines of noise are told of one by one: an agent that
// prints its log to stdout must not bury what else there is to say.
const mostNoise = 10

// heard tells of a line on the agent's stdout that is no message.
func (l *link) heard(line []byte) {
	if n := l.noise.Add(1); n <= mostNoise {
		l.d.e.say.noise(line)
	} else if n == mostNoise+1 {
		l.d.e.say.warn("more lines on the agent's stdout that are no messages are only counted (-v shows them, --record keeps them)")
	}
}

func (l *link) closeWatchers() error {
	if n := l.noise.Swap(0); n > mostNoise {
		l.d.e.say.warn(fmt.Sprintf("%d lines on the agent's stdout were no messages", n))
	}
	var unlogged error
	for _, s := range l.log {
		if err := s.Close(); err != nil && s == l.logFile {
			unlogged = ownf(err, "write the log %s", l.d.log.Name())
		}
	}
	if l.recorder == nil {
		return unlogged
	}
	if err := l.recorder.Close(); err != nil {
		return ownf(err, "write the recording %s", l.recPath)
	}
	return unlogged
}

// explain adds to an error what the agent last wrote on its stderr.
func (l *link) explain(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil || l.wire == nil {
		return err
	}
	if tail := l.wire.StderrTail(); len(tail) > 0 && !l.d.showsErr {
		return &agentError{err, tail}
	}
	return err
}

// agentError is an error with the end of the agent's stderr, which is shown
// where the agent failed.
type agentError struct {
	error
	tail []byte
}

func (a *agentError) Unwrap() error { return a.error }

// addressError is what connecting to an agent that already runs came to.
type addressError struct {
	error
	address string
}

func (a *addressError) Unwrap() error { return a.error }

// command is the agent's command line, or its address as the only word.
func (t target) command() []string {
	if t.started() {
		return t.Argv
	}
	return []string{t.Address}
}

// stderrTail is the end of what the agent wrote on its stderr.
func (l *link) stderrTail() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wire == nil {
		return nil
	}
	return l.wire.StderrTail()
}

// dialled says whether there was an agent to talk to.
func (l *link) dialled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wire != nil
}
