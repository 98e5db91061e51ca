package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

func (e *env) agentsCommand() *cli.Command {
	own := []cli.Flag{
		&cli.BoolFlag{Name: "check", Usage: "ask each agent that is found whether it answers"},
	}
	return &cli.Command{
		Name: "agents", Usage: "list the agents that have a name, and ask whether they answer",
		ArgsUsage: "[NAME…]",
		Description: `Names are taken from acptool's own agents.json, from Zed's settings, from
JetBrains' acp.json, and from a few that are built in; the first file that holds
a name decides. A row is the name as --agent takes it, whether the command is
found here, the command or the address, and where the name comes from.

With --check, all agents that are found are asked for initialize at the same
time, and a row is the name, the agent's own name and version, the protocol, what
it can do with sessions, and the time it took, or why it did not answer. Built-in
agents that npx would have to fetch are asked only where they are named. The
status is 1 if one that was asked did not answer, or one that was named was not
found.

The demo is built in and always there, and listed where it is named: @demo,
@demo-v1 and @demo-v2, for the versions of the protocol.`,
		Flags:  slices.Concat(own, connectionFlags(10*time.Second), outputFlags()),
		Action: e.agentsList,
	}
}

// agentRow is one named agent; its members are the shape of --json. What an
// entry sets in the environment is not shown.
type agentRow struct {
	Name         string          `json:"name"`
	Command      []string        `json:"command,omitempty"`
	Address      string          `json:"address,omitempty"`
	Source       string          `json:"source"`
	Found        bool            `json:"found"`
	Asked        bool            `json:"asked,omitempty"`
	Protocol     acp.Version     `json:"protocol,omitempty"`
	Info         json.RawMessage `json:"info,omitempty"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	MS           float64         `json:"ms,omitempty"`
	Error        *failure        `json:"error,omitempty"`

	agent namedAgent
	peer  acp.Peer
}

func (e *env) agentsList(c *cli.Context) error {
	p, err := e.printer(c)
	if err != nil {
		return err
	}
	names := c.Args().Slice()
	rows, err := e.agentRows(names)
	if err != nil {
		return err
	}
	if c.Bool("check") {
		if err := e.checkAgents(c, rows, len(names) > 0); err != nil {
			return err
		}
	}
	return p.finish(p.agentRows(rows, c.Bool("check"), len(names) > 0))
}

// agentRows are the agents with these names, or all.
func (e *env) agentRows(names []string) ([]*agentRow, error) {
	all, bad := e.namedAgents()
	for _, err := range bad {
		e.say.warn(err.Error())
	}
	var rows []*agentRow
	for _, a := range all {
		r := &agentRow{Name: "@" + plainName(a.Name), Command: a.Argv, Address: a.Address, Source: a.Source, Found: true, agent: a}
		if a.Address == "" {
			_, err := exec.LookPath(a.Argv[0])
			r.Found = err == nil
		}
		rows = append(rows, r)
	}
	if len(names) == 0 {
		return rows, nil
	}
	var chosen []*agentRow
	for _, name := range names {
		name = "@" + plainName(strings.TrimPrefix(name, "@"))
		if slices.Contains(demoNames(), name) {
			t, err := e.demoAgent(name[1:])
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, &agentRow{Name: name, Command: t.Argv, Source: builtIn, Found: true, agent: namedAgent{Argv: t.Argv}})
			continue
		}
		i := slices.IndexFunc(rows, func(r *agentRow) bool { return r.Name == name })
		if i < 0 {
			return nil, usagef("acptool agents lists them; the demo is "+strings.Join(demoNames(), ", "), "no agent is named %s", name)
		}
		chosen = append(chosen, rows[i])
	}
	return chosen, nil
}

// checkAgents asks the agents that are found, all at once.
func (e *env) checkAgents(c *cli.Context, rows []*agentRow, named bool) error {
	d, err := e.dialing(c)
	if err != nil {
		return err
	}
	defer d.close()
	var all sync.WaitGroup
	for _, r := range rows {
		fetched := r.Source == builtIn && len(r.Command) > 0 && r.Command[0] == "npx"
		if r.Found && (named || !fetched) {
			r.Asked = true
			// Each ends with its answer, or with --timeout.
			all.Go(func() { r.check(c.Context, d) })
		}
	}
	all.Wait()
	return nil
}

func (r *agentRow) check(ctx context.Context, d *dialing) {
	s := d.askStatus(ctx, target{Label: r.Name, Argv: r.Command, Env: r.agent.Env, Address: r.Address}, statusQuery{})
	r.Protocol, r.Info, r.Capabilities, r.MS, r.Error, r.peer = s.Protocol, s.Info, s.Capabilities, s.MS, s.Error, s.peer
}

// agentRows writes the rows; the error is that an agent did not answer, or that
// one that was named is not there to be asked.
func (p *printer) agentRows(rows []*agentRow, check, named bool) error {
	var table [][]string
	failed := false
	for _, r := range rows {
		failed = failed || r.Error != nil || check && named && !r.Found
		if p.structured() {
			if err := p.document(r); err != nil {
				return err
			}
			continue
		}
		table = append(table, r.cells(check))
	}
	if err := p.table(table); err != nil {
		return err
	}
	if failed {
		return exitWith(ExitNo)
	}
	return nil
}

func (r *agentRow) cells(check bool) []string {
	found := "found"
	if !r.Found {
		found = "not found"
	}
	if !check {
		return []string{r.Name, found, r.agent.what(), r.Source}
	}
	switch {
	case !r.Found:
		return []string{r.Name, found, r.agent.what()}
	case !r.Asked:
		return []string{r.Name, "not asked", "npx may have to fetch it first; to ask: acptool agents --check " + r.Name}
	case r.Error != nil:
		return []string{r.Name, r.Error.Kind, r.Error.Message}
	}
	return []string{
		r.Name, strings.TrimSpace(r.peer.Info.Name + " " + r.peer.Info.Version), "version " + strconv.Itoa(int(r.Protocol)),
		strings.Join(sessionMethods(r.peer.Caps), ","), fmt.Sprintf("%.0f ms", r.MS),
	}
}

// table writes rows with tabs between the cells; on a terminal the columns are
// made even.
func (p *printer) table(rows [][]string) error {
	widths := map[int]int{}
	for _, r := range rows {
		for i, cell := range r {
			r[i] = oneLine(cell)
			widths[i] = max(widths[i], len([]rune(r[i])))
		}
	}
	for _, r := range rows {
		line := strings.Join(r, "\t")
		if p.Screen.Terminal {
			line = ""
			for i, cell := range r {
				line += cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+2)
			}
			line = strings.TrimRight(line, " ")
		}
		if _, err := io.WriteString(p.e.out, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}
