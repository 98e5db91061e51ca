package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/acptool/acptool/commands"
)

// The date in the pages' footer. It is set when their prose is looked through,
// not when they are generated: what is generated twice must be the same.
const date = "2026-11-30"

// manPages makes every man page from the command tree and the prose in
// generate/pages: a file per page, COMMAND.md for acptool-COMMAND(1), in which
// the text before the first heading follows the description that help shows,
// and the sections stand after the options.
func manPages(t *tree, root string) (map[string]string, error) {
	out := map[string]string{}
	for _, c := range t.commands {
		prose, err := readProse(root, c.Name)
		if err != nil {
			return nil, err
		}
		out["man/acptool-"+c.Name+".1"] = commandPage(c, prose)
	}
	for _, p := range []struct{ file, name, section, what string }{
		{"acptool", "acptool", "1", "script and debug agents that speak the Agent Client Protocol"},
		{"recording", "acptool-recording", "5", "the format of recordings"},
		{"scripting", "acptool-scripting", "7", "a cookbook for shell scripts"},
	} {
		prose, err := readProse(root, p.file)
		if err != nil {
			return nil, err
		}
		out["man/"+p.name+"."+p.section] = topicPage(t, p.name, p.section, p.what, prose)
	}
	return out, nil
}

var (
	include = regexp.MustCompile(`(?m)^@include (\S+)\n`)
	readme  = regexp.MustCompile(`(?m)^@readme (\S+)\n`)
)

// recipes is the README's block of filters, which a test runs.
func recipes(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	_, rest, ok := strings.Cut(string(text), "<!-- recipes:")
	_, rest, opened := strings.Cut(rest, "```sh\n")
	block, _, closed := strings.Cut(rest, "```\n<!-- end -->")
	if err == nil && !(ok && opened && closed) {
		err = errors.New("README.md has no recipes between the marks")
	}
	return asCode(block), err
}

// readProse reads the prose of a page. "@include FILE" stands for the lines of
// a file of the project, as an example; "@readme LANGUAGE" for the README's
// first block in it, "@recipes" for its block of filters.
func readProse(root, name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "generate", "pages", name+".md"))
	if err != nil {
		return "", err
	}
	var failed error
	prose := include.ReplaceAllStringFunc(string(text), func(m string) string {
		file := include.FindStringSubmatch(m)[1]
		code, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			failed = err
		}
		return asCode(string(code))
	})
	prose = readme.ReplaceAllStringFunc(prose, func(m string) string {
		language := readme.FindStringSubmatch(m)[1]
		text, err := os.ReadFile(filepath.Join(root, "README.md"))
		_, rest, ok := strings.Cut(string(text), "\n```"+language+"\n")
		block, _, closed := strings.Cut(rest, "```\n")
		if err != nil || !ok || !closed {
			failed = fmt.Errorf("README.md has no block of %s (%v)", language, err)
		}
		return asCode(strings.ReplaceAll(block, "\t", "    "))
	})
	if before, after, ok := strings.Cut(prose, "@recipes\n"); ok {
		block, err := recipes(root)
		if err != nil {
			return "", err
		}
		prose = before + block + after
	}
	return prose, failed
}

func asCode(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		b.WriteString(strings.TrimRight("    "+l, " \n") + "\n")
	}
	return b.String()
}

// split parts prose at its first heading.
func split(prose string) (before, sections string) {
	if strings.HasPrefix(prose, "# ") {
		return "", prose
	}
	before, after, ok := strings.Cut(prose, "\n# ")
	if !ok {
		return prose, ""
	}
	return before, "# " + after
}

func title(r *roff, name, section, what string) {
	r.line(`.\" Written by go generate from the command tree and generate/pages; do not edit.`)
	r.line(`.TH %s %s %s "acptool" "acptool manual"`, strings.ToUpper(name), section, date)
	r.section("NAME")
	r.line(`%s \- %s`, escape(name), escape(what))
}

