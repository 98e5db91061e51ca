package commands

import "github.com/urfave/cli/v2"

// outputFlags choose between text, JSON and the results of a jq filter.
func outputFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.BoolFlag{Name: "json", Category: catOutput, Usage: "one JSON document per line"},
	}, append(filterFlags(), toneFlags()...)...)
}

// filterFlags are jq's.
func filterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "jq", Category: catOutput, Usage: "run a jq `FILTER` (or @FILE) over the output"},
		&cli.BoolFlag{Name: "raw-output", Aliases: []string{"r"}, Category: catOutput, Usage: "strings without quotes"},
		&cli.BoolFlag{Name: "compact-output", Aliases: []string{"c"}, Category: catOutput, Usage: "one line per JSON value"},
		&cli.BoolFlag{Name: "exit-status", Aliases: []string{"e"}, Category: catOutput, Usage: "exit 1 if the last output is false, null or none"},
		pairFlag{&cli.StringSliceFlag{Name: "arg", Category: catOutput, KeepSpace: true, Usage: "set $NAME to a string in the filter: `NAME VALUE`"}},
		pairFlag{&cli.StringSliceFlag{Name: "argjson", Category: catOutput, KeepSpace: true, Usage: "set $NAME to a JSON value in the filter: `NAME JSON`"}},
	}
}

// toneFlags are for every command that writes for people.
func toneFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "color", Category: catOutput, Value: "auto", Usage: "`WHEN` to use colour: auto, always, never"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Category: catOutput, Usage: "no notes on stderr"},
	}
}
