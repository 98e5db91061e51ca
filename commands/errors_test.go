package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// Every kind of error has its status, wherever it was wrapped.
func TestErrorsAreToldByType(t *testing.T) {
	agent := &acp.AgentError{Method: "session/new", Code: -32603, Message: "out of tea", Data: json.RawMessage(`{"a":1}`)}
	login := []acp.AuthMethod{{ID: "term", Type: "terminal"}, {ID: "key", Name: "API key"}}
	for _, tt := range []struct {
		err           error
		exit          Exit
		message, hint string // substrings
	}{
		{usagef("do this", "that is wrong"), ExitUsage, "that is wrong", "do this"},
		{&acp.UsageError{Message: "no", Hint: "yes"}, ExitUsage, "no", "yes"},
		{&pretty.FilterError{Source: ".a |", Offset: 4, Message: "unexpected end"}, ExitUsage, "unexpected end", ""},
		{&wire.AddressError{Address: "x:y", Reason: "no scheme"}, ExitUsage, "no scheme", ""},
		{&acp.TerminalAuthError{Method: login[0], Command: "agent login"}, ExitUsage, "term", "agent login"},
		{ownf(os.ErrPermission, "read x"), ExitOwnFailure, "read x: permission", ""},
		{&record.ExistsError{Path: "r"}, ExitOwnFailure, "r exists", "--force"},
		{errors.New("whatever"), ExitOwnFailure, "whatever", ""},
		{&acp.UnknownSessionError{SessionID: "s", Agent: agent}, ExitNoSession, "does not know session s", ""},
		{&acp.UnsupportedError{What: "tea", Capability: "capabilities.tea", Protocol: 2}, ExitUnsupported, "capabilities.tea", ""},
		{&acp.AuthRequiredError{Agent: agent, Methods: login}, ExitAuth, "authentication required", "--auth key"},
		{agent, ExitAgentError, "out of tea", ""},
		{&acp.UnreachableError{Err: &wire.DialError{Address: "unix:x", Err: syscall.ECONNREFUSED}}, ExitUnreachable, "refused", ""},
		{&acp.GoneError{Method: "initialize", Err: &wire.ClosedError{Exited: true, Exit: wire.Exit{Code: 7}}}, ExitUnreachable, "status 7", ""},
		{&acp.GoneError{Method: "x", Err: &wire.ClosedError{Err: &wire.FrameTooLongError{Limit: 5}}}, ExitProtocol, "longer", "--max-frame"},
		{&acp.TimeoutError{Phase: "initialize", After: 2 * time.Second}, ExitTimeout, "initialize", "--acp"},
		{&acp.TimeoutError{Phase: "initialize", After: 2 * time.Second, Idle: true}, ExitTimeout, "nothing received", "(such as acp or --acp)? --idle-timeout gives it longer"},
		{&addressError{&acp.TimeoutError{Phase: "initialize", After: 2 * time.Second}, "unix:x"}, ExitTimeout, "initialize", "does an agent answer at unix:x?"},
		{&acp.UnreachableError{Err: &wire.StartError{Argv: []string{"x"}, Err: exec.ErrNotFound}}, ExitUnreachable, "cannot start x", "--agent @demo"},
		{&acp.TimeoutError{Phase: "session/prompt", After: 2 * time.Second, Idle: true}, ExitTimeout, "nothing received for 2s", "--idle-timeout"},
		{&acp.UncertainError{SessionID: "s", Err: &acp.TimeoutError{Phase: "session/prompt"}}, ExitTimeout, "unknown", "resume --replay s"},
		{&acp.UncertainError{SessionID: "s", Err: &acp.GoneError{Method: "session/prompt", Err: &wire.ClosedError{}}}, ExitUnreachable, "unknown", "not sent again"},
		{&acp.ProtocolError{Method: "session/new", Message: "no id", Line: []byte("{}")}, ExitProtocol, "session/new: no id", ""},
		{&acp.VersionError{Ours: []int{1, 2}, Theirs: []int{99}}, ExitProtocol, "99", ""},
		{&signalError{syscall.SIGINT}, ExitInterrupted, "", ""},
		{&signalError{syscall.SIGTERM}, ExitTerminated, "", ""},
		{&signalError{syscall.SIGHUP}, ExitHangup, "", ""},
		{&signalError{syscall.SIGQUIT}, ExitQuit, "", ""},
	} {
		for _, err := range []error{tt.err, fmt.Errorf("outer: %w", tt.err), &agentError{tt.err, []byte("tail")}, jsonDone{tt.err}} {
			f := explain(err)
			if f.Exit != tt.exit || f.Kind != tt.exit.Kind() {
				t.Errorf("%T: exit %d (%s), want %d", tt.err, f.Exit, f.Kind, tt.exit)
			}
			if !strings.Contains(f.Message, tt.message) || !strings.Contains(f.Hint, tt.hint) {
				t.Errorf("%T: %q, hint %q; want %q, %q", tt.err, f.Message, f.Hint, tt.message, tt.hint)
			}
		}
	}
}

func TestErrorsCarryCodeAndData(t *testing.T) {
	agent := &acp.AgentError{Method: "m", Code: -32002, Message: "gone", Data: json.RawMessage(`{"sessionId":"s"}`)}
	f := explain(&acp.UnknownSessionError{SessionID: "s", Agent: agent})
	b, err := json.Marshal(f.document())
	if err != nil || !strings.Contains(string(b), `"code":-32002,"data":{"sessionId":"s"}`) {
		t.Errorf("%s, %v", b, err)
	}
}

// A signal is no error: nothing is said, the status tells.
func TestP99ASignalIsNotToldAsAnError(t *testing.T) {
	var told strings.Builder
	e := newEnv(Streams{}, func(string) string { return "" })
	e.say.w = &told
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&signalError{syscall.SIGINT})
	if x := e.finish(context.Cause(ctx)); x != ExitInterrupted || told.String() != "" {
		t.Errorf("exit %d, told %q", x, told.String())
	}
	if x := e.finish(exitWith(ExitCancelled)); x != ExitCancelled || told.String() != "" {
		t.Errorf("exit %d, told %q", x, told.String())
	}
}

func TestTheAgentsLastWordsAreShown(t *testing.T) {
	lines := strings.Repeat("line\n", 30) + "engine on fire\x1b[31m\n"
	var told strings.Builder
	c := newConsole(nil)
	c.w = &told
	c.failure(explain(&acp.GoneError{Method: "session/prompt", Err: errors.New("killed"), Stderr: []byte(lines)}))
	got := told.String()
	if !strings.Contains(got, "agent: engine on fire\\e[31m\n") || !strings.Contains(got, "lines before") || strings.Count(got, "\n") > 16 {
		t.Errorf("%s", got)
	}
}

// Nobody who answers at an address is told of in one way, whatever connects.
func TestNobodyAtTheAddress(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://127.0.0.1:1/acp", "ws://127.0.0.1:1/acp", "tcp:127.0.0.1:1", "unix:" + filepath.Join(t.TempDir(), "none")} {
		r := call{args: []string{"prompt", "hi", "--connect", address}}.run(t).want(t, ExitUnreachable, "")
		if !strings.HasPrefix(r.err, "acptool: error: cannot connect to "+address+": ") || strings.Count(r.err, "cannot connect") != 1 {
			t.Errorf("%s: %s", address, r.err)
		}
	}
}
