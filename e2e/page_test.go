//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

const pageRecording = `{"format":"acptool","version":1,"started":"2026-11-30T04:00:00Z","agent":["helper"]}
{"t":0.1,"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[{"type":"text","text":"<script>document.title='broken'</script> please"}]}}}
{"t":0.2,"from":"agent","msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"one "}}}}}
{"t":0.3,"from":"agent","msg":{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"two"}}}}}
{"t":0.4,"from":"agent","stderr":"<b>loud</b>\n"}
{"t":1.1,"from":"agent","msg":{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}}
`

// browse opens the page in a headless browser and returns the document as it
// stands after its script has run.
func browse(t *testing.T, address string) string {
	t.Helper()
	cmd := exec.Command("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--user-data-dir="+t.TempDir(), "--virtual-time-budget=5000", "--dump-dom", address)
	cmd.WaitDelay = 10 * time.Second
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	return string(dom)
}

// show --format html is one page that a browser shows from a file, without a
// network, with its filter at work and nothing of the agent's run.
func TestPageInABrowser(t *testing.T) {
	dir := t.TempDir()
	recording, page := filepath.Join(dir, "r.acp.jsonl"), filepath.Join(dir, "page.html")
	if err := os.WriteFile(recording, []byte(pageRecording), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(tool, "show", recording, "--format", "html", "-o", page).CombinedOutput(); err != nil {
		t.Fatalf("show: %v\n%s", err, out)
	}
	dom := browse(t, "file://"+page)
	if !strings.Contains(dom, `<output id="shown">4 rows</output>`) {
		t.Errorf("the script did not count four rows:\n%s", dom)
	}
	if strings.Contains(dom, "<title>broken") || strings.Contains(dom, "<b>loud") {
		t.Error("the agent's text was taken for markup")
	}
	hidden := regexp.MustCompile(`<details class="[^"]*" hidden`)
	for filter, want := range map[string]string{
		"session/prompt": "2 of 4 rows", "agent_message_chunk": "1 of 4 rows", "-agent": "1 of 4 rows", "end_turn%20response": "1 of 4 rows", "nothing": "0 of 4 rows",
	} {
		dom := browse(t, "file://"+page+"#"+filter)
		if !strings.Contains(dom, `<output id="shown">`+want+`</output>`) || len(hidden.FindAllString(dom, -1)) != 4-int(want[0]-'0') {
			t.Errorf("#%s does not show %s", filter, want)
		}
	}
}
