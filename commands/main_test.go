package commands

import (
	"errors"
	"flag"
	"fmt"
	"github.com/acptool/acptool/wire/wiretest/signals"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/wiretest"
	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

var updateGoldens = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) {
	wire.RunGuardIfAsked()
	testscript.Main(leakChecked{m}, map[string]func(){
		"acptool":   func() { os.Exit(Main(os.Args, Streams{os.Stdin, os.Stdout, os.Stderr})) },
		"fakeagent": func() { os.Exit(wiretest.FakeAgentMain()) },
	})
}

// leakChecked runs the tests and then looks for goroutines that they left.
type leakChecked struct{ *testing.M }

func (l leakChecked) Run() int {
	signals.Default()
	if code := l.M.Run(); code != 0 {
		return code
	}
	if err := goleak.Find(); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	return 0
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *updateGoldens,
		RequireUniqueNames:  true,
		RequireExplicitExec: false,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": exitStatus,
		},
	})
}

// exitStatus is the script command
//
//	status N COMMAND [ARG…]
//
// which runs a command and checks the status that it ends with.
func exitStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND [ARG…]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
		if s, ok := exit.Sys().(interface{ Signaled() bool }); ok && s.Signaled() {
			ts.Fatalf("killed: %v", err)
		}
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}
