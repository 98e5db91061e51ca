//go:build unix

package docs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// place is an empty home in which the scripts of examples/ run.
type place struct {
	t   *testing.T
	dir string
}

// run runs a program and gives what it printed, and its status.
func (p place) run(env []string, argv ...string) (string, int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, env, argv...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState == nil || ctx.Err() != nil {
		p.t.Fatalf("%q: %v: %s", argv, err, out.String())
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

func (p place) command(ctx context.Context, env []string, argv ...string) *exec.Cmd {
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		p.t.Fatal(err)
	}
	path := bin + string(os.PathListSeparator) + examples + string(os.PathListSeparator) + os.Getenv("PATH")
	program := argv[0]
	for _, dir := range []string{bin, examples} {
		if _, err := os.Stat(filepath.Join(dir, argv[0])); err == nil {
			program = filepath.Join(dir, argv[0])
		}
	}
	cmd := exec.CommandContext(ctx, program, argv[1:]...)
	cmd.Dir = p.dir
	cmd.Env = append([]string{"PATH=" + path, "HOME=" + p.dir, "LANG=C.UTF-8"}, env...)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// holder is an agent at an address that holds one session.
func holder(t *testing.T, session string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	// Ends when the listener is closed; each connection ends with its client.
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			hold(c, session)
		}
	}()
	t.Cleanup(func() { l.Close(); <-ended })
	return "tcp:" + l.Addr().String()
}

