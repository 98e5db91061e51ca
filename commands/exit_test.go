package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExitTableIsOrderedAndNamed(t *testing.T) {
	last := Exit(-1)
	kinds := map[string]bool{}
	for _, r := range ExitTable() {
		if r.Exit <= last {
			t.Errorf("%d stands after %d", r.Exit, last)
		}
		last = r.Exit
		if r.Text == "" || r.Exit.Kind() != r.Kind {
			t.Errorf("row %+v: kind %q", r, r.Exit.Kind())
		}
		if r.Kind != "" && kinds[r.Kind] {
			t.Errorf("kind %q stands twice", r.Kind)
		}
		kinds[r.Kind] = true
	}
}

// A page lists what its command can end with, in the words that concern it.
func TestExitRowsOfCommands(t *testing.T) {
	for _, c := range []struct {
		command string
		exit    Exit
		want    string // "": no such row
	}{
		{"new", ExitNoSession, ""},
		{"close", ExitNoSession, "the agent does not know the session; a recording does not show it"},
		{"recordings", ExitNo, "a clear no: -e and the last output is false, null or none"},
		{"recordings", ExitUnreachable, ""},
		{"setup", ExitNo, ""},
		{"show", ExitOK, "done"},
		{"prompt", ExitOK, "the turn ended with end_turn"},
		{"new", ExitRefusal, ""},
		{"cancel", ExitAgentError, "the agent answered with another error, or ended the turn with one"},
		{"replay", ExitNo, "a clear no: the replay diverged"},
	} {
		got := ""
		for _, r := range exitRows(c.command) {
			if r.Exit == c.exit {
				got = r.Text
			}
		}
		if got != c.want {
			t.Errorf("%s, %d: %q, want %q", c.command, c.exit, got, c.want)
		}
	}
}

// exitMarkdown is the table as the README has it.
func exitMarkdown() string {
	var b strings.Builder
	b.WriteString("| status | meaning |\n|---|---|\n")
	for _, r := range ExitTable() {
		fmt.Fprintf(&b, "| %d | %s |\n", r.Exit, r.Text)
	}
	return b.String()
}

func TestReadmeHasTheExitTable(t *testing.T) {
	const begin, end = "<!-- exit statuses: written by go test ./commands -update -->\n", "<!-- end -->"
	file := filepath.Join("..", "README.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", file)
	}
	if *updateGoldens {
		if err := os.WriteFile(file, []byte(before+begin+exitMarkdown()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(exitMarkdown(), table); d != "" {
		t.Errorf("the table in README.md is not the code's (go test ./commands -update):\n%s", d)
	}
}
