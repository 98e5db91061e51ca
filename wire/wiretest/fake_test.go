//go:build unix

package wiretest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// play runs a script with this on its stdin.
func play(t *testing.T, script, stdin string) (stdout, stderr string, state *os.ProcessState) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(name, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = []string{"fakeagent", name}
	cmd.Env = append(os.Environ(), "FAKE_TEST=value")
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState
}

func request(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + "}\n"
}

func TestFakeAgentFollowsItsScript(t *testing.T) {
	for name, test := range map[string]struct {
		script, stdin, stdout, stderr string
		code                          int
	}{
		"conversation": {
			"# a comment\n\nexpect initialize\nreply {\"v\":${params.n}}\nsend {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"$/ask\"}\n" +
				"expect-answer\nerror {\"code\":1,\"data\":${result.x}}\nstderr bye ${env.FAKE_TEST}",
			request(`"a"`, "initialize", `{"n":1.50}`) + "\n" + `{"jsonrpc":"2.0","id":0,"result":{"x":[1]}}` + "\n",
			`{"jsonrpc":"2.0","id":"a","result":{"v":1.50}}` + "\n" + `{"jsonrpc":"2.0","id":0,"method":"$/ask"}` + "\n" +
				`{"jsonrpc":"2.0","id":"a","error":{"code":1,"data":[1]}}` + "\n",
			"bye value\n", 0,
		},
		"serve": {
			"on a\n reply 1\nend\non b\n exit 7\nend\nserve\n",
			request("1", "x", "{}") + request("2", "a", "{}") + `{"jsonrpc":"2.0","method":"n"}` + "\n" + request("3", "b", "{}"),
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found"}}` + "\n" + `{"jsonrpc":"2.0","id":2,"result":1}` + "\n",
			"", 7,
		},
		"repeat and raw":    {"repeat 2\nraw \"\\xffx\\r\\n\"\nend\nsend", "", "\xffx\r\n\xffx\r\n\n", "", 0},
		"await":             {"await b\nreply ${id}", request("1", "a", "{}") + request("2", "b", "{}"), `{"jsonrpc":"2.0","id":2,"result":2}` + "\n", "", 0},
		"end of stdin":      {"expect a\nexit 3", "", "", "", 0},
		"expect-eof":        {"expect-eof\nexit 3", "anything\n", "", "", 3},
		"close":             {"close stdout\nsend x\nexit 4", "", "", "", 4},
		"unexpected":        {"expect a", request("1", "b", "{}"), "", "fakeagent: SCRIPT: line 1: expected a, got " + request("1", "b", "{}"), 70},
		"no such word":      {"\nfly away", "", "", "fakeagent: SCRIPT: line 2: unknown instruction \"fly\"\n", 65},
		"no end":            {"on a\nreply 1", "", "", "fakeagent: SCRIPT: line 1: no end\n", 65},
		"flood of noise":    {"flood stderr 1000\nflood stdout 3", "", "fl\n", strings.Repeat(strings.Repeat("flood ", 21)+"\n", 8)[:999] + "\n", 0},
		"wrong signal name": {"die NOW", "", "", "fakeagent: SCRIPT: line 1: unknown signal NOW\n", 65},
	} {
		stdout, stderr, state := play(t, test.script, test.stdin)
		if i := strings.Index(stderr, "/script:"); i >= 0 {
			stderr = "fakeagent: SCRIPT" + stderr[i+len("/script"):]
		}
		if stdout != test.stdout || stderr != test.stderr || state.ExitCode() != test.code {
			t.Errorf("%s: exit %d\nstdout %q\nstderr %q", name, state.ExitCode(), stdout, stderr)
		}
	}
}

func TestFakeAgentDies(t *testing.T) {
	for name, want := range map[string]string{"KILL": "signal: killed", "TERM": "signal: terminated", "HUP": "signal: hangup"} {
		if _, _, state := play(t, "die "+name, ""); state.String() != want {
			t.Errorf("%s: %v", name, state)
		}
	}
}

func TestFakeAgentWritesAndSpawns(t *testing.T) {
	dir := t.TempDir()
	second := filepath.Join(dir, "second")
	if err := os.WriteFile(second, []byte("send from the second\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, _ := play(t, "write "+dir+"/file pid ${pid}\nspawn "+second+"\nexit 0", "")
	if out != "from the second\n" || errs != "" {
		t.Errorf("stdout %q, stderr %q", out, errs)
	}
	if b, err := os.ReadFile(dir + "/file"); err != nil || !strings.HasPrefix(string(b), "pid ") {
		t.Errorf("file %q, %v", b, err)
	}
}
