package commands

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/urfave/cli/v2"
)

func (e *env) recordingsCommand() *cli.Command {
	return &cli.Command{
		Name:  "recordings",
		Usage: "list the recordings that are kept by default",
		Description: `One line per recording of the default folder, the newest first: when it began,
state, size, session, agent, file. The newest 200 are kept. Any of the files can
be given to show, replay and status --from by its name alone; @last is the first
one.`,
		Flags: slices.Concat([]cli.Flag{
			&cli.IntFlag{Name: "last", Aliases: []string{"n"}, Usage: "only the newest `N`"},
		}, outputFlags()),
		Action: e.recordings,
	}
}

// recordingRow is one recording; its members are the shape of --json.
type recordingRow struct {
	File      string   `json:"file"`
	Started   string   `json:"started,omitempty"`
	Agent     []string `json:"agent,omitempty"`
	SessionID string   `json:"sessionId,omitempty"`
	Size      int64    `json:"size"`
	State     string   `json:"state,omitempty"`
	Since     string   `json:"since,omitempty"`
	Writing   bool     `json:"writing"`
	Error     string   `json:"error,omitempty"`
}

func (e *env) recordings(c *cli.Context) error {
	if _, err := e.words(c, 0, 0); err != nil {
		return err
	}
	p, err := e.printer(c)
	if err != nil {
		return err
	}
	if c.IsSet("last") && c.Int("last") <= 0 {
		return usagef("", "-n takes a number from 1")
	}
	folder, err := record.Folder(record.Env{Getenv: e.getenv})
	if err != nil {
		return ownf(err, "find the folder of recordings")
	}
	list, err := record.List(folder)
	if err != nil {
		return ownf(err, "list the recordings")
	}
	if n := c.Int("last"); n > 0 {
		list = list[:min(n, len(list))]
	}
	if len(list) == 0 && !p.structured() {
		e.say.aside("no recordings in " + folder)
	}
	for _, s := range list {
		if c.Context.Err() != nil {
			return context.Cause(c.Context)
		}
		if err := p.recordingRow(readRow(s), s.Began); err != nil {
			return p.finish(err)
		}
	}
	return p.finish(nil)
}

// readRow looks into one recording.
func readRow(s record.Stored) recordingRow {
	row := recordingRow{File: s.Path, Size: s.Size}
	l, err := record.Glance(s.Path)
	if err != nil {
		row.Error = err.Error()
		return row
	}
	row.SessionID, row.State, row.Writing, row.Since = l.SessionID, l.State, l.Writing, rfc3339(l.Since)
	if h := l.Header; h != nil {
		row.Agent, row.Started = h.Agent, rfc3339(h.Started)
	}
	return row
}

func rfc3339(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func (p *printer) recordingRow(row recordingRow, began time.Time) error {
	if p.structured() {
		return p.document(row)
	}
	state, session := row.State, row.SessionID
	if row.Error != "" {
		state = "unreadable"
	}
	if session == "" {
		session = "-"
	}
	show := func(s string) string { return s }
	if p.Screen.Terminal {
		show = pretty.Sanitize
	}
	_, err := fmt.Fprintln(p.e.out, strings.Join([]string{
		began.Local().Format("2006-01-02 15:04:05"), show(state), sizeText(int(row.Size)), show(session), show(wire.QuoteLine(row.Agent)), filepath.Base(row.File),
	}, "\t"))
	return err
}
