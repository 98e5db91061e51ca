package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strconv"
	"time"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/record/replay"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

const (
	catAsAgent  = "As the agent"
	catAsClient = "As the client"
)

// replayCommand plays a recording: as the agent, to whoever speaks to our stdin
// and stdout; or as the client, where an agent is named.
func (e *env) replayCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "match", Category: catAsAgent, Usage: "`HOW` a request is matched: similar, or strict, where its params must be as recorded (similar)"},
		&cli.StringFlag{Name: "speed", Category: catAsAgent, Usage: "keep recorded pauses, `N` times as fast, or max (max)"},
		&cli.BoolFlag{Name: "verbatim", Category: catAsAgent, Usage: "leave the recorded working directory in what the agent says"},
		&cli.BoolFlag{Name: "loop", Category: catAsAgent, Usage: "start afresh when a client initializes anew; with --listen, play to any number of clients"},
		&cli.StringFlag{Name: "report", Category: catAsAgent, Usage: "add the verdict to `FILE` as a line of JSON (else ACPTOOL_REPORT)"},
		&cli.BoolFlag{Name: "complete", Category: catAsAgent, Usage: "what was never played counts as a miss"},
		&cli.BoolFlag{Name: "fail-fast", Category: catAsAgent, Usage: "end at the first miss or difference"},
		&cli.StringFlag{Name: "demo", Category: catAsAgent, Usage: "the demo instead of a FILE, in protocol `VERSION` 1, 2 or any"},
	}
	for _, f := range listenFlags() {
		switch f.Names()[0] {
		case "listen":
			flags = append(flags, &cli.StringFlag{Name: "listen", Category: catAsAgent, Usage: "play at `ADDRESS`: unix:PATH, tcp:HOST:PORT, ws://HOST:PORT; the address is printed"})
		case "public", "allow-origin":
			flags = append(flags, f)
		}
	}
	flags = append(flags, maxFrameFlag())
	return &cli.Command{
		Name:      "replay",
		Usage:     "play a recording as the agent, or as the client of an agent",
		ArgsUsage: "[FILE…]",
		UsageText: "acptool replay [FLAG…] [FILE]\nacptool replay [FLAG…] FILE… -- AGENT [ARG…]",
		Description: "Without an agent, replay is the recorded agent, on its stdin and stdout: each request is answered as the recorded one that it is most like, under its own id. " +
			"What was never recorded is an error, and then the exit status is 1. Without FILE it is the demo, which answers any prompt.\n\n" +
			"With an agent, replay is the recorded client: it sends what was sent, compares what the agent says, and exits 1 if that differs. Ids and times do not count, nor does where a message is cut into chunks.",
		Flags:  append(append(append(flags, clientFlags()...), agentFlags()...), toneFlags()...),
		Action: e.replay,
	}
}

func (e *env) replay(c *cli.Context) error {
	if err := e.replayFlags(c); err != nil {
		return err
	}
	if len(e.line.agents) > 0 {
		return e.replayClient(c)
	}
	o, err := e.agentOptions(c)
	if err != nil {
		return err
	}
	words, err := e.words(c, 0, 1)
	if err != nil {
		return err
	}
	var player func(replay.AgentOptions) (*replay.Agent, error)
	switch {
	case len(words) > 0 && c.IsSet("demo"):
		return usagef("leave FILE or --demo out", "--demo plays its own recording, and %s is named too", words[0])
	case len(words) == 0:
		player = func(o replay.AgentOptions) (*replay.Agent, error) { return e.demoPlayer(c, o) }
	default:
		player = func(o replay.AgentOptions) (*replay.Agent, error) { return e.filePlayer(c, words[0], o) }
	}
	if c.IsSet("listen") {
		return e.replayListen(c, player, c.Bool("loop") || len(words) == 0)
	}
	a, err := player(o)
	if err != nil {
		return err
	}
	return e.play(c.Context, a, c.String("report"), c.Bool("complete"))
}

// replayFlags refuses flags that mean nothing in the part that is played.
func (e *env) replayFlags(c *cli.Context) error {
	asClient := len(e.line.agents) > 0
	for _, f := range c.Command.Flags {
		g, ok := f.(cli.CategorizableFlag)
		if !ok || !c.IsSet(f.Names()[0]) {
			continue
		}
		switch name := f.Names()[0]; {
		case g.GetCategory() == catAsClient && !asClient:
			return usagef("name the agent to play against: "+e.line.with("AGENT"), "--%s is for playing as the client, and no agent is named", name)
		case g.GetCategory() == catAsAgent && asClient:
			return usagef("leave it out, or name no agent", "--%s is for playing as the agent", name)
		}
	}
	return nil
}

