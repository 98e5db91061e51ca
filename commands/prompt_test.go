package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// turn1 and turn2 are fake agents that answer a prompt with these lines.
func turn1(lines ...string) string {
	return agent1(`{"promptCapabilities":{"image":true},"sessionCapabilities":{"close":{}}}`) + on("session/new", newS) + on("session/close", "reply {}") + on("session/prompt", lines...) + "serve\n"
}

func turn2(lines ...string) string {
	return agent2(everything) + on("session/new", newS) + on("session/prompt", lines...) + "serve\n"
}

const (
	endV1   = `reply {"stopReason":"end_turn"}`
	running = `"state":"running"`
	idleEnd = `"state":"idle","stopReason":"end_turn"`
)

func TestP02P03P24P36TheAnswerEndsNoTurnOfVersion2(t *testing.T) {
	t.Parallel()
	r := runTool(t, turn2(`reply {"messageId":"u"}`, state(running), chunk2("a", "one"), chunk2("a", " two"), state(idleEnd)), "prompt", "hello", "there").want(t, ExitOK, "one two\n").quiet(t)
	if r.methods() != "initialize session/new session/prompt" {
		t.Errorf("sent %s", r.methods())
	}
	if p := string(r.message(t, "session/prompt").Params); p != `{"sessionId":"S","prompt":[{"type":"text","text":"hello there"}]}` {
		t.Errorf("params %s", p)
	}
}

func TestP30P31EveryOrderGivesTheSame(t *testing.T) {
	t.Parallel()
	answer, echo := `reply {"messageId":"u"}`, update(`{"sessionUpdate":"user_message","messageId":"u","content":[{"type":"text","text":"hi"}]}`)
	run, text, idle := state(running), chunk2("a", "yes"), state(idleEnd)
	var docs []string
	for _, order := range [][]string{
		{answer, echo, run, text, idle}, {echo, answer, run, text, idle}, {echo, run, answer, text, idle},
		{echo, run, text, answer, idle}, {echo, run, text, idle, answer}, {run, echo, text, answer, idle},
	} {
		agent := turn2(order...)
		runTool(t, agent, "prompt", "hi").want(t, ExitOK, "yes\n").quiet(t)
		docs = append(docs, runTool(t, agent, "prompt", "hi", "--json").wantExit(t, ExitOK).out)
	}
	for _, d := range docs {
		if d != docs[0] || strings.Count(d, "user_message") != 1 {
			t.Errorf("another fold:\n%s\n%s", d, docs[0])
		}
	}
}

func TestP84P85StopReasonsAreStatuses(t *testing.T) {
	t.Parallel()
	for reason, exit := range map[string]Exit{
		"end_turn": ExitOK, "refusal": ExitRefusal, "max_tokens": ExitMaxTokens, "max_turn_requests": ExitMaxRequests,
		"cancelled": ExitCancelled, "_quota": ExitOtherReason, "paused_for_review": ExitOtherReason,
	} {
		for v, agent := range map[int]string{
			1: turn1(chunk1("x"), `reply {"stopReason":"`+reason+`"}`),
			2: turn2(`reply {"messageId":"u"}`, state(running), chunk2("a", "x"), state(`"state":"idle","stopReason":"`+reason+`"`)),
		} {
			r := runTool(t, agent, "prompt", "hi").want(t, exit, "x\n")
			if strings.Contains(r.err, "error:") {
				t.Errorf("version %d, %s: told %q", v, reason, r.err)
			}
			doc := runTool(t, agent, "prompt", "hi", "--json").wantExit(t, exit).document(t)
			if doc["stopReason"] != reason || doc["error"] != nil || doc["text"] != "x" {
				t.Errorf("version %d, %s: %v", v, reason, doc)
			}
		}
	}
	runTool(t, turn2(`reply {"messageId":"u"}`, state(running), chunk2("a", "x"), state(`"state":"idle"`)), "prompt", "hi").want(t, ExitOtherReason, "x\n").says(t, "warning:")
	runTool(t, turn1(chunk1("x"), "reply {}"), "prompt", "hi").wantExit(t, ExitOtherReason)
	runTool(t, turn2(`reply {"messageId":"u"}`, state(running), state(`"state":"idle","stopReason":"error","error":{"code":-32603,"message":"model on fire","data":[1]}`)), "prompt", "hi").
		want(t, ExitAgentError, "").says(t, "model on fire", "-32603", "[1]")
}

