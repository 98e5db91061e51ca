package docs

import (
	"bufio"
	"bytes"
	"regexp"
	"strings"
)

// example is one command of a document and what it is said to print.
type example struct {
	line    int // of the command, counted from 1
	command string
	want    []string
}

const fence = "```"

// examples finds those of a Markdown document.
func examples(document []byte) []example {
	var all []example
	inside := false
	scanner := bufio.NewScanner(bytes.NewReader(document))
	for n := 1; scanner.Scan(); n++ {
		text := scanner.Text()
		last := len(all) - 1
		switch {
		case !inside:
			inside = strings.HasPrefix(text, fence+"console run")
		case strings.HasPrefix(text, fence):
			inside = false
		case strings.HasPrefix(text, "$ "):
			all = append(all, example{line: n, command: text[2:]})
		case last < 0: // text before the first command
		case strings.HasPrefix(text, "> ") && len(all[last].want) == 0:
			all[last].command += "\n" + text[2:]
		default:
			all[last].want = append(all[last].want, text)
		}
	}
	return all
}

// Block is the first fenced block in a language after a line of the document.
func Block(document []byte, language, after string) (string, bool) {
	_, rest, ok := strings.Cut(string(document), "\n"+after+"\n")
	if !ok {
		return "", false
	}
	_, rest, ok = strings.Cut(rest, "\n"+fence+language+"\n")
	if !ok {
		return "", false
	}
	block, _, ok := strings.Cut(rest, "\n"+fence+"\n")
	return block + "\n", ok
}

// fits reports whether a command printed what the document says.
func (e example) fits(got []string) bool { return fits(e.want, got) }

func fits(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "..." {
		for skip := 0; skip <= len(got); skip++ {
			if fits(want[1:], got[skip:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && pattern(want[0]).MatchString(got[0]) && fits(want[1:], got[1:])
}

// pattern is a line in which an ellipsis stands for any text.
func pattern(line string) *regexp.Regexp {
	parts := strings.Split(line, "…")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$")
}

// rewrite gives the document with the output of its examples replaced by what
// they printed, where that no longer fits.
func rewrite(document []byte, all []example, printed [][]string) []byte {
	lines := strings.SplitAfter(string(document), "\n")
	var out strings.Builder
	at := 0 // lines copied so far
	for i, e := range all {
		if e.fits(printed[i]) {
			continue
		}
		begin := e.line + strings.Count(e.command, "\n")
		for ; at < begin; at++ {
			out.WriteString(lines[at])
		}
		for _, line := range printed[i] {
			out.WriteString(line + "\n")
		}
		at += len(e.want)
	}
	for ; at < len(lines); at++ {
		out.WriteString(lines[at])
	}
	return []byte(out.String())
}
