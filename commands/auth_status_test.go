package commands

import (
	"strings"
	"testing"
)

const authV1 = `{"auth":{"status":true}}`

func authAnswers(answer string) string {
	return agent1(authV1) + on("auth/status", answer) + "serve\n"
}

func TestA01A02A18AuthStatusAsksOneThing(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{
		authAnswers(`reply {"authenticated":true}`),
		agent2(`{"auth":{"status":{}}}`) + on("auth/status", `reply {"state":"authenticated"}`) + "serve\n",
	} {
		r := runTool(t, agent, "auth-status").want(t, ExitOK, "authenticated\n").quiet(t)
		if p := string(r.message(t, "auth/status").Params); r.methods() != "initialize auth/status" || p != "{}" {
			t.Errorf("sent %s, params %s", r.methods(), p)
		}
	}
}

func TestA03A13A14A15A16A17AuthAnswers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answer string
		exit   Exit
		out    string
	}{
		{`reply {"authenticated":true,"message":"signed in as ada","_meta":{"x":1}}`, ExitOK, "authenticated\nsigned in as ada\n"},
		{`reply {"authenticated":true,"message":null,"extra":[]}`, ExitOK, "authenticated\n"},
		{`reply {"authenticated":false,"message":"no key"}`, ExitAuth, "unauthenticated\nno key\n"},
		{`reply {"authenticated":false,"state":"authenticated"}`, ExitAuth, "unauthenticated\n"},
		{`reply {"state":"authenticated","accounts":[{"label":"work","email":"a@b.c","active":true},{"label":"home"}]}`, ExitOK, "authenticated\nwork, a@b.c (active)\nhome\n"},
		{`reply {"state":"unauthenticated"}`, ExitAuth, "unauthenticated\n"},
		{`reply {"state":"not_required"}`, ExitOK, "not_required\n"},
		{`reply {"state":"unknown"}`, ExitCannotTell, "unknown\n"},
		{`reply {"state":"_dreaming"}`, ExitCannotTell, "unknown\n"},
		{`reply {}`, ExitProtocol, ""},
		{`reply {"authenticated":null}`, ExitProtocol, ""},
		{`reply {"authenticated":"yes"}`, ExitProtocol, ""},
		{`error {"code":-32603,"message":"no"}`, ExitAgentError, ""},
	} {
		t.Run(tt.answer, func(t *testing.T) {
			r := runTool(t, authAnswers(tt.answer), "auth-status").want(t, tt.exit, tt.out)
			if tt.exit == ExitAuth {
				r.says(t, "key (API key)", "--auth key")
			}
			if strings.Contains(r.methods(), "authenticate") || strings.Contains(r.methods(), "session/new") {
				t.Errorf("sent %s", r.methods())
			}
			doc := runTool(t, authAnswers(tt.answer), "auth-status", "--json").wantExit(t, tt.exit).document(t)
			state, _, _ := strings.Cut(tt.out, "\n")
			if state == "" {
				state = "error"
			}
			if doc["state"] != state {
				t.Errorf("document %v", doc)
			}
		})
	}
}

func TestA05A06A08AuthNotAdvertised(t *testing.T) {
	t.Parallel()
	for _, caps := range []string{`{}`, `{"auth":{}}`, `{"auth":{"status":false}}`, `{"auth":{"status":null}}`, `{"auth":{"status":1}}`, `{"auth":{"status":"true","logout":{}}}`} {
		r := runTool(t, agent1(caps)+"serve\n", "auth-status").want(t, ExitUnsupported, "").says(t, "auth.status", "key (API key)", "--probe")
		if r.methods() != "initialize" {
			t.Errorf("%s: sent %s", caps, r.methods())
		}
		doc := runTool(t, agent1(caps)+"serve\n", "auth-status", "--json").wantExit(t, ExitUnsupported).document(t)
		if doc["state"] != "unsupported" || doc["authMethods"] == nil {
			t.Errorf("%s: document %v", caps, doc)
		}
		r = runTool(t, agent1(caps)+on("session/new", newS)+"serve\n", "auth-status", "--probe").wantExit(t, ExitOK)
		if r.methods() != "initialize session/new" {
			t.Errorf("%s: with --probe sent %s", caps, r.methods())
		}
	}
	r := runTool(t, agent1(`{"auth":{"status":true,"logout":{},"terminal":true}}`)+on("auth/status", `reply {"authenticated":true}`)+"serve\n", "auth-status", "--probe").wantExit(t, ExitOK)
	if r.methods() != "initialize auth/status" {
		t.Errorf("where it is advertised, --probe sent %s", r.methods())
	}
}

