//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// at is the absolute path of a file beside the tests.
func at(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// peer is a run with the SDK's agent: what it says to us is decided by switches
// (peers/switches.mjs) and by the words of the prompts (peers/script.mjs).
type peer struct {
	*run
	agent []string // the agent's command line
	trace string   // every line that the agent read and wrote
}

// newPeer makes a peer. When the test ends, all that the client said to it must
// have been valid by the SDK's schema.
func newPeer(t *testing.T, switches ...string) *peer {
	t.Helper()
	trace := filepath.Join(t.TempDir(), "trace.jsonl")
	p := &peer{run: newRun(t, append(switches, "PEER_TRACE="+trace)...), agent: []string{"node", at(t, "peers/agent.mjs")}, trace: trace}
	t.Cleanup(func() {
		if _, err := os.Stat(trace); err == nil {
			p.validate(trace, "client")
		}
	})
	return p
}

// acptool runs the tool on the agent.
func (p *peer) acptool(args ...string) outcome {
	p.t.Helper()
	return p.run.acptool(append(append(args, "--"), p.agent...)...)
}

// client drives an agent with the SDK's client and returns its transcript.
func (r *run) client(protocol string, steps []string, agent ...string) outcome {
	r.t.Helper()
	argv := append([]string{"node", at(r.t, "peers/client.mjs"), "--protocol", protocol}, steps...)
	return r.do("", append(append(argv, "--"), agent...)...)
}

// validate has the SDK's schemas judge what a party said in a recording or
// trace. Faults that hold one of the given words are the test's to explain.
func (r *run) validate(file, from string, but ...string) {
	r.t.Helper()
	verdict, err := judge.ask(file, from)
	switch {
	case err != nil:
		r.t.Errorf("the validator: %v", err)
	case verdict.Checked == 0:
		r.t.Errorf("%s holds nothing that the %s said", file, from)
	}
	for _, fault := range verdict.Faults {
		if slices.ContainsFunc(but, func(word string) bool { return strings.Contains(fault, word) }) {
			continue
		}
		r.t.Errorf("not valid by the SDK's schema: %s", fault)
	}
}

// said lists the methods that a party sent, from the trace.
func (p *peer) said(from string) []string {
	p.t.Helper()
	text, err := os.ReadFile(p.trace)
	if err != nil {
		p.t.Fatal(err)
	}
	var methods []string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var entry struct{ From, Line string }
		var message struct{ Method string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			p.t.Fatal(err)
		}
		if entry.From != from || json.Unmarshal([]byte(entry.Line), &message) != nil || message.Method == "" {
			continue
		}
		methods = append(methods, message.Method)
	}
	return methods
}

// served is the SDK's server with the peer behind it.
type served struct{ HTTP, WS string }

// serve starts the server; it ends with the test.
func serve(t *testing.T, switches []string, args ...string) served {
	t.Helper()
	r := newRun(t, append(switches, "NODE_NO_WARNINGS=1")...) // the SDK sets a header that HTTP/2 has not
	line := r.background(append([]string{"node", at(t, "peers/serve.mjs")}, args...)...)
	var s served
	if err := json.Unmarshal([]byte(line), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// background starts a program that serves until the test ends, and returns the
// first line it prints. It is ended by the end of its stdin and SIGTERM.
func (r *run) background(argv ...string) string {
	r.t.Helper()
	cmd := r.command(context.Background(), argv...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		stdin.Close()
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		r.t.Fatalf("%q: %v\n%s", argv, err, stderr.String())
	}
	return strings.TrimSpace(line)
}
