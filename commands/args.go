package commands

import (
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// line is a command line taken apart by the command tree. It is the one place
// that closes urfave v2's gaps: the agent's command never passes through
// urfave, flags may stand anywhere, and what is left for urfave's flags is
// spelled so that nothing can be misread: --name=value.
type line struct {
	command *cli.Command // nil where no command is named
	flags   []string     // --name=value, canonical names
	words   []string     // positional arguments
	typed   []string     // what stands before the first --, for corrected lines
	wordAt  []int        // where each positional argument stands in typed
	argv    []string     // the agent's command: what stands after the first --
	dashes  bool         // there was a --
	agents  []naming     // --agent and --connect in the order they were given
	help    bool
	version bool
	json    bool
}

// naming is one explicit way in which the line names an agent.
type naming struct {
	flag  string // "agent", "connect", or "--"
	value string
}

// pairFlag is a flag that takes two words, as jq's --arg NAME VALUE does. Its
// values read NAME=VALUE.
type pairFlag struct{ *cli.StringSliceFlag }

// optionalFlag is a flag whose value may be missing: where no word follows, or
// one that is a flag itself, the value is empty.
type optionalFlag struct{ *cli.StringFlag }

// parseLine takes args (without the program's name) apart. The line comes back
// also with an error, as far as it was understood, so that the error can be
// put the way the line asks for (--json).
func parseLine(app *cli.App, args []string) (*line, error) {
	l := &line{}
	if cut := slices.Index(args, "--"); cut >= 0 {
		l.dashes = true
		l.argv = slices.Clone(args[cut+1:])
		args = args[:cut]
	}
	l.typed = args
	l.json = slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
	at, err := commandAt(app, args)
	if err != nil {
		return l, err
	}
	if at >= 0 {
		l.command = app.Command(args[at])
	}
	p := parser{app: app, line: l}
	if err := p.walk(args, at); err != nil {
		return l, err
	}
	if l.dashes && len(l.argv) == 0 && !l.help {
		return l, usagef("put the agent's command there: "+l.with("AGENT", "ARG…"), "nothing stands after --")
	}
	if l.dashes {
		l.agents = append(l.agents, naming{"--", wire.QuoteLine(l.argv)})
	}
	return l, nil
}

// commandAt finds the command's word: the first word that is neither a flag
// nor the value of one. -1 if there is none.
func commandAt(app *cli.App, args []string) (int, error) {
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !looksLikeFlag(w) {
			if app.Command(w) == nil {
				return -1, unknownCommand(app, args, i)
			}
			return i, nil
		}
		// A flag before the command: the commands that have a flag of that
		// name tell how many words it takes.
		name, _, attached := strings.Cut(strings.TrimLeft(w, "-"), "=")
		if attached {
			continue
		}
		if !strings.HasPrefix(w, "--") && len(name) > 1 {
			name = name[len(name)-1:]
		}
		least, most := wordsTaken(app, name)
		if least < most && i+1 < len(args) && app.Command(args[i+1]) != nil {
			most = least
		}
		i += most
	}
	return -1, nil
}

// wordsTaken is how many words a flag takes at least and at most: commands may
// differ about a letter.
func wordsTaken(app *cli.App, name string) (least, most int) {
	found := false
	for _, c := range app.Commands {
		if f := findFlag(c.Flags, name); f != nil {
			n := arity(f)
			if !found {
				least, found = n, true
			}
			least, most = min(least, n), max(most, n)
		}
	}
	return least, most
}

