package commands

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
	"golang.org/x/term"
)

// env is what a command sees of the world: the streams, the environment, and
// the command line taken apart. Each run of the tool has one.
type env struct {
	Streams
	out    io.Writer // Out, with errors that say whose they are
	getenv func(string) string
	line   *line // what was typed; set before any command runs
	say    *console
	hard   context.Context // ends when everything must end at once
	passes *atomic.Bool    // the command passes signals on and ends as the agent does
}

func newEnv(std Streams, getenv func(string) string) *env {
	shared := sameStream(std.Out, std.Err)
	out := newStdout(std.Out, shared)
	say := newConsole(std.Err)
	say.beside, say.shared = out.open, shared
	return &env{passes: new(atomic.Bool), Streams: std, out: out, getenv: getenv, line: &line{}, say: say, hard: context.Background()}
}

// run takes the line apart and runs its command.
func (e *env) run(ctx context.Context, args []string) error {
	app, l, err := e.read(args)
	e.line = l
	e.passes.Store(l.passes())
	if err != nil {
		return err
	}
	switch {
	case l.version:
		return e.version()
	case l.help || l.command == nil && !l.dashes:
		return e.help(app, l.command)
	case l.command == nil:
		return usagef("acptool status -- "+wire.QuoteLine(l.argv), "no command before --")
	}
	if err := l.empty(); err != nil {
		return err
	}
	return l.act(ctx, app)
}

// finish tells of err and gives the exit status.
func (e *env) finish(err error) Exit {
	if err == nil {
		return ExitOK
	}
	if isOutputClosed(err) {
		return ExitOutputClosed
	}
	var status *exitError
	if errors.As(err, &status) && status.err == nil {
		return status.exit
	}
	f := explain(err)
	e.say.failure(f)
	if e.line.json && !f.jsonDone {
		out := e.out
		if e.line.passes() {
			out = e.Err
		}
		if werr := writeLine(out, f.document()); werr != nil && isOutputClosed(werr) {
			return ExitOutputClosed
		}
	}
	return f.Exit
}

// passes says whether the line runs a command whose stdout belongs to the
// agent.
func (l *line) passes() bool {
	return l.command != nil && (l.command.Name == "tap" || l.command.Name == "record")
}

// words checks the number of positional arguments. Where there are too many
// and no agent is named, the likely mistake is a forgotten "--".
func (e *env) words(c *cli.Context, min, max int) ([]string, error) {
	w := c.Args().Slice()
	switch {
	case len(w) < min:
		hint := "acptool help " + c.Command.Name
		if few := argValues(c.Command.Name).Words; len(few) > 0 && len(few) < 8 {
			hint = "one of " + strings.Join(few, ", ")
		}
		return nil, usagef(hint, "%s needs %s", c.Command.Name, c.Command.ArgsUsage)
	case max >= 0 && len(w) > max:
		if len(e.line.agents) == 0 && findFlag(c.Command.Flags, "agent") != nil {
			return nil, usagef("the agent's command stands after --: "+e.line.corrected(max), "unexpected argument %q", w[max])
		}
		return nil, usagef("acptool help "+c.Command.Name, "unexpected argument %q", w[max])
	}
	return w, nil
}

// onlyVersion says whether the line asks for the version and nothing else.
func onlyVersion(args []string) bool {
	return len(args) == 1 && (args[0] == "--version" || args[0] == "-V")
}

func (e *env) version() error {
	_, err := io.WriteString(e.out, versionText()+"\n")
	return err
}

// toolVersion is our version, as agents and recordings are told it.
func toolVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "devel"
}

// versionText is the one line of --version: what somebody who reports a fault
// is asked for.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "acptool (unknown version)"
	}
	return versionOf(info)
}

// versionOf names the version, the commit if it was built from a clone, and
// what it was built with and for. A module that go install fetched has no
// commit, but its version names one unless it is a released one.
func versionOf(info *debug.BuildInfo) string {
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	version := strings.TrimPrefix(info.Main.Version, "v")
	if version == "" || version == "(devel)" {
		version = "devel"
	}
	text := "acptool " + version
	if revision := set["vcs.revision"]; revision != "" {
		text += " (" + revision[:min(12, len(revision))]
		if day, _, ok := strings.Cut(set["vcs.time"], "T"); ok {
			text += ", " + day
		}
		if set["vcs.modified"] == "true" {
			text += ", modified"
		}
		text += ")"
	}
	return text + " " + info.GoVersion + " " + set["GOOS"] + "/" + set["GOARCH"]
}

func isTerminal(f *os.File) bool { return f != nil && term.IsTerminal(int(f.Fd())) }
