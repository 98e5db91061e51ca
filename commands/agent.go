package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

// target is one agent, named by the user and resolved: a command to start or
// an address to connect to.
type target struct {
	Label   string   // as the user named it; stands in rows and messages
	Argv    []string // the command, nil for an address
	Env     []string // K=V of the agent's own entry in a file, before --env
	Address string   // unix:…, tcp:…, ws://…, "" for a command
}

// started says whether the agent is a process of ours.
func (t target) started() bool { return t.Address == "" }

// isAddress says whether a value names a socket rather than a command.
func isAddress(s string) bool {
	for _, scheme := range []string{"unix:", "tcp:", "ws://", "wss://", "http://", "https://"} {
		if strings.HasPrefix(s, scheme) {
			return true
		}
	}
	return false
}

// agents are the agents that the line names, in order: by "--", --agent and
// --connect, else by ACPTOOL_AGENT. At least one, or a usage error.
func (e *env) agents(c *cli.Context) ([]target, error) {
	named := e.line.agents
	if len(named) == 0 {
		if v := e.getenv("ACPTOOL_AGENT"); v != "" {
			named = []naming{{"ACPTOOL_AGENT", v}}
		}
	}
	if len(named) == 0 {
		return nil, e.noAgent(c)
	}
	var out []target
	for _, n := range named {
		t, err := e.resolve(n)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// agent is the one agent that the line names.
func (e *env) agent(c *cli.Context) (target, error) {
	if n := e.line.agents; len(n) > 1 {
		return target{}, usagef("keep one of them", "two agents are named: %s and %s", n[0], n[1])
	}
	ts, err := e.agents(c)
	if err != nil {
		return target{}, err
	}
	return ts[0], nil
}

func (n naming) String() string {
	switch n.flag {
	case "--":
		return "-- " + n.value
	case "ACPTOOL_AGENT":
		return n.flag + "=" + wire.Quote(n.value)
	}
	return "--" + n.flag + " " + wire.Quote(n.value)
}

// noAgent is the usage error for a line that names no agent. Positional words
// that can be run are most likely the agent, with the "--" forgotten.
func (e *env) noAgent(c *cli.Context) error {
	words := e.line.words
	first := 0
	if c.Command.Name == "prompt" {
		first = 1 // the first word is more likely the text
	}
	for i := first; i < len(words); i++ {
		if inPath(words[i]) {
			return usagef("the agent's command stands after --: "+e.line.corrected(i), "no agent named")
		}
	}
	return usagef("name one after --, as in: "+e.line.with("opencode", "acp")+"; or with --agent (@demo to try), --connect or ACPTOOL_AGENT", "no agent named")
}

// resolve turns a naming into a target.
func (e *env) resolve(n naming) (target, error) {
	v := strings.TrimSpace(n.value)
	switch {
	case n.flag == "--":
		return target{Label: n.value, Argv: e.line.argv}, nil
	case n.flag == "connect":
		if !isAddress(v) {
			return target{}, usagef("as in --connect unix:/run/agent.sock, tcp:localhost:9000 or ws://localhost:9000/acp; a command stands after --", "--connect takes an address, and %q is none", n.value)
		}
		return target{Label: v, Address: v}, nil
	case v == "":
		return target{}, usagef("", "%s names no agent", strings.TrimRight(n.String(), " '"))
	case strings.HasPrefix(v, "@"):
		return e.named(v[1:])
	case isAddress(v):
		return target{Label: v, Address: v}, nil
	}
	argv, err := splitCommand(v)
	if err != nil {
		return target{}, usagef("quote it as for a shell, or write a JSON array of strings", "%s: %s", n, err)
	}
	return target{Label: v, Argv: argv}, nil
}

// splitCommand splits a command line by the system's rules, or reads a JSON
// argv.
func splitCommand(v string) ([]string, error) {
	if strings.HasPrefix(v, "[") {
		var argv []string
		if err := json.Unmarshal([]byte(v), &argv); err != nil {
			var typ *json.UnmarshalTypeError
			if errors.As(err, &typ) {
				return nil, fmt.Errorf("it holds what is no string: %s", typ.Value)
			}
			return nil, err
		}
		if len(argv) == 0 || argv[0] == "" {
			return nil, errEmptyCommand
		}
		return argv, nil
	}
	argv, err := splitWords(v)
	if err != nil {
		return nil, err
	}
	if len(argv) == 0 {
		return nil, errEmptyCommand
	}
	return argv, nil
}

type emptyCommandError struct{}

func (emptyCommandError) Error() string { return "the command is empty" }

var errEmptyCommand = emptyCommandError{}
