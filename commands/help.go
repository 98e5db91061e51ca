package commands

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/acptool/acptool/man"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// Help is written by us, not by urfave: 80 columns, flags in groups, and the
// exit statuses a script can meet.
const helpWidth = 80

func (e *env) helpCommand() *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "show help, also for one command",
		ArgsUsage: "[COMMAND]",
		Description: `The manual pages say more: man acptool, man acptool-COMMAND, and man
acptool-scripting for recipes. Where they came with no package, --man writes
them:

  acptool help --man ~/.local/share/man

man finds them there if ~/.local/bin is in PATH; else name the folder, or put
it into MANPATH (the empty last part stands for the usual folders):

  man -M ~/.local/share/man acptool
  export MANPATH=~/.local/share/man:`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "man", Usage: "write the manual pages into `DIR`/man1, man5 and man7"},
		},
		Action: func(c *cli.Context) error {
			words, err := e.words(c, 0, 1)
			if err != nil {
				return err
			}
			if dir := c.String("man"); dir != "" {
				if err := writeManual(dir); err != nil {
					return err
				}
				if !manFinds(dir, e.getenv) {
					e.say.aside("man may not look there; this does: man -M " + wire.Quote(dir) + " acptool")
				}
				return nil
			}
			app := e.app()
			if len(words) == 0 {
				return e.help(app, nil)
			}
			cmd := app.Command(words[0])
			if page := "acptool-" + strings.TrimPrefix(words[0], "acptool-"); cmd == nil && man.Has(page) {
				return usagef("man "+page+"; acptool help --man DIR writes the pages", "%s is a page of the manual, and no command", page)
			}
			if cmd == nil {
				return unknownCommand(app, words, 0)
			}
			return e.help(app, cmd)
		},
	}
}

// writeManual writes the manual pages into a folder of such.
func writeManual(dir string) error {
	for _, name := range man.Names() {
		section := filepath.Join(dir, "man"+name[len(name)-1:])
		if err := os.MkdirAll(section, 0o755); err != nil {
			return ownf(err, "write the manual pages")
		}
		if err := os.WriteFile(filepath.Join(section, name), []byte(man.Page(name)), 0o644); err != nil {
			return ownf(err, "write the manual pages")
		}
	}
	return nil
}

// manFinds says whether man looks into a folder of pages: because MANPATH names
// it, or because it belongs to a folder of programs in PATH (X/man or X/share/man
// to X/bin), as man-db and the man of BSD and macOS have it.
func manFinds(dir string, getenv func(string) string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	if slices.Contains(filepath.SplitList(getenv("MANPATH")), dir) {
		return true
	}
	for _, programs := range append(filepath.SplitList(getenv("PATH")), "/usr/bin", "/usr/local/bin") {
		prefix := filepath.Dir(filepath.Clean(programs))
		if dir == filepath.Join(prefix, "man") || dir == filepath.Join(prefix, "share", "man") {
			return true
		}
	}
	return false
}

// help writes the help of one command, or of the tool.
func (e *env) help(app *cli.App, c *cli.Command) error {
	text := ""
	if c == nil {
		text = appHelp(app)
	} else {
		text = commandHelp(c)
	}
	_, err := io.WriteString(e.out, text)
	return err
}

func appHelp(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "acptool: %s\n\n", app.Usage)
	b.WriteString("Usage:\n  acptool COMMAND [FLAG…] [ARG…] -- AGENT [ARG…]\n\nCommands:\n")
	for _, c := range app.Commands {
		if !c.Hidden {
			row(&b, c.Name, 13, c.Usage)
		}
	}
	b.WriteString(`
Try it:
  acptool status -- opencode acp           does the agent answer, what can it?
  acptool prompt "hello" -- opencode acp   one turn; the answer on stdout
  acptool prompt --json "hello" -- opencode acp | jq .text

The agent's command stands after --. Or: --agent "CMD ARG…", --agent @NAME,
--connect ADDRESS, or the variable ACPTOOL_AGENT.

acptool help COMMAND shows a command's flags, man acptool-COMMAND more. No agent
at hand? --agent @demo is one. acptool --version (-V) shows the version.
`)
	return b.String()
}

