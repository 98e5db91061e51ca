package commands

import (
	"errors"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"
)

// The values of record --mode.
const (
	modeOnce = "once" // play FILE if it exists, else record it
	modeAll  = "all"  // always record
	modeNone = "none" // only play
)

func (e *env) recordCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "keep the traffic in `FILE`, by default a new one in the folder of recordings"},
		&cli.StringFlag{Name: "mode", Usage: "`HOW`: all records (the default), once plays FILE if it exists and records it else, none only plays (else ACPTOOL_RECORD_MODE)"},
	}
	flags = append(flags, agentFlags()...)
	flags = append(flags, dialFlags()...)
	flags = append(flags, redactFlags()...)
	return &cli.Command{
		Name:  "record",
		Usage: "stand between an editor and an agent, and keep what they say",
		Description: "As tap does, without a log. Bytes pass as they are, both ways; record ends as the agent does. " +
			"An existing FILE is never written over: the next free name is taken, and told. FILE may hold {time}, {agent} and {pid}.",
		Flags:  append(flags, toneFlags()...),
		Action: e.record,
	}
}

func (e *env) record(c *cli.Context) error {
	mode, err := e.recordMode(c)
	if err != nil {
		return err
	}
	file := c.String("output")
	if mode != modeAll {
		if file == "" {
			return usagef("add -o FILE", "--mode %s needs a file to play", mode)
		}
		_, err := os.Stat(file)
		switch {
		case err == nil:
			return e.playRecorded(c, file)
		case mode == modeNone || !errors.Is(err, fs.ErrNotExist):
			return &exitError{ExitPassOwnFailure, ownf(err, "play %s", file)}
		}
	}
	p, err := e.pass(c)
	if err != nil {
		return err
	}
	p.record(file)
	return p.run()
}

func (e *env) recordMode(c *cli.Context) (string, error) {
	mode, from := c.String("mode"), "--mode"
	if mode == "" {
		mode, from = e.getenv("ACPTOOL_RECORD_MODE"), "ACPTOOL_RECORD_MODE"
	}
	switch mode {
	case "":
		return modeAll, nil
	case modeOnce, modeAll, modeNone:
		return mode, nil
	}
	return "", usagef("", "%s takes once, all or none, and not %q", from, mode)
}

// playRecorded plays a recording as the agent, as replay FILE does.
func (e *env) playRecorded(c *cli.Context, file string) error {
	o, err := e.agentOptions(c)
	if err != nil {
		return err
	}
	a, err := e.filePlayer(c, file, o)
	if err != nil {
		return passFailure(err)
	}
	return e.play(c.Context, a, "", false)
}