func TestA21A22Probe(t *testing.T) {
	t.Parallel()
	open := agent1(`{"sessionCapabilities":{"close":{}}}`) + on("session/new", newS) + on("session/close", "reply {}") + "serve\n"
	r := runTool(t, open, "auth-status", "--probe").wantExit(t, ExitOK).quiet(t)
	if strings.Contains(r.out, "authenticated") || !strings.HasPrefix(r.out, "not_required\n") || r.methods() != "initialize session/new session/close" {
		t.Errorf("printed %q, sent %s", r.out, r.methods())
	}
	locked := agent1(`{}`) + on("session/new", `error {"code":-32000,"message":"log in first"}`) + "serve\n"
	r = runTool(t, locked, "auth-status", "--probe").wantExit(t, ExitAuth).says(t, "key (API key)")
	if r.out != "unauthenticated\nlog in first\n" || r.methods() != "initialize session/new" {
		t.Errorf("printed %q, sent %s", r.out, r.methods())
	}
	doc := runTool(t, locked, "auth-status", "--probe", "--json").wantExit(t, ExitAuth).document(t)
	if doc["probe"] == nil || doc["authMethods"] == nil {
		t.Errorf("document %v", doc)
	}
}

// -32000 has one status and one wording wherever it comes, and nobody is
// logged in unasked.
func TestA20A23U03AuthRequiredAnywhere(t *testing.T) {
	t.Parallel()
	no := `error {"code":-32000,"message":"log in first"}`
	for name, agent := range map[string]string{
		"new":    agent1(`{}`) + on("session/new", no) + "serve\n",
		"resume": agent1(`{"sessionCapabilities":{"resume":{}}}`) + on("session/resume", no) + "serve\n",
		"prompt": agent1(`{}`) + on("session/new", newS) + on("session/prompt", no) + "serve\n",
	} {
		args := map[string][]string{"new": {"new"}, "resume": {"resume", "S"}, "prompt": {"prompt", "hi"}}[name]
		r := runTool(t, agent, args...).want(t, ExitAuth, "").says(t, "authentication required", "log in first", "key (API key)", "--auth key")
		if strings.Contains(r.methods(), "authenticate") {
			t.Errorf("%s: sent %s", name, r.methods())
		}
		doc := runTool(t, agent, append(args, "--json")...).wantExit(t, ExitAuth).document(t)
		e, _ := doc["error"].(map[string]any)
		if e["kind"] != "auth_required" || e["code"] != -32000.0 || e["authMethods"] == nil {
			t.Errorf("%s: document %v", name, doc)
		}
	}
	login := agent1(`{}`) + `
expect session/new
error {"code":-32000,"message":"log in first"}
expect authenticate
reply {}
expect session/new
reply {"sessionId":"S"}
`
	r := runTool(t, login, "new", "--auth", "key").want(t, ExitOK, "S\n").quiet(t)
	if p := string(r.message(t, "authenticate").Params); p != `{"methodId":"key"}` {
		t.Errorf("params %s", p)
	}
	runTool(t, login, "new", "--auth", "nothing").wantExit(t, ExitUsage).says(t, `"nothing"`, "key")
}

// Where nothing asks for a login, --auth does nothing.
func TestA04NoLoginWhereNoneIsNeeded(t *testing.T) {
	t.Parallel()
	r := runTool(t, agent1(`{}`)+on("session/new", newS)+"serve\n", "new", "--auth", "key").want(t, ExitOK, "S\n")
	if r.methods() != "initialize session/new" {
		t.Errorf("sent %s", r.methods())
	}
	r = runTool(t, authAnswers(`reply {"authenticated":true}`), "auth-status", "--auth", "key").wantExit(t, ExitOK)
	if r.methods() != "initialize auth/status" {
		t.Errorf("sent %s", r.methods())
	}
}
