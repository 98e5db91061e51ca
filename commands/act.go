package commands

import (
	"context"
	"flag"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// act runs the line's command. Urfave's own Run is left out: it writes the help
// of every command's flags before it runs one, brings text/template and with it
// every exported method of the program, reads "help" and "h" among the words as
// commands, and splits values at commas. Its flags and its context stay.
func (l *line) act(ctx context.Context, app *cli.App) error {
	set, err := l.flagSet()
	if err != nil {
		return err
	}
	c := cli.NewContext(app, set, &cli.Context{Context: ctx})
	c.Command = l.command
	return l.command.Action(c)
}

// flagSet holds the command's flags as the line sets them, and its words.
func (l *line) flagSet() (*flag.FlagSet, error) {
	set := flag.NewFlagSet(l.command.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	given := map[string][]string{}
	for _, f := range l.flags {
		name, value, _ := strings.Cut(f[2:], "=")
		given[name] = append(given[name], value)
	}
	for _, f := range l.command.Flags {
		// A list is set as a whole: one by one, its values would be split.
		if list := listFlag(f); list != nil && given[list.Name] != nil {
			list.Value, list.HasBeenSet = cli.NewStringSlice(given[list.Name]...), true
			delete(given, list.Name)
		}
		if err := f.Apply(set); err != nil {
			return nil, err
		}
	}
	for _, f := range l.flags {
		name, value, _ := strings.Cut(f[2:], "=")
		if given[name] == nil {
			continue // a list
		}
		if err := set.Set(name, value); err != nil {
			return nil, usagef("", "--%s: %v", name, err)
		}
	}
	return set, set.Parse(append([]string{"--"}, l.words...))
}

// listFlag is f if its value is a list.
func listFlag(f cli.Flag) *cli.StringSliceFlag {
	switch f := f.(type) {
	case *cli.StringSliceFlag:
		return f
	case pairFlag:
		return f.StringSliceFlag
	}
	return nil
}
