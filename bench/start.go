package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// startup measures whole processes that do little: --version against an empty
// program, and status against --version.
func (b *bench) startup() error {
	empty, err := b.emptyProgram()
	if err != nil {
		return err
	}
	address, stop, err := b.answerer()
	if err != nil {
		return err
	}
	defer stop()
	took := map[string][]time.Duration{}
	for range b.size(60, 2) * max(b.rounds/2, 1) {
		for kind, argv := range map[string][]string{
			"empty":   {empty},
			"version": {b.tool, "--version"},
			"status":  {b.tool, "status", "--connect", "unix:" + address},
		} {
			began := time.Now()
			if out, err := exec.CommandContext(b.ctx, argv[0], argv[1:]...).CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w: %s", kind, err, out)
			}
			took[kind] = append(took[kind], time.Since(began))
		}
	}
	nothing, version, status := median(took["empty"]), median(took["version"]), median(took["status"])
	ratio := float64(version) / float64(nothing)
	b.table.add(row{what: "start-up: --version", ours: millis(version), against: "an empty Go program " + millis(nothing),
		ratio: ratio, target: "≤ 2.5×", met: ratio <= 2.5})
	b.table.add(row{what: "status over a unix socket, whole process", ours: millis(status), against: "--version " + millis(version),
		ratio: float64(status) / float64(version), target: "≤ 4 ms more", met: status-version <= 4*time.Millisecond})
	return nil
}

// emptyProgram builds a program that does nothing, as the tool is built.
func (b *bench) emptyProgram() (string, error) {
	dir := filepath.Join(b.dir, "empty")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for name, text := range map[string]string{"go.mod": "module empty\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	program := filepath.Join(dir, "empty")
	return program, b.goBuild(dir, program, ".")
}

// answerer is an agent on a unix socket that answers initialize.
func (b *bench) answerer() (path string, stop func(), err error) {
	path = filepath.Join(b.dir, "sock")
	l, err := net.Listen("unix", path)
	if err != nil {
		return "", nil, err
	}
	go func() { // ends when the listener is closed
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go answer(c) // ends when the client hangs up
		}
	}()
	return path, func() { l.Close() }, nil
}

func answer(c net.Conn) {
	defer c.Close()
	for in := bufio.NewReader(c); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct{ ID json.RawMessage }
		if json.Unmarshal(line, &m) == nil && m.ID != nil {
			fmt.Fprintf(c, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"agentInfo":{"name":"bench","version":"1"},"agentCapabilities":{}}}`+"\n", m.ID)
		}
	}
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/1e6) }
