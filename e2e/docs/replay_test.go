//go:build unix

package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The README's section for authors of tests: each example runs as it stands
// there, beside a recording of the demo. The one for Node is run where Node is
// (readme_test.go, one folder up).

func readmeBlock(t *testing.T, language, after string) string {
	t.Helper()
	document, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	block, ok := Block(document, language, after)
	if !ok {
		t.Fatalf("README.md has no block of %s after %q", language, after)
	}
	return block
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// recorded is a place with the recording that the examples name: one turn with
// the demo.
func recorded(t *testing.T) place {
	t.Helper()
	p := place{t, t.TempDir()}
	write(t, filepath.Join(p.dir, "testdata", "keep"), "", 0o644)
	out, status := p.run(nil, "acptool", "prompt", "-q", "hello", "--", "acptool", "record", "-q", "-o", "testdata/session.acp.jsonl", "--agent", "@demo-v1")
	if status != 0 {
		t.Fatalf("%d %s", status, out)
	}
	return p
}

func TestShellExampleOfReplay(t *testing.T) {
	t.Parallel()
	p := recorded(t)
	write(t, filepath.Join(p.dir, "test.sh"), readmeBlock(t, "sh", "A shell test, of a script that uses an agent:"), 0o644)
	for name, c := range map[string]struct {
		script string
		status int
		says   string
	}{
		"as recorded":           {"acptool prompt hello", 0, ""},
		"two agents":            {"acptool call session/fork {} --unadvertised; acptool prompt hello", 1, `"missed":[{"method":"session/fork"`},
		"not to the end":        {"acptool new", 1, `"unplayed":[{`},
		"no agent":              {"true", 1, ""},
		"the script is at odds": {"acptool prompt hello; exit 3", 3, ""},
	} {
		write(t, filepath.Join(p.dir, "my-script.sh"), "#!/bin/sh\n"+c.script+"\n", 0o755)
		if out, status := p.run(nil, "sh", "test.sh"); status != c.status || !strings.Contains(out, c.says) {
			t.Errorf("%s: status %d, %q", name, status, out)
		}
	}
}

const goClient = `package mine

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func runMyClient(t *testing.T, agent *exec.Cmd) {
	in, _ := agent.StdinPipe()
	out, _ := agent.StdoutPipe()
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for id, request := range []string{"\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}", os.Getenv("SECOND")} {
		fmt.Fprintf(in, "{\"jsonrpc\":\"2.0\",\"id\":%d,%s}\n", id, request)
		for lines.Scan() && !strings.Contains(lines.Text(), fmt.Sprintf("\"id\":%d", id)) {
		}
	}
	in.Close()
	io.Copy(io.Discard, out)
	agent.Wait()
}

`

// TestGoExampleOfReplay: the recording holds a prompt that this client never
// sends, so that the example has something to find.
func TestGoExampleOfReplay(t *testing.T) {
	t.Parallel()
	p := recorded(t)
	if out, status := p.run(nil, "acptool", "new", "-q", "--", "acptool", "record", "-q", "-o", "testdata/new.acp.jsonl", "--agent", "@demo-v1"); status != 0 {
		t.Fatalf("%d %s", status, out)
	}
	write(t, filepath.Join(p.dir, "go.mod"), "module example.org/mine\n\ngo 1.26\n", 0o644)
	write(t, filepath.Join(p.dir, "mine_test.go"), goClient+readmeBlock(t, "go", "A Go test:"), 0o644)
	second := `SECOND="method":"session/new","params":{"cwd":"/","mcpServers":[]}`
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{second, "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "GOCACHE=" + strings.TrimSpace(string(cache))}
	if out, status := p.run(env, "go", "test", "."); status != 1 || !strings.Contains(out, "the client left the recording (status 1)") || !strings.Contains(out, "session/prompt") {
		t.Errorf("of another client: status %d, %s", status, out)
	}
	if err := os.Rename(filepath.Join(p.dir, "testdata", "new.acp.jsonl"), filepath.Join(p.dir, "testdata", "session.acp.jsonl")); err != nil {
		t.Fatal(err)
	}
	if out, status := p.run(env, "go", "test", "."); status != 0 {
		t.Errorf("status %d, %s", status, out)
	}
}