func TestP27P28ErrorsOfThePrompt(t *testing.T) {
	t.Parallel()
	r := runTool(t, turn2(`error {"code":-32600,"message":"busy","data":{"x":1}}`), "prompt", "hi", "--json").wantExit(t, ExitAgentError).says(t, "busy", "-32600")
	e := r.document(t)["error"].(map[string]any)
	if e["kind"] != "agent_error" || e["code"] != -32600.0 || e["exit"] != 7.0 {
		t.Errorf("error %v", e)
	}
	for _, answer := range []string{"{}", `{"messageId":null}`} {
		runTool(t, turn2("reply "+answer, state(running), chunk2("a", "x"), state(idleEnd)), "prompt", "hi").want(t, ExitOK, "x\n").says(t, "warning:", "messageId")
	}
}

func TestP37ALostAnswerIsUncertain(t *testing.T) {
	t.Parallel()
	r := runTool(t, turn1(chunk1("half"), "stderr engine on fire", "exit 7"), "prompt", "hi").want(t, ExitUnreachable, "half\n")
	r.says(t, "unknown", "exit status 7", "agent: engine on fire", "not sent again")
	if strings.Count(r.methods(), "session/prompt") != 1 {
		t.Errorf("sent %s", r.methods())
	}
	doc := runTool(t, turn1(chunk1("half"), "die KILL"), "prompt", "hi", "--json").wantExit(t, ExitUnreachable).says(t, "SIGKILL").document(t)
	if doc["text"] != "half" || doc["error"] == nil {
		t.Errorf("document %v", doc)
	}
	r = runTool(t, turn1(chunk1("half"), "die KILL"), "prompt", "hi", "--updates").wantExit(t, ExitUnreachable)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[1], `{"error":{"exit":8,"kind":"unreachable"`) {
		t.Errorf("printed %s", r.out)
	}
}

func TestP39P56QuietTurns(t *testing.T) {
	t.Parallel()
	call := update(`{"sessionUpdate":"tool_call","toolCallId":"t","title":"make tea","kind":"execute","status":"completed"}`)
	runTool(t, turn1(call, endV1), "prompt", "hi").want(t, ExitOK, "").quiet(t)
	notice := update(`{"sessionUpdate":"notice","severity":"error","title":"low on tea"}`)
	runTool(t, turn2(`reply {"messageId":"u"}`, state(running), notice, chunk2("a", "x"), state(idleEnd)), "prompt", "hi").want(t, ExitOK, "x\n").quiet(t)
	// Nothing at all: an error may be hidden behind the end_turn.
	runTool(t, turn1("stderr no model configured", endV1), "prompt", "hi").want(t, ExitOK, "").says(t, "warning:", "said and did nothing")
}

func TestS05S10S22S41P03ASessionIsTakenUpFirst(t *testing.T) {
	t.Parallel()
	v2 := agent2(`{"loadSession":true,"session":{"status":{}}}`) +
		on("session/resume", state(`"state":"idle","stopReason":"end_turn"`), "reply {}") +
		on("session/prompt", `reply {"messageId":"u"}`, state(running), chunk2("a", "x"), state(idleEnd)) + "serve\n"
	prompted := on("session/prompt", chunk1("x"), endV1) + "serve\n"
	for name, tt := range map[string]struct{ agent, want string }{
		"v2":        {v2, "initialize session/resume session/prompt"},
		"v1 resume": {agent1(`{"loadSession":true,"sessionCapabilities":{"resume":{}}}`) + on("session/resume", "reply {}") + prompted, "initialize session/resume session/prompt"},
		"v1 load":   {agent1(`{"loadSession":true}`) + on("session/load", chunk1("history"), "reply {}") + prompted, "initialize session/load session/prompt"},
	} {
		r := runTool(t, tt.agent, "prompt", "-s", "S", "hi").want(t, ExitOK, "x\n").quiet(t)
		if r.methods() != tt.want {
			t.Errorf("%s: sent %s", name, r.methods())
		}
	}
	// The history that session/load sends is no part of what this run shows.
	load := agent1(`{"loadSession":true}`) + on("session/load", chunk1("history"), "reply {}") + prompted
	doc := runTool(t, load, "prompt", "-s", "S", "hi", "--json").wantExit(t, ExitOK).document(t)
	if items := doc["items"].([]any); doc["text"] != "x" || len(items) != 2 {
		t.Errorf("text %v, items %v", doc["text"], items)
	}
	runTool(t, load, "prompt", "-s", "S", "hi", "--jq", ".content.text", "-r").want(t, ExitOK, "x\n")
	if r := runTool(t, agent1(`{}`)+prompted, "prompt", "-s", "S", "hi").want(t, ExitUnsupported, ""); r.methods() != "initialize" {
		t.Errorf("sent %s", r.methods())
	}
}

