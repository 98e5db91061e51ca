package wire

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// echo serves every connection of a listener: each line comes back.
func echo(t *testing.T, l *Listener) {
	t.Helper()
	done := make(chan struct{})
	go func() { // ends with the listener
		defer close(done)
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			go func() { // ends with the connection
				defer in.Close()
				_, _ = io.Copy(in.Side.Out, in.Side.In)
				_ = in.Side.Out.Close()
			}()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
}

func listenOn(t *testing.T, address string, o ListenOptions) *Listener {
	t.Helper()
	l, err := Listen(context.Background(), address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestListenCarriesLinesOnEveryTransport(t *testing.T) {
	for _, address := range []string{"unix:" + filepath.Join(t.TempDir(), "s"), "tcp:127.0.0.1:0", "tcp::0", "ws://127.0.0.1:0/acp", "ws://:0"} {
		t.Run(address, func(t *testing.T) {
			l := listenOn(t, address, ListenOptions{})
			echo(t, l)
			tr, err := Dial(context.Background(), l.Address(), DialOptions{})
			if err != nil {
				t.Fatal(err)
			}
			write(t, tr, `{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":"é"}}`)
			write(t, tr, `{"jsonrpc":"2.0","method":"b"}`)
			wantLine(t, tr, `{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":"é"}}`)
			wantLine(t, tr, `{"jsonrpc":"2.0","method":"b"}`)
			if err := tr.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestListenUnixSocketIsPrivateAndGoesWithTheListener(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l := listenOn(t, "unix:"+path, ListenOptions{})
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	if names, _ := os.ReadDir(filepath.Dir(path)); len(names) != 1 {
		t.Errorf("left beside the socket: %v", names)
	}
	if _, err := Listen(context.Background(), "unix:"+path, ListenOptions{}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a second listener: %v", err)
	}
	_ = l.Close()
	if _, err := os.Lstat(path); err == nil {
		t.Error("the socket is still there")
	}
}

func TestListenUnixReplacesOnlyAStaleSocket(t *testing.T) {
	dir := t.TempDir()
	stale := filepath.Join(dir, "stale")
	old, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	old.SetUnlinkOnClose(false)
	_ = old.Close()
	listenOn(t, "unix:"+stale, ListenOptions{})

	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(context.Background(), "unix:"+file, ListenOptions{}); err == nil || !strings.Contains(err.Error(), "no socket") {
		t.Errorf("on a file: %v", err)
	}
	if b, _ := os.ReadFile(file); string(b) != "x" {
		t.Error("the file is gone")
	}
}

// A socket that took the place of ours is not ours to remove.
func TestListenUnixLeavesTheSocketOfAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l := listenOn(t, "unix:"+path, ListenOptions{})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	listenOn(t, "unix:"+path, ListenOptions{})
	_ = l.Close()
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("removed: %v", err)
	}
}

func TestListenRefusals(t *testing.T) {
	taken := listenOn(t, "tcp:127.0.0.1:0", ListenOptions{})
	for address, want := range map[string]string{
		"unix:":                             "nothing follows",
		"unix:/no/such/dir/s":               "no such file or directory",
		"unix:/" + strings.Repeat("x", 200): "too long",
		"tcp:localhost":                     "port is missing",
		"tcp:0.0.0.0:0":                     "--public",
		"tcp:[::]:0":                        "--public",
		"ws://0.0.0.0:0/":                   "--public",
		"ws:":                               "ws://HOST:PORT",
		"http://127.0.0.1:0/":               "begins with",
		taken.Address():                     "address already in use",
	} {
		if l, err := Listen(context.Background(), address, ListenOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
			if l != nil {
				_ = l.Close()
			}
		}
	}
	listenOn(t, "tcp:0.0.0.0:0", ListenOptions{Public: true})
}

func TestListenWebSocketChecksTheOrigin(t *testing.T) {
	l := listenOn(t, "ws://127.0.0.1:0/acp", ListenOptions{AllowOrigins: []string{"editor.example"}})
	echo(t, l)
	for origin, ok := range map[string]bool{
		"":                       true, // no browser
		"https://editor.example": true,
		"https://evil.example":   false,
		"null":                   false,
		strings.TrimSuffix(strings.Replace(l.Address(), "ws", "http", 1), "/acp"): true, // our own
	} {
		h := http.Header{}
		if origin != "" {
			h.Set("Origin", origin)
		}
		c, _, err := websocket.Dial(context.Background(), l.Address(), &websocket.DialOptions{HTTPHeader: h})
		if (err == nil) != ok {
			t.Errorf("origin %q: %v", origin, err)
		}
		if err == nil {
			_ = c.Close(websocket.StatusNormalClosure, "")
		}
	}
	if _, err := Dial(context.Background(), strings.Replace(l.Address(), "/acp", "/other", 1), DialOptions{}); err == nil {
		t.Error("another path was served")
	}
}

// memory is a Transport in memory that keeps what was written.
type memory struct {
	in     chan Line
	sent   chan string
	closed chan struct{}
}

func newMemory() *memory {
	return &memory{make(chan Line, 8), make(chan string, 8), make(chan struct{})}
}

func (m *memory) ReadLine() (Line, error) {
	select {
	case l := <-m.in:
		return l, nil
	case <-m.closed:
		return Line{}, io.EOF
	}
}
func (m *memory) WriteMessage(b []byte) error { m.sent <- string(b); return nil }
func (m *memory) Close(context.Context) error { close(m.closed); return nil }
func (m *memory) Exit() (Exit, bool)          { return Exit{}, false }
func (m *memory) StderrTail() []byte          { return nil }
func (m *memory) Address() string             { return "memory" }

func TestBridgeKeepsBytesWithinALine(t *testing.T) {
	m := newMemory()
	var warned []string
	side := TransportSide(m, func(s string) { warned = append(warned, s) })
	for _, piece := range []string{`{"a":`, `"é"}`, "\r\n\n{\"b\": 1.50}\n", "\xff\xfe\n", `{"last":true}`} {
		if _, err := side.Out.Write([]byte(piece)); err != nil {
			t.Fatal(err)
		}
	}
	if err := side.Out.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"a":"é"}`, `{"b": 1.50}`, `{"last":true}`} {
		if got := <-m.sent; got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "UTF-8") {
		t.Errorf("warned of %q", warned)
	}
	<-m.closed // nothing was asked, so nothing is waited for
}

func TestBridgeWaitsForWhatWasAsked(t *testing.T) {
	m := newMemory()
	side := TransportSide(m, nil)
	_, _ = side.Out.Write([]byte(`{"jsonrpc":"2.0","id":"x","method":"m"}` + "\n"))
	_ = side.Out.Close()
	<-m.sent
	m.in <- Line{Bytes: []byte(`{"jsonrpc":"2.0","method":"update"}`)}
	m.in <- Line{Bytes: []byte(`{"jsonrpc":"2.0","id":"x","result":1}`)}
	got, err := io.ReadAll(bufio.NewReader(side.In))
	want := `{"jsonrpc":"2.0","method":"update"}` + "\n" + `{"jsonrpc":"2.0","id":"x","result":1}` + "\n"
	if string(got) != want || err != nil {
		t.Errorf("read %q, %v", got, err)
	}
	<-m.closed
}

func TestBridgePassesOverARequestThatFailsAlone(t *testing.T) {
	m := newMemory()
	var warned []string
	side := TransportSide(failingOnce{m, new(bool)}, func(s string) { warned = append(warned, s) })
	m.in <- Line{Bytes: []byte("next")}
	buf := make([]byte, 16)
	if n, err := side.In.Read(buf); err != nil || string(buf[:n]) != "next\n" {
		t.Errorf("read %q, %v", buf[:n], err)
	}
	_ = side.In.Close()
	if len(warned) != 1 {
		t.Errorf("warned of %q", warned)
	}
}

// failingOnce reports one lost request before anything else.
type failingOnce struct {
	*memory
	told *bool
}

func (f failingOnce) ReadLine() (Line, error) {
	if !*f.told {
		*f.told = true
		return Line{}, &UndeliveredError{ID: "1", Err: errors.New("502")}
	}
	return f.memory.ReadLine()
}