func commandPage(c commands.CommandDoc, prose string) string {
	r := &roff{}
	title(r, "acptool-"+c.Name, "1", c.Usage)
	r.section("SYNOPSIS")
	r.line(".nf")
	for l := range strings.Lines(c.Synopsis) {
		r.line("%s", synopsisLine(strings.TrimRight(l, "\n")))
	}
	r.line(".fi")
	r.section("DESCRIPTION")
	before, sections := split(prose)
	r.write(asMarkup(c.Description))
	r.write(before)
	if len(c.Flags) > 0 {
		r.section("OPTIONS")
		group := ""
		for _, f := range c.Flags {
			if f.Group != group {
				group = f.Group
				r.line(".SS %s", escape(group))
			}
			r.item(flagTerm(f), flagText(c.Name, f))
		}
	}
	exits(r, c.Exits, true)
	r.write(sections)
	seeAlso(r, append(mentioned(c.Description+prose, "acptool-"+c.Name), "acptool(1)", "acptool-scripting(7)"))
	return r.b.String()
}

var indented = regexp.MustCompile(`(?m)^  `)

// asMarkup turns a description as help has it, in which a line that begins with
// a space is kept, into our markup.
func asMarkup(text string) string {
	return indented.ReplaceAllString(text, "    ")
}

func synopsisLine(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if strings.ToLower(w) == w && !strings.ContainsAny(w, "[]|") {
			words[i] = `\fB` + escape(w) + `\fR`
		} else {
			words[i] = escape(w)
		}
	}
	return strings.Join(words, " ")
}

func flagTerm(f commands.FlagDoc) string {
	var names []string
	for _, n := range spelled(f) {
		names = append(names, `\fB`+escape(n)+`\fR`)
	}
	term := strings.Join(names, ", ")
	if f.Value != "" {
		term += " " + `\fI` + escape(f.Value) + `\fR`
	}
	return term
}

// flagText is a whole sentence.
func flagText(command string, f commands.FlagDoc) string {
	s := f.Text
	one := command != "status" && (slices.Contains(f.Long, "agent") || slices.Contains(f.Long, "connect"))
	if f.Repeatable && f.Arity > 0 && !one {
		s += "; may be given several times"
	}
	return sentence(s)
}

// sentence makes one of a text as help has it.
func sentence(s string) string {
	if first, _, _ := strings.Cut(s, " "); strings.ToUpper(first) != first {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	if strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

func exits(r *roff, rows []commands.ExitRow, of bool) {
	if of {
		r.section("EXIT STATUS")
	}
	for _, row := range rows {
		text := sentence(row.Text)
		if row.Kind != "" {
			text = strings.TrimSuffix(text, ".") + " (kind: `" + row.Kind + "`)."
		}
		r.item(fmt.Sprintf(`\fB%d\fR`, row.Exit), text)
	}
}

var (
	reference = regexp.MustCompile("`?(acptool(?:-[a-z-]+)?)`?\\(([157])\\)")
	generated = regexp.MustCompile(`(?m)^@(commands|exits)\n`)
)

func mentioned(text, self string) []string {
	var all []string
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		if m[1] != self && m[1] != "acptool" && m[1] != "acptool-scripting" {
			all = append(all, m[1]+"("+m[2]+")")
		}
	}
	return unique(all)
}

func seeAlso(r *roff, pages []string) {
	r.section("SEE ALSO")
	for i, p := range pages {
		name, section, _ := strings.Cut(strings.TrimSuffix(p, ")"), "(")
		comma := ","
		if i == len(pages)-1 {
			comma = ""
		}
		r.line(`.BR %s (%s)%s`, escape(name), section, comma)
	}
}

// topicPage is a page whose prose has sections of its own; "@commands" and
// "@exits" in it stand for the lists.
func topicPage(t *tree, name, section, what, prose string) string {
	r := &roff{}
	title(r, name, section, what)
	at := 0
	for _, m := range generated.FindAllStringSubmatchIndex(prose, -1) {
		r.write(prose[at:m[0]])
		switch prose[m[2]:m[3]] {
		case "commands":
			for _, c := range t.commands {
				r.item(fmt.Sprintf(`\fBacptool\-%s\fR(1)`, escape(c.Name)), sentence(c.Usage))
			}
		case "exits":
			exits(r, commands.ExitTable(), false)
		}
		at = m[1]
	}
	r.write(prose[at:])
	pages := mentioned(prose, name)
	if name != "acptool" {
		pages = append(pages, "acptool(1)")
	}
	seeAlso(r, pages)
	return r.b.String()
}
