package commands

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

func (e *env) listCommand() *cli.Command {
	own := []cli.Flag{
		&cli.StringFlag{Name: "cwd", Aliases: []string{"C"}, Usage: "only sessions of directory `DIR`"},
		&cli.IntFlag{Name: "limit", Usage: "at most `N` sessions"},
	}
	return &cli.Command{
		Name: "list", Usage: "list the sessions that the agent has stored",
		Description: `Sends session/list and follows its pages. Each row is the session's id, when it
was last used, its directory and its title; with --json each line is an entry as
the agent gave it. A list is no liveness check: see acptool status.`,
		Flags:  slices.Concat(own, agentFlags(), connectionFlags(0), trafficFlags(), outputFlags()),
		Action: e.list,
	}
}

func (e *env) list(c *cli.Context) error {
	if _, err := e.words(c, 0, 0); err != nil {
		return err
	}
	limit := c.Int("limit")
	if limit < 0 || limit == 0 && c.IsSet("limit") {
		return usagef("", "--limit takes a number from 1 on")
	}
	filter := acp.ListFilter{}
	if c.IsSet("cwd") {
		// The directory need not exist any more.
		dir, err := filepath.Abs(c.String("cwd"))
		if err != nil {
			return ownf(err, "find --cwd")
		}
		filter.Cwd = dir
	}
	p, j, err := e.plainJob(c)
	if err != nil {
		return err
	}
	defer j.d.close()
	n := 0
	err = j.run(c.Context, nil, func(ctx context.Context, l *link) error {
		err := l.List(ctx, filter, func(session json.RawMessage) error {
			if err := e.listRow(p, session); err != nil {
				return err
			}
			if n++; n == limit {
				return errEnough
			}
			return nil
		})
		if err == errEnough {
			return nil
		}
		return err
	})
	return p.finish(err)
}

// errEnough ends a listing at --limit.
var errEnough = errors.New("enough")

// listRow writes one session, as a row or as the entry that the agent gave.
func (e *env) listRow(p *printer, session json.RawMessage) error {
	if p.structured() {
		return p.document(session)
	}
	var s struct {
		SessionID string `json:"sessionId"`
		UpdatedAt string `json:"updatedAt"`
		Cwd       string `json:"cwd"`
		Title     string `json:"title"`
	}
	_ = json.Unmarshal(session, &s) // what has another type is left out of the row
	cells := []string{s.SessionID, s.UpdatedAt, s.Cwd, s.Title}
	for i, cell := range cells {
		cell = strings.Join(strings.Fields(cell), " ")
		if cell == "" {
			cell = "-"
		}
		if p.Screen.Terminal {
			cell = pretty.Sanitize(cell)
		}
		cells[i] = cell
	}
	_, err := io.WriteString(e.out, strings.Join(cells, "\t")+"\n")
	return err
}
