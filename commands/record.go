package commands

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// The values of record --mode.
const (
	modeOnce = "once" // play FILE if it holds an answer, else record it
	modeAll  = "all"  // always record
	modeNone = "none" // only play
)

func (e *env) recordCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "keep the traffic in `FILE`, by default a new one in the folder of recordings"},
		&cli.StringFlag{Name: "mode", Usage: "`HOW`: all records (the default), once plays FILE if it holds an answer and records it else, none only plays (else ACPTOOL_RECORD_MODE)"},
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
	taken := record.TakenNext
	if mode != modeAll {
		if file == "" {
			return usagef("add -o FILE", "--mode %s needs a file to play", mode)
		}
		_, err := os.Stat(file)
		switch {
		case err == nil && mode == modeOnce && nothingAnswered(file):
			// What a first run left that came to nothing: an agent that
			// could not be started, or gave no answer.
			taken = record.TakenForce
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
	p.record(file, taken)
	return p.run()
}

// nothingAnswered says whether a file is a recording in which the agent answered
// nothing, which cannot be played: a header, or requests alone. What somebody
// still writes may come to more.
func nothingAnswered(file string) bool {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || record.Writing(file, 0) {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	r := record.NewReader(f)
	defer r.Close()
	for {
		switch e, err := r.Next(); {
		case err == io.EOF:
			return info.Size() == 0 || r.Header() != nil
		case err != nil:
			return false
		case e.Kind == wire.EntryLine && e.From == wire.Agent && e.Frame:
			if slices.ContainsFunc(wire.Decode(e.Data).Messages, func(m wire.Message) bool { return m.Kind() == wire.KindResponse }) {
				return false
			}
		}
	}
}

// dropRecording takes away a recording that was just made and holds nothing,
// since there was no agent: it would hide the one before it as @last, and keep
// its name from the next try.
func dropRecording(path string) {
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		_ = os.Remove(path)
	}
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
