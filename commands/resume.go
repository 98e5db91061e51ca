package commands

import (
	"context"
	"slices"
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

func (e *env) resumeCommand() *cli.Command {
	own := []cli.Flag{
		&cli.BoolFlag{Name: "replay", Usage: "ask for the session's history and print it"},
		&cli.DurationFlag{Name: "drain", Value: 300 * time.Millisecond, Usage: "with --replay, wait for late updates until nothing came for `DURATION` (300ms)"},
	}
	return &cli.Command{
		Name:      "resume",
		Usage:     "take a session up again",
		ArgsUsage: "SESSION",
		Description: `Sends session/resume or, in version 1 where the agent has that alone,
session/load. Nothing is printed; with --replay the history is, as a transcript,
or with --json as one document. An agent that says inactive of a session may
still not know it; then this exits 4.`,
		Flags:  slices.Concat(own, setupFlags(), agentFlags(), connectionFlags(0), trafficFlags(), outputFlags()),
		Action: e.resume,
	}
}

func (e *env) resume(c *cli.Context) error {
	words, err := e.words(c, 1, 1)
	if err != nil {
		return err
	}
	p, err := e.printer(c)
	if err != nil {
		return err
	}
	j, err := e.job(c)
	if err != nil {
		return err
	}
	defer j.d.close()
	id, replay := words[0], c.Bool("replay")
	view := newTurnView(e, p, false, func(error) {})
	follow := newFollower(func(s seen) {
		if replay && s.Session == id {
			view.show(s)
		}
	})
	var session *acp.Session
	err = j.run(c.Context, func(o *acp.Options) {
		o.Observers = append(o.Observers, follow)
	}, func(ctx context.Context, l *link) error {
		var err error
		if session, err = l.Resume(ctx, id, j.setup, replay); err != nil {
			return err
		}
		return j.choice.apply(ctx, l, session)
	})
	switch {
	case view.err() != nil: // stdout was closed, or the filter halted
		err = view.err()
	case err != nil:
	case replay && p.json:
		err = follow.document(p, id, nil)
	case replay && p.filter == nil:
		err = e.transcript(p, follow, id)
	case !replay && p.structured():
		err = p.document(withSessionID(session))
	}
	return p.finish(err)
}

// transcript writes a session's history for people.
func (e *env) transcript(p *printer, f *follower, id string) error {
	var err error
	f.with(id, func(fold *acp.Fold) { err = pretty.WriteTranscript(e.out, p.Screen, fold) })
	return err
}
