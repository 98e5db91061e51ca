package gosdk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"github.com/acptool/acptool/wire/wiretest/signals"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/coder/acp-go-sdk" // keeps the examples' module among ours
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// The built programs.
var tool, agent, client string

func TestMain(m *testing.M) {
	signals.Default()
	dir, err := os.MkdirTemp("", "acptool-gosdk-")
	if err != nil {
		panic(err)
	}
	for _, program := range []struct {
		path *string
		pkg  string
	}{
		{&tool, "github.com/acptool/acptool"},
		{&agent, "github.com/coder/acp-go-sdk/example/agent"},
		{&client, "github.com/coder/acp-go-sdk/example/client"},
	} {
		*program.path = filepath.Join(dir, filepath.Base(program.pkg))
		if runtime.GOOS == "windows" {
			*program.path += ".exe"
		}
		build := exec.Command("go", "build", "-o", *program.path, program.pkg)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintf(os.Stderr, "cannot build %s: %v\n", program.pkg, err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// outcome is what a run left behind.
type outcome struct {
	stdout, stderr string
	exit           int
}

// run runs a program to its end in a folder, with a home of its own.
func run(t *testing.T, dir, stdin string, argv ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		t.Fatalf("%q: %v, %v\nstdout: %s\nstderr: %s", argv, err, ctx.Err(), stdout.String(), stderr.String())
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

func (o outcome) want(t *testing.T, exit int) outcome {
	t.Helper()
	if o.exit != exit {
		t.Fatalf("exit %d, want %d\nstdout: %s\nstderr: %s", o.exit, exit, o.stdout, o.stderr)
	}
	return o
}

func TestPromptTheExampleAgent(t *testing.T) {
	for policy, last := range map[string]string{
		"reject": "I'll skip the configuration update.\n",
		"allow":  "The changes have been applied.\n",
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			o := run(t, t.TempDir(), "", tool, "prompt", "--permission", policy, "hello", "--", agent).want(t, 0)
			if !strings.HasSuffix(o.stdout, last) {
				t.Errorf("stdout %q does not end with %q", o.stdout, last)
			}
		})
	}
}

func TestAskTheExampleAgent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run(t, dir, "", tool, "status", "--", agent).want(t, 0)
	if o := run(t, dir, "", tool, "new", "--", agent).want(t, 0); !regexp.MustCompile(`^sess_[0-9a-f]{24}\n$`).MatchString(o.stdout) {
		t.Errorf("new printed %q", o.stdout)
	}
	// It offers none of these, so nothing is asked.
	run(t, dir, "", tool, "status", "sess_x", "--", agent).want(t, 5)
	run(t, dir, "", tool, "auth-status", "--", agent).want(t, 5)
	run(t, dir, "", tool, "resume", "sess_x", "--", agent).want(t, 5)
}

// TestExampleClientSeesTheSame: with the tap or the recorder between, and with a
// recording in place of the agent that our own client made of it. (The example
// client kills what it has started once it has its answer, and what came in the
// recorder's last milliseconds is then not written.) The client prints addresses of its own
// memory, and handles a request beside the notifications before it, so that
// pieces of their lines can mix: what it prints is compared without the
// addresses, word by word and without order.
func TestExampleClientSeesTheSame(t *testing.T) {
	dir := t.TempDir()
	chance := regexp.MustCompile(`sess_[0-9a-f]+|0x[0-9a-f]+`)
	drive := func(t *testing.T, argv ...string) []string {
		t.Helper()
		o := run(t, dir, "1\n", append([]string{client}, argv...)...).want(t, 0)
		words := strings.Fields(chance.ReplaceAllString(o.stdout, "…"))
		slices.Sort(words)
		return words
	}
	kept := filepath.Join(dir, "kept.acp.jsonl")
	run(t, dir, "", tool, "prompt", "--permission", "allow", "--record", kept, "Good morning.", "--", agent).want(t, 0)
	direct := drive(t, agent)
	for name, argv := range map[string][]string{
		"tap":    {tool, "tap", "--", agent},
		"record": {tool, "record", "--", agent},
		"replay": {tool, "replay", kept},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(direct, drive(t, argv...)); diff != "" {
				t.Errorf("the client saw something else (-direct +%s):\n%s", name, diff)
			}
		})
	}
	if !slices.Contains(direct, "✅") || !slices.Contains(direct, "completed") {
		t.Errorf("the turn did not end: %q", direct)
	}
}
