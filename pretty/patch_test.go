package pretty

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/acptool/acptool/wire"
	"github.com/google/go-cmp/cmp"
)

// edits is a session in /w of which each tool call has one diff.
func edits(diffs ...string) []wire.Entry {
	all := []wire.Entry{
		{From: wire.Client, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w/","mcpServers":[]}}`)},
		{From: wire.Agent, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`)},
	}
	for i, d := range diffs {
		status, d, ok := strings.Cut(d, " ")
		if !ok {
			panic(d)
		}
		all = append(all, wire.Entry{From: wire.Agent, Data: fmt.Appendf(nil,
			`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t%d","title":"edit","status":"%s","content":[{"type":"diff",%s]}}}`, i, status, d)})
	}
	return all
}

func patched(text string) string {
	b, _ := json.Marshal(text)
	return `completed "changes":[],"patch":{"format":"git_patch","text":` + string(b) + `}}`
}

func TestPatch(t *testing.T) {
	for _, c := range []struct{ name, diff, want string }{
		{"texts", `completed "path":"/w/a b","oldText":"1\n2\n3","newText":"1\nzwei\n3\n"}`, "diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1,3 +1,3 @@\n 1\n-2\n-3\n\\ No newline at end of file\n+zwei\n+3\n"},
		{"a new file", `completed "path":"/w/d/n","oldText":null,"newText":"x\n"}`, "diff --git a/d/n b/d/n\nnew file mode 100644\n--- /dev/null\n+++ b/d/n\n@@ -0,0 +1 @@\n+x\n"},
		{"an empty one", `completed "path":"n","newText":""}`, "diff --git a/n b/n\nnew file mode 100644\n"},
		{"nothing changed", `completed "path":"n","oldText":"a","newText":"a"}`, ""},
		{"elsewhere", `completed "path":"/etc/hosts","oldText":"a","newText":"b"}`, "# left out, not in the session's folder: /etc/hosts\n"},
		{"further up", `completed "path":"../x","oldText":"a","newText":"b"}`, "# left out, not in the session's folder: ../x\n"},
		{"failed", `failed "path":"/w/a","oldText":"1\n","newText":"2\n"}`, ""},
		{"paths alone", `completed "changes":[{"operation":"move","oldPath":"/w/a","path":"/w/b"}]}`, "# left out, the agent gave no text: move /w/b\n"},
		{"absolute names", patched("diff --git /w/n /w/n\nnew file mode 100644\n--- /dev/null\n+++ /w/n\n@@ -0,0 +1,2 @@\n+--- a/x\n++++ b/y"), "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+--- a/x\n++++ b/y\n"},
		{"git's own", patched("diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"), "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"},
		{"without git's line, two files", patched("--- /w/x\n+++ /w/x\n@@ -1 +1 @@\n-a\n+b\n--- /w/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"), "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\ndeleted file mode 100644\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{"moved", patched("diff --git a/x b/y\nsimilarity index 100%\nrename from /w/x\nrename to /w/y\n"), "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n"},
		{"a patch of what is elsewhere", patched("--- a/../../x\n+++ b/../../x\n@@ -1 +1 @@\n-a\n+b\n"), "# left out, not in the session's folder: a/../../x\n"},
	} {
		var b bytes.Buffer
		play(t, NewFolding(&b, FoldingOptions{Form: FoldPatch}), edits(c.diff))
		if d := cmp.Diff(c.want, b.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// A patch comes from an agent: whatever it holds, no path leads out of the
// session's folder, and nothing panics.
func FuzzPatch(f *testing.F) {
	f.Add("diff --git /w/n /w/n\nnew file mode 100644\n--- /dev/null\n+++ /w/n\n@@ -0,0 +1 @@\n+x\n")
	f.Add("rename from \"a\\tb\"\nrename to ../x\n@@ -1 +1,9 @@\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := patch{cwd: "/w"}
		p.given(text)
		for l := range strings.Lines(p.b.String()) {
			if strings.HasPrefix(l, "diff --git ") && strings.Contains(l, "a/../") {
				t.Errorf("%q", l)
			}
		}
	})
}