// looksLikeFlag says whether a word is a flag. A word that begins with "-" and
// holds a space before any "=" is text: prompts often are lists.
func looksLikeFlag(w string) bool {
	if len(w) < 2 || w[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(w, "=")
	return !strings.ContainsAny(name, " \t\r\n")
}

func findFlag(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// arity is the number of words that follow a flag.
func arity(f cli.Flag) int {
	if _, ok := f.(pairFlag); ok {
		return 2
	}
	if d, ok := f.(cli.DocGenerationFlag); ok && d.TakesValue() {
		return 1
	}
	return 0
}

func repeatable(f cli.Flag) bool {
	s, ok := f.(cli.DocGenerationSliceFlag)
	return arity(f) == 0 || ok && s.IsSliceFlag()
}

// parser walks the words before the first "--".
type parser struct {
	app  *cli.App
	line *line
	rest []string
	seen []string
}

// walk takes args apart; the command's word stands at command.
func (p *parser) walk(args []string, command int) error {
	p.rest = args
	for len(p.rest) > 0 {
		w := p.rest[0]
		at := len(args) - len(p.rest)
		p.rest = p.rest[1:]
		var err error
		switch {
		case at == command:
		case !looksLikeFlag(w):
			p.line.words = append(p.line.words, w)
			p.line.wordAt = append(p.line.wordAt, at)
		case strings.HasPrefix(w, "--"):
			name, value, attached := strings.Cut(w[2:], "=")
			err = p.flag("--"+name, name, value, attached)
		default:
			err = p.bundle(w[1:])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bundle reads the letters of one word such as -rc or -sID.
func (p *parser) bundle(letters string) error {
	if whole, _, _ := strings.Cut(letters, "="); len(whole) > 1 && p.lookup(letters[:1]) == nil || len(whole) > 1 && p.lookup(whole) != nil {
		if p.lookup(whole) != nil {
			return usagef("write --"+letters, "unknown flag -%s", whole)
		}
		return p.unknownFlag("-" + letters)
	}
	for letters != "" {
		name := letters[:1]
		letters = letters[1:]
		f := p.lookup(name)
		if f != nil && arity(f) > 0 && letters != "" {
			return p.flag("-"+name, name, strings.TrimPrefix(letters, "="), true)
		}
		value, attached := "", false
		if strings.HasPrefix(letters, "=") {
			value, attached, letters = letters[1:], true, ""
		}
		if err := p.flag("-"+name, name, value, attached); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) lookup(name string) cli.Flag {
	if p.line.command != nil {
		if f := findFlag(p.line.command.Flags, name); f != nil {
			return f
		}
	}
	return findFlag(p.app.Flags, name)
}

// flag takes one flag, and the words it needs from the rest.
func (p *parser) flag(spelled, name, value string, attached bool) error {
	f := p.lookup(name)
	if f == nil {
		return p.unknownFlag(spelled)
	}
	canonical := f.Names()[0]
	if slices.Contains(p.seen, canonical) && !repeatable(f) {
		return usagef("give it once", "%s stands twice", spelled)
	}
	p.seen = append(p.seen, canonical)
	if arity(f) == 0 {
		return p.boolean(f, spelled, canonical, value, attached)
	}
	if _, ok := f.(optionalFlag); ok && !attached && (len(p.rest) == 0 || looksLikeFlag(p.rest[0])) {
		p.line.flags = append(p.line.flags, "--"+canonical+"=")
		return nil
	}
	if !attached {
		v, err := p.next(spelled)
		if err != nil {
			return err
		}
		value = v
	}
	if arity(f) == 2 {
		if !isVariable(value) {
			return usagef("as in "+spelled+" name value", "%s takes the name of a variable and a value, and %q is no name", spelled, value)
		}
		v, err := p.next(spelled)
		if err != nil {
			return err
		}
		value += "=" + v
	}
	value, err := checkValue(f, spelled, value)
	if err != nil {
		return err
	}
	if canonical == "agent" || canonical == "connect" {
		p.line.agents = append(p.line.agents, naming{canonical, value})
	}
	p.line.flags = append(p.line.flags, "--"+canonical+"="+value)
	return nil
}

func (p *parser) boolean(f cli.Flag, spelled, canonical, value string, attached bool) error {
	if attached && value != "true" && value != "false" {
		return usagef("write "+spelled+" alone", "%s takes no value", spelled)
	}
	if canonical == "quiet" && len(p.rest) > 0 && strings.HasPrefix(p.rest[0], ".") && p.lookup("jq") != nil {
		return usagef("a filter goes with --jq: --jq "+wire.Quote(p.rest[0]), "%s takes no value", spelled)
	}
	on := value != "false"
	switch canonical {
	case "help":
		p.line.help = on
		return nil
	case "version":
		p.line.version = on
		return nil
	case "json":
		p.line.json = on
	}
	p.line.flags = append(p.line.flags, "--"+canonical+"="+strconv.FormatBool(on))
	return nil
}

// next is the flag's value. A word that is itself a flag of the command is
// most likely not meant as a value; whoever means it writes --flag=value.
func (p *parser) next(spelled string) (string, error) {
	if len(p.rest) == 0 {
		return "", usagef("", "%s needs a value", spelled)
	}
	w := p.rest[0]
	if looksLikeFlag(w) {
		name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "=")
		if p.lookup(name) != nil || !strings.HasPrefix(w, "--") && p.lookup(name[:1]) != nil {
			return "", usagef("if the value is meant to be "+wire.Quote(w)+": "+spelled+"="+wire.Quote(w), "%s needs a value", spelled)
		}
	}
	p.rest = p.rest[1:]
	return w, nil
}

// checkValue checks what urfave would report in its own words on stdout, and
// gives bare seconds their unit.
func checkValue(f cli.Flag, spelled, value string) (string, error) {
	switch f.(type) {
	case *cli.DurationFlag:
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			value += "s"
		}
		if d, err := time.ParseDuration(value); err != nil || d < 0 {
			return "", usagef("as in "+spelled+" 10, "+spelled+" 1m30s or "+spelled+" 250ms", "%s takes a duration, and %q is none", spelled, strings.TrimSuffix(value, "s"))
		}
	case *cli.IntFlag, *cli.Int64Flag:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return "", usagef("", "%s takes a whole number, and %q is none", spelled, value)
		}
		if _, size := f.(*cli.Int64Flag); size && n <= 0 {
			return "", usagef("", "%s takes a number from 1", spelled)
		}
	}
	return value, nil
}

// empty refuses what was meant to be something: with a variable that is not
// set, a session's status must not become the agent's, nor a recording be kept
// nowhere.
func (l *line) empty() error {
	const hint = "is a variable not set?"
	for _, f := range l.flags {
		name, value, _ := strings.Cut(f[2:], "=")
		switch findFlag(l.command.Flags, name).(type) {
		case *cli.StringFlag, *cli.StringSliceFlag:
			if value == "" {
				return usagef(hint, "--%s needs a value, and the one given is empty", name)
			}
		}
	}
	if len(l.argv) > 0 && l.argv[0] == "" {
		return usagef(hint, "the agent's command after -- is empty")
	}
	if l.command.Name != "prompt" && slices.Contains(l.words, "") {
		return usagef(hint, "an argument of %s is empty", l.command.Name)
	}
	return nil
}

// isVariable says whether jq would take $name.
func isVariable(s string) bool {
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// with is the line as it was typed, with an agent's command after it.
func (l *line) with(agent ...string) string {
	return wire.QuoteLine(append([]string{"acptool"}, l.typed...)) + " -- " + wire.QuoteLine(agent)
}

// corrected is the line as it was probably meant: with "--" before the i-th
// positional argument, since the agent's command begins there.
func (l *line) corrected(i int) string {
	at := l.wordAt[i]
	return wire.QuoteLine(append([]string{"acptool"}, l.typed[:at]...)) + " -- " + wire.QuoteLine(l.typed[at:])
}

// inPath says whether a word is a command that could be started: the sign
// that somebody forgot the "--" before it.
func inPath(word string) bool {
	if word == "" || strings.ContainsAny(word, " \t\n") {
		return false
	}
	_, err := exec.LookPath(word)
	return err == nil
}