// agentOptions reads the flags for playing as the agent.
func (e *env) agentOptions(c *cli.Context) (replay.AgentOptions, error) {
	o := replay.AgentOptions{
		In: e.In, Out: e.Out,
		Verbatim: c.Bool("verbatim"), FailFast: c.Bool("fail-fast"), Loop: c.Bool("loop"),
		Note: e.say.warn, MaxFrame: c.Int64("max-frame"),
	}
	switch v := c.String("match"); v {
	case "", "similar":
	case "strict":
		o.Strict = true
	default:
		return o, usagef("", "--match takes similar or strict, and not %q", v)
	}
	switch v := c.String("speed"); v {
	case "", "max":
	default:
		n, err := strconv.ParseFloat(v, 64)
		if err != nil || !(n > 0 && n < 1e9) {
			return o, usagef("as in --speed 1 or --speed max", "--speed takes a number above 0 or max, and not %q", v)
		}
		o.Speed = n
	}
	return o, nil
}

// loadRecording reads a recording to be played.
func (e *env) loadRecording(c *cli.Context, name string) (*replay.Recording, error) {
	r, err := record.Open(name, record.Env{Getenv: e.getenv, Stdin: e.In, MaxFrame: c.Int64("max-frame")})
	if err != nil {
		return nil, ownf(err, "read the recording")
	}
	defer r.Close()
	rec, err := replay.Load(r)
	if err != nil {
		return nil, ownf(err, "play %s", name)
	}
	if rec.Truncated > 0 {
		e.say.note(name + " is cut off; what is there is played")
	}
	return rec, nil
}

func (e *env) filePlayer(c *cli.Context, name string, o replay.AgentOptions) (*replay.Agent, error) {
	if name == "-" {
		return nil, usagef("give a FILE", "the recording cannot be read from stdin, where the client speaks")
	}
	rec, err := e.loadRecording(c, name)
	if err != nil {
		return nil, err
	}
	s := rec.Main()
	for _, n := range s.Notes {
		e.say.note(n)
	}
	a, err := replay.NewAgent(s, o)
	if err != nil {
		return nil, ownf(err, "play %s", name)
	}
	return a, nil
}

// play runs the player until its client has gone, writes the verdict and ends
// with the status that it gives.
func (e *env) play(ctx context.Context, a *replay.Agent, report string, complete bool) error {
	type ended struct {
		end replay.End
		err error
	}
	done := make(chan ended, 1)
	// This goroutine ends with the player, or with the process where the
	// player hangs in a write that nobody reads.
	go func() {
		end, err := a.Run(ctx)
		done <- ended{end, err}
	}()
	var r ended
	select {
	case r = <-done:
	case <-ctx.Done():
		select {
		case r = <-done:
		case <-time.After(time.Second):
		}
	}
	v := a.Verdict()
	if err := e.writeVerdict(v, report); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case r.err != nil:
		return ownf(r.err, "read from the client")
	}
	if complete {
		for _, s := range v.Unplayed {
			e.say.warn("never asked for: " + s.String())
		}
	}
	if v.Diverged(complete) || r.end.FailFast {
		return exitWith(ExitNo)
	}
	if r.end.Exit != nil {
		return (&pass{e: e}).endAs(*r.end.Exit)
	}
	return nil
}

// writeVerdict adds a line to the report, if one is asked for. A client may
// start its agent more than once, and the last run must not hide what an earlier
// one came to; nor does a report that was left from yesterday vanish unseen.
func (e *env) writeVerdict(v replay.Verdict, file string) error {
	if file == "" {
		file = e.getenv("ACPTOOL_REPORT")
	}
	if file == "" {
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return ownf(err, "write the report")
	}
	_, err = f.Write(b.Bytes()) // in one piece, since others may write too
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return ownf(err, "write the report")
	}
	return nil
}

// demoPlayer is the demo as a player.
func (e *env) demoPlayer(c *cli.Context, o replay.AgentOptions) (*replay.Agent, error) {
	v := c.String("demo")
	if v == "any" {
		v = "auto"
	}
	choice, err := acp.ParseChoice(v)
	if err != nil {
		return nil, usagef("", "--demo takes 1, 2 or any, and not %q", c.String("demo"))
	}
	a, err := replay.NewDemo(choice, o)
	if err != nil {
		return nil, ownf(err, "play the demo")
	}
	return a, nil
}
