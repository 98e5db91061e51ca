package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// golden compares text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *updateGoldens {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (go test -update writes it anew):\n%s", file, d)
	}
}

func TestHelp(t *testing.T) {
	app := Tree()
	check := func(name, text string) {
		t.Run(name, func(t *testing.T) {
			for line := range strings.Lines(text) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > helpWidth {
					t.Errorf("%d columns: %s", n, line)
				}
				if strings.HasSuffix(strings.TrimRight(line, "\n"), " ") {
					t.Errorf("space at the end of %q", line)
				}
			}
			golden(t, filepath.Join("help", name+".txt"), text)
		})
	}
	check("acptool", appHelp(app))
	for _, c := range app.Commands {
		if c.Hidden {
			continue
		}
		check(c.Name, commandHelp(c))
	}
}

// One name means one thing: a flag of the same name has the same kind wherever
// it stands, so that a flag before the command can be read. Only letters may
// differ.
func TestFlagsOfOneNameAreAlike(t *testing.T) {
	kinds := map[string]int{}
	for _, c := range Tree().Commands {
		for _, f := range c.Flags {
			for _, n := range f.Names() {
				if len(n) == 1 {
					continue
				}
				if k, ok := kinds[n]; ok && k != arity(f) {
					t.Errorf("%s: --%s takes %d words, elsewhere %d", c.Name, n, arity(f), k)
				}
				kinds[n] = arity(f)
			}
		}
	}
}

func TestEveryFlagHasText(t *testing.T) {
	for _, c := range Tree().Commands {
		seen := map[string]bool{}
		for _, f := range c.Flags {
			names, text := flagHelp(f)
			if text == "" {
				t.Errorf("%s: %s has no text", c.Name, names)
			}
			if arity(f) > 0 && !strings.Contains(f.(cli.DocGenerationFlag).GetUsage(), "`") {
				t.Errorf("%s: the value of %s has no name", c.Name, names)
			}
			for _, n := range f.Names() {
				if seen[n] {
					t.Errorf("%s: two flags are called %s", c.Name, n)
				}
				seen[n] = true
			}
		}
	}
}

func TestManFinds(t *testing.T) {
	env := map[string]string{"PATH": "/home/me/.local/bin:/opt/x/bin/", "MANPATH": "/srv/pages:"}
	for dir, want := range map[string]bool{
		"/home/me/.local/share/man": true, "/home/me/.local/man": true, "/opt/x/share/man/": true, "/srv/pages": true,
		"/usr/local/share/man": true, "/home/me/pages": false, "/home/me/share/man": false,
	} {
		if got := manFinds(dir, func(k string) string { return env[k] }); got != want {
			t.Errorf("%s: %v", dir, got)
		}
	}
}
