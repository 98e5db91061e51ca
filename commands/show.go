package commands

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// The values of show --format.
const (
	formatLog        = "log"
	formatTranscript = "transcript"
	formatMarkdown   = "markdown"
	formatPatch      = "patch"
	formatMermaid    = "mermaid"
	formatHTML       = "html"
	formatStats      = "stats"
	formatRawClient  = "raw:client"
	formatRawAgent   = "raw:agent"
)

func showFormats() []string {
	return []string{formatLog, formatTranscript, formatMarkdown, formatPatch, formatMermaid, formatHTML, formatStats, formatRawClient, formatRawAgent}
}

func (e *env) showCommand() *cli.Command {
	own := []cli.Flag{
		&cli.StringFlag{Name: "format", Value: formatLog, Usage: "`FORM`: " + strings.Join(showFormats(), ", ")},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write into `FILE`"},
		&cli.BoolFlag{Name: "force", Usage: "write over FILE"},
		&cli.BoolFlag{Name: "follow", Aliases: []string{"f"}, Usage: "go on as the recording grows; without FILE the newest and those that appear later"},
		&cli.IntFlag{Name: "last", Aliases: []string{"n"}, Usage: "only the last `N` entries of a log"},
		&cli.BoolFlag{Name: "updates", Usage: "only session updates; a filter gets params.update"},
		&cli.BoolFlag{Name: "no-redact", Usage: "with --json: keep secrets"},
		&cli.StringSliceFlag{Name: "redact", KeepSpace: true,
			Usage: "take out string values at these `JQPATHS`, or any of paths,ids,text for a copy fit to share"},
		maxFrameFlag(),
	}
	return &cli.Command{
		Name:      "show",
		Usage:     "read a recording, also while it grows",
		ArgsUsage: "[FILE]",
		Description: `FILE is a recording, "-" for stdin, or @last (also without FILE): the newest one
in the folder of recordings, where a bare name is looked up too that is not here.
Plain or packed with gzip or zstd. What other tools
recorded is read too: bare JSON-RPC lines, acpx journals, acpdbg, ACP-inspector
and conductor traces, acp-devtools exports.

--json writes our own format, so it converts; secrets are taken out as in any
recording (--no-redact keeps them), and --redact paths,ids,text makes a copy fit
to share. --jq runs a filter over each message.`,
		Flags:  slices.Concat(own, logFlags(), outputFlags()),
		Action: e.show,
	}
}

// showing is one run of show.
type showing struct {
	e      *env
	c      *cli.Context
	format string
	choose pretty.Selection
	body   pretty.Body
	screen pretty.Screen
	last   int // 0: all
	follow bool
	redact *record.Redactor
	out    io.Writer
	file   *outFile // -o
	name   string   // FILE
	jq     *pretty.Filter
	found  *sightings // nil for a folder
}

func (e *env) show(c *cli.Context) error {
	words, err := e.words(c, 0, 1)
	if err != nil {
		return err
	}
	s := &showing{e: e, c: c, last: c.Int("last"), follow: c.Bool("follow"), out: e.out}
	if len(words) == 1 {
		s.name = words[0]
	}
	if err := s.flags(); err != nil {
		return err
	}
	if err := s.open(); err != nil {
		return err
	}
	err = s.run()
	if s.file != nil {
		// A status that speaks for itself is no failure.
		if cerr := s.file.finish(realError(err) == nil); err == nil && cerr != nil {
			err = ownf(cerr, "write %s", c.String("output"))
		}
	}
	return err
}

