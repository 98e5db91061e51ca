package commands

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	statusV1 = `{"sessionCapabilities":{"status":{}}}`
	statusV2 = `{"session":{"status":{}}}`
)

// answers is a fake agent that answers session/status so.
func answers(version int, answer string) string {
	a := agent1(statusV1)
	if version == 2 {
		a = agent2(statusV2)
	}
	return a + on("session/status", answer) + "serve\n"
}

func TestS01S02S25OneRequestAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, v := range []int{1, 2} {
		r := runTool(t, answers(v, `reply {"status":"active"}`), "status", "S").wantExit(t, ExitOK).quiet(t)
		if r.methods() != "initialize session/status" {
			t.Errorf("version %d: sent %s", v, r.methods())
		}
		if p := string(r.message(t, "session/status").Params); p != `{"sessionId":"S"}` {
			t.Errorf("version %d: params %s", v, p)
		}
	}
}

// The three answers, later values, and what stands for them in text, JSON and
// exit status.
func TestS03S07S09S11S12S13S14S33Answers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answer, status string
		exit           Exit
		more           map[string]any
	}{
		{`reply {"status":"active"}`, "active", ExitOK, nil},
		{`reply {"status":"open"}`, "active", ExitOK, map[string]any{"raw": "open"}},
		{`reply {"status":"inactive"}`, "inactive", ExitNo, nil},
		{`reply {"status":"saved"}`, "inactive", ExitNo, map[string]any{"raw": "saved"}},
		{`reply {"status":"warming_up","more":[1],"_meta":{}}`, "inactive", ExitNo, map[string]any{"raw": "warming_up"}},
		{`reply {"status":"_x"}`, "inactive", ExitNo, map[string]any{"raw": "_x"}},
		{`reply {"status":""}`, "inactive", ExitNo, nil},
		{`error {"code":-32002,"message":"no such session","data":{"sessionId":"S"}}`, "unknown", ExitNoSession, nil},
		{`error {"code":-32002,"message":"no such session","data":{"uri":"S"}}`, "unknown", ExitNoSession, nil},
		{`error {"code":-32603,"message":"out of tea"}`, "error", ExitAgentError, nil},
		{`reply {}`, "error", ExitProtocol, nil},
		{`reply {"status":7}`, "error", ExitProtocol, nil},
		{`reply "active"`, "error", ExitProtocol, nil},
	} {
		t.Run(tt.answer, func(t *testing.T) {
			r := runTool(t, answers(1, tt.answer), "status", "S").wantExit(t, tt.exit)
			if !strings.HasPrefix(r.out, tt.status+"\t-\tfakeagent ") || strings.Count(r.out, "\n") != 1 {
				t.Errorf("stdout %q", r.out)
			}
			j := runTool(t, answers(1, tt.answer), "status", "S", "--json").wantExit(t, tt.exit)
			doc := j.document(t)
			if doc["status"] != tt.status || doc["sessionId"] != "S" || doc["source"] != "agent" || doc["protocol"] != 1.0 {
				t.Errorf("document %v", doc)
			}
			for k, v := range tt.more {
				if doc[k] != v {
					t.Errorf("%s is %v, want %v", k, doc[k], v)
				}
			}
			if (doc["error"] != nil) != (tt.exit > ExitNo) {
				t.Errorf("error %v", doc["error"])
			}
			if tt.exit == ExitNoSession {
				r.says(t, "-32002", "no such session", `"S"`)
				e := doc["error"].(map[string]any)
				if e["kind"] != "unknown_session" || e["code"] != -32002.0 || e["data"] == nil {
					t.Errorf("error %v", e)
				}
			}
		})
	}
}

