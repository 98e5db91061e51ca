//go:build e2e

package shells

import (
	"fmt"
	"github.com/acptool/acptool/wire/wiretest/signals"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// bin is a folder that holds the built tool, alone.
var bin string

func TestMain(m *testing.M) {
	signals.Default()
	dir, err := os.MkdirTemp("", "acptool-shells-")
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
