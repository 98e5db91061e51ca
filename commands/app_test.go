package commands

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

func testEnv() *env { return newEnv(Streams{}, func(string) string { return "" }) }

func TestCommandsHaveTheNamesTheyAreFoundBy(t *testing.T) {
	for _, m := range testEnv().commands() {
		if d := cmp.Diff([]string{m.name}, m.make().Names()); d != "" {
			t.Errorf("%s: %s", m.name, d)
		}
	}
}

// The tree is the dearest part of reading a line; it is built whole only where
// the other commands have a say.
func TestOnlyTheCommandThatIsAskedForIsMade(t *testing.T) {
	e := testEnv()
	all := len(e.commands())
	for _, tt := range []struct {
		args string
		made int
	}{
		{"status --connect unix:x", 1},
		{"prompt hello -s x --json -- agent --x", 1},
		{"show --help", 1},
		{"help status", 1},
		{"--json status", all},
		{"", all},
		{"--help", all},
		{"status --nothing", all},
		{"statsu", all},
	} {
		app, l, err := e.read(strings.Fields(tt.args))
		if len(app.Commands) != tt.made {
			t.Errorf("%q: %d commands made, want %d", tt.args, len(app.Commands), tt.made)
		}
		// The way is another, the outcome is the same.
		whole, wantErr := parseLine(e.app(), strings.Fields(tt.args))
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%q: %v, want %v", tt.args, err, wantErr)
		}
		if d := cmp.Diff(whole, l, cmp.AllowUnexported(line{}, naming{}), cmp.Comparer(func(a, b *cli.Command) bool {
			return a == b || a != nil && b != nil && a.Name == b.Name
		})); d != "" {
			t.Errorf("%q: %s", tt.args, d)
		}
	}
}

// A budget, so that what one command costs does not grow unseen: each flag of
// status is a handful of allocations.
func TestReadingALineTakesFewAllocations(t *testing.T) {
	e := testEnv()
	args := []string{"status", "--connect", "unix:x"}
	n := testing.AllocsPerRun(10, func() {
		if _, _, err := e.read(args); err != nil {
			t.Fatal(err)
		}
	})
	if n > 150 {
		t.Errorf("%v allocations", n)
	}
}
