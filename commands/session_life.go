package commands

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

// closeCommand, deleteCommand and cancelCommand take one session that the agent
// knows, and say nothing when it went well.

func (e *env) closeCommand() *cli.Command {
	return e.sessionVerb("close", "end a session at the agent, keeping what it stored", `Sends session/close: running work is cancelled and the session's resources are
freed. Agents may answer with an error for a session that is not active.`,
		func(ctx context.Context, l *link, id string) (json.RawMessage, error) { return l.CloseSession(ctx, id) })
}

func (e *env) deleteCommand() *cli.Command {
	return e.sessionVerb("delete", "remove a stored session", `Sends session/delete: the session's history is gone.`,
		func(ctx context.Context, l *link, id string) (json.RawMessage, error) { return l.Delete(ctx, id) })
}

func (e *env) cancelCommand() *cli.Command {
	return e.sessionVerb("cancel", "cancel a session's running turn", `Sends the notification session/cancel and does not take the session up first.
It has no answer: 0 means that it was sent. It reaches a running turn only at an
agent that outlives the question, so --connect to one.`,
		func(ctx context.Context, l *link, id string) (json.RawMessage, error) { return nil, l.Cancel(ctx, id) })
}

// sessionVerb makes a command that does one thing to one session.
func (e *env) sessionVerb(name, usage, description string, do func(context.Context, *link, string) (json.RawMessage, error)) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, ArgsUsage: "SESSION", Description: description,
		Flags: slices.Concat(agentFlags(), connectionFlags(0), trafficFlags(), outputFlags()),
		Action: func(c *cli.Context) error {
			words, err := e.words(c, 1, 1)
			if err != nil {
				return err
			}
			return e.once(c, func(ctx context.Context, l *link) (json.RawMessage, error) { return do(ctx, l, words[0]) })
		},
	}
}

// once connects, makes one call and prints its result where documents are
// wanted.
func (e *env) once(c *cli.Context, call func(context.Context, *link) (json.RawMessage, error)) error {
	p, j, err := e.plainJob(c)
	if err != nil {
		return err
	}
	defer j.d.close()
	var result json.RawMessage
	err = j.run(c.Context, nil, func(ctx context.Context, l *link) error {
		var err error
		result, err = call(ctx, l)
		return err
	})
	if err == nil && p.structured() {
		err = p.document(orEmpty(result))
	}
	return p.finish(err)
}

// plainJob is a job for a command that sets up no session.
func (e *env) plainJob(c *cli.Context) (*printer, *job, error) {
	p, err := e.printer(c)
	if err != nil {
		return nil, nil, err
	}
	j := &job{e: e}
	if j.target, err = e.agent(c); err != nil {
		return nil, nil, err
	}
	j.d, err = e.dialing(c)
	return p, j, err
}

// orEmpty gives the document for an answer that says nothing.
func orEmpty(result json.RawMessage) json.RawMessage {
	if len(result) == 0 || string(result) == "null" {
		return json.RawMessage("{}")
	}
	return result
}

func (e *env) loginCommand() *cli.Command {
	return &cli.Command{
		Name: "login", Usage: "log in with one of the agent's methods", ArgsUsage: "METHOD",
		Description: `Sends authenticate (version 1) or auth/login (version 2). Methods that run in a
terminal are not sent: the command to run is printed instead. Without METHOD,
the agent's methods are named; acptool status lists them too.`,
		Flags: slices.Concat(agentFlags(), connectionFlags(0), trafficFlags(), outputFlags()),
		Action: func(c *cli.Context) error {
			words, err := e.words(c, 0, 1)
			if err != nil {
				return err
			}
			return e.once(c, func(ctx context.Context, l *link) (json.RawMessage, error) {
				if len(words) == 0 {
					return nil, noMethod(l.Peer())
				}
				return nil, l.Authenticate(ctx, words[0])
			})
		},
	}
}

// noMethod is the error of a login without METHOD: the methods that there are.
func noMethod(p acp.Peer) error {
	var ids []string
	for _, m := range p.AuthMethods {
		ids = append(ids, wire.Quote(m.ID))
	}
	if len(ids) == 0 {
		return &acp.UnsupportedError{What: "a login", Capability: "a method for it", Protocol: p.Protocol}
	}
	return usagef("the agent's methods are "+strings.Join(ids, ", "), "login needs METHOD")
}

func (e *env) logoutCommand() *cli.Command {
	return &cli.Command{
		Name: "logout", Usage: "log out at the agent",
		Description: `Sends logout (version 1) or auth/logout (version 2), if the agent offers it.`,
		Flags:       slices.Concat(agentFlags(), connectionFlags(0), trafficFlags(), outputFlags()),
		Action: func(c *cli.Context) error {
			if _, err := e.words(c, 0, 0); err != nil {
				return err
			}
			return e.once(c, func(ctx context.Context, l *link) (json.RawMessage, error) { return l.Logout(ctx) })
		},
	}
}
