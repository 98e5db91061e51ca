package commands

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/record/replay"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// clientFlags are those of replay as the client.
func clientFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "ignore", Category: catAsClient, KeepSpace: true, Usage: "leave `JQPATHS` out of the comparison, such as .params.update._meta"},
		&cli.BoolFlag{Name: "update", Category: catAsClient, Usage: "accept what the agent says now: write the files anew"},
		&cli.BoolFlag{Name: "fill-env", Category: catAsClient, Usage: "take redacted values of MCP servers' env from the environment"},
		&cli.StringFlag{Name: "cwd", Aliases: []string{"C"}, Category: catAsClient, Usage: "put `DIR` in place of the recorded working directory"},
		&cli.StringFlag{Name: "junit", Category: catAsClient, Usage: "write the results into `FILE` as JUnit XML"},
		&cli.DurationFlag{Name: "timeout", Category: catAsClient, Value: 30 * time.Second, Usage: "wait `DURATION` for each thing that the recording waited for (30s)"},
		&cli.DurationFlag{Name: "drain", Category: catAsClient, Value: 300 * time.Millisecond, Usage: "at the end, take late updates until `DURATION` of silence (300ms)"},
		&cli.BoolFlag{Name: "json", Category: catAsClient, Usage: "one JSON document per file"},
	}
}

// replayed is what came of one file.
type replayed struct {
	File        string              `json:"file"`
	OK          bool                `json:"ok"`
	Compared    int                 `json:"compared"`
	Differences []replay.Difference `json:"differences"`
	Updated     bool                `json:"updated,omitempty"`
	Error       string              `json:"error,omitempty"`

	took time.Duration
	err  error
}

// replayClient plays files against an agent: a fresh one for each connection of
// each file.
func (e *env) replayClient(c *cli.Context) error {
	files, err := e.words(c, 1, -1)
	if err != nil {
		return err
	}
	t, err := e.agent(c)
	if err != nil {
		return err
	}
	ignore, err := replay.NewIgnore(c.StringSlice("ignore"))
	if err != nil {
		return usagef("as in --ignore .params.update._meta", "--ignore: %s", err)
	}
	o := replay.ClientOptions{Timeout: c.Duration("timeout"), Drain: c.Duration("drain"), Ignore: ignore}
	if dir := c.String("cwd"); dir != "" {
		if o.Cwd, err = filepath.Abs(dir); err != nil {
			return ownf(err, "find %s", dir)
		}
	}
	if c.Bool("fill-env") {
		o.Getenv = os.LookupEnv
	}
	var all []replayed
	var ended error // by a signal, or since nobody reads stdout
	for _, f := range files {
		r := e.replayFile(c, f, t, o)
		all = append(all, r)
		if ended = e.tellReplayed(c, r); ended == nil {
			ended = context.Cause(c.Context)
		}
		if ended != nil {
			break
		}
	}
	if name := c.String("junit"); name != "" {
		if err := writeJUnit(name, all); err != nil && ended == nil {
			ended = ownf(err, "write the JUnit file")
		}
	}
	if ended != nil {
		return ended
	}
	return replayedExit(all)
}

// replayedExit gives the status of all files: 1 if one differs, as a clear no
// about the agent, else the highest of what the others came to.
func replayedExit(all []replayed) error {
	var unplayed error
	worst, differs := ExitOK, false
	for _, r := range all {
		if r.err == nil {
			differs = differs || !r.OK
		} else if exit := explain(r.err).Exit; exit > worst {
			unplayed, worst = r.err, exit
		}
	}
	switch {
	case unplayed == nil && differs:
		return exitWith(ExitNo)
	case unplayed == nil:
		return nil
	case differs:
		unplayed = &exitError{ExitNo, unplayed}
	}
	return jsonDone{unplayed}
}

// replayFile plays one file.
func (e *env) replayFile(c *cli.Context, file string, t target, o replay.ClientOptions) (r replayed) {
	start := time.Now()
	r = replayed{File: file, Differences: []replay.Difference{}}
	defer func() { r.took = time.Since(start) }()
	fail := func(err error) replayed {
		r.err, r.Error = err, err.Error()
		return r
	}
	rec, err := e.loadRecording(c, file)
	if err != nil {
		return fail(err)
	}
	whole := true
	var results []*replay.Result
	for _, s := range rec.Connections {
		result, err := e.replayConnection(c, s, t, o)
		if err != nil {
			return fail(err)
		}
		r.Compared += result.Compared
		r.Differences = append(r.Differences, result.Differences...)
		whole = whole && result.Complete
		results = append(results, result)
	}
	r.OK = len(r.Differences) == 0
	if c.Bool("update") && !r.OK {
		if !whole {
			e.say.warn(file + " is left as it is: the play did not come to its end")
			return r
		}
		if err := e.rewriteRecording(file, t, results); err != nil {
			return fail(err)
		}
		r.OK, r.Updated = true, true
	}
	return r
}

