package commands

import (
	"slices"
	"strconv"
)

// Exit is a status that the process ends with. The table is the contract with
// scripts: numbers never change their meaning.
type Exit int

// The exit statuses of every command but tap and record.
const (
	ExitOK           Exit = 0
	ExitNo           Exit = 1
	ExitUsage        Exit = 2
	ExitOwnFailure   Exit = 3
	ExitNoSession    Exit = 4
	ExitUnsupported  Exit = 5
	ExitAuth         Exit = 6
	ExitAgentError   Exit = 7
	ExitUnreachable  Exit = 8
	ExitTimeout      Exit = 9
	ExitProtocol     Exit = 10
	ExitCannotTell   Exit = 11
	ExitRefusal      Exit = 20
	ExitMaxTokens    Exit = 21
	ExitMaxRequests  Exit = 22
	ExitCancelled    Exit = 23
	ExitOtherReason  Exit = 24
	ExitHangup       Exit = 129
	ExitInterrupted  Exit = 130
	ExitQuit         Exit = 131
	ExitOutputClosed Exit = 141
	ExitTerminated   Exit = 143
)

// The statuses of tap and record for what went wrong with themselves, as env
// and timeout have them; otherwise both end as the agent did.
const (
	ExitPassOwnFailure    Exit = 125
	ExitPassNotExecutable Exit = 126
	ExitPassNotFound      Exit = 127
)

// ExitRow is one line of the table of exit statuses.
type ExitRow struct {
	Exit Exit
	Kind string // error.kind in JSON output; "" where the status is no error
	Text string // for help, README and man page
}

// ExitTable is the one table of exit statuses, in order. Help, README, man
// pages and tests are made from it.
func ExitTable() []ExitRow {
	return []ExitRow{
		{ExitOK, "", "done; active; authenticated or not required; the turn ended with end_turn"},
		{ExitNo, "no", "a clear no: inactive; --is does not hold; the replay diverged; an agent of agents --check did not answer; -e and the last output is false, null or none"},
		{ExitUsage, "usage", "wrong usage: a bad flag, argument or filter, or a filter that failed on some of its input"},
		{ExitOwnFailure, "own_failure", "a failure of acptool itself: a file cannot be read or written"},
		{ExitNoSession, "unknown_session", "the agent does not know the session; a recording does not show it"},
		{ExitUnsupported, "unsupported", "the agent does not offer what is asked; nothing was sent"},
		{ExitAuth, "auth_required", "authentication required, or unauthenticated"},
		{ExitAgentError, "agent_error", "the agent answered with another error, or ended the turn with one"},
		{ExitUnreachable, "unreachable", "the agent could not be started or reached, or went away"},
		{ExitTimeout, "timeout", "timed out"},
		{ExitProtocol, "protocol", "the agent broke the protocol, or there is no common version"},
		{ExitCannotTell, "cannot_tell", "the agent cannot tell"},
		{ExitRefusal, "refusal", "the turn ended with refusal"},
		{ExitMaxTokens, "max_tokens", "the turn ended with max_tokens"},
		{ExitMaxRequests, "max_turn_requests", "the turn ended with max_turn_requests"},
		{ExitCancelled, "cancelled", "the turn ended with cancelled"},
		{ExitOtherReason, "other_reason", "the turn ended with another reason, or with none"},
		{ExitHangup, "hangup", "ended by SIGHUP"},
		{ExitInterrupted, "interrupted", "ended by SIGINT"},
		{ExitQuit, "quit", "ended by SIGQUIT: at once, with the agent"},
		{ExitOutputClosed, "", "our standard output was closed (nothing is said)"},
		{ExitTerminated, "terminated", "ended by SIGTERM"},
	}
}

// PassExitTable is what tap and record add: they end as the agent did, and
// have three statuses for themselves.
func PassExitTable() []ExitRow {
	return []ExitRow{
		{ExitPassOwnFailure, "own_failure", "a failure of acptool itself"},
		{ExitPassNotExecutable, "not_executable", "the agent's command cannot be executed"},
		{ExitPassNotFound, "not_found", "the agent's command was not found"},
	}
}

// Kind is the word for the status in JSON output, "" where it is no error.
func (x Exit) Kind() string {
	for _, r := range ExitTable() {
		if r.Exit == x {
			return r.Kind
		}
	}
	return "exit_" + strconv.Itoa(int(x))
}

// exitRows are the rows of the table that a command can end with, in the words
// that concern it.
func exitRows(command string) []ExitRow {
	const filtered = "-e and the last output is false, null or none"
	own := []Exit{ExitNo, ExitNoSession}
	agent := true
	done, no := "done", "a clear no: "+filtered
	switch command {
	case "status":
		done, no = "done; active", "a clear no: inactive; --is does not hold; "+filtered
	case "auth-status":
		own = []Exit{ExitNo, ExitCannotTell}
		done = "authenticated or not required"
	case "prompt":
		own = append(own, ExitRefusal, ExitMaxTokens, ExitMaxRequests, ExitCancelled, ExitOtherReason)
		done = "the turn ended with end_turn"
	case "new", "list", "cancel", "login", "logout": // no request that names a session and has an answer
		own = []Exit{ExitNo}
	case "help", "completion", "setup":
		own, agent = nil, false
	case "show":
		agent = false
	case "recordings":
		own, agent = []Exit{ExitNo}, false
	case "agents":
		own, agent = []Exit{ExitNo}, false
		no = "a clear no: an agent of --check did not answer; " + filtered
	case "replay":
		no = "a clear no: the replay diverged"
	case "tap", "record":
		return append(PassExitTable(), ExitRow{ExitUsage, "usage", "wrong usage: a bad flag or argument"})
	}
	own = append(own, ExitOK, ExitUsage, ExitOwnFailure, ExitHangup, ExitInterrupted, ExitQuit, ExitOutputClosed, ExitTerminated)
	if agent {
		own = append(own, ExitUnsupported, ExitAuth, ExitAgentError, ExitUnreachable, ExitTimeout, ExitProtocol)
	}
	var rows []ExitRow
	for _, r := range ExitTable() {
		switch r.Exit {
		case ExitOK:
			r.Text = done
		case ExitNo:
			r.Text = no
		}
		if slices.Contains(own, r.Exit) {
			rows = append(rows, r)
		}
	}
	return rows
}