// flags reads the flags and refuses what does not go together.
func (s *showing) flags() error {
	c := s.c
	var err error
	if s.choose, err = selection(c); err != nil {
		return err
	}
	if c.Bool("updates") {
		s.choose.Only = append(s.choose.Only, "session/update")
	}
	if s.body, err = logBody(c); err != nil {
		return err
	}
	if s.screen, _, err = s.e.screens(c); err != nil {
		return err
	}
	s.format = c.String("format")
	if s.format == "raw" {
		return usagef("", "--format raw needs a direction: %s or %s", formatRawClient, formatRawAgent)
	}
	if !slices.Contains(showFormats(), s.format) {
		return usagef("the formats are "+strings.Join(showFormats(), ", "), "--format: %q is none", s.format)
	}
	if c.IsSet("last") && s.last <= 0 {
		return usagef("", "-n takes a number from 1")
	}
	if err := s.agree(); err != nil {
		return err
	}
	return s.redactFlags()
}

// agree refuses flags that have no meaning for the format.
func (s *showing) agree() error {
	c := s.c
	lines := s.format == formatLog // or JSON, or a filter
	for _, f := range []string{"last", "body", "only", "except", "from", "updates"} {
		if c.IsSet(f) && !lines {
			return usagef("", "--%s is for logs, --json and --jq, and not for --format %s", f, s.format)
		}
	}
	if !lines && s.follow {
		return usagef("", "a log is followed, and not --format %s", s.format)
	}
	raw := s.format == formatRawClient || s.format == formatRawAgent
	if raw && (c.IsSet("jq") || c.Bool("json") || c.IsSet("session")) {
		return usagef("", "--format %s is the bytes themselves: nothing is selected or made JSON", s.format)
	}
	if s.format == formatPatch && (c.IsSet("jq") || c.Bool("json")) {
		return usagef("", "--format %s is a patch, and not JSON", s.format)
	}
	if c.IsSet("jq") && !lines && s.format != formatTranscript && s.format != formatStats {
		return usagef("", "--jq runs over messages, with --format transcript over sessions, with --format stats over the statistics")
	}
	if c.IsSet("jq") && c.Bool("json") && lines {
		return usagef("leave out --json", "--jq runs over messages; --json writes a recording")
	}
	for _, f := range []string{"raw-output", "exit-status", "arg", "argjson"} {
		if c.IsSet(f) && !c.IsSet("jq") {
			return usagef("add --jq FILTER", "--%s is for the results of a filter", f)
		}
	}
	if s.follow && s.c.Bool("json") && s.name == "" {
		return usagef("name one, as in: acptool show -f --json @last", "several recordings cannot be followed into one")
	}
	if s.follow && s.c.IsSet("jq") && s.c.Bool("exit-status") {
		return usagef("", "-e is for what ends, and not for -f")
	}
	return nil
}

// redactFlags makes the redactor. What becomes a recording again is redacted
// as any other; what is shown only where it is asked for.
func (s *showing) redactFlags() error {
	values := s.c.StringSlice("redact")
	if s.c.Bool("no-redact") {
		if len(values) > 0 {
			return usagef("", "--redact and --no-redact contradict each other")
		}
		return nil
	}
	if len(values) == 0 && !s.recording() {
		return nil
	}
	var err error
	if s.redact, err = record.NewRedactor(record.ParseRedact(values)); err != nil {
		return usagef("as in --redact '.params.prompt[].text' or --redact paths,ids,text", "%s", err)
	}
	return nil
}

// recording says whether the output is our own format.
func (s *showing) recording() bool { return s.c.Bool("json") && s.format == formatLog }

// open makes the file of -o.
func (s *showing) open() error {
	name := s.c.String("output")
	if name == "" {
		return nil
	}
	if s.follow && sameFile(name, s.name) {
		return usagef("write into another file", "-o %s is the recording that is followed", name)
	}
	f, err := createOut(name, s.c.Bool("force"), s.follow)
	if err != nil {
		return err
	}
	s.file, s.out, s.screen = f, f, pretty.Screen{Colour: s.c.String("color") == "always"}
	return nil
}

// sameFile says whether both names are there and mean one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// party is the side whose bytes a raw format gives back.
func (s *showing) party() wire.Party {
	if s.format == formatRawClient {
		return wire.Client
	}
	return wire.Agent
}
