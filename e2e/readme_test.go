//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/acptool/acptool/e2e/docs"
)

const nodeClient = `
async function runMyClient(stdin, stdout) {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const requests = JSON.parse(process.env.REQUESTS);
  for (const [id, request] of requests.entries()) {
    stdin.write(JSON.stringify({ jsonrpc: "2.0", id, ...request }) + "\n");
    for (;;) {
      const { value, done } = await lines.next();
      if (done || JSON.parse(value).id === id) break;
    }
  }
}
`

// The README's test for Node runs as it stands there, with a client that does
// what was recorded and with one that does not.
func TestNodeExampleOfReplay(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	block, ok := docs.Block(document, "js", "A Node test:")
	if !ok {
		t.Fatal("README.md has no test for Node")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "testdata"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "session.test.mjs"), []byte(block+nodeClient), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(env []string, argv ...string) (string, int) {
		cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), append(env, "PATH="+filepath.Dir(tool)+string(os.PathListSeparator)+os.Getenv("PATH"))...)
		out, _ := cmd.CombinedOutput() // the status says it
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, status := run(nil, tool, "new", "-q", "--", tool, "record", "-q", "-o", "testdata/session.acp.jsonl", "--agent", "@demo-v1"); status != 0 {
		t.Fatalf("%d %s", status, out)
	}
	initialize := `{"method":"initialize","params":{"protocolVersion":1}}`
	create := `{"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`
	if out, status := run([]string{"REQUESTS=[" + initialize + "," + create + "]"}, "node", "--test", "session.test.mjs"); status != 0 {
		t.Errorf("status %d, %s", status, out)
	}
	if out, status := run([]string{"REQUESTS=[" + initialize + "]"}, "node", "--test", "session.test.mjs"); status != 1 || !strings.Contains(out, "the client left the recording") {
		t.Errorf("of another client: status %d, %s", status, out)
	}
}
