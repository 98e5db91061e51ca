package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

// testEnv is an environment with its own folders.
func testEnv(t *testing.T) (Env, string) {
	t.Helper()
	dir := t.TempDir()
	return Env{
		Getenv: func(name string) string {
			return map[string]string{"HOME": filepath.Join(dir, "home"), "XDG_STATE_HOME": filepath.Join(dir, "state")}[name]
		},
		Now: func() time.Time { return time.Date(2026, 11, 30, 4, 5, 6, 0, time.UTC) },
		PID: 4711,
	}, dir
}

func create(t *testing.T, o CreateOptions) (*Writer, string) {
	t.Helper()
	w, path, err := Create(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w, path
}

func TestDefaultFolder(t *testing.T) {
	env, dir := testEnv(t)
	_, path := create(t, CreateOptions{Agent: []string{"npx", "-y", "@scope/demo-agent@1.2", "acp"}, Env: env})
	folder := filepath.Join(dir, "state", "acptool", "recordings")
	if want := filepath.Join(folder, "20261130T040506Z-demo-agent-4711.acp.jsonl"); path != want {
		t.Errorf("path %s, want %s", path, want)
	}
	for name, mode := range map[string]os.FileMode{path: 0o600, folder: 0o700 | os.ModeDir} {
		if info, err := os.Stat(name); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v %v, want %v", name, info.Mode(), err, mode)
		}
	}
	// Readable from the first moment, and a second one of the same second gets
	// a name of its own.
	if b, _ := os.ReadFile(path); !strings.HasPrefix(string(b), `{"format":"acptool","version":1,"started":"2026-11-30T04:05:06.000000Z","agent":["npx"`) {
		t.Errorf("header %q", b)
	}
	_, second := create(t, CreateOptions{Agent: []string{"npx", "-y", "@scope/demo-agent@1.2"}, Env: env})
	if want := strings.Replace(path, "4711.", "4711-2.", 1); second != want {
		t.Errorf("second %s", second)
	}
	if last, err := Resolve("@last", env); err != nil || last != second {
		t.Errorf("@last %s %v", last, err)
	}
}

func TestAgentNames(t *testing.T) {
	for want, argv := range map[string][]string{
		"opencode": {"/usr/bin/opencode", "acp"}, "agent": nil, "server": {"node", "dist/server.mjs", "--x"},
		"example.com-8080": {"wss://example.com:8080/acp"}, "my-tool": {`env`, "-i", "My Tool"}, "x.y": {"/p/.x.y."},
	} {
		got := agentName(argv)
		if !strings.EqualFold(got, want) {
			t.Errorf("agentName(%q) = %q, want %q", argv, got, want)
		}
	}
}

func TestNamePatternsAndTilde(t *testing.T) {
	env, dir := testEnv(t)
	if err := os.Mkdir(filepath.Join(dir, "home"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, path := create(t, CreateOptions{Name: "~/{agent}-{time}-{pid}.acp.jsonl", Agent: []string{"a/b"}, Env: env})
	if want := filepath.Join(dir, "home", "b-20261130T040506Z-4711.acp.jsonl"); path != want {
		t.Errorf("%s, want %s", path, want)
	}
	if got, err := Resolve("~/x", env); err != nil || got != filepath.Join(dir, "home", "x") {
		t.Errorf("%s %v", got, err)
	}
}

// No file is ever written over unless that was asked for.
func TestTakenNames(t *testing.T) {
	env, dir := testEnv(t)
	name := filepath.Join(dir, "x.acp.jsonl")
	if err := os.WriteFile(name, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	var exists *ExistsError
	if _, _, err := Create(CreateOptions{Name: name, Taken: TakenRefuse, Env: env}); !errors.As(err, &exists) || exists.Path != name {
		t.Errorf("refuse: %v", err)
	}
	_, next := create(t, CreateOptions{Name: name, Taken: TakenNext, Env: env})
	_, third := create(t, CreateOptions{Name: name, Taken: TakenNext, Env: env})
	if next != filepath.Join(dir, "x-2.acp.jsonl") || third != filepath.Join(dir, "x-3.acp.jsonl") {
		t.Errorf("next %s, %s", next, third)
	}
	if b, _ := os.ReadFile(name); string(b) != "mine" {
		t.Errorf("written over: %q", b)
	}
	_, path := create(t, CreateOptions{Name: name, Taken: TakenForce, Env: env})
	b, _ := os.ReadFile(name)
	if info, _ := os.Stat(name); path != name || info.Mode() != 0o600 || !strings.HasPrefix(string(b), `{"format"`) {
		t.Errorf("force: %s %v %q", path, info.Mode(), b)
	}
	if _, _, err := Create(CreateOptions{Name: dir, Taken: TakenNext, Env: env}); err == nil {
		t.Error("a folder was taken")
	}
	if _, _, err := Create(CreateOptions{Name: filepath.Join(dir, "no", "x"), Env: env}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if w, path, err := Create(CreateOptions{Name: os.DevNull, Taken: TakenNext, Env: env}); err != nil || path != os.DevNull {
		t.Errorf("%s: %v", os.DevNull, err)
	} else {
		_ = w.Close()
	}
}

// An editor starts an agent several times at once: each gets its own file.
func TestManyAtOnce(t *testing.T) {
	env, dir := testEnv(t)
	var wg sync.WaitGroup
	paths := make([]string, 16)
	for i := range paths {
		wg.Go(func() {
			w, path, err := Create(CreateOptions{Name: filepath.Join(dir, "x.acp.jsonl"), Taken: TakenNext, Env: env})
			if err != nil {
				t.Error(err)
				return
			}
			paths[i] = path
			w.Observe(line(wire.Client, `{}`, "\n"))
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, p := range paths {
		if b, err := os.ReadFile(p); seen[p] || err != nil || strings.Count(string(b), "\n") != 2 {
			t.Errorf("%s: %v %q", p, err, b)
		}
		seen[p] = true
	}
}

func TestTheNewestAreKept(t *testing.T) {
	env, dir := testEnv(t)
	folder, err := Folder(env)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range keep + 10 {
		name := fmt.Sprintf("20250101T%02d%02d%02dZ-a-1.acp.jsonl", i/3600, i/60%60, i%60)
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// The oldest of all is still being written.
	env2 := env
	env2.Now = func() time.Time { return time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC) }
	_, old := create(t, CreateOptions{Name: filepath.Join(folder, "{time}-busy-1.acp.jsonl"), Env: env2})
	_, made := create(t, CreateOptions{Env: env})
	list, err := List(folder)
	if err != nil || len(list) != keep+1 || list[0].Path != made || list[len(list)-1].Path != old {
		t.Errorf("%d files, first %v, last %v, %v", len(list), list[0], list[len(list)-1], err)
	}
	if _, err := os.Stat(filepath.Join(folder, "notes.txt")); err != nil {
		t.Error("a file of somebody else was deleted")
	}
	_ = dir
}

func TestNoRecordings(t *testing.T) {
	env, _ := testEnv(t)
	var none *NoRecordingError
	if _, err := Open("@last", env); !errors.As(err, &none) {
		t.Errorf("%v", err)
	}
	if _, err := Open("-", env); err == nil {
		t.Error("no stdin, no error")
	}
	if _, err := Open(t.TempDir(), env); err == nil {
		t.Error("a folder was opened")
	}
	env.Stdin = strings.NewReader(`{"from":"agent","msg":{}}`)
	r, err := Open("-", env)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := r.Next(); err != nil || string(e.Data) != "{}" {
		t.Errorf("%v %v", e, err)
	}
}
