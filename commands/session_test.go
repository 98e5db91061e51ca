package commands

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// params are the params that were sent with a method.
func (r ran) params(t *testing.T, method string) map[string]any {
	t.Helper()
	var p map[string]any
	if err := json.Unmarshal(r.message(t, method).Params, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

const everything = `{"session":{"mcp":{"stdio":{},"http":{}},"additionalDirectories":{},"prompt":{"image":{},"embeddedContext":{}}}}`

func TestU04U05U37U38U40New(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, agent := range []string{agent1(`{}`), agent2(everything)} {
		agent += on("session/new", `reply {"sessionId":"id with spaces/é","more":1.50}`) + "serve\n"
		for flag, want := range map[string]string{"": real, ".": real, "sub": filepath.Join(real, "sub")} {
			args := []string{"new"}
			if flag != "" {
				args = append(args, "-C", flag)
			}
			r := call{agent: agent, dir: real, args: args}.run(t).want(t, ExitOK, "id with spaces/é\n").quiet(t)
			if d := cmp.Diff(map[string]any{"cwd": want, "mcpServers": []any{}}, r.params(t, "session/new")); d != "" {
				t.Errorf("-C %q: %s", flag, d)
			}
		}
		call{agent: agent, args: []string{"new", "--json"}}.run(t).want(t, ExitOK, `{"sessionId":"id with spaces/é","more":1.50}`+"\n")
	}
	for _, answer := range []string{`{}`, `{"sessionId":null}`, `{"sessionId":7}`, `"S"`} {
		runTool(t, agent1(`{}`)+on("session/new", "reply "+answer)+"serve\n", "new").want(t, ExitProtocol, "").says(t, "sessionId")
	}
}

func TestU29U30U31U34AddedDirectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, d := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	agent := agent2(everything) + on("session/new", newS) + on("session/resume", "reply {}") + "serve\n"
	want := []any{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
	for method, args := range map[string][]string{"session/new": {"new"}, "session/resume": {"resume", "S"}} {
		r := call{agent: agent, dir: dir, args: append(args, "--add-dir", "a", "--add-dir", filepath.Join(dir, "b"))}.run(t).wantExit(t, ExitOK)
		if d := cmp.Diff(any(want), r.params(t, method)["additionalDirectories"]); d != "" {
			t.Errorf("%s: %s", method, d)
		}
		r = call{agent: agent, dir: dir, args: args}.run(t).wantExit(t, ExitOK)
		if _, ok := r.params(t, method)["additionalDirectories"]; ok {
			t.Errorf("%s: sent without --add-dir", method)
		}
		call{agent: agent, dir: dir, args: append(args, "--add-dir", "../nowhere")}.run(t).wantExit(t, ExitUsage).says(t, "no such directory")
		r = call{agent: agent1(`{"sessionCapabilities":{"resume":{}}}`) + "serve\n", dir: dir, args: append(args, "--add-dir", "a")}.run(t).wantExit(t, ExitUnsupported)
		if r.methods() != "initialize" {
			t.Errorf("%s: sent %s", method, r.methods())
		}
	}
}

func TestU32CwdStaysTheBase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "work", "note.txt"), "from the note\n")
	write(t, filepath.Join(dir, "more", "x"), "")
	agent := agent2(everything) + on("session/new", newS) + on("session/prompt", `reply {"messageId":"u"}`, state(`"state":"running"`), state(`"state":"idle","stopReason":"end_turn"`)) + "serve\n"
	r := call{agent: agent, dir: dir, args: []string{"prompt", "-C", "work", "--add-dir", "more", "-f", "note.txt", "--attach", "note.txt"}}.run(t).wantExit(t, ExitOK)
	if got := r.params(t, "session/new")["cwd"]; got != filepath.Join(dir, "work") {
		t.Errorf("cwd %v", got)
	}
	blocks := string(r.message(t, "session/prompt").Params)
	if strings.Count(blocks, "from the note") != 2 || !strings.Contains(blocks, `"type":"resource"`) {
		t.Errorf("prompt %s", blocks)
	}
}

func TestU35ResumeElsewhereNamesCwd(t *testing.T) {
	t.Parallel()
	agent := agent2(everything) + on("session/resume", `error {"code":-32602,"message":"wrong directory"}`) + "serve\n"
	runTool(t, agent, "resume", "S").want(t, ExitAgentError, "").says(t, "wrong directory", "-32602", "hint: --cwd")

	agent = agent2(everything) + on("session/resume", `error {"code":-32600,"message":"in use by another client"}`) + "serve\n"
	r := runTool(t, agent, "resume", "S").want(t, ExitAgentError, "").says(t, "in use by another client", "-32600")
	if strings.Contains(r.err, "hint:") {
		t.Errorf("a hint that does not fit: %s", r.err)
	}
}

