package commands

import (
	"encoding/json"
	"errors"
	"os"
	"strings"

	"github.com/acptool/acptool/pretty"
	"github.com/urfave/cli/v2"
)

// printer writes a command's result: as text, as JSON documents, or as what a
// jq filter makes of them.
type printer struct {
	e      *env
	Screen pretty.Screen // of our stdout
	filter *pretty.Filter
	json   bool // --json
	asked  bool // -e
}

// screens reads --color and -q, for every command that writes for people.
func (e *env) screens(c *cli.Context) (out, err pretty.Screen, _ error) {
	choice, perr := pretty.ParseColourChoice(c.String("color"))
	if perr != nil {
		return out, err, usagef("", "--color: %s", perr)
	}
	e.say.quiet = c.Bool("quiet")
	lookup := func(k string) (string, bool) { v := e.getenv(k); return v, v != "" }
	return pretty.ScreenOf(e.Out, choice, lookup), pretty.ScreenOf(e.Err, choice, lookup), nil
}

// printer reads the output flags and compiles the filter, so that a bad one is
// told before an agent is started.
func (e *env) printer(c *cli.Context) (*printer, error) {
	out, _, err := e.screens(c)
	if err != nil {
		return nil, err
	}
	p := &printer{e: e, Screen: out, json: c.Bool("json"), asked: c.Bool("exit-status")}
	if c.Bool("compact-output") {
		p.Screen.Terminal = false
	}
	source := c.String("jq")
	if !c.IsSet("jq") {
		for _, f := range []string{"raw-output", "exit-status", "arg", "argjson"} {
			if c.IsSet(f) {
				return nil, usagef("add --jq FILTER", "--%s is for the results of a filter", f)
			}
		}
		return p, nil
	}
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
	p.filter, err = pretty.CompileFilter(source, pretty.FilterOptions{
		Out: e.out, Err: e.Err, Screen: out,
		Raw: c.Bool("raw-output"), Compact: c.Bool("compact-output"),
		Args: args, Environ: os.Environ,
	})
	return p, err
}

// filterArgs are the variables of --arg and --argjson.
func filterArgs(c *cli.Context) ([]pretty.NamedArg, error) {
	var args []pretty.NamedArg
	for _, v := range c.StringSlice("arg") {
		name, value, _ := strings.Cut(v, "=")
		args = append(args, pretty.NamedArg{Name: name, Value: value})
	}
	for _, v := range c.StringSlice("argjson") {
		name, value, _ := strings.Cut(v, "=")
		if !json.Valid([]byte(value)) {
			return nil, usagef("a string is given with --arg", "--argjson %s: %q is no JSON", name, value)
		}
		args = append(args, pretty.NamedArg{Name: name, Value: value, JSON: true})
	}
	return args, nil
}

// structured says whether documents are wanted rather than text.
func (p *printer) structured() bool { return p.json || p.filter != nil }

// document writes one document, or what the filter makes of it.
func (p *printer) document(v any) error { return p.documentWith(v, pretty.Vars{}) }

func (p *printer) documentWith(v any, vars pretty.Vars) error {
	if p.filter == nil {
		return pretty.WriteJSON(p.e.out, p.Screen, v)
	}
	raw, ok := v.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(v); err != nil {
			return err
		}
	}
	return p.filter.Apply(raw, vars)
}

// finish applies what the filter came to, and -e, to the command's result.
func (p *printer) finish(err error) error { return filterEnd(p.filter, p.asked, err) }

// filterEnd gives the end of a command whose results went through a filter, if
// any. What the filter came to counts only where the status would be 0: an
// input on which it failed (jq has a status of its own for that), then -e.
func filterEnd(f *pretty.Filter, asked bool, err error) error {
	var halt *pretty.HaltError
	switch {
	case errors.As(err, &halt):
		return exitWith(Exit(halt.Status))
	case err != nil || f == nil:
		return err
	case f.Failed() > 0:
		return exitWith(ExitUsage)
	case asked && !f.Truthy():
		return exitWith(ExitNo)
	}
	return nil
}
