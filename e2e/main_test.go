//go:build e2e

package e2e

import (
	"fmt"
	"github.com/acptool/acptool/wire/wiretest/signals"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// tool is the path of the built acptool, judge the validator of frames.
var (
	tool  string
	judge *validator
)

func TestMain(m *testing.M) {
	signals.Default()
	if _, err := os.Stat("node_modules/@agentclientprotocol/sdk"); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: the counterparties are not installed: run npm ci in e2e/")
		os.Exit(1)
	}
	dir, err := os.MkdirTemp("", "acptool-e2e-")
	if err != nil {
		panic(err)
	}
	tool = filepath.Join(dir, "acptool")
	build := exec.Command("go", "build", "-o", tool, "..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: cannot build the tool:", err)
		os.Exit(1)
	}
	if judge, err = startValidator(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e: cannot start the validator:", err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		judge.stop()
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}