func TestU07U08U10U11U24S08Resume(t *testing.T) {
	t.Parallel()
	history := update(`{"sessionUpdate":"agent_message","messageId":"m","content":[{"type":"text","text":"long ago"}]}`)
	v2 := agent2(everything) + on("session/resume", history, state(`"state":"idle","stopReason":"cancelled"`), `reply {"configOptions":[{"id":"o"}]}`) + "serve\n"
	r := runTool(t, v2, "resume", "S").want(t, ExitOK, "").quiet(t)
	p := r.params(t, "session/resume")
	if _, ok := p["replayFrom"]; ok || p["sessionId"] != "S" || !filepath.IsAbs(p["cwd"].(string)) || p["mcpServers"] == nil {
		t.Errorf("params %v", p)
	}
	r = runTool(t, v2, "resume", "S", "--replay").wantExit(t, ExitOK)
	if d := cmp.Diff(any(map[string]any{"type": "start"}), r.params(t, "session/resume")["replayFrom"]); d != "" || !strings.Contains(r.out, "long ago") {
		t.Errorf("%s, printed %q", d, r.out)
	}
	doc := runTool(t, v2, "resume", "S", "--replay", "--json").wantExit(t, ExitOK).document(t)
	if doc["sessionId"] != "S" || len(doc["items"].([]any)) != 1 || doc["configOptions"] == nil {
		t.Errorf("document %v", doc)
	}
	runTool(t, v2, "resume", "S", "--json").want(t, ExitOK, `{"sessionId":"S","configOptions":[{"id":"o"}]}`+"\n")

	load := agent1(`{"loadSession":true}`) + on("session/load", chunk1("long ago"), "reply {}") + "serve\n"
	r = runTool(t, load, "resume", "S").want(t, ExitOK, "").quiet(t)
	if r.methods() != "initialize session/load" {
		t.Errorf("sent %s", r.methods())
	}
	if r = runTool(t, load, "resume", "S", "--replay").wantExit(t, ExitOK); !strings.Contains(r.out, "long ago") {
		t.Errorf("printed %q", r.out)
	}
	runTool(t, load, "resume", "S", "--replay", "--jq", `"no" | halt_error`).want(t, ExitNo, "").says(t, "no")
	both := agent1(`{"loadSession":true,"sessionCapabilities":{"resume":{}}}`) + on("session/resume", "reply {}") + "serve\n"
	if r = runTool(t, both, "resume", "S").want(t, ExitOK, ""); r.methods() != "initialize session/resume" {
		t.Errorf("sent %s", r.methods())
	}
	if r = runTool(t, agent1(`{}`)+"serve\n", "resume", "S").wantExit(t, ExitUnsupported); r.methods() != "initialize" {
		t.Errorf("sent %s", r.methods())
	}
}

// A session id that nobody knows has one status and one wording, wherever it
// comes.
func TestS15S28S29UnknownSessionAnywhere(t *testing.T) {
	t.Parallel()
	no := `error {"code":-32002,"message":"no such session","data":{"sessionId":"S"}}`
	for name, tt := range map[string]struct {
		agent string
		args  []string
	}{
		"resume": {on("session/resume", no), []string{"resume", "S"}},
		"prompt": {on("session/resume", "reply {}") + on("session/prompt", no), []string{"prompt", "-s", "S", "hi"}},
		"take":   {on("session/resume", no), []string{"prompt", "-s", "S", "hi"}},
		"close":  {on("session/close", no), []string{"close", "S"}},
	} {
		r := runTool(t, agent2(everything)+tt.agent+"serve\n", tt.args...).want(t, ExitNoSession, "").says(t, "does not know session S", "-32002")
		if name == "resume" {
			r.says(t, "status may have called it inactive", "acptool list shows")
		}
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "id"), "S\n")
	call{agent: agent2(everything) + on("session/resume", no) + "serve\n", dir: dir, args: []string{"prompt", "--session-file", "id", "hi"}}.run(t).
		want(t, ExitNoSession, "").says(t, "does not know session S", "hint: its id stands in id; without that file a new session is begun")
}

