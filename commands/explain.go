package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/record/replay"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// explainAgent classifies errors that come from the connection, the agent, a
// recording or a filter, each by its type.
func explainAgent(err error, f *failure) {
	if explainOwn(err, f) {
		return
	}
	explainAnswer(err, f)
	var uncertain *acp.UncertainError
	if errors.As(err, &uncertain) {
		f.Message = uncertain.Error()
		f.Hint = "it is not sent again; look whether it is there: acptool resume --replay " + wire.Quote(uncertain.SessionID) + " -- AGENT"
	}
	var tail *agentError
	if errors.As(err, &tail) && len(f.detail) == 0 && f.shows() {
		f.detail = tailLines(tail.tail)
	}
}

// shows says whether the agent's stderr belongs to the failure.
func (f *failure) shows() bool {
	return f.Exit == ExitUnreachable || f.Exit == ExitTimeout || f.Exit == ExitProtocol
}

// explainOwn is for what is our own or the user's doing.
func explainOwn(err error, f *failure) bool {
	var (
		sig      *signalError
		usage    *acp.UsageError
		filter   *pretty.FilterError
		address  *wire.AddressError
		exists   *record.ExistsError
		missing  *record.UnknownSessionError
		none     *record.NoRecordingError
		nowhere  *record.NotHereError
		format   *record.FormatError
		terminal *acp.TerminalAuthError
		load     *replay.LoadError
	)
	switch {
	case errors.As(err, &sig):
		f.Exit, f.Message, f.silent = sig.exit(), sig.Error(), true
	case errors.As(err, &usage):
		f.Exit, f.Message, f.Hint = ExitUsage, usage.Message, usage.Hint
	case errors.As(err, &filter):
		f.Exit, f.Message, f.detail = ExitUsage, filter.Error(), filter.Caret()
	case errors.As(err, &address):
		f.Exit, f.Message = ExitUsage, address.Error()
	case errors.As(err, &exists):
		f.Exit, f.Message, f.Hint = ExitOwnFailure, exists.Error(), "--force writes over it"
	case errors.As(err, &missing):
		f.Exit, f.Message = ExitNoSession, missing.Error()
		var which *noSuchSession
		if errors.As(err, &which) {
			f.Hint = which.hint()
		}
	case errors.As(err, &none):
		f.Exit, f.Hint = ExitOwnFailure, "acptool record, tap --record and --record make recordings"
	case errors.As(err, &nowhere):
		f.Exit, f.Hint = ExitOwnFailure, "acptool recordings lists those that are kept"
	case errors.As(err, &format):
		f.Exit = ExitOwnFailure
		var long *record.LongLineError
		if errors.As(err, &long) {
			f.Hint = "--max-frame BYTES allows more"
		} else if format.Line <= 1 {
			f.Hint = "recordings of acptool are read, JSON-RPC lines, and captures of acpx, acpdbg, acp-inspector, acp-devtools and the conductor"
		}
	case errors.As(err, &terminal):
		f.Exit, f.Message, f.Hint = ExitUsage, terminal.Error(), "run it yourself: "+terminal.Command
	case errors.As(err, &load):
		f.Exit, f.Message, f.Hint = ExitOwnFailure, err.Error(), load.Hint
	default:
		return false
	}
	return true
}

