package commands

import (
	"context"

	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

// job is what new, resume and prompt have in common: one agent, and what a
// session is given.
type job struct {
	e      *env
	d      *dialing
	target target
	setup  acp.Setup
	choice choice
}

// job reads the flags that they share. Its dialing must be closed.
func (e *env) job(c *cli.Context) (*job, error) {
	j := &job{e: e}
	var err error
	if j.setup, err = e.setup(c); err != nil {
		return nil, err
	}
	if j.choice, err = readChoice(c); err != nil {
		return nil, err
	}
	if j.target, err = e.agent(c); err != nil {
		return nil, err
	}
	j.d, err = e.dialing(c)
	return j, err
}

// run connects, works, and closes the connection. ctx's end comes from a
// signal or from --timeout.
func (j *job) run(ctx context.Context, adjust func(*acp.Options), work func(context.Context, *link) error) error {
	ctx, cancel := acp.WithTimeout(ctx, j.d.timeout)
	defer cancel()
	l, err := j.d.connect(ctx, j.target, adjust)
	if err != nil {
		return err
	}
	// A second signal closes the connection under whatever still waits.
	stop := context.AfterFunc(j.e.hard, func() { l.Client.Close(j.e.hard) })
	defer stop()
	err = work(ctx, l)
	if err != nil {
		err = l.explain(err)
	}
	if cerr := l.close(); err == nil {
		err = cerr
	}
	return err
}

// apply sets model, mode and options before a turn; what the agent rejects
// ends the command, so that no prompt is sent.
func (ch choice) apply(ctx context.Context, l *link, s *acp.Session) error {
	if ch.model != "" {
		if err := l.SetModel(ctx, s, ch.model); err != nil {
			return err
		}
	}
	if ch.mode != "" {
		if err := l.SetMode(ctx, s, ch.mode); err != nil {
			return err
		}
	}
	for _, kv := range ch.config {
		if err := l.SetConfig(ctx, s, kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}
