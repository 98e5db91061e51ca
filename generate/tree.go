package main

import (
	"slices"
	"strings"

	"github.com/acptool/acptool/commands"
)

// tree is the command tree as the completion scripts need it.
type tree struct {
	commands []commands.CommandDoc
	global   []commands.FlagDoc
	names    []string
}

func newTree() *tree {
	t := &tree{commands: commands.Docs(), global: commands.GlobalFlags()}
	for _, c := range t.commands {
		t.names = append(t.names, c.Name)
	}
	for i := range t.commands {
		if t.commands[i].Name == "help" {
			t.commands[i].Arg = commands.Values{Kind: commands.KindWords, Words: t.names}
		}
		// --help stands last among the command's own flags.
		own := slices.IndexFunc(t.commands[i].Flags, func(f commands.FlagDoc) bool { return f.Group != "" })
		if own < 0 {
			own = len(t.commands[i].Flags)
		}
		t.commands[i].Flags = slices.Insert(t.commands[i].Flags, own, t.global[0])
	}
	return t
}

// spelled are a flag's names as they are typed, letters first.
func spelled(f commands.FlagDoc) []string {
	var all []string
	for _, n := range f.Short {
		all = append(all, "-"+n)
	}
	for _, n := range f.Long {
		all = append(all, "--"+n)
	}
	return all
}

// many says how many positional arguments are completed: one, or any number.
func many(c commands.CommandDoc) bool { return c.Name == "replay" }

// group gathers the flags that have the same answer to a question. A flag that
// has it in every command that has the flag stands for all of them, "*".
type group struct {
	answer   string
	patterns []string // COMMAND:FLAG or *:FLAG
}

func (t *tree) groups(answer func(commands.FlagDoc) string) []group {
	type use struct{ command, answer string }
	uses := map[string][]use{}
	var order []string
	for _, c := range t.commands {
		for _, f := range c.Flags {
			for _, name := range spelled(f) {
				if uses[name] == nil {
					order = append(order, name)
				}
				uses[name] = append(uses[name], use{c.Name, answer(f)})
			}
		}
	}
	var out []group
	add := func(answer, pattern string) {
		i := slices.IndexFunc(out, func(g group) bool { return g.answer == answer })
		if i < 0 {
			out = append(out, group{answer: answer})
			i = len(out) - 1
		}
		out[i].patterns = append(out[i].patterns, pattern)
	}
	for _, name := range order {
		alike := !slices.ContainsFunc(uses[name], func(u use) bool { return u.answer != uses[name][0].answer })
		if alike {
			add(uses[name][0].answer, "*:"+name)
			continue
		}
		for _, u := range uses[name] {
			add(u.answer, u.command+":"+name)
		}
	}
	return slices.DeleteFunc(out, func(g group) bool { return g.answer == "" })
}

const header = "# Completion of acptool for %s. Written by go generate from the command tree;\n# do not edit. acptool completion %s prints it.\n"

// lines joins words into lines of at most 78 columns.
func lines(words []string, between, indent string) string {
	var b strings.Builder
	column := 0
	for i, w := range words {
		if i > 0 {
			b.WriteString(between)
			if column+len(w) > 78 {
				b.WriteString(indent)
				column = len(indent)
			}
		}
		b.WriteString(w)
		column += len(w) + len(between)
	}
	return b.String()
}

// plain is a flag's text as one short line: what follows a colon or stands in
// parentheses is left to help.
func plain(text string) string {
	text = strings.ReplaceAll(text, "`", "")
	if before, _, ok := strings.Cut(text, " ("); ok {
		text = before
	}
	if before, _, ok := strings.Cut(text, ": "); ok && len(before) > 8 {
		text = before
	}
	return strings.TrimSuffix(text, ":")
}