// explainAnswer is for what the agent did, or did not.
func explainAnswer(err error, f *failure) {
	var (
		unsupported *acp.UnsupportedError
		auth        *acp.AuthRequiredError
		unknown     *acp.UnknownSessionError
		agent       *acp.AgentError
		timeout     *acp.TimeoutError
		protocol    *acp.ProtocolError
		version     *acp.VersionError
		long        *wire.FrameTooLongError
		gone        *acp.GoneError
		unreachable *acp.UnreachableError
		dial        *wire.DialError
	)
	if errors.As(err, &agent) {
		code := agent.Code
		f.Code, f.Data = &code, agent.Data
	}
	switch {
	case errors.As(err, &unsupported):
		f.Exit, f.Message = ExitUnsupported, unsupported.Error()
		var noAuth *unsupportedAuth
		if errors.As(err, &noAuth) {
			f.AuthMethods = noAuth.methods
			f.detail, _ = authHelp(noAuth.methods)
			f.Hint = "--probe may try session/new, which shows whether that needs a login"
		} else {
			f.Hint = offerHint(unsupported)
		}
	case errors.As(err, &auth):
		f.Exit, f.Message = ExitAuth, auth.Error()
		f.AuthMethods = auth.Methods
		f.detail, f.Hint = authHelp(auth.Methods)
	case errors.As(err, &unknown):
		f.Exit, f.Message = ExitNoSession, unknown.Error()
		if takesUp(unknown.Agent.Method) {
			// "MAY return inactive for any session it does not have"
			// (session-status RFD)
			f.Hint = "acptool list shows the sessions it has; one that never had a turn may be gone, although status may have called it inactive"
		}
		var kept *keptSessionError
		if errors.As(err, &kept) {
			f.Hint = "its id stands in " + kept.file + "; without that file a new session is begun"
		}
	case errors.As(err, &agent):
		f.Exit, f.Message = ExitAgentError, agent.Error()
		// An invalid request is about something else: to codex-acp, about a
		// session that another client has in use.
		if takesUp(agent.Method) && agent.Code != acp.CodeInvalidRequest {
			f.Hint = "--cwd must name the directory that the session was created in"
		}
		var choice *acp.ChoiceError
		if errors.As(err, &choice) {
			f.Hint = "the agent offers: " + shorten(strings.Join(choice.Offered, ", "), 400)
		}
	case errors.As(err, &timeout):
		f.Exit, f.Message, f.Hint = ExitTimeout, timeout.Error(), timeoutHint(timeout, err)
	case errors.As(err, &long):
		f.Exit, f.Message, f.Hint = ExitProtocol, long.Error(), "--max-frame BYTES allows more"
	case errors.As(err, &version):
		f.Exit, f.Message = ExitProtocol, version.Error()
	case errors.As(err, &protocol):
		f.Exit, f.Message, f.Hint = ExitProtocol, protocol.Error(), protocol.Hint
		if len(protocol.Line) > 0 {
			f.detail = []string{shorten(string(protocol.Line), 400)}
		}
	case errors.As(err, &gone):
		f.Exit, f.Message, f.detail, f.Hint = ExitUnreachable, gone.Error(), tailLines(gone.Stderr), goneHint(gone, err)
	case errors.As(err, &unreachable):
		f.Exit, f.Message, f.Hint = ExitUnreachable, unreachable.Error(), startHint(err)
	case errors.As(err, &dial):
		f.Exit, f.Hint = ExitUnreachable, startHint(err)
	}
}

func takesUp(method string) bool { return method == "session/resume" || method == "session/load" }

// authHelp lists the ways to log in.
func authHelp(methods []acp.AuthMethod) (lines []string, hint string) {
	if len(methods) == 0 {
		return nil, "the agent names no way to log in; its own program may have one"
	}
	for _, m := range methods {
		s := "login method " + m.ID
		if m.Name != "" && m.Name != m.ID {
			s += " (" + m.Name + ")"
		}
		if m.Terminal() {
			s += ", works in a terminal only"
		}
		lines = append(lines, s)
	}
	for _, m := range methods {
		if !m.Terminal() {
			return lines, "log in with --auth " + wire.Quote(m.ID) + ", or in the agent's own program"
		}
	}
	return lines, "log in with the agent's own program"
}

// tailLines are the last lines of the agent's stderr.
func tailLines(tail []byte) []string {
	const most = 12
	lines := strings.Split(strings.TrimRight(string(tail), "\r\n"), "\n")
	if len(lines) == 1 && strings.TrimSpace(lines[0]) == "" {
		return nil
	}
	if len(lines) > most {
		lines = append([]string{fmt.Sprintf("(%d lines before)", len(lines)-most)}, lines[len(lines)-most:]...)
	}
	for i, l := range lines {
		lines[i] = "agent: " + shorten(strings.TrimRight(l, "\r"), 400)
	}
	return lines
}

// shorten cuts what is too long to be shown; never used on ids.
func shorten(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most]) + fmt.Sprintf("… (%d characters)", len(r))
}

// rawOrNil keeps a JSON value out of a document where there is none.
func rawOrNil(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	return raw
}
