//go:build unix

package docs

import (
	"context"
	"flag"
	"fmt"
	"github.com/acptool/acptool/wire/wiretest/signals"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write what the examples print into the documents")

// bin is a folder that holds the built tool.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	signals.Default()
	dir, err := os.MkdirTemp("", "acptool-docs-")
	if err != nil {
		panic(err)
	}
	bin = dir
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "acptool"), "github.com/acptool/acptool")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "cannot build the tool:", err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(bin)
		os.Exit(code)
	}))
}

func TestExamplesPrintWhatTheDocumentsSay(t *testing.T) {
	root := filepath.Join("..", "..")
	documents, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(root, "examples", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(documents, more...) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			document, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all := examples(document)
			printed := runAll(t, all)
			if *update {
				if err := os.WriteFile(name, rewrite(document, all, printed), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			for i, e := range all {
				if !e.fits(printed[i]) {
					t.Errorf("%s:%d: $ %s\n(-document +printed)\n%s", filepath.Base(name), e.line, e.command, cmp.Diff(e.want, printed[i]))
				}
			}
		})
	}
}

// between stands between what two commands print.
const between = "\x1e"

// runAll runs a document's commands in one shell, so that $? and cd work as one
// reads them, and gives what each printed.
func runAll(t *testing.T, all []example) [][]string {
	t.Helper()
	if len(all) == 0 {
		return nil
	}
	var script strings.Builder
	for _, e := range all {
		fmt.Fprintf(&script, "%s\n{ _status=$?; printf '%s'; (exit $_status); } 2>&1\n", e.command, between)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script.String())
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8", "TZ=UTC", "NO_COLOR=1",
	}
	cmd.WaitDelay = 5 * time.Second
	out, _ := cmd.CombinedOutput() // the last command's status is the document's affair
	texts := strings.Split(string(out), between)
	if len(texts) != len(all)+1 {
		t.Fatalf("%d of %d commands ran: %s", len(texts)-1, len(all), out)
	}
	printed := make([][]string, len(all))
	for i := range all {
		if text := strings.TrimSuffix(texts[i], "\n"); text != "" {
			printed[i] = strings.Split(text, "\n")
		}
	}
	return printed
}