func TestU41U42U43U44U45U46U47MCPServers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mcp.json"), `{"mcpServers":{
		"one":{"command":"sh","args":["-c","true"],"env":{"K":"v"}},
		"two":{"type":"http","url":"http://localhost/mcp","headers":{"H":"secret"}}}}`)
	agent := on("session/new", newS) + "serve\n"
	for v, head := range map[string]string{"v2": agent2(everything), "v1": agent1(`{"mcpCapabilities":{"http":true}}`)} {
		r := call{agent: head + agent, dir: dir, args: []string{"new", "--mcp-config", "mcp.json"}}.run(t).wantExit(t, ExitOK).quiet(t)
		servers := r.params(t, "session/new")["mcpServers"].([]any)
		one, two := servers[0].(map[string]any), servers[1].(map[string]any)
		if !filepath.IsAbs(one["command"].(string)) || one["name"] != "one" || two["type"] != "http" || two["name"] != "two" {
			t.Errorf("%s: %v", v, servers)
		}
		if (one["type"] == "stdio") != (v == "v2") {
			t.Errorf("%s: type of the stdio server is %v", v, one["type"])
		}
	}
	for _, head := range []string{agent1(`{}`), agent2(`{"session":{"mcp":{"http":{}}}}`), agent2(`{"session":{"mcp":{"stdio":{},"http":null}}}`)} {
		r := call{agent: head + agent, dir: dir, args: []string{"new", "--mcp-config", "mcp.json"}}.run(t).wantExit(t, ExitUnsupported)
		if r.methods() != "initialize" {
			t.Errorf("sent %s", r.methods())
		}
	}
	for name, text := range map[string]string{
		"type": `{"mcpServers":{"x":{"type":"foo","url":"http://x"}}}`, "command": `{"mcpServers":{"x":{"command":"no-such-program-here"}}}`,
		"json": `{"mcpServers":`, "shape": `{"mcpServers":7}`,
	} {
		write(t, filepath.Join(dir, name), text)
		call{agent: agent2(everything) + agent, dir: dir, args: []string{"new", "--mcp-config", name}}.run(t).wantExit(t, ExitUsage).says(t, name+": ")
	}
}

func TestChoicesAreMadeBeforeThePrompt(t *testing.T) {
	t.Parallel()
	agent := agent1(`{}`) +
		on("session/new", `reply {"sessionId":"S","modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"code","name":"Code"}]},"configOptions":[{"id":"o","name":"O","type":"select","category":"model","currentValue":"a","options":[{"value":"a","name":"A"},{"value":"b","name":"B"}]}]}`) +
		on("session/set_mode", "reply {}") + on("session/set_config_option", `reply {"configOptions":[]}`) +
		on("session/prompt", `reply {"stopReason":"end_turn"}`) + "serve\n"
	r := runTool(t, agent, "prompt", "--mode", "code", "--config", "o=b", "hi").wantExit(t, ExitOK)
	if r.methods() != "initialize session/new session/set_mode session/set_config_option session/prompt" {
		t.Errorf("sent %s", r.methods())
	}
	no := strings.Replace(agent, "on session/set_mode\nreply {}", `on session/set_mode`+"\n"+`error {"code":-32602,"message":"no such mode"}`, 1)
	r = runTool(t, no, "prompt", "--mode", "code", "hi").wantExit(t, ExitAgentError).says(t, "no such mode")
	if strings.Contains(r.methods(), "session/prompt") {
		t.Errorf("sent %s", r.methods())
	}

	// A value that is not offered may still be taken; where it is refused, it
	// helps to know the others. Options come in groups, too.
	no = strings.NewReplacer("reply {}", `error {"code":-32602,"message":"Invalid params"}`, `reply {"configOptions":[]}`, `error {"code":-32602,"message":"Invalid params"}`,
		`[{"value":"a","name":"A"},{"value":"b","name":"B"}]`, `[{"group":"g","name":"G","options":[{"value":"a","name":"A"}]},{"value":"b","name":"B"}]`).Replace(agent)
	runTool(t, no, "prompt", "--mode", "cod", "hi").wantExit(t, ExitAgentError).says(t, "hint: the agent offers: ask, code\n")
	runTool(t, no, "prompt", "--model", "c", "hi").wantExit(t, ExitAgentError).says(t, "hint: the agent offers: a, b\n")
	if r := runTool(t, no, "prompt", "--config", "o=b", "hi").wantExit(t, ExitAgentError); strings.Contains(r.err, "hint:") {
		t.Errorf("a hint that does not fit: %s", r.err)
	}
}
