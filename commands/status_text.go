package commands

import (
	"fmt"
	"io"
	"strings"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire/acp"
)

// tellStatus writes the rows in the order in which the agents were named, and
// gives the command's status.
func (e *env) tellStatus(p *printer, q statusQuery, rows []*statusRow) error {
	silent := e.say.quiet && len(q.is) > 0 && !p.structured()
	for i, r := range rows {
		if p.structured() {
			if err := p.document(r); err != nil {
				return err
			}
		} else if !silent {
			if err := e.statusText(q, r, i, len(rows)); err != nil {
				return err
			}
		}
		if r.Error != nil {
			f := *r.Error
			if len(rows) > 1 {
				f.Message = r.Agent + ": " + f.Message
			}
			e.say.failure(f)
		}
	}
	return e.statusExit(q, rows)
}

func (e *env) statusText(q statusQuery, r *statusRow, i, n int) error {
	if q.about() {
		state := r.name
		if state == "" {
			state = "-"
		}
		if r.Raw != "" && r.Raw != "open" && r.Raw != "saved" {
			e.say.note(fmt.Sprintf("the agent calls the status %q, which counts as %s", r.Raw, r.Status))
		}
		_, err := io.WriteString(e.out, r.Status+"\t"+oneLine(state)+"\t"+oneLine(r.Agent)+"\n")
		return err
	}
	if r.err != nil {
		return nil
	}
	text := ""
	if n > 1 {
		if i > 0 {
			text = "\n"
		}
		text += oneLine(r.Agent) + "\n"
	}
	_, err := io.WriteString(e.out, text+peerText(r.peer, r.MS))
	return err
}

// oneLine keeps a label of several words within its column of its line.
func oneLine(s string) string {
	return pretty.Sanitize(strings.NewReplacer("\t", " ", "\n", " ").Replace(s))
}

// peerText says what initialize told of an agent.
func peerText(p acp.Peer, ms float64) string {
	var b strings.Builder
	line := func(name, text string) {
		if text == "" {
			text = "-"
		}
		fmt.Fprintf(&b, "%-10s %s\n", name, pretty.Sanitize(text))
	}
	name := p.Info.Name
	if p.Info.Title != "" && p.Info.Title != name {
		name += " (" + p.Info.Title + ")"
	}
	line("agent", strings.TrimSpace(name+" "+p.Info.Version))
	line("protocol", fmt.Sprint(int(p.Protocol)))
	line("sessions", strings.Join(sessionMethods(p.Caps), ", "))
	line("prompts", strings.Join(promptContent(p.Caps), ", "))
	line("mcp", strings.Join(mcpTransports(p.Caps), ", "))
	var auth []string
	if p.Caps.AuthStatus() {
		auth = append(auth, "status")
	}
	for _, m := range p.AuthMethods {
		auth = append(auth, m.ID)
	}
	line("auth", strings.Join(auth, ", "))
	line("answered", fmt.Sprintf("in %.0f ms", ms))
	return b.String()
}

// yes collects the names of what is offered.
func yes(pairs ...any) []string {
	var out []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			out = append(out, pairs[i].(string))
		}
	}
	return out
}

func sessionMethods(c acp.Capabilities) []string {
	return yes("new", c.Sessions(), "resume", c.Resume(), "load", c.Load(), "list", c.List(), "status", c.SessionStatus(),
		"close", c.CloseSession(), "delete", c.Delete(), "additional directories", c.AdditionalDirectories())
}

func promptContent(c acp.Capabilities) []string {
	return yes("text", c.Sessions(), "image", c.PromptImage(), "audio", c.PromptAudio(), "embedded files", c.PromptEmbedded())
}

func mcpTransports(c acp.Capabilities) []string {
	return yes("stdio", c.MCPStdio(), "http", c.MCPHTTP(), "sse", c.MCPSSE())
}

// statusExit is the status of the whole command.
func (e *env) statusExit(q statusQuery, rows []*statusRow) error {
	wanted := q.is
	if len(q.wait) > 0 {
		wanted = q.wait
	}
	var first, inactive, unknown *statusRow
	for _, r := range rows {
		ok := r.err == nil && !q.about()
		if q.about() && r.err == nil {
			ok = len(wanted) == 0 && r.Status == "active" || r.matches(wanted)
		}
		switch {
		case ok && q.about():
			return nil
		case ok:
		case r.err == nil:
			inactive = r
		case r.Error.Exit == ExitNoSession:
			unknown = r
		case first == nil:
			first = r
		}
	}
	switch {
	case inactive != nil:
		e.statusHint(inactive)
		return exitWith(ExitNo)
	case first != nil:
		return exitWith(first.Error.Exit)
	case unknown != nil:
		e.statusHint(unknown)
		return exitWith(ExitNoSession)
	}
	return nil
}

// statusHint: an agent that was started for the question holds no sessions.
func (e *env) statusHint(r *statusRow) {
	if r.started && !e.say.quiet {
		e.say.hint("this agent was started for the question, and such a process holds no sessions; ask one that runs with --connect")
	}
}
