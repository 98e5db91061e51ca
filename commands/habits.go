package commands

import (
	"slices"
	"strings"

	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"
)

// commandHabits are the names that other tools have for our commands.
func commandHabits(word string) string {
	switch strings.ToLower(word) {
	case "run", "exec", "ask", "chat", "send", "query", "-p":
		return "prompt"
	case "ping", "alive", "health", "info", "initialize", "init", "inspect":
		return "status"
	case "proxy", "spy", "trace", "wrap", "wiretap":
		return "tap"
	case "view", "cat", "log", "logs", "tail", "print", "convert":
		return "show"
	case "play", "mock", "serve", "playback":
		return "replay"
	case "sessions", "ls":
		return "list"
	case "load", "continue", "attach":
		return "resume"
	case "auth", "whoami":
		return "auth-status"
	case "create", "start", "session":
		return "new"
	case "stop", "interrupt", "abort":
		return "cancel"
	case "rm", "remove":
		return "delete"
	case "end", "kill":
		return "close"
	case "request", "rpc", "raw":
		return "call"
	}
	return ""
}

// flagHabits are flags of other tools, with what ours are called.
func flagHabits(name string) string {
	switch name {
	case "approve-all", "yolo", "dangerously-skip-permissions", "allow-all", "auto-approve", "y", "yes", "full-auto":
		return "permission requests are answered by --permission allow (by kind: --permission allow:read,search)"
	case "deny-all", "approve-reads", "non-interactive-permissions":
		return "permission requests are answered by --permission reject, allow, allow:KINDS, ask or jq:FILTER; reject is the default"
	case "to", "target":
		return "name the agent after -- or with --agent, the session with --session"
	case "filter", "query":
		return "filters go with --jq FILTER"
	case "format", "output-format":
		return "--json gives JSON, --updates one line per update"
	case "dir", "workdir", "directory":
		return "the session's directory is set with --cwd DIR"
	case "command", "cmd", "exec":
		return "the agent's command stands after --: acptool prompt hello -- AGENT ARG…"
	case "url", "socket", "port", "host":
		return "an agent that already runs is named with --connect ADDRESS"
	case "resume", "continue":
		return "a session is taken up again with --session ID"
	case "output":
		return "the traffic is kept with --record FILE"
	case "debug", "verbose":
		return "-v shows the traffic on stderr"
	}
	return ""
}

func unknownCommand(app *cli.App, args []string, at int) error {
	word := args[at]
	if name := commandHabits(word); name != "" && app.Command(name) != nil {
		return usagef("that is called "+name+" here; see acptool help "+name, "unknown command %q", word)
	}
	if word == "version" {
		return usagef("did you mean acptool --version?", "unknown command %q", word)
	}
	var names []string
	for _, c := range app.Commands {
		if !c.Hidden {
			names = append(names, c.Names()...)
		}
	}
	if near := nearest(word, names); near != "" {
		return usagef("did you mean acptool "+near+"?", "unknown command %q", word)
	}
	if inPath(word) {
		return usagef("to ask whether that agent answers: acptool status -- "+wire.QuoteLine(args[at:]), "unknown command %q", word)
	}
	return usagef("acptool help lists the commands", "unknown command %q", word)
}

func (p *parser) unknownFlag(spelled string) error {
	name := strings.TrimLeft(spelled, "-")
	where := ""
	if c := p.line.command; c != nil {
		where = " for " + c.Name
	}
	fail := func(hint string) error { return usagef(hint, "unknown flag %s%s", spelled, where) }
	if i := p.agentWord(); i >= 0 {
		return fail("the agent's command stands after --: " + p.line.corrected(i))
	}
	if h := flagHabits(name); h != "" {
		return fail(h)
	}
	var others []string
	for _, c := range p.app.Commands {
		if c != p.line.command && !c.Hidden && findFlag(c.Flags, name) != nil {
			others = append(others, c.Name)
		}
	}
	if p.line.command == nil && len(others) > 0 {
		return fail("it belongs after a command: acptool " + others[0] + " " + spelled)
	}
	names := []string{"help", "version"}
	if p.line.command != nil {
		for _, f := range p.line.command.Flags {
			names = append(names, f.Names()...)
		}
	}
	if near := nearest(name, names); near != "" && len(others) == 0 {
		return fail("did you mean --" + near + "?")
	}
	if len(others) > 0 {
		return fail("it is a flag of " + listWords(others, "and"))
	}
	if p.line.command != nil {
		return fail("acptool help " + p.line.command.Name + " lists the flags; an agent's own flags stand after --")
	}
	return fail("acptool help lists the commands")
}

// agentWord is the index of the positional word that begins an agent's
// command for which the "--" was forgotten, or -1.
func (p *parser) agentWord() int {
	if p.line.dashes || len(p.line.agents) > 0 {
		return -1
	}
	return slices.IndexFunc(p.line.words, inPath)
}

// nearest is the name that is at most two slips of the finger away, or that
// begins with the word.
func nearest(word string, names []string) string {
	best, at := "", 3
	if len(word) >= 3 {
		for _, n := range names {
			if strings.HasPrefix(n, word) {
				return n
			}
		}
	}
	for _, n := range names {
		if len(n) < 3 {
			continue
		}
		d := smetrics.WagnerFischer(word, n, 1, 1, 1)
		if d < at && d*2 <= len(n) {
			best, at = n, d
		}
	}
	return best
}

// listWords writes "a", "a and b", "a, b and c".
func listWords(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
