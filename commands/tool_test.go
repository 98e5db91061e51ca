package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
)

// ran is what one run of the tool came to.
type ran struct {
	out, err string
	exit     int
	sent     []wire.Message // what the client sent, from the recording
}

// methods are the methods that the client sent, "" for answers.
func (r ran) methods() string {
	var names []string
	for _, m := range r.sent {
		if m.Method != "" {
			names = append(names, m.Method)
		} else {
			names = append(names, "answer")
		}
	}
	return strings.Join(names, " ")
}

// message is the first message of a method that the client sent.
func (r ran) message(t *testing.T, method string) wire.Message {
	t.Helper()
	for _, m := range r.sent {
		if m.Method == method {
			return m
		}
	}
	t.Fatalf("no %s was sent, but %s\n%s", method, r.methods(), r.err)
	return wire.Message{}
}

// want checks the exit status and stdout.
func (r ran) want(t *testing.T, exit Exit, out string) ran {
	t.Helper()
	if r.exit != int(exit) || r.out != out {
		t.Errorf("exit %d, stdout %q; want %d, %q\nstderr: %s", r.exit, r.out, exit, out, r.err)
	}
	return r
}

func (r ran) wantExit(t *testing.T, exit Exit) ran {
	t.Helper()
	if r.exit != int(exit) {
		t.Errorf("exit %d, want %d\nstdout: %s\nstderr: %s", r.exit, exit, r.out, r.err)
	}
	return r
}

// says checks that stderr holds each of the texts.
func (r ran) says(t *testing.T, texts ...string) ran {
	t.Helper()
	for _, s := range texts {
		if !strings.Contains(r.err, s) {
			t.Errorf("stderr does not say %q:\n%s", s, r.err)
		}
	}
	return r
}

// quiet checks that a run that went well had nothing to say.
func (r ran) quiet(t *testing.T) ran {
	t.Helper()
	if r.err != "" {
		t.Errorf("exit %d, but stderr holds %q", r.exit, r.err)
	}
	return r
}

// document decodes the one JSON document on stdout.
func (r ran) document(t *testing.T) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil || strings.Count(r.out, "\n") != 1 {
		t.Fatalf("stdout is not one JSON document on one line (%v): %q\nstderr: %s", err, r.out, r.err)
	}
	return doc
}

// call says how the tool is run.
type call struct {
	agent string // the fake agent's script; "" for none
	stdin string
	dir   string // where it runs; "" for a new directory
	env   []string
	args  []string

	unrecorded bool // no recording is kept, so ran.sent is empty
}

// tool runs the tool against a fake agent.
func runTool(t *testing.T, agent string, args ...string) ran {
	t.Helper()
	return call{agent: agent, args: args}.run(t)
}

func (c call) run(t *testing.T) ran {
	t.Helper()
	side := t.TempDir()
	if c.dir == "" {
		c.dir = t.TempDir()
	}
	args := c.args
	recording := filepath.Join(side, "rec")
	if c.agent != "" {
		file := filepath.Join(side, "agent")
		write(t, file, c.agent)
		args = append([]string{}, args...)
		if !c.unrecorded {
			args = append(args, "--record", recording)
		}
		args = append(args, "--", "fakeagent", file)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "acptool", args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "HOME="+side, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "ACPTOOL_AGENT=")
	cmd.Env = append(cmd.Env, c.env...)
	cmd.Stdin = strings.NewReader(c.stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r := ran{out: out.String(), err: errs.String(), exit: cmd.ProcessState.ExitCode()}
	if c.agent != "" {
		r.sent = sentIn(t, recording)
	}
	return r
}

// sentIn are the client's messages in a recording; none if there is no
// recording.
func sentIn(t *testing.T, file string) []wire.Message {
	t.Helper()
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := record.NewReader(f)
	defer r.Close()
	var sent []wire.Message
	for {
		e, err := r.Next()
		if err != nil {
			return sent
		}
		if e.Kind == wire.EntryLine && e.From == wire.Client {
			sent = append(sent, wire.Decode(bytes.Clone(e.Data)).Messages...)
		}
	}
}

// The beginnings of fake agents: version 1 and 2 with these capabilities.
func agent1(capabilities string) string {
	return "expect initialize\nreply {\"protocolVersion\":1,\"agentCapabilities\":" + capabilities +
		",\"agentInfo\":{\"name\":\"fake\",\"version\":\"1.2\"},\"authMethods\":[{\"id\":\"key\",\"name\":\"API key\"}]}\n"
}

func agent2(capabilities string) string {
	return "expect initialize\nreply {\"protocolVersion\":2,\"capabilities\":" + capabilities +
		",\"info\":{\"name\":\"fake\",\"version\":\"1.2\"},\"authMethods\":[{\"methodId\":\"key\",\"name\":\"API key\",\"type\":\"agent\"}]}\n"
}

// on is a fake agent's reaction to a method.
func on(method string, lines ...string) string {
	return "on " + method + "\n" + strings.Join(lines, "\n") + "\nend\n"
}

// update is a line that sends an update of session S.
func update(u string) string {
	return `send {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"S","update":` + u + `}}`
}

func chunk1(text string) string {
	return update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"` + text + `"}}`)
}

func chunk2(id, text string) string {
	return update(`{"sessionUpdate":"agent_message_chunk","messageId":"` + id + `","content":{"type":"text","text":"` + text + `"}}`)
}

func state(s string) string {
	return update(`{"sessionUpdate":"state_update",` + s + `}`)
}

const newS = "reply {\"sessionId\":\"S\"}"