func TestP100S24LinesAreTurnsOfOneSession(t *testing.T) {
	t.Parallel()
	agent := turn1(state(`"state":"idle","stopReason":"end_turn"`), update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":${params.prompt}}}`), endV1)
	agent = strings.Replace(agent, `"text":${params.prompt}`, `"text":"again"`, 1)
	r := call{agent: agent, stdin: "one\n\n  \ntwo\nthree", args: []string{"prompt", "--lines"}}.run(t).wantExit(t, ExitOK)
	if r.methods() != "initialize session/new session/prompt session/prompt session/prompt" || r.out != "again\nagain\nagain\n" {
		t.Errorf("sent %s, printed %q", r.methods(), r.out)
	}
	r = call{agent: agent, stdin: "one\ntwo\n", args: []string{"prompt", "--lines", "--updates", "--jq", ".sessionUpdate"}}.run(t).wantExit(t, ExitOK)
	if strings.Count(r.out, "agent_message_chunk") != 2 {
		t.Errorf("printed %q", r.out)
	}
}

func TestPermissionPolicies(t *testing.T) {
	t.Parallel()
	ask := `send {"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"S","toolCall":{"toolCallId":"t","title":"write tea.txt","kind":"edit"},"options":[{"optionId":"later","name":"L","kind":"_later"},{"optionId":"no","name":"No","kind":"reject_once"},{"optionId":"go","name":"Go","kind":"allow_once"}]}}`
	answered := update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":${result.outcome.optionId}}}`)
	agent := agent1(`{}`) + "expect session/new\n" + newS + "\nexpect session/prompt\n" + ask + "\nexpect-answer\n" + answered + "\n" + endV1 + "\n"
	for policy, want := range map[string]string{
		"": "no", "reject": "no", "allow": "go", "allow:read,edit": "go", "allow:read": "no",
		`jq:.toolCall.kind == "edit"`: "go", `jq:"go"`: "go", `jq:"allow_once"`: "go", `jq:"later"`: "no", "jq:empty": "no", `jq:error("x")`: "no", "jq:1": "no",
	} {
		args := []string{"prompt", "hi"}
		if policy != "" {
			args = append(args, "--permission", policy)
		}
		r := runTool(t, agent, args...)
		if policy == `jq:"later"` {
			// An option of an unknown kind is never chosen; cancelled names none.
			r.wantExit(t, ExitOK)
			if strings.Contains(r.out, "later") {
				t.Errorf("chose %q", r.out)
			}
			continue
		}
		r.want(t, ExitOK, want+"\n")
		if want == "go" {
			r.quiet(t)
		} else if strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, `permission refused for "write tea.txt" (edit)`) {
			t.Errorf("%s: told %q", policy, r.err)
		}
		if q := runTool(t, agent, append(args, "-q")...); q.err != "" {
			t.Errorf("%s -q: told %q", policy, q.err)
		}
	}
	runTool(t, agent, "prompt", "hi", "--permission", "maybe").wantExit(t, ExitUsage)
	runTool(t, agent, "prompt", "hi", "--permission", "allow:reed").wantExit(t, ExitUsage).
		says(t, `"reed" is no kind of tool call`, "hint: did you mean read? the kinds are read, edit, ")
	runTool(t, agent, "prompt", "hi", "--permission", "ask").wantExit(t, ExitUsage).says(t, "terminal")
	runTool(t, agent, "prompt", "hi", "--permission", "jq:.a |").wantExit(t, ExitUsage).says(t, "filter")
}

