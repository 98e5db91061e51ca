package commands

import (
	"fmt"
	"io"
	"os"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// tap stands between an editor, which is our stdin and stdout, and an agent,
// and shows what they say to each other. record is tap without a log: both end
// in pass.
func (e *env) tapCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "log", Usage: "write the log into `FILE` instead of stderr"},
		optionalFlag{&cli.StringFlag{Name: "record", Usage: "keep the traffic, in `[FILE]` or a new one in the folder of recordings"}},
	}
	flags = append(flags, listenFlags()...)
	flags = append(flags, agentFlags()...)
	flags = append(flags, dialFlags()...)
	flags = append(flags, logFlags()...)
	flags = append(flags, redactFlags()...)
	for _, f := range filterFlags() {
		if f.Names()[0] != "exit-status" { // tap ends as the agent does
			flags = append(flags, f)
		}
	}
	return &cli.Command{
		Name:  "tap",
		Usage: "stand between an editor and an agent, and show what they say",
		Description: "Put \"acptool tap --\" before the agent's command in the editor's settings. " +
			"Bytes pass as they are, both ways; the log goes to stderr, where editors keep what agents say there, or to --log FILE. " +
			"With -q nothing is shown. tap ends as the agent does.",
		Flags:  append(flags, toneFlags()...),
		Action: e.tap,
	}
}

func (e *env) tap(c *cli.Context) error {
	if c.IsSet("listen") {
		return e.listen(c)
	}
	p, err := e.pass(c)
	if err != nil {
		return err
	}
	if err := p.watch(c); err != nil {
		return err
	}
	return p.run()
}

// watch adds the recording and the log that the flags ask for.
func (p *pass) watch(c *cli.Context) error {
	if c.IsSet("record") {
		p.record(c.String("record"), record.TakenNext)
	}
	if !c.Bool("quiet") || c.IsSet("log") {
		return p.log(c)
	}
	return nil
}

// log adds the log, or what a filter makes of the messages.
func (p *pass) log(c *cli.Context) error {
	choose, err := selection(c)
	if err != nil {
		return err
	}
	body, err := logBody(c)
	if err != nil {
		return err
	}
	_, screen, err := p.e.screens(c)
	if err != nil {
		return err
	}
	redactor, err := p.e.redactor(c)
	if err != nil {
		return err
	}
	w := p.e.Err
	if name := c.String("log"); name != "" {
		if w, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
			// Whatever is wrong with the log, the editor gets its agent.
			p.trouble("the log", err)
			return nil
		}
		p.closers = append(p.closers, w)
		screen = pretty.Screen{Colour: c.String("color") == "always"}
	} else if p.stderr != nil {
		choose.Except = append(choose.Except, "stderr") // it passes there itself
	} else {
		p.shown = true
	}
	filter, err := p.e.logFilter(c, w, screen)
	if err != nil {
		return err
	}
	var sink pretty.Sink
	if filter != nil {
		sink = pretty.NewFilterStream(filter, pretty.StreamOptions{Select: choose, Redact: redactText(redactor)})
	} else {
		sink = pretty.NewLog(w, pretty.LogOptions{Screen: screen, Body: body, Select: choose, Redact: redactText(redactor), Buffered: true})
	}
	sink.Begin(pretty.Connection{Started: p.start, Agent: p.target.command()})
	p.observers = append(p.observers, &logSink{Sink: sink, w: w})
	return nil
}

// logSink makes a Sink lossy and keeps what goes wrong with it to itself: a log
// is not worth a stall.
type logSink struct {
	pretty.Sink
	w io.Writer
}

// Dropped says that the log could not keep up.
func (l *logSink) Dropped(n int) {
	if d, ok := l.Sink.(wire.Lossy); ok {
		d.Dropped(n)
		return
	}
	fmt.Fprintf(l.w, "acptool: warning: %d entries left out, since this could not keep up\n", n)
}

// stderrSink shows the agent's stderr on a terminal, where its control
// characters must not work.
type stderrSink struct{ say *console }

func (s stderrSink) Observe(x wire.Entry) {
	if x.Kind == wire.EntryStderr {
		s.say.agent(x.Data)
	}
}

func (s stderrSink) Dropped(n int) {}

var _ wire.Lossy = stderrSink{}
var _ wire.Lossy = (*logSink)(nil)
