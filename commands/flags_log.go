package commands

import (
	"os"
	"strings"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

const catLog = "Log"

// logFlags choose what a log shows: for tap and show.
func logFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "only", Category: catLog, KeepSpace: true,
			Usage: "show only what matches a `GLOB`: a method, a kind of update, or request, response, notification, error, noise, malformed, stderr, eof, exit"},
		&cli.StringSliceFlag{Name: "except", Category: catLog, KeepSpace: true, Usage: "leave out what matches a `GLOB`"},
		&cli.StringFlag{Name: "from", Category: catLog, Usage: "show only what one `PARTY` says: client or agent"},
		&cli.StringFlag{Name: "session", Aliases: []string{"s"}, Category: catLog, Usage: "show only what belongs to the session `ID`"},
		&cli.StringFlag{Name: "body", Category: catLog, Usage: "show the messages too, `HOW`: pretty or raw"},
	}
}

// redactFlags say what is taken out of recordings and logs. The traffic itself
// is never changed.
func redactFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "no-redact", Category: catTraffic, Usage: "keep secrets in recordings and logs"},
		&cli.StringSliceFlag{Name: "redact", Category: catTraffic, KeepSpace: true,
			Usage: "take out string values at these `JQPATHS` too, such as .params.prompt[].text"},
	}
}

// selection reads the log flags.
func selection(c *cli.Context) (pretty.Selection, error) {
	s := pretty.Selection{Only: globs(c, "only"), Except: globs(c, "except"), Session: c.String("session")}
	switch from := c.String("from"); from {
	case "":
	case "client", "agent":
		p := wire.Client
		if from == "agent" {
			p = wire.Agent
		}
		s.From = &p
	default:
		return s, usagef("", "--from takes client or agent, and not %q", from)
	}
	return s, nil
}

// globs are the values of a flag; one value may hold several with commas.
func globs(c *cli.Context, flag string) []string {
	var out []string
	for _, v := range c.StringSlice(flag) {
		for g := range strings.SplitSeq(v, ",") {
			if g = strings.TrimSpace(g); g != "" {
				out = append(out, g)
			}
		}
	}
	return out
}

func logBody(c *cli.Context) (pretty.Body, error) {
	switch v := c.String("body"); v {
	case "":
		return pretty.BodyNone, nil
	case "pretty":
		return pretty.BodyPretty, nil
	case "raw":
		return pretty.BodyRaw, nil
	default:
		return 0, usagef("", "--body takes pretty or raw, and not %q", v)
	}
}

// redactor makes a redactor from the flags; nil where nothing is taken out.
// Each sink has its own, since it is used by one goroutine.
func (e *env) redactor(c *cli.Context) (*record.Redactor, error) {
	paths := c.StringSlice("redact")
	if c.Bool("no-redact") {
		if len(paths) > 0 {
			return nil, usagef("", "--redact and --no-redact contradict each other")
		}
		return nil, nil
	}
	r, err := record.NewRedactor(record.RedactOptions{Paths: paths})
	if err != nil {
		return nil, usagef("as in --redact '.params.prompt[].text'", "--redact: %s", err)
	}
	return r, nil
}

// redactText is a redactor as logs and filters take it.
func redactText(r *record.Redactor) func([]byte) []byte {
	if r == nil {
		return nil
	}
	return func(text []byte) []byte { out, _ := r.Line(text); return out }
}

// logFilter compiles --jq for a stream whose results go to w; nil without it.
func (e *env) logFilter(c *cli.Context, w *os.File, screen pretty.Screen) (*pretty.Filter, error) {
	if !c.IsSet("jq") {
		return nil, nil
	}
	source := c.String("jq")
	if file, ok := strings.CutPrefix(source, "@"); ok {
		text, err := readFile(file)
		if err != nil {
			return nil, ownf(err, "read the filter")
		}
		source = string(text)
	}
	args, err := filterArgs(c)
	if err != nil {
		return nil, err
	}
	return pretty.CompileFilter(source, pretty.FilterOptions{
		Out: w, Err: e.Err, Screen: screen, Args: args, Environ: os.Environ,
		Raw: c.Bool("raw-output"), Compact: c.Bool("compact-output"),
	})
}