func TestS16S17S20S21S34ForegroundState(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{
		`{"state":"running"}`:         "running",
		`{"state":"requires_action"}`: "requires_action",
		`{"state":"idle","stopReason":"cancelled","usage":{"used":1,"size":2}}`: "idle",
		`{"state":"unknown"}`:             "unknown",
		`{"state":"_later","more":1}`:     "_later",
		`{"state":"idle","stopReason":7}`: "idle",
		`{"state":"running","stopReason":"end_turn","usage":{"used":"x","size":{}}}`: "running",
	} {
		r := runTool(t, answers(2, `reply {"status":"active","state":`+state+`}`), "status", "S").wantExit(t, ExitOK).quiet(t)
		if !strings.HasPrefix(r.out, "active\t"+want+"\t") {
			t.Errorf("%s: %q", state, r.out)
		}
	}
}

func TestS18S19StateNotReportedIsNotIdle(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"", `,"state":null`, `,"state":"idle"`, `,"state":[]`, `,"state":{}`, `,"state":{"state":7}`} {
		agent := answers(2, `reply {"status":"active"`+state+`}`)
		r := runTool(t, agent, "status", "S").wantExit(t, ExitOK)
		j := runTool(t, agent, "status", "S", "--json").wantExit(t, ExitOK)
		if !strings.HasPrefix(r.out, "active\t-\t") || strings.Contains(r.out+j.out, "idle") {
			t.Errorf("%s: %q, %q", state, r.out, j.out)
		}
		runTool(t, agent, "status", "S", "--is", "idle").wantExit(t, ExitUnsupported)
		runTool(t, agent, "status", "S", "--wait", "idle").wantExit(t, ExitUnsupported)
	}
}

func TestS23Version1HasNoState(t *testing.T) {
	t.Parallel()
	agent := answers(1, `reply {"status":"active","state":{"state":"idle"}}`)
	r := runTool(t, agent, "status", "S").wantExit(t, ExitOK)
	j := runTool(t, agent, "status", "S", "--json")
	if !strings.HasPrefix(r.out, "active\t-\t") || j.document(t)["state"] != nil {
		t.Errorf("%q, %q", r.out, j.out)
	}
	// It would never be reported: nothing is asked.
	r = runTool(t, agent, "status", "S", "--wait", "running").wantExit(t, ExitUnsupported)
	if r.methods() != "initialize" {
		t.Errorf("sent %s", r.methods())
	}
}

func TestS31S32S37S38NotAdvertisedIsNotAsked(t *testing.T) {
	t.Parallel()
	for _, marker := range []string{"null", "true", "false", "1", `"yes"`, "[]"} {
		for v, agent := range map[int]string{
			1: agent1(`{"loadSession":true,"sessionCapabilities":{"list":{},"resume":{},"status":` + marker + `}}`),
			2: agent2(`{"session":{"list":{},"status":` + marker + `}}`),
		} {
			r := runTool(t, agent+"serve\n", "status", "S").wantExit(t, ExitUnsupported)
			if r.methods() != "initialize" || !strings.HasPrefix(r.out, "unsupported\t-\t") {
				t.Errorf("version %d, %s: sent %s, %q", v, marker, r.methods(), r.out)
			}
		}
	}
	for _, marker := range []string{"{}", `{"_meta":{"x":1}}`} {
		runTool(t, agent1(`{"sessionCapabilities":{"status":`+marker+`}}`)+on("session/status", `reply {"status":"active"}`)+"serve\n", "status", "S").wantExit(t, ExitOK)
	}
}

