package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/shlex"
)

// The README's recipes are run, and what they print is kept beside them.
func TestREADMERecipes(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "<!-- recipes:")
	_, rest, _ = strings.Cut(rest, "```sh\n")
	block, _, found := strings.Cut(rest, "```\n<!-- end -->")
	if !found {
		t.Fatal("README.md has no recipes between the marks")
	}
	var got strings.Builder
	for _, recipe := range strings.Split(strings.TrimSpace(block), "\n\n") {
		title, command, _ := strings.Cut(recipe, "\n")
		words, err := shlex.Split(command)
		if err != nil || len(words) < 2 || words[0] != "acptool" || title[0] != '#' {
			t.Fatalf("no recipe: %s (%v)", recipe, err)
		}
		cmd := exec.Command(words[0], words[1:]...)
		if slices.Contains(words, "|") {
			cmd = exec.Command("sh", "-c", command)
		}
		cmd.Dir = "testdata"
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", title, err, out)
		}
		got.WriteString(title + "\n" + string(out) + "\n")
	}
	file := filepath.Join("testdata", "recipes.golden")
	if *updateGoldens {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("recipes (-want +got):\n%s", d)
	}
}
