package commands

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// CommandDoc is a command as the generators of man pages and completion see
// it.
type CommandDoc struct {
	Name        string
	Usage       string // one line
	Synopsis    string // may be several lines
	Description string // as help has it: paragraphs; lines that begin with a space are kept as they are
	Flags       []FlagDoc
	Exits       []ExitRow
	Arg         Values // what its positional arguments are
}

// FlagDoc is a flag of a command.
type FlagDoc struct {
	Short      []string // without "-"
	Long       []string // without "--"
	Value      string   // the value's name in the text, "" where there is none
	Text       string
	Group      string // its heading in help
	Arity      int    // words that follow it
	Optional   bool   // the value may be missing
	Repeatable bool
	Values     Values
}

// Docs lists the commands that help lists, in its order.
func Docs() []CommandDoc {
	var all []CommandDoc
	for _, c := range Tree().Commands {
		if c.Hidden {
			continue
		}
		d := CommandDoc{Name: c.Name, Usage: c.Usage, Synopsis: c.UsageText, Description: strings.TrimSpace(c.Description), Exits: exitRows(c.Name), Arg: argValues(c.Name)}
		if d.Synopsis == "" {
			d.Synopsis = synopsis(c)
		}
		for _, g := range flagGroups(c.Flags) {
			for _, f := range g.flags {
				d.Flags = append(d.Flags, flagDoc(c.Name, g.title, f))
			}
		}
		all = append(all, d)
	}
	return all
}

// GlobalFlags are the flags that stand without a command.
func GlobalFlags() []FlagDoc {
	var all []FlagDoc
	for _, f := range Tree().Flags {
		all = append(all, flagDoc("", "", f))
	}
	return all
}

func flagDoc(command, group string, f cli.Flag) FlagDoc {
	names, text := flagHelp(f)
	d := FlagDoc{Text: text, Group: group, Arity: arity(f), Repeatable: repeatable(f), Values: flagValues(command, f.Names()[0])}
	_, d.Optional = f.(optionalFlag)
	for _, n := range f.Names() {
		if len(n) == 1 {
			d.Short = append(d.Short, n)
		} else {
			d.Long = append(d.Long, n)
		}
	}
	if d.Arity > 0 {
		spelled := "--" + f.Names()[len(f.Names())-1]
		if len(d.Long) > 0 {
			spelled = "--" + d.Long[len(d.Long)-1]
		}
		if _, value, ok := strings.Cut(names, spelled+" "); ok {
			d.Value = value
		}
	}
	return d
}
