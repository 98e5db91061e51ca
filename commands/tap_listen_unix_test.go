//go:build unix

package commands

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/coder/websocket"
)

// echoAgent is an agent that gives every line back and ends at EOF.
const echoAgent = `while read -r line; do echo "$line"; done; exit 9`

// listening starts a listener and returns it with the address that it printed.
func listening(t *testing.T, args ...string) (*tapped, string) {
	t.Helper()
	l := startTap(t, append([]string{"tap", "-q"}, args...)...)
	return l, strings.TrimSpace(l.line(t))
}

// stop ends a listener by SIGTERM, which must leave nothing.
func (p *tapped) stop(t *testing.T) {
	t.Helper()
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := p.wait(t); got != "143" {
		t.Errorf("the listener ended with %s; %s", got, &p.stderr)
	}
}

// say sends one line over a new connection and reads it back.
func say(t *testing.T, network, address, line string) {
	t.Helper()
	c, err := net.Dial(network, address)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	fmt.Fprintln(c, line)
	_ = c.(interface{ CloseWrite() error }).CloseWrite()
	got, err := io.ReadAll(c)
	if string(got) != line+"\n" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestTapListensOnEveryTransport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	for _, address := range []string{"unix:" + path, "tcp::0", "ws://:0/acp"} {
		t.Run(address, func(t *testing.T) {
			l, at := listening(t, "--listen", address, "--", "sh", "-c",
				`while read -r line; do echo '{"jsonrpc":"2.0","id":1,"result":"é"}'; done`)
			// A tap that connects is an editor's way to it.
			for range 2 {
				c := tool(t, "tap", "-q", "--connect", at)
				c.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"x"}` + "\n")
				out, err := c.Output() // the end of stdin must not overtake the answer
				if want := `{"jsonrpc":"2.0","id":1,"result":"é"}` + "\n"; err != nil || string(out) != want {
					t.Errorf("%q, %v", out, err)
				}
			}
			l.stop(t)
		})
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the socket is still there")
	}
}

func TestTapListenManyAtOnceEachWithItsOwnAgentAndRecording(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s")
	l, _ := listening(t, "--listen", "unix:"+path, "--record", filepath.Join(dir, "r.acp.jsonl"), "--", "sh", "-c", echoAgent)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { say(t, "unix", path, fmt.Sprintf(`{"jsonrpc":"2.0","method":"m%d"}`, i)) })
	}
	all.Wait()
	l.stop(t)
	files, _ := filepath.Glob(filepath.Join(dir, "*.acp.jsonl"))
	if len(files) != 20 {
		t.Errorf("%d recordings", len(files))
	}
	seen := map[string]bool{}
	for _, f := range files {
		b, _ := os.ReadFile(f)
		if n := bytes.Count(b, []byte(`"from":"client","msg"`)); n != 1 {
			t.Errorf("%s holds %d frames of a client", f, n)
		}
		for i := range 20 {
			if bytes.Contains(b, fmt.Appendf(nil, `"m%d"`, i)) {
				seen[fmt.Sprint(i)] = true
			}
		}
	}
	if len(seen) != 20 {
		t.Errorf("only %d connections were recorded", len(seen))
	}
}

func TestTapListenRefusesBeyondMaxConns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, _ := listening(t, "--listen", "unix:"+path, "--max-conns", "1", "--", "sh", "-c", echoAgent)
	first, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(first, "here")
	if n, err := first.Read(make([]byte, 8)); n != 5 || err != nil { // it is being served
		t.Fatal(n, err)
	}
	second, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := second.Read(make([]byte, 8)); err == nil {
		t.Errorf("the second connection read %d bytes", n)
	}
	second.Close()
	first.Close()
	l.stop(t)
}

func TestTapListenEndsAnIdleConnection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, _ := listening(t, "--listen", "unix:"+path, "--idle-timeout", "50ms", "--", "sh", "-c", echoAgent)
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := c.Read(make([]byte, 8)); err == nil {
		t.Errorf("read %d bytes", n)
	}
	c.Close()
	l.stop(t)
}

func TestTapListenShutdownEndsOpenConnectionsAndTheirAgents(t *testing.T) {
	dir := t.TempDir()
	path, fifo := filepath.Join(dir, "s"), filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	l, _ := listening(t, "--listen", "unix:"+path, "--", "sh", "-c", `exec 3>"$0"; echo up >&3; `+echoAgent, fifo)
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	f, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buf := make([]byte, 8)
	if n, err := f.Read(buf); err != nil || string(buf[:n]) != "up\n" {
		t.Fatalf("%q, %v", buf[:n], err)
	}
	l.stop(t)
	if n, err := f.Read(buf); err != io.EOF { // the agent holds it no more
		t.Errorf("%q, %v", buf[:n], err)
	}
}

func TestTapListenForeignPageIsRefused(t *testing.T) {
	l, at := listening(t, "--listen", "ws://:0/", "--allow-origin", "*.good.example", "--", "sh", "-c", echoAgent)
	for origin, ok := range map[string]bool{"https://a.good.example": true, "https://evil.example": false} {
		c, _, err := websocket.Dial(t.Context(), at, &websocket.DialOptions{HTTPHeader: map[string][]string{"Origin": {origin}}})
		if (err == nil) != ok {
			t.Errorf("%s: %v", origin, err)
		}
		if err == nil {
			_ = c.CloseNow()
		}
	}
	l.stop(t)
}

func TestTapListenBadAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"tcp:0.0.0.0:0":   "--public",
		"http://:0/":      "begins with unix:, tcp: or ws://",
		"unix:/no/such/s": "no such file or directory",
		"tcp:localhost":   "the port is missing",
	} {
		c := tool(t, "tap", "--listen", address, "--", "true")
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Run(); err == nil || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: %v, %q", address, err, &stderr)
		}
	}
}