func (e *env) replayConnection(c *cli.Context, s *replay.Script, t target, o replay.ClientOptions) (*replay.Result, error) {
	if err := s.Sendable(o.Getenv); err != nil {
		return nil, err
	}
	var tr wire.Transport
	var err error
	if t.started() {
		cmd := wire.Command{Argv: t.Argv}
		if extra := append(t.Env, c.StringSlice("env")...); len(extra) > 0 {
			cmd.Env = append(os.Environ(), extra...)
		}
		var child *wire.Child
		if child, err = wire.StartChild(cmd); err == nil {
			tr = child
		}
	} else {
		tr, err = wire.Dial(c.Context, t.Address, wire.DialOptions{})
	}
	if err != nil {
		return nil, &exitError{ExitUnreachable, err}
	}
	r, err := replay.PlayClient(c.Context, s, tr, o)
	tr.Close(e.hard)
	if err == nil && !r.Complete {
		if tail := tr.StderrTail(); len(tail) > 0 && !c.Bool("quiet") {
			for _, l := range tailLines(tail) {
				e.say.Write([]byte("  " + l + "\n"))
			}
		}
	}
	return r, err
}

// tellReplayed shows what came of a file.
func (e *env) tellReplayed(c *cli.Context, r replayed) error {
	if c.Bool("json") {
		return writeLine(e.out, r)
	}
	var b strings.Builder
	switch {
	case r.Updated:
		fmt.Fprintf(&b, "updated %s (%s)\n", r.File, count(len(r.Differences), "difference"))
	case r.OK:
		fmt.Fprintf(&b, "ok   %s (%s)\n", r.File, count(r.Compared, "frame"))
	default:
		fmt.Fprintf(&b, "FAIL %s\n", r.File)
	}
	for _, d := range r.Differences {
		fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(d.String(), "\n", "\n  "))
	}
	if r.err != nil {
		fmt.Fprintf(&b, "  %s\n", explain(r.err).Message)
	}
	if e.getenv("GITHUB_ACTIONS") == "true" && !r.OK {
		for _, d := range r.Differences {
			fmt.Fprintf(&b, "::error file=%s,line=%d,title=%s::%s\n", annotation(r.File), max(d.Line, 1), annotation("replay: "+d.What), annotation(d.String()))
		}
		if r.err != nil {
			fmt.Fprintf(&b, "::error file=%s,title=replay::%s\n", annotation(r.File), annotation(r.Error))
		}
	}
	_, err := e.out.Write([]byte(b.String()))
	return err
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// annotation escapes text for a workflow command of GitHub Actions.
func annotation(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// rewriteRecording puts the live traffic in place of the file, whole or not at
// all.
func (e *env) rewriteRecording(file string, t target, results []*replay.Result) error {
	redactor, err := record.NewRedactor(record.RedactOptions{})
	if err != nil {
		return err
	}
	file, err = record.Resolve(file, record.Env{Getenv: e.getenv})
	if err != nil {
		return ownf(err, "write the recording anew")
	}
	info, err := os.Stat(file)
	if err != nil {
		return ownf(err, "write %s anew", file)
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".replay-*")
	if err != nil {
		return ownf(err, "write %s anew", file)
	}
	defer os.Remove(tmp.Name())
	var w *record.Writer
	for _, r := range results {
		h := record.Header{Started: time.Now(), Tool: "acptool " + toolVersion(), Agent: t.command()}
		if w == nil {
			w = record.NewWriter(tmp, h, record.WriterOptions{Redact: redactor})
		} else {
			w.Header(h)
		}
		for _, entry := range r.Live {
			w.Write(entry)
		}
	}
	if err = w.Close(); err == nil {
		err = os.Chmod(tmp.Name(), info.Mode().Perm())
	}
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return ownf(err, "write %s anew", file)
	}
	return nil
}
