package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

func (e *env) newCommand() *cli.Command {
	return &cli.Command{
		Name:  "new",
		Usage: "create a session and print its id",
		Description: `Sends session/new. Some agents forget a session that never had a turn when
their process ends; --connect to one that stays.`,
		Flags:  slices.Concat(setupFlags(), agentFlags(), connectionFlags(0), trafficFlags(), outputFlags()),
		Action: e.newSession,
	}
}

func (e *env) newSession(c *cli.Context) error {
	if _, err := e.words(c, 0, 0); err != nil {
		return err
	}
	p, err := e.printer(c)
	if err != nil {
		return err
	}
	j, err := e.job(c)
	if err != nil {
		return err
	}
	defer j.d.close()
	var session *acp.Session
	err = j.run(c.Context, nil, func(ctx context.Context, l *link) error {
		var err error
		if session, err = l.NewSession(ctx, j.setup); err != nil {
			return err
		}
		return j.choice.apply(ctx, l, session)
	})
	if err != nil {
		return err
	}
	if p.structured() {
		err = p.document(withSessionID(session))
	} else {
		id := session.ID
		if p.Screen.Terminal {
			id = pretty.Sanitize(id)
		}
		_, err = io.WriteString(e.out, id+"\n")
	}
	if err == nil && j.target.started() && e.say.tty {
		e.say.hint("the agent's process has ended; some agents forget a session that had no turn yet")
	}
	return p.finish(err)
}

// withSessionID is the agent's answer with the session's id in it: session/new
// has it there, session/resume does not.
func withSessionID(s *acp.Session) json.RawMessage {
	var has struct {
		SessionID *string `json:"sessionId"`
	}
	if json.Unmarshal(s.Result, &has) == nil && has.SessionID != nil {
		return s.Result
	}
	id, _ := json.Marshal(map[string]string{"sessionId": s.ID})
	rest := bytes.TrimSpace(s.Result)
	if len(rest) < 2 || rest[0] != '{' || string(bytes.TrimSpace(rest[1:])) == "}" {
		return id
	}
	return append(append(id[:len(id)-1], ','), rest[1:]...)
}
