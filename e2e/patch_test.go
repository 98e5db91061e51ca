//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A patch of a recording brings a folder to where the agent brought its own:
// git apply and patch -p1 take it.
func TestPatchApplies(t *testing.T) {
	type edit struct{ status, diff string }
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	long := strings.Repeat("line\n", 40)
	edits := []edit{
		{"completed", `"path":"/w/a b.txt","oldText":` + quote(long+"end") + `,"newText":` + quote("first\n"+long+"end\n")},
		{"completed", `"path":"/w/new/n.txt","oldText":null,"newText":"n"`},
		{"failed", `"path":"/w/a b.txt","oldText":"","newText":"never"`},
		{"completed", `"path":"/etc/x","oldText":"","newText":"elsewhere"`},
		{"completed", `"path":"/w/a b.txt","oldText":` + quote("first\n"+long+"end\n") + `,"newText":` + quote("first\nsecond\n"+long+"end\n")},
		{"completed", `"changes":[],"patch":{"format":"git_patch","text":"diff --git /w/p /w/p\nnew file mode 100644\n--- /dev/null\n+++ /w/p\n@@ -0,0 +1 @@\n+p\n"}`},
		{"completed", `"changes":[],"patch":{"format":"git_patch","text":"--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"}`},
	}
	var file strings.Builder
	file.WriteString(`{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}}` + "\n")
	file.WriteString(`{"from":"agent","msg":{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}}` + "\n")
	for i, e := range edits {
		file.WriteString(`{"from":"agent","msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"` +
			string(rune('a'+i)) + `","title":"edit","status":"` + e.status + `","content":[{"type":"diff",` + e.diff + "}]}}}}\n")
	}
	for _, apply := range [][]string{{"git", "apply", "run.patch"}, {"patch", "-s", "-p1", "-i", "run.patch"}} {
		t.Run(apply[0], func(t *testing.T) {
			r := newRun(t)
			for name, text := range map[string]string{"run.acp.jsonl": file.String(), "a b.txt": long + "end", "gone": "gone\n"} {
				if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if out := r.acptool("show", "run.acp.jsonl", "--format", "patch", "-o", "run.patch"); out.exit != 0 {
				t.Fatalf("%+v", out)
			}
			if out := r.do("", apply...); out.exit != 0 {
				text, _ := os.ReadFile(filepath.Join(r.dir, "run.patch"))
				t.Fatalf("%+v\n%s", out, text)
			}
			for name, want := range map[string]string{"a b.txt": "first\nsecond\n" + long + "end\n", "new/n.txt": "n", "p": "p\n"} {
				if got, err := os.ReadFile(filepath.Join(r.dir, name)); err != nil || string(got) != want {
					t.Errorf("%s: %v %q", name, err, got)
				}
			}
			if _, err := os.Stat(filepath.Join(r.dir, "gone")); err == nil {
				t.Error("gone is still there")
			}
		})
	}
}
