package commands

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// served calls one method of a server for dir.
func served(t *testing.T, m *clientMethods, method string, params any) (map[string]any, error) {
	t.Helper()
	p, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.Serve(t.Context(), method, p)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out, nil
}

func serverFor(t *testing.T, dirs ...string) *clientMethods {
	t.Helper()
	r, err := openRoots(dirs)
	if err != nil {
		t.Fatal(err)
	}
	m := &clientMethods{roots: r, read: true, write: true}
	t.Cleanup(m.close)
	return m
}

func code(err error) int {
	var rpc *wire.RPCError
	if errors.As(err, &rpc) {
		return rpc.Code
	}
	return 0
}

func TestU33U39ServedFilesStayInside(t *testing.T) {
	base := t.TempDir()
	cwd, other, outside := filepath.Join(base, "cwd"), filepath.Join(base, "other"), filepath.Join(base, "outside")
	write(t, filepath.Join(cwd, "in.txt"), "one\ntwo\nthree\n")
	write(t, filepath.Join(other, "in.txt"), "other")
	write(t, filepath.Join(outside, "secret"), "secret")
	for link, to := range map[string]string{"up": outside, "leaf": filepath.Join(outside, "secret"), "inside": "in.txt"} {
		if err := os.Symlink(to, filepath.Join(cwd, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(cwd, filepath.Join(base, "alias")); err != nil {
		t.Fatal(err)
	}
	m := serverFor(t, cwd)
	read := func(path string) (string, error) {
		out, err := served(t, m, "fs/read_text_file", map[string]any{"sessionId": "s", "path": path})
		if err != nil {
			return "", err
		}
		return out["content"].(string), nil
	}
	for _, path := range []string{filepath.Join(cwd, "in.txt"), filepath.Join(cwd, "inside"), cwd + "/x/../in.txt"} {
		if got, err := read(path); err != nil || got != "one\ntwo\nthree\n" {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	for path, want := range map[string]int{
		filepath.Join(outside, "secret"): acp.CodeInvalidParams,
		cwd + "/../outside/secret":       acp.CodeInvalidParams,
		"in.txt":                         acp.CodeInvalidParams,
		filepath.Join(other, "in.txt"):   acp.CodeInvalidParams, // not added
		filepath.Join(cwd, "up/secret"):  acp.CodeInternal,
		filepath.Join(cwd, "leaf"):       acp.CodeInternal,
		filepath.Join(cwd, "nothing"):    acp.CodeNotFound,
		cwd:                              acp.CodeInternal, // a directory
	} {
		if got, err := read(path); code(err) != want {
			t.Errorf("%s: %q, %v, want code %d", path, got, err, want)
		}
	}
	for _, path := range []string{filepath.Join(outside, "new"), filepath.Join(cwd, "up/new"), filepath.Join(cwd, "leaf")} {
		if _, err := served(t, m, "fs/write_text_file", map[string]any{"path": path, "content": "x"}); err == nil {
			t.Errorf("wrote %s", path)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(outside, "secret")); string(b) != "secret" {
		t.Errorf("the file outside is now %q", b)
	}

	added := serverFor(t, cwd, other)
	if out, err := served(t, added, "fs/read_text_file", map[string]any{"path": filepath.Join(other, "in.txt")}); err != nil || out["content"] != "other" {
		t.Errorf("an added directory: %v, %v", out, err)
	}
	alias := serverFor(t, filepath.Join(base, "alias"))
	if out, err := served(t, alias, "fs/read_text_file", map[string]any{"path": filepath.Join(cwd, "in.txt")}); err != nil {
		t.Errorf("the real name of a root: %v, %v", out, err)
	}
}

func TestServedReadsLines(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "f")
	write(t, file, "one\ntwo\nthree")
	m := serverFor(t, dir)
	for _, tt := range []struct {
		line, limit any
		want        string
	}{
		{nil, nil, "one\ntwo\nthree"}, {2, nil, "two\nthree"}, {nil, 1, "one\n"}, {2, 1, "two\n"},
		{9, nil, ""}, {1, 0, ""}, {3, 9, "three"},
	} {
		out, err := served(t, m, "fs/read_text_file", map[string]any{"path": file, "line": tt.line, "limit": tt.limit})
		if err != nil || out["content"] != tt.want {
			t.Errorf("line %v, limit %v: %v, %v, want %q", tt.line, tt.limit, out, err, tt.want)
		}
	}
}

func TestServedWrites(t *testing.T) {
	dir := t.TempDir()
	m := serverFor(t, dir)
	file := filepath.Join(dir, "new", "deep", "f")
	for _, text := range []string{"a longer text", "short"} {
		if _, err := served(t, m, "fs/write_text_file", map[string]any{"path": file, "content": text}); err != nil {
			t.Fatal(err)
		}
		if b, _ := os.ReadFile(file); string(b) != text {
			t.Errorf("the file holds %q, want %q", b, text)
		}
	}
}

func TestOnlyWhatIsServedIsAdvertised(t *testing.T) {
	for _, tt := range []struct {
		m    clientMethods
		want string
		n    int
	}{
		{clientMethods{read: true}, `{"fs":{"readTextFile":true,"writeTextFile":false}}`, 1},
		{clientMethods{read: true, write: true}, `{"fs":{"readTextFile":true,"writeTextFile":true}}`, 2},
		{clientMethods{terminals: &terminals{}}, `{"terminal":true}`, 5},
	} {
		caps, methods := tt.m.Advertise()
		b, _ := json.Marshal(caps)
		if string(b) != tt.want || len(methods) != tt.n {
			t.Errorf("%s with %q, want %s with %d methods", b, methods, tt.want, tt.n)
		}
	}
	if (*clientMethods)(nil).options() != nil {
		t.Error("no methods must be a nil interface")
	}
}