func TestP25ContentIsLimitedToWhatIsAdvertised(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	png := "\x89PNG\r\n\x1a\n0000"
	write(t, filepath.Join(dir, "x.png"), png)
	write(t, filepath.Join(dir, "x.txt"), "text")
	r := call{agent: turn1(chunk1("x"), endV1), dir: dir, args: []string{"prompt", "look", "--image", "x.png", "--attach", "x.txt", "--block", `{"type":"text","text":"b"}`}}.run(t).wantExit(t, ExitOK)
	p := string(r.message(t, "session/prompt").Params)
	for _, s := range []string{`"type":"image"`, `"mimeType":"image/png"`, `"type":"resource_link"`, `"text":"b"`} {
		if !strings.Contains(p, s) {
			t.Errorf("no %s in %s", s, p)
		}
	}
	none := agent2(`{"session":{}}`) + on("session/new", newS) + "serve\n"
	for _, args := range [][]string{{"--image", "x.png"}, {"--block", `{"type":"image","mimeType":"image/png","data":"AA=="}`}, {"--block", `{"type":"resource","resource":{"uri":"file:///x","text":"t"}}`}} {
		if r := (call{agent: none, dir: dir, args: append([]string{"prompt", "hi"}, args...)}).run(t).wantExit(t, ExitUnsupported); r.methods() != "initialize" {
			t.Errorf("%q: sent %s", args, r.methods())
		}
	}
	call{agent: none, dir: dir, args: []string{"prompt", "hi", "--attach", "nowhere"}}.run(t).wantExit(t, ExitOwnFailure)
	call{agent: none, dir: dir, args: []string{"prompt", "hi", "--block", "{"}}.run(t).wantExit(t, ExitUsage)
}

func TestSessionFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	agent := agent1(`{"sessionCapabilities":{"resume":{}}}`) + on("session/new", newS) + on("session/resume", "reply {}") + on("session/prompt", chunk1("x"), endV1) + "serve\n"
	file := filepath.Join(dir, "id")
	refused := strings.Replace(agent, endV1, `error {"code":-32603,"message":"no"}`, 1)
	call{agent: refused, dir: dir, args: []string{"prompt", "--session-file", "id", "hi"}}.run(t).wantExit(t, ExitAgentError)
	if _, err := os.Stat(file); err == nil {
		t.Error("the id of a refused turn was written")
	}
	r := call{agent: agent, dir: dir, args: []string{"prompt", "--session-file", "id", "hi"}}.run(t).wantExit(t, ExitOK)
	if b, err := os.ReadFile(file); err != nil || string(b) != "S\n" || !strings.Contains(r.methods(), "session/new") {
		t.Errorf("the file holds %q, %v; sent %s", b, err, r.methods())
	}
	r = call{agent: agent, dir: dir, args: []string{"prompt", "--session-file", "id", "hi"}}.run(t).wantExit(t, ExitOK)
	if r.methods() != "initialize session/resume session/prompt" {
		t.Errorf("sent %s", r.methods())
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// Once the agent took the prompt the next run finds the session, however this
// one ends.
func TestSessionFileIsThereBeforeAnythingIsPrinted(t *testing.T) {
	t.Parallel()
	for version, agent := range map[int]string{
		1: turn1(chunk1("x")),
		2: turn2(`reply {"messageId":"u"}`, state(running), chunk2("a", "x")),
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "agent")
		write(t, file, agent)
		cmd := exec.CommandContext(t.Context(), "acptool", "prompt", "--session-file", "id", "hi", "--", "fakeagent", file)
		cmd.Dir = dir
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Errorf("version %d: nothing was printed: %v", version, err)
		}
		cmd.Process.Kill()
		cmd.Wait()
		if b, err := os.ReadFile(filepath.Join(dir, "id")); string(b) != "S\n" {
			t.Errorf("version %d: the file holds %q, %v", version, b, err)
		}
	}
}

