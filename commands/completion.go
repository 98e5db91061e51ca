package commands

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/acptool/acptool/completions"
	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

func shells() []string { return completions.Shells() }

func (e *env) completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion script for a shell",
		ArgsUsage: "SHELL",
		Description: `SHELL is bash, zsh or fish. To have it in every new shell:

  bash  put this line into ~/.bashrc:
        source <(acptool completion bash)
  zsh   put this line into ~/.zshrc, below compinit:
        source <(acptool completion zsh)
  fish  acptool completion fish > ~/.config/fish/completions/acptool.fish

What stands after -- is completed as a command of its own. Ids of sessions are
completed where an agent that runs already is named before them (--connect, or
ACPTOOL_AGENT with an address): no agent is started because somebody pressed the
tab key.`,
		Action: func(c *cli.Context) error {
			words, err := e.words(c, 1, 1)
			if err != nil {
				return err
			}
			script := completions.Script(words[0])
			if script == "" {
				return usagef("one of "+strings.Join(shells(), ", "), "there is no completion for %q", words[0])
			}
			_, err = io.WriteString(e.out, script)
			return err
		},
	}
}

// completeCommand serves the completion scripts what only the running tool
// knows, a value and its explanation per line:
//
//	acptool __complete agents
//	acptool __complete sessions -- WORD…
//
// where the WORDs are those of the line that is being completed. Completion has
// nobody to complain to, so failures are silent.
func (e *env) completeCommand() *cli.Command {
	return &cli.Command{
		Name:   "__complete",
		Usage:  "serve the completion scripts",
		Hidden: true,
		Action: func(c *cli.Context) error {
			switch c.Args().First() {
			case "agents":
				return e.completeAgents()
			case "sessions":
				return e.completeSessions(c.Context)
			}
			return nil
		},
	}
}

func (e *env) completeAgents() error {
	all, _ := e.namedAgents()
	for _, a := range all {
		if err := e.suggest("@"+plainName(a.Name), a.what()); err != nil {
			return err
		}
	}
	for _, name := range demoNames() {
		if err := e.suggest(name, "the built-in demo"); err != nil {
			return err
		}
	}
	return nil
}

// what an agent is: its command or its address.
func (a namedAgent) what() string {
	if a.Address != "" {
		return a.Address
	}
	return wire.QuoteLine(a.Argv)
}

// completionPatience is how long somebody who pressed the tab key waits for
// the ids of sessions.
const completionPatience = time.Second

// completeSessions lists the sessions of an agent that runs already, as list
// does: each row begins with the id.
func (e *env) completeSessions(ctx context.Context) error {
	_, l, _ := e.read(e.line.argv) // what is not written to its end yet is an error; what stands before it counts
	if l.command == nil || findFlag(l.command.Flags, "connect") == nil {
		return nil
	}
	agents := l.agents
	if v := e.getenv("ACPTOOL_AGENT"); len(agents) == 0 && v != "" {
		agents = []naming{{"ACPTOOL_AGENT", v}}
	}
	if len(agents) != 1 || agents[0].flag == "--" {
		return nil
	}
	t, err := e.resolve(agents[0])
	if err != nil || t.started() {
		return nil
	}
	args := []string{"list", "--connect=" + t.Address, "--limit=200", "--timeout=" + completionPatience.String()}
	for _, f := range l.flags {
		name, _, _ := strings.Cut(f[2:], "=")
		if slices.Contains([]string{"header", "bearer-env", "cacert", "insecure", "protocol", "init-params"}, name) {
			args = append(args, f)
		}
	}
	quiet := *e
	quiet.say = &console{w: io.Discard, quiet: true}
	_ = quiet.run(ctx, args)
	return nil
}

func (e *env) suggest(value, explanation string) error {
	_, err := fmt.Fprintln(e.out, value+"\t"+strings.Join(strings.Fields(pretty.Sanitize(explanation)), " "))
	return err
}
