package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

func (e *env) promptCommand() *cli.Command {
	own := []cli.Flag{
		&cli.StringFlag{Name: "session", Aliases: []string{"s"}, Usage: "take up session `ID` instead of creating one"},
		&cli.StringFlag{Name: "session-file", Usage: "take up the session whose id stands in `FILE`; else create one and write it there"},
		&cli.StringFlag{Name: "file", Aliases: []string{"f"}, Usage: "read the prompt from `FILE`"},
		&cli.StringSliceFlag{Name: "attach", KeepSpace: true, Usage: "send `FILE` along, embedded if the agent takes that, else as a link"},
		&cli.StringSliceFlag{Name: "image", KeepSpace: true, Usage: "send the image in `FILE` along"},
		&cli.StringSliceFlag{Name: "audio", KeepSpace: true, Usage: "send the sound in `FILE` along"},
		&cli.StringSliceFlag{Name: "block", KeepSpace: true, Usage: "send a content block along, as `JSON`"},
		&cli.BoolFlag{Name: "lines", Usage: "each line of stdin is a prompt, all in one session"},
		&cli.BoolFlag{Name: "updates", Usage: "print each update as a line of JSON, and the result last"},
		&cli.BoolFlag{Name: "close", Usage: "close the session at the end"},
		&cli.DurationFlag{Name: "drain", Value: 300 * time.Millisecond, Usage: "after the turn, wait for late updates until nothing came for `DURATION` (300ms)"},
	}
	return &cli.Command{
		Name:      "prompt",
		Usage:     "send a prompt and follow the turn to its end",
		ArgsUsage: "[TEXT…]",
		Description: `The prompt is TEXT, or stdin with - or without TEXT, or -f FILE. The agent's
text goes to stdout as it comes; --json prints the folded session at the end,
--updates every update. The exit status says how the turn ended.

Permission requests are refused unless --permission says otherwise. Ctrl-C
cancels the turn and waits for its end; a second Ctrl-C does not.`,
		Flags:  slices.Concat(own, setupFlags(), serveFlags(), agentFlags(), connectionFlags(0), trafficFlags(), outputFlags()),
		Action: e.prompt,
	}
}

// promptJob is one run of prompt.
type promptJob struct {
	*job
	p      *printer
	view   *turnView
	follow *follower
	src    promptSource

	session string // --session, or the id in --session-file
	file    string // --session-file
	keep    *sessionKeeper
	isNew   bool
	closes  bool
	lines   *wire.LineReader // --lines
}

func (e *env) prompt(c *cli.Context) error {
	words, err := e.words(c, 0, -1)
	if err != nil {
		return err
	}
	p, err := e.printer(c)
	if err != nil {
		return err
	}
	j, err := e.promptJob(c, words, p)
	if err != nil {
		return err
	}
	defer j.d.close()
	ctx, cancel := context.WithCancelCause(c.Context)
	defer cancel(nil)
	j.view = newTurnView(e, p, c.Bool("updates"), cancel)
	_, errScreen, err := e.screens(c)
	if err != nil {
		return err
	}
	j.view.live = newLiveView(e, errScreen, p.Screen.Terminal, c.Bool("v"))
	j.follow = newFollower(func(s seen) {
		j.keep.see(s)
		if s.When != acp.History || p.filter == nil {
			j.view.show(s) // --updates marks what belongs to the past; a filter could not tell
		}
	})
	policy, err := j.policy(c.String("permission"))
	if err != nil {
		return err
	}
	serve, err := j.clientMethods(c)
	if err != nil {
		return err
	}
	if serve != nil {
		defer serve.Close()
	}
	id := j.session
	err = j.run(ctx, func(o *acp.Options) {
		o.Observers = append(o.Observers, j.follow)
		o.Permission = policy
		if serve != nil {
			o.Methods = serve
		}
		o.Events.PermissionAsked = j.view.live.asked
		o.Events.PermissionOutcome = func(r acp.PermissionRequest, out acp.Outcome) {
			j.view.live.answered()
			if c.String("permission") != "ask" { // the person knows
				j.permission(r, out)
			}
		}
	}, func(ctx context.Context, l *link) error {
		s, err := j.take(ctx, l)
		if err != nil {
			return err
		}
		id = s.ID
		return j.turns(ctx, l, s)
	})
	if werr := j.view.err(); werr != nil {
		return werr
	}
	return p.finish(j.fail(id, err))
}

// promptJob reads the flags and the prompt.
func (e *env) promptJob(c *cli.Context, words []string, p *printer) (*promptJob, error) {
	j := &promptJob{p: p, session: c.String("session"), file: c.String("session-file"), closes: c.Bool("close")}
	switch {
	case c.IsSet("session") && j.session == "":
		return nil, usagef("", "--session names no session")
	case c.IsSet("session") && j.file != "":
		return nil, usagef("keep one of them", "--session and --session-file are both given")
	case c.Bool("updates") && c.Bool("json"):
		return nil, usagef("--updates is JSON already", "--json and --updates are both given")
	}
	var err error
	if j.job, err = e.job(c); err != nil {
		return nil, err
	}
	if j.src, err = e.promptSource(c, words, j.setup.Cwd, c.Bool("lines")); err != nil {
		return nil, err
	}
	if c.Bool("lines") {
		j.lines = wire.NewLineReader(e.In, mostRead)
	}
	if j.file != "" {
		if j.session, err = readSessionFile(j.file); err != nil {
			return nil, err
		}
	}
	j.isNew = j.session == ""
	if j.file != "" && j.isNew {
		j.keep = &sessionKeeper{name: j.file}
	}
	return j, nil
}