// What is wrong with the file is told before the turn is paid for.
func TestSessionFileIsLookedAtBeforeTheTurn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "binary"), "\x00\xff")
	write(t, filepath.Join(dir, "prose"), "a line\nand another\n")
	write(t, filepath.Join(dir, "long"), strings.Repeat("x", maxSessionFile+1))
	for _, name := range []string{"binary", "prose", "long", "nowhere/id", "."} {
		r := call{agent: turn1(endV1), dir: dir, unrecorded: true, args: []string{"prompt", "--session-file", name, "hi"}}.run(t)
		r.want(t, ExitOwnFailure, "").says(t, "the session file "+name)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	r := runTool(t, turn1(chunk1("x"), endV1), "prompt", "--close", "hi").want(t, ExitOK, "x\n").quiet(t)
	if !strings.HasSuffix(r.methods(), "session/prompt session/close") {
		t.Errorf("sent %s", r.methods())
	}
	if r := runTool(t, agent1(`{}`)+"serve\n", "prompt", "--close", "hi").wantExit(t, ExitUnsupported); r.methods() != "initialize" {
		t.Errorf("sent %s", r.methods())
	}
}

func TestUpdatesEndWithTheResult(t *testing.T) {
	t.Parallel()
	early := update(`{"sessionUpdate":"available_commands_update","availableCommands":[]}`)
	agent := agent1(`{}`) + on("session/new", early, newS) + on("session/prompt", chunk1("a"), `reply {"stopReason":"max_tokens","usage":{"totalTokens":12345678901234567890}}`, chunk1("b")) + "serve\n"
	r := runTool(t, agent, "prompt", "--updates", "hi").wantExit(t, ExitMaxTokens)
	want := `{"_acptool":{"when":"early"},"sessionUpdate":"available_commands_update","availableCommands":[]}` + "\n" +
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"}}` + "\n" +
		`{"_acptool":{"when":"late"},"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"b"}}` + "\n" +
		`{"result":{"sessionId":"S","stopReason":"max_tokens","usage":{"totalTokens":12345678901234567890}}}` + "\n"
	if r.out != want {
		t.Errorf("printed\n%s\nwant\n%s", r.out, want)
	}
	runTool(t, agent, "prompt", "hi", "--jq", `select(.sessionUpdate == "agent_message_chunk") | .content.text`, "-r").want(t, ExitMaxTokens, "a\nb\n")
	runTool(t, agent, "prompt", "hi", "--jq", ".content.text.x").wantExit(t, ExitMaxTokens).says(t, "error: jq:")
	runTool(t, turn1(chunk1("a"), endV1), "prompt", "hi", "--jq", ".content.text.x").want(t, ExitUsage, "").says(t, "error: jq:")
	runTool(t, agent, "prompt", "hi", "--json", "--jq", ".stopReason").want(t, ExitMaxTokens, `"max_tokens"`+"\n")
}

func TestPromptsOfManyMegabytes(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("é", 2<<20)
	agent := agent1(`{}`) + on("session/new", newS) + on("session/prompt", chunk1("x"), endV1) + "serve\n"
	r := call{agent: agent, stdin: text + "\n", args: []string{"prompt"}}.run(t).want(t, ExitOK, "x\n").quiet(t)
	if p := r.message(t, "session/prompt").Params; len(p) < len(text) || !strings.Contains(string(p), text) {
		t.Errorf("%d bytes were sent of %d", len(p), len(text))
	}
}

// A frame of 64 MiB.
func TestAFrameOf64MiB(t *testing.T) {
	text := strings.Repeat("x", 64<<20)
	r := call{agent: turn1(chunk1(text), endV1), args: []string{"prompt", "hi"}, unrecorded: true}.run(t).wantExit(t, ExitOK).quiet(t)
	if r.out != text+"\n" {
		t.Errorf("%d bytes came of %d", len(r.out), len(text))
	}
}

// With 2>&1 a note does not stand in the middle of the agent's text.
func TestNotesBeginALineInASharedLog(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("acptool", "prompt", "hello", "--agent", "@demo").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if !strings.Contains(string(out), "\nacptool: note: permission refused") {
		t.Errorf("%q", out)
	}
	apart, err := exec.Command("acptool", "prompt", "hello", "-q", "--agent", "@demo").Output()
	if err != nil || strings.Contains(string(apart), "\n\n\n") {
		t.Errorf("%v: %q", err, apart)
	}
}
