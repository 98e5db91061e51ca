package commands

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
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

// What packages set up before main is paid by every start, also of --version
// and of the guard: ours set up nothing worth mentioning (sync.OnceValue makes
// what one command needs). The count is the runtime's own.
func TestPackagesSetUpNearlyNothing(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "acptool", "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	all := regexp.MustCompile(`(?m)^init (\S+) .* (\d+) allocs$`).FindAllStringSubmatch(trace.String(), -1)
	if len(all) < 10 {
		t.Fatalf("no trace of package initialisation: %s", trace.String())
	}
	total := 0
	var ours []string
	for _, m := range all {
		if strings.HasPrefix(m[1], "github.com/acptool/") {
			n, err := strconv.Atoi(m[2])
			if err != nil {
				t.Fatal(err)
			}
			total += n
			ours = append(ours, m[0])
		}
	}
	if total > 10 { // the tests' own flag is among them
		t.Errorf("%d allocations before main:\n%s", total, strings.Join(ours, "\n"))
	}
}
