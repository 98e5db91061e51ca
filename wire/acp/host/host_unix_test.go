//go:build unix

package host

import (
	"context"
	"encoding/json"
	"errors"
	"github.com/acptool/acptool/wire/wiretest/signals"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/acptool/acptool/wire"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	wire.RunGuardIfAsked()
	signals.Default()
	goleak.VerifyTestMain(m)
}

// newHost serves everything within a fresh cwd and one added directory.
func newHost(t *testing.T) (h *Host, cwd, added string) {
	t.Helper()
	cwd, added = t.TempDir(), t.TempDir()
	h, err := New(Options{Roots: []string{cwd, added}, Read: true, Write: true, Terminals: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h, cwd, added
}

// ask makes a request and returns its result as JSON, or the error's code.
func ask(t *testing.T, h *Host, method string, params map[string]any) (string, int) {
	t.Helper()
	raw, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	result, err := h.Serve(context.Background(), method, raw)
	if err != nil {
		var re *wire.RPCError
		if !errors.As(err, &re) {
			t.Fatalf("%s: %v is no RPCError", method, err)
		}
		return re.Message, re.Code
	}
	out, err := json.Marshal(result)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}

func put(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestReadTextFileLineAndLimit(t *testing.T) {
	h, cwd, added := newHost(t)
	f := put(t, filepath.Join(cwd, "f"), "one\ntwo\r\nthree")
	put(t, filepath.Join(added, "g"), "added")
	for _, tt := range []struct {
		params map[string]any
		want   string
	}{
		{map[string]any{"path": f}, "one\ntwo\r\nthree"},
		{map[string]any{"path": f, "line": nil, "limit": nil}, "one\ntwo\r\nthree"},
		{map[string]any{"path": f, "line": 1}, "one\ntwo\r\nthree"},
		{map[string]any{"path": f, "line": 0}, "one\ntwo\r\nthree"},
		{map[string]any{"path": f, "line": 2}, "two\r\nthree"},
		{map[string]any{"path": f, "line": 2, "limit": 1}, "two\r\n"},
		{map[string]any{"path": f, "limit": 0}, ""},
		{map[string]any{"path": f, "line": 9}, ""},
		{map[string]any{"path": f, "limit": 99}, "one\ntwo\r\nthree"},
		{map[string]any{"path": filepath.Join(added, "g")}, "added"},
	} {
		got, code := ask(t, h, "fs/read_text_file", tt.params)
		want, _ := json.Marshal(map[string]string{"content": tt.want})
		if code != 0 || got != string(want) {
			t.Errorf("%v: %s (%d), want %s", tt.params, got, code, want)
		}
	}
}

// The set [cwd, ...additionalDirectories] bounds what is served.
func TestU39FilesOutsideTheRootsAreRefused(t *testing.T) {
	h, cwd, _ := newHost(t)
	outside := t.TempDir()
	secret := put(t, filepath.Join(outside, "secret"), "s")
	for link, target := range map[string]string{"abs": secret, "rel": filepath.Join("..", filepath.Base(outside), "secret"), "dir": outside} {
		if err := os.Symlink(target, filepath.Join(cwd, link)); err != nil {
			t.Fatal(err)
		}
	}
	inside := put(t, filepath.Join(cwd, "inside"), "i")
	if err := os.Symlink("inside", filepath.Join(cwd, "good")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		secret, filepath.Join(cwd, "abs"), filepath.Join(cwd, "rel"), filepath.Join(cwd, "dir", "secret"),
		cwd + "/../" + filepath.Base(outside) + "/secret", "inside", "/etc/passwd", cwd + "-else/f",
	} {
		if got, code := ask(t, h, "fs/read_text_file", map[string]any{"path": path}); code == 0 {
			t.Errorf("read %s: %s", path, got)
		}
		if got, code := ask(t, h, "fs/write_text_file", map[string]any{"path": path, "content": "evil"}); code == 0 {
			t.Errorf("wrote %s: %s", path, got)
		}
	}
	if b, _ := os.ReadFile(secret); string(b) != "s" {
		t.Errorf("the file outside now holds %q", b)
	}
	for _, path := range []string{inside, filepath.Join(cwd, "good")} {
		if got, code := ask(t, h, "fs/read_text_file", map[string]any{"path": path}); code != 0 {
			t.Errorf("read %s: %s", path, got)
		}
	}
}

func TestU33WithoutAddedDirectoriesOnlyCwdIsServed(t *testing.T) {
	cwd, other := t.TempDir(), t.TempDir()
	put(t, filepath.Join(other, "f"), "x")
	h, err := New(Options{Roots: []string{cwd}, Read: true})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if got, code := ask(t, h, "fs/read_text_file", map[string]any{"path": filepath.Join(other, "f")}); code == 0 {
		t.Errorf("read %s", got)
	}
}

func TestReadTextFileRefusesWhatIsNoTextFile(t *testing.T) {
	h, cwd, _ := newHost(t)
	if err := syscall.Mkfifo(filepath.Join(cwd, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(cwd, "binary"), "\xff\xfe")
	for name, want := range map[string]int{"fifo": wire.CodeInternalError, "binary": wire.CodeInternalError, ".": wire.CodeInternalError, "absent": -32002} {
		if msg, code := ask(t, h, "fs/read_text_file", map[string]any{"path": filepath.Join(cwd, name)}); code != want {
			t.Errorf("%s: %s (%d), want %d", name, msg, code, want)
		}
	}
	absent := filepath.Join(cwd, "absent") // some agents go by the words
	if msg, _ := ask(t, h, "fs/read_text_file", map[string]any{"path": absent}); msg != "Resource not found: "+absent {
		t.Errorf("absent: %s", msg)
	}
	if msg, code := ask(t, h, "fs/write_text_file", map[string]any{"path": filepath.Join(cwd, "fifo"), "content": ""}); code == 0 {
		t.Errorf("wrote the FIFO: %s", msg)
	}
}

func TestReadTextFileOfALargeFile(t *testing.T) {
	cwd := t.TempDir()
	h, err := New(Options{Roots: []string{cwd}, Read: true, MaxFile: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	big := put(t, filepath.Join(cwd, "big"), strings.Repeat("x", 1<<20)+"\nlast\n")
	if msg, code := ask(t, h, "fs/read_text_file", map[string]any{"path": big}); code == 0 || !strings.Contains(msg, "too large") {
		t.Errorf("%.40s (%d)", msg, code)
	}
	if got, code := ask(t, h, "fs/read_text_file", map[string]any{"path": big, "line": 2}); code != 0 || got != `{"content":"last\n"}` {
		t.Errorf("%.40s (%d)", got, code)
	}
}

func TestWriteTextFileCreatesAndReplaces(t *testing.T) {
	h, cwd, _ := newHost(t)
	path := filepath.Join(cwd, "new", "dir", "f")
	for _, text := range []string{"a longer text", "short", ""} {
		if msg, code := ask(t, h, "fs/write_text_file", map[string]any{"path": path, "content": text}); code != 0 {
			t.Fatal(msg)
		}
		if b, _ := os.ReadFile(path); string(b) != text {
			t.Errorf("file holds %q, want %q", b, text)
		}
	}
	if _, code := ask(t, h, "fs/write_text_file", map[string]any{"path": path}); code != wire.CodeInvalidParams {
		t.Errorf("without content: code %d", code)
	}
}

func TestNothingIsServedThatWasNotAskedFor(t *testing.T) {
	h, err := New(Options{Roots: []string{t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	caps, methods := h.Advertise()
	if raw, _ := json.Marshal(caps); string(raw) != `{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false}` || len(methods) > 0 {
		t.Errorf("advertises %s, %v", raw, methods)
	}
	for _, m := range []string{"fs/read_text_file", "fs/write_text_file", "terminal/create", "terminal/output", "elicitation/create"} {
		if _, code := ask(t, h, m, map[string]any{}); code != wire.CodeMethodNotFound {
			t.Errorf("%s: code %d", m, code)
		}
	}
}

// create starts a shell script and returns the terminal's id.
func create(t *testing.T, h *Host, script string, more map[string]any) string {
	t.Helper()
	p := map[string]any{"command": "sh", "args": []string{"-c", script}}
	for k, v := range more {
		p[k] = v
	}
	got, code := ask(t, h, "terminal/create", p)
	var r struct{ TerminalID string }
	if code != 0 || json.Unmarshal([]byte(got), &r) != nil || r.TerminalID == "" {
		t.Fatalf("create: %s (%d)", got, code)
	}
	return r.TerminalID
}

func wantAnswer(t *testing.T, h *Host, method, id, want string) {
	t.Helper()
	if got, code := ask(t, h, method, map[string]any{"terminalId": id}); code != 0 || got != want {
		t.Errorf("%s: %s (%d), want %s", method, got, code, want)
	}
}

func TestTerminalRunsInCwdWithEnvAndKeepsOrder(t *testing.T) {
	h, cwd, added := newHost(t)
	id := create(t, h, `pwd; echo "$X" >&2; echo out; cat; exit 4`, map[string]any{"env": []map[string]string{{"name": "X", "value": "err"}}})
	wantAnswer(t, h, "terminal/wait_for_exit", id, `{"exitCode":4,"signal":null}`)
	out, _ := json.Marshal(cwd + "\nerr\nout\n")
	wantAnswer(t, h, "terminal/output", id, `{"exitStatus":{"exitCode":4,"signal":null},"output":`+string(out)+`,"truncated":false}`)
	id = create(t, h, "pwd", map[string]any{"cwd": added})
	wantAnswer(t, h, "terminal/wait_for_exit", id, `{"exitCode":0,"signal":null}`)
	if _, code := ask(t, h, "terminal/create", map[string]any{"command": "sh", "cwd": "/"}); code == 0 {
		t.Error("a command ran outside the roots")
	}
	if _, code := ask(t, h, "terminal/create", map[string]any{"command": "no-such-program"}); code == 0 {
		t.Error("a program that does not exist was started")
	}
}

func TestTerminalOutputLimitCutsAtACharacter(t *testing.T) {
	h, _, _ := newHost(t)
	id := create(t, h, `printf 'aéz€'`, map[string]any{"outputByteLimit": 5})
	wantAnswer(t, h, "terminal/wait_for_exit", id, `{"exitCode":0,"signal":null}`)
	wantAnswer(t, h, "terminal/output", id, `{"exitStatus":{"exitCode":0,"signal":null},"output":"z€","truncated":true}`)
}

func TestTerminalKillKeepsOutputReleaseForgets(t *testing.T) {
	h, cwd, _ := newHost(t)
	fifo := filepath.Join(cwd, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	id := create(t, h, `trap '' TERM; echo begun; echo ready >fifo; while :; do sleep 0.01; done`, nil)
	if b, err := os.ReadFile(fifo); err != nil || string(b) != "ready\n" {
		t.Fatalf("%q, %v", b, err)
	}
	wantAnswer(t, h, "terminal/kill", id, `{}`)
	wantAnswer(t, h, "terminal/wait_for_exit", id, `{"exitCode":null,"signal":"SIGKILL"}`)
	wantAnswer(t, h, "terminal/output", id, `{"exitStatus":{"exitCode":null,"signal":"SIGKILL"},"output":"begun\n","truncated":false}`)
	wantAnswer(t, h, "terminal/release", id, `{}`)
	if _, code := ask(t, h, "terminal/output", map[string]any{"terminalId": id}); code != wire.CodeInvalidParams {
		t.Errorf("a released terminal answers with code %d", code)
	}
}

func TestTerminalWaitEndsWhenTheRequestIsCancelled(t *testing.T) {
	h, _, _ := newHost(t)
	id := create(t, h, "sleep 60", nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	raw, _ := json.Marshal(map[string]string{"terminalId": id})
	_, err := h.Serve(ctx, "terminal/wait_for_exit", raw)
	var re *wire.RPCError
	if !errors.As(err, &re) || re.Code != wire.CodeRequestCancelled {
		t.Errorf("got %v", err)
	}
}

func TestCloseLeavesNoProcess(t *testing.T) {
	h, cwd, _ := newHost(t)
	fifo := filepath.Join(cwd, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	create(t, h, `exec 3>fifo; sh -c 'trap "" TERM HUP; echo up >&3; while :; do sleep 0.01; done' & wait`, nil)
	f, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 8)
	if n, err := f.Read(buf); err != nil || string(buf[:n]) != "up\n" {
		t.Fatalf("%q, %v", buf[:n], err)
	}
	go func() { _, err := f.Read(buf); ended <- err }() // ends when no process holds the FIFO
	h.Close()
	if err := <-ended; err == nil {
		t.Error("something still writes")
	}
}