func TestS35WithoutASessionNothingIsActive(t *testing.T) {
	t.Parallel()
	r := runTool(t, answers(1, "exit 9"), "status").wantExit(t, ExitOK).quiet(t)
	if r.methods() != "initialize" || strings.Contains(r.out, "active") || !strings.Contains(r.out, "fake 1.2") || !strings.Contains(r.out, "status") {
		t.Errorf("sent %s, %q", r.methods(), r.out)
	}
	doc := runTool(t, answers(1, "exit 9"), "status", "--json").wantExit(t, ExitOK).document(t)
	if doc["status"] != nil || doc["capabilities"] == nil || doc["protocol"] != 1.0 || doc["authMethods"] == nil || doc["ms"] == nil {
		t.Errorf("document %v", doc)
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	running := answers(2, `reply {"status":"active","state":{"state":"running"}}`)
	for _, tt := range []struct {
		agent, is string
		exit      Exit
	}{
		{running, "active", ExitOK},
		{running, "running", ExitOK},
		{running, "idle,running", ExitOK},
		{running, "idle", ExitNo},
		{running, "inactive", ExitNo},
		{answers(2, `reply {"status":"inactive"}`), "inactive", ExitOK},
		{answers(2, `reply {"status":"inactive"}`), "running", ExitNo},
		{answers(1, `reply {"status":"active"}`), "active,idle", ExitOK},
		{answers(1, `error {"code":-32002,"message":"x"}`), "active", ExitNoSession},
	} {
		runTool(t, tt.agent, "status", "S", "--is", tt.is, "-q").want(t, tt.exit, "")
	}
}

// The poll is on one connection, and ends when the state is reached.
func TestS26WaitPolls(t *testing.T) {
	t.Parallel()
	agent := agent2(statusV2) + `
expect session/status
error {"code":-32002,"message":"not yet"}
expect session/status
reply {"status":"inactive"}
expect session/status
reply {"status":"active","state":{"state":"running"}}
expect session/status
reply {"status":"active","state":{"state":"idle"}}
`
	r := runTool(t, agent, "status", "S", "--wait", "idle", "--interval", "10ms", "--timeout", "60").wantExit(t, ExitOK)
	if r.methods() != "initialize"+strings.Repeat(" session/status", 4) || !strings.HasPrefix(r.out, "active\tidle\t") {
		t.Errorf("sent %s, printed %q", r.methods(), r.out)
	}
	r = runTool(t, answers(2, `reply {"status":"inactive"}`), "status", "S", "--wait", "active", "--interval", "10ms", "--timeout", "0.5")
	r.wantExit(t, ExitTimeout).says(t, "timed out after 500ms in --wait active; last seen: inactive", "hint: --timeout")
	unknown := answers(2, `error {"code":-32002,"message":"none","data":{"sessionId":"S"}}`)
	runTool(t, unknown, "status", "S", "--wait", "active", "--interval", "10ms", "--timeout", "0.5").
		wantExit(t, ExitTimeout).says(t, "last seen: session/status: the agent does not know session S")
	// The row is what was seen last: nothing is wrong with the session.
	r = runTool(t, answers(2, `reply {"status":"active","state":{"state":"requires_action"}}`), "status", "S", "--wait", "idle", "--interval", "1h", "--timeout", "3")
	if r.wantExit(t, ExitTimeout); !strings.HasPrefix(r.out, "active\trequires_action\t") {
		t.Errorf("printed %q", r.out)
	}
}

// several writes the scripts of several agents and gives the flags that name
// them.
func several(t *testing.T, scripts ...string) (args []string) {
	t.Helper()
	dir := t.TempDir()
	for i, s := range scripts {
		file := filepath.Join(dir, fmt.Sprint("agent", i))
		write(t, file, s)
		args = append(args, "-a", "fakeagent "+file)
	}
	return args
}

func TestS30SeveralAgents(t *testing.T) {
	t.Parallel()
	active := answers(2, `reply {"status":"active"}`)
	inactive := answers(1, `reply {"status":"inactive"}`)
	unknown := answers(1, `error {"code":-32002,"message":"no"}`)
	old := agent1(`{}`) + "serve\n"
	for _, tt := range []struct {
		agents []string
		want   []string
		exit   Exit
	}{
		{[]string{unknown, active, inactive}, []string{"unknown", "active", "inactive"}, ExitOK},
		{[]string{unknown, inactive, "exit 3"}, []string{"unknown", "inactive", "error"}, ExitNo},
		{[]string{unknown, unknown}, []string{"unknown", "unknown"}, ExitNoSession},
		{[]string{unknown, old, "exit 3"}, []string{"unknown", "unsupported", "error"}, ExitUnsupported},
		{[]string{"exit 3", old}, []string{"error", "unsupported"}, ExitUnreachable},
	} {
		args := several(t, tt.agents...)
		r := call{args: append([]string{"status", "S"}, args...)}.run(t).wantExit(t, tt.exit)
		var got []string
		for line := range strings.Lines(r.out) {
			word, _, _ := strings.Cut(line, "\t")
			got = append(got, word)
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("rows: %s\n%s", d, r.err)
		}
	}
	// Each agent is sent one question and no resume: "expect-eof" would see it.
	args := several(t, active+"exit 0\n", inactive)
	log := filepath.Join(t.TempDir(), "log")
	call{args: append([]string{"status", "S", "--log", log}, args...)}.run(t).wantExit(t, ExitOK)
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "resume") || strings.Count(string(text), "session/status") < 2 {
		t.Errorf("the log holds:\n%s", text)
	}
}