// take creates the session or takes it up: "Clients MUST still call
// session/resume (or session/load in v1) before sending session/prompt"
// (session-status RFD), whatever a status said.
func (j *promptJob) take(ctx context.Context, l *link) (*acp.Session, error) {
	if j.closes && !l.Peer().Caps.CloseSession() {
		return nil, l.Peer().Offers("session/close")
	}
	// What cannot be sent is told before a session is made for it.
	if _, err := j.src.content(l.Peer().Caps); err != nil {
		return nil, err
	}
	var s *acp.Session
	var err error
	if j.isNew {
		s, err = l.NewSession(ctx, j.setup)
	} else {
		if s, err = l.Resume(ctx, j.session, j.setup, false); err != nil && j.file != "" {
			err = &keptSessionError{j.file, err}
		}
	}
	if err != nil {
		return nil, err
	}
	if !j.isNew {
		// session/load sends the whole history; what is shown is this run's.
		j.follow.with(s.ID, (*acp.Fold).DiscardItems)
	}
	return s, j.choice.apply(ctx, l, s)
}

// turns runs the one turn, or with --lines one per line.
func (j *promptJob) turns(ctx context.Context, l *link, s *acp.Session) error {
	if j.lines == nil {
		err := j.turn(ctx, l, s)
		return j.end(ctx, l, s, err)
	}
	for n := 1; ; n++ {
		line, err := j.nextLine(ctx)
		if err == io.EOF {
			return j.end(ctx, l, s, nil)
		}
		if err != nil {
			return j.end(ctx, l, s, err)
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := j.turn(ctx, l, s, line); err != nil {
			return j.end(ctx, l, s, err)
		}
	}
}

// nextLine reads a line of stdin; ctx's end does not wait for it. The
// goroutine that reads stdin is the one that cannot be ended.
func (j *promptJob) nextLine(ctx context.Context) (string, error) {
	type got struct {
		line string
		err  error
	}
	done := make(chan got, 1)
	go func() {
		line, err := j.lines.ReadLine()
		var long *wire.FrameTooLongError
		if errors.As(err, &long) {
			err = fmt.Errorf("a line has no end within %d bytes", long.Limit) // it is no frame of the agent's
		}
		if err != nil && err != io.EOF {
			err = ownf(err, "read standard input")
		}
		done <- got{string(line.Bytes), err}
	}()
	select {
	case g := <-done:
		return g.line, g.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// turn sends one prompt and follows it to its end.
func (j *promptJob) turn(ctx context.Context, l *link, s *acp.Session, text ...string) error {
	blocks, err := j.src.content(l.Peer().Caps, text...)
	if err != nil {
		return err
	}
	j.keep.begin(s.ID)
	j.view.begin(s.ID)
	j.view.live.begin()
	res, err := l.Prompt(ctx, s, blocks)
	j.view.live.end()
	unkept := j.keep.end(res, err)
	if err == nil {
		err = j.ended(l, res)
	}
	if werr := j.view.finish(res, err); werr != nil {
		return werr
	}
	if j.p.json {
		if werr := j.follow.document(j.p, s.ID, realError(err)); werr != nil {
			return werr
		}
	}
	switch {
	case unkept == nil:
		return err
	case err == nil:
		return unkept
	}
	j.e.say.warn(unkept.Error())
	return err
}

// realError is err unless it only carries a status (a stop reason).
func realError(err error) error {
	var x *exitError
	if errors.As(err, &x) && x.err == nil {
		return nil
	}
	return err
}

// ended gives the status of a turn that came to its end.
func (j *promptJob) ended(l *link, res acp.TurnResult) error {
	if res.Error != nil {
		return res.Error
	}
	x := stopExit(res.StopReason)
	if x == ExitOK && j.silentTurn(res.SessionID) {
		j.e.say.warn("the turn ended with end_turn, but the agent said and did nothing")
		for _, line := range tailLines(l.stderrTail()) {
			j.e.say.hint(line)
		}
	}
	return exitWith(x)
}

// stopExit is the status for a stop reason.
func stopExit(reason string) Exit {
	switch acp.StopReason(reason) {
	case acp.StopEndTurn:
		return ExitOK
	case acp.StopRefusal:
		return ExitRefusal
	case acp.StopMaxTokens:
		return ExitMaxTokens
	case acp.StopMaxTurnRequests:
		return ExitMaxRequests
	case acp.StopCancelled:
		return ExitCancelled
	}
	return ExitOtherReason
}

// silentTurn says whether nothing but the prompt stands in the last turn: an
// error is likely hidden behind its end_turn.
func (j *promptJob) silentTurn(session string) bool {
	silent := false
	j.follow.with(session, func(f *acp.Fold) {
		items := f.Items()
		silent = len(items) == 0 || items[len(items)-1].Type == acp.ItemUserMessage
	})
	return silent
}

// end closes the session if that was asked for, whatever the turn came to.
func (j *promptJob) end(ctx context.Context, l *link, s *acp.Session, err error) error {
	if j.closes && ctx.Err() == nil {
		if _, cerr := l.CloseSession(ctx, s.ID); err == nil {
			err = cerr
		}
	} else if !j.target.started() && j.isNew && !j.keep.kept() {
		j.e.say.aside("the session stays open: " + s.ID)
	}
	return err
}

// fail gives err the JSON document that it needs: a run that fails before its
// turn has none yet.
func (j *promptJob) fail(session string, err error) error {
	if realError(err) == nil {
		return err
	}
	if j.view.updates {
		if werr := writeLine(j.e.out, explain(err).document()); werr != nil {
			return werr
		}
		return jsonDone{err}
	}
	if j.p.json && j.view.turns > 0 {
		return jsonDone{err}
	}
	return err
}