// hold answers a connection. A prompt "drop" ends it without an answer.
func hold(c net.Conn, session string) {
	defer c.Close()
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				SessionID string                  `json:"sessionId"`
				Prompt    []struct{ Text string } `json:"prompt"`
				Replay    json.RawMessage         `json:"replayFrom"`
			} `json:"params"`
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			return
		}
		say := func(update string) {
			io.WriteString(c, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"`+session+`","update":`+update+"}}\n")
		}
		answer := `"error":{"code":-32601,"message":"no such method"}`
		known := m.Params.SessionID == session
		switch {
		case m.Method == "initialize":
			answer = `"result":{"protocolVersion":2,"info":{"name":"holder","version":"1"},"capabilities":{"session":{"status":{}}}}`
		case !known:
			answer = `"error":{"code":-32002,"message":"session not found","data":{"sessionId":"` + m.Params.SessionID + `"}}`
		case m.Method == "session/status":
			answer = `"result":{"status":"active","state":{"state":"idle"}}`
		case m.Method == "session/resume":
			if m.Params.Replay != nil {
				say(`{"sessionUpdate":"user_message","messageId":"u","content":[{"type":"text","text":"drop"}]}`)
			}
			answer = `"result":{}`
		case m.Method == "session/prompt" && m.Params.Prompt[0].Text == "drop":
			return
		case m.Method == "session/prompt":
			say(`{"sessionUpdate":"user_message","messageId":"u","content":[{"type":"text","text":"hello"}]}`)
			say(`{"sessionUpdate":"state_update","state":"running"}`)
			say(`{"sessionUpdate":"agent_message_chunk","messageId":"a","content":{"type":"text","text":"said ` + session + `"}}`)
			say(`{"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"}`)
			answer = `"result":{"messageId":"u"}`
		}
		if len(m.ID) > 0 {
			io.WriteString(c, `{"jsonrpc":"2.0","id":`+string(m.ID)+","+answer+"}\n")
		}
	}
}

func TestLivenessScript(t *testing.T) {
	p := place{t, t.TempDir()}
	at := holder(t, "one")
	if out, status := p.run(nil, "liveness.sh", "one", at); status != 0 || !strings.HasPrefix(out, "active\tidle\t") {
		t.Errorf("%d %q", status, out)
	}
	if out, status := p.run(nil, "liveness.sh", "two", at); status != 4 {
		t.Errorf("a session that is not known: %d %q", status, out)
	}
	if out, status := p.run(nil, "liveness.sh", "one", "unix:none.sock", "1"); status != 8 {
		t.Errorf("nobody there: %d %q", status, out)
	}
}

func TestRouterScript(t *testing.T) {
	p := place{t, t.TempDir()}
	one, two := holder(t, "one"), holder(t, "two")
	if out, status := p.run(nil, "router.sh", "two", "hello", "unix:none.sock", one, two); status != 0 || strings.TrimSpace(out) != "said two" {
		t.Errorf("%d %q", status, out)
	}
	if out, status := p.run(nil, "router.sh", "two", "hello", "unix:none.sock"); status != 8 {
		t.Errorf("nobody there: %d %q", status, out)
	}
}

func TestReconnectScript(t *testing.T) {
	p := place{t, t.TempDir()}
	at := holder(t, "one")
	if out, status := p.run(nil, "reconnect.sh", "one", at, "hello"); status != 0 || strings.TrimSpace(out) != "said one" {
		t.Errorf("%d %q", status, out)
	}
	out, status := p.run(nil, "reconnect.sh", "one", at, "drop")
	if status != 0 || !strings.Contains(out, "the connection was lost") || !strings.HasSuffix(out, "\ndrop\n") {
		t.Errorf("%d %q", status, out)
	}
}

// The demo asks for permission and waits; who looks is told so, once.
func TestScriptsThatWatchRecordings(t *testing.T) {
	p := place{t, t.TempDir()}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, nil, "acptool", "record", "-q", "--agent", "@demo")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	until := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("no %s came", text)
	}
	say := func(id, method, params string) {
		io.WriteString(in, `{"jsonrpc":"2.0","id":`+id+`,"method":"`+method+`","params":`+params+"}\n")
	}
	say("1", "initialize", `{"protocolVersion":2,"info":{"name":"t","version":"1"},"capabilities":{}}`)
	until(`"id":1`)
	say("2", "session/new", `{"cwd":"`+p.dir+`"}`)
	until(`"id":2`)
	say("3", "session/prompt", `{"sessionId":"demo-session-1","prompt":[{"type":"text","text":"hello"}]}`)
	until("session/request_permission")

	if text, status := p.run(nil, "acptool", "status", "--from", "@last", "--wait", "requires_action", "--timeout", "30", "-q"); status != 0 {
		t.Fatalf("%d %s", status, text)
	}
	if text, _ := p.run(nil, "tmux-status.sh"); text != "acp: 1 waiting\n" {
		t.Errorf("the status line is %q", text)
	}
	// Who could not be told is not marked as told.
	if text, status := p.run([]string{"NOTIFY=no-such-notifier"}, "watchdog.sh"); status == 0 || !strings.Contains(text, "no-such-notifier") {
		t.Errorf("a notifier that is missing: %d %q", status, text)
	}
	if text, status := p.run([]string{"NOTIFY=false"}, "watchdog.sh"); status != 1 || text != "" {
		t.Errorf("a notifier that fails: %d %q", status, text)
	}
	notify := []string{"NOTIFY=echo"}
	if text, status := p.run(notify, "watchdog.sh", "SESSION", "no-address"); status != 1 || !strings.Contains(text, "acptool: error: ") {
		t.Errorf("an address that is none: %d %q", status, text)
	}
	if err := os.RemoveAll(filepath.Join(p.dir, ".local", "state", "acptool-watchdog")); err != nil {
		t.Fatal(err)
	}
	if text, status := p.run(notify, "watchdog.sh"); status != 0 || strings.Count(text, "An agent waits for you: ") != 1 {
		t.Errorf("%d %q", status, text)
	}
	if text, _ := p.run(notify, "watchdog.sh"); text != "" {
		t.Errorf("told twice: %q", text)
	}

	in.Close()
	for lines.Scan() {
	}
	cmd.Wait()
	if text, _ := p.run(nil, "tmux-status.sh"); text != "" {
		t.Errorf("nobody is there, and the status line is %q", text)
	}
	if text, _ := p.run(notify, "watchdog.sh"); text != "" {
		t.Errorf("nobody is there, and told is %q", text)
	}
}

// Each script says how it is called where it cannot work, and none ends with 0
// where acptool is not in the PATH, as under cron.
func TestScriptsThatCannotWork(t *testing.T) {
	p := place{t, t.TempDir()}
	for script, few := range map[string][]string{
		"ci-replay.sh": {"hello.acp.jsonl"}, "liveness.sh": {"one"}, "reconnect.sh": {"one", "unix:a.sock"},
		"router.sh": {"one", "hello"}, "watchdog.sh": {"one"},
	} {
		for _, args := range [][]string{few, nil} {
			if script == "watchdog.sh" && args == nil {
				continue // it may be called so
			}
			out, status := p.run(nil, append([]string{script}, args...)...)
			if status != 2 || !strings.HasPrefix(out, "usage: "+script+" ") || strings.Count(out, "\n") != 1 {
				t.Errorf("%s %q: %d %q", script, args, status, out)
			}
		}
	}
	without := []string{"PATH=/usr/bin:/bin", "NOTIFY=echo"}
	if out, status := p.run(without, "watchdog.sh"); status == 0 || !strings.Contains(out, "acptool") {
		t.Errorf("watchdog.sh without acptool: %d %q", status, out)
	}
	if out, status := p.run(without, "tmux-status.sh"); status == 0 || out != "acp: ?\n" {
		t.Errorf("tmux-status.sh without acptool: %d %q", status, out)
	}
}

func TestReplayScript(t *testing.T) {
	p := place{t, t.TempDir()}
	wanted, status := p.run(nil, "acptool", "prompt", "-q", "hello", "--", "acptool", "record", "-q", "-o", "hello.acp.jsonl", "--agent", "@demo")
	if status != 0 {
		t.Fatalf("%d %s", status, wanted)
	}
	wanted = strings.TrimRight(wanted, "\n")
	if out, status := p.run(nil, "ci-replay.sh", "hello.acp.jsonl", wanted, "hello"); status != 0 || out != "" {
		t.Errorf("%d %q", status, out)
	}
	if out, status := p.run(nil, "ci-replay.sh", "hello.acp.jsonl", "something else", "hello"); status != 1 {
		t.Errorf("another text: %d %q", status, out)
	}
}