func TestStatusOfAProcessThatWasStartedForIt(t *testing.T) {
	t.Parallel()
	runTool(t, answers(1, `reply {"status":"inactive"}`), "status", "S").says(t, "hint: this agent was started for the question")
	if r := runTool(t, answers(1, `reply {"status":"inactive"}`), "status", "S", "-q"); r.err != "" {
		t.Errorf("with -q: %q", r.err)
	}
}

func TestS04S27A12HelpPromisesNothing(t *testing.T) {
	t.Parallel()
	status := commandHelp(Tree().Command("status"))
	for _, s := range []string{"still\nhas to take it up first", "no proof that the session exists"} {
		if !strings.Contains(strings.Join(strings.Fields(status), " "), strings.Join(strings.Fields(s), " ")) {
			t.Errorf("help of status does not say %q", s)
		}
	}
	auth := commandHelp(Tree().Command("auth-status"))
	if strings.Contains(auth, "valid") || !strings.Contains(auth, "credentials are present") {
		t.Errorf("help of auth-status: %s", auth)
	}
}

func TestStatusFilter(t *testing.T) {
	t.Parallel()
	agent := answers(2, `reply {"status":"active","state":{"state":"idle"}}`)
	runTool(t, agent, "status", "S", "--jq", ".status", "-r").want(t, ExitOK, "active\n")
	runTool(t, agent, "status", "S", "--jq", `.state.state == "running"`, "-e").want(t, ExitNo, "false\n")
	runTool(t, agent, "status", "S", "--jq", ".status ==", "--arg", "x", "1").want(t, ExitUsage, "").says(t, "bad filter", "^")
}

// A flood of lines that are no messages is told of by a few and by their
// number; all of them are kept.
func TestNoiseIsCountedAfterAWhile(t *testing.T) {
	t.Parallel()
	few := runTool(t, "repeat 10\nsend loading\nend\n"+agent2(everything)+"serve\n", "status").wantExit(t, ExitOK)
	if n := strings.Count(few.err, "warning: not a message, on the agent's stdout: loading\n"); n != 10 || strings.Count(few.err, "\n") != n {
		t.Errorf("%d of 10 lines: %s", n, few.err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "agent")
	write(t, file, "repeat 5000\nsend loading\nend\n"+agent2(everything)+"serve\n")
	r := call{dir: dir, args: []string{"status", "--record", "rec", "--", "fakeagent", file}}.run(t).wantExit(t, ExitOK)
	r.says(t, "are only counted", "warning: 5000 lines on the agent's stdout were no messages\n")
	if n := strings.Count(r.err, "\n"); n != mostNoise+2 {
		t.Errorf("%d lines: %s", n, r.err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "rec")); strings.Count(string(text), `"text":"loading"`) != 5000 {
		t.Errorf("the recording holds %d bytes, %v", len(text), err)
	}
}