func commandHelp(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "acptool %s: %s\n\nUsage:\n", c.Name, c.Usage)
	usage := c.UsageText
	if usage == "" {
		usage = synopsis(c)
	}
	for line := range strings.Lines(usage) {
		b.WriteString("  " + strings.TrimRight(line, "\n") + "\n")
	}
	if c.Description != "" {
		b.WriteString("\n" + wrap(strings.TrimSpace(c.Description), helpWidth, "") + "\n")
	}
	for _, group := range flagGroups(c.Flags) {
		title := group.title
		if title == "" {
			title = "Options"
		}
		fmt.Fprintf(&b, "\n%s:\n", title)
		for _, f := range group.flags {
			names, text := flagHelp(f)
			row(&b, names, 24, text)
		}
	}
	b.WriteString("\nExit status:\n")
	for _, r := range exitRows(c.Name) {
		row(&b, fmt.Sprintf("%3d", r.Exit), 3, r.Text)
	}
	return b.String()
}

// synopsis is the usage line of a command.
func synopsis(c *cli.Command) string {
	s := "acptool " + c.Name
	if len(c.Flags) > 0 {
		s += " [FLAG…]"
	}
	if c.ArgsUsage != "" {
		s += " " + c.ArgsUsage
	}
	if findFlag(c.Flags, "agent") != nil {
		s += " -- AGENT [ARG…]"
	}
	return s
}

type flagGroup struct {
	title string
	flags []cli.Flag
}

// flagGroups sorts flags into their categories, the command's own first.
func flagGroups(flags []cli.Flag) []flagGroup {
	groups := []flagGroup{{title: catCommand}, {title: catAsAgent}, {title: catAsClient}, {title: catAgent}, {title: catSession}, {title: catConnection}, {title: catTraffic}, {title: catOutput}}
	for _, f := range flags {
		if v, ok := f.(cli.VisibleFlag); ok && !v.IsVisible() {
			continue
		}
		title := ""
		if c, ok := f.(cli.CategorizableFlag); ok {
			title = c.GetCategory()
		}
		i := slices.IndexFunc(groups, func(g flagGroup) bool { return g.title == title })
		if i < 0 {
			groups = append(groups, flagGroup{title: title})
			i = len(groups) - 1
		}
		groups[i].flags = append(groups[i].flags, f)
	}
	return slices.DeleteFunc(groups, func(g flagGroup) bool { return len(g.flags) == 0 })
}

// flagHelp is a flag's names with its value, and its text. The value's name
// stands in backquotes in the text, as urfave has it.
func flagHelp(f cli.Flag) (names, text string) {
	if d, ok := f.(cli.DocGenerationFlag); ok {
		text = d.GetUsage()
	}
	value := ""
	if before, rest, ok := strings.Cut(text, "`"); ok {
		if inside, after, ok := strings.Cut(rest, "`"); ok {
			value, text = " "+inside, before+inside+after
		}
	}
	var short, long []string
	for _, n := range f.Names() {
		if len(n) == 1 {
			short = append(short, "-"+n)
		} else {
			long = append(long, "--"+n)
		}
	}
	names = strings.Join(append(short, long...), ", ")
	if len(short) == 0 {
		names = "    " + names
	}
	return names + value, text
}

// row writes one line of a list: what stands left, and its text in the column
// beside it, below it where it is too long.
func row(b *strings.Builder, left string, column int, text string) {
	indent := strings.Repeat(" ", column+4)
	b.WriteString("  " + left)
	if n := utf8.RuneCountInString(left); n > column {
		b.WriteString("\n" + indent)
	} else {
		b.WriteString(strings.Repeat(" ", column-n+2))
	}
	b.WriteString(strings.TrimPrefix(wrap(text, helpWidth, indent), indent) + "\n")
}

// wrap breaks text into lines of at most width columns that begin with indent.
// Empty lines separate paragraphs; a line that begins with a space stays as it
// is.
func wrap(text string, width int, indent string) string {
	var out []string
	line := ""
	flush := func() {
		if line != "" {
			out = append(out, indent+line)
			line = ""
		}
	}
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		if l == "" || l[0] == ' ' {
			flush()
			out = append(out, strings.TrimRight(indent+l, " "))
			continue
		}
		for _, w := range strings.Fields(l) {
			if line != "" && utf8.RuneCountInString(indent+line)+1+utf8.RuneCountInString(w) > width {
				flush()
			}
			if line != "" {
				line += " "
			}
			line += w
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// Tree is the command tree for generators of documentation and completion. It
// is not meant to be run.
func Tree() *cli.App { return newEnv(Streams{}, func(string) string { return "" }).app() }
