package commands

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

// statusRow is one agent's answer; its members are the shape of --json.
type statusRow struct {
	Agent        string           `json:"agent"`
	SessionID    string           `json:"sessionId,omitempty"`
	Status       string           `json:"status,omitempty"` // active, inactive, unknown, unsupported, error
	Raw          string           `json:"raw,omitempty"`    // the agent's own word where it is another
	State        json.RawMessage  `json:"state,omitempty"`
	Since        string           `json:"since,omitempty"` // when the state began
	Source       string           `json:"source,omitempty"`
	Protocol     acp.Version      `json:"protocol,omitempty"`
	Info         json.RawMessage  `json:"info,omitempty"`
	Capabilities json.RawMessage  `json:"capabilities,omitempty"`
	AuthMethods  []acp.AuthMethod `json:"authMethods,omitempty"`
	MS           float64          `json:"ms"`
	Error        *failure         `json:"error,omitempty"`

	name    string // the foreground state's name, "" if not reported
	peer    acp.Peer
	started bool // the agent is a process that we started
	err     error
}

func (e *env) statusCommand() *cli.Command {
	own := []cli.Flag{
		&cli.StringFlag{Name: "is", Usage: "exit 0 if the session is in one of `STATES`: active, inactive, running, idle, requires_action, exited"},
		&cli.StringFlag{Name: "wait", Usage: "ask again until the session is in one of `STATES`, or --timeout (10s) is over"},
		&cli.StringFlag{Name: "from", Usage: "answer from a recording that is being written: `FILE`, a directory (its newest), or @last"},
		&cli.DurationFlag{Name: "interval", Value: time.Second, Usage: "with --wait, ask every `DURATION` (1s)"},
	}
	return &cli.Command{
		Name:      "status",
		Usage:     "is the agent there, and is a session alive?",
		ArgsUsage: "[SESSION]",
		Description: `Without SESSION: does the agent answer, and what can it do.

With SESSION: session/status and nothing else; the session is neither loaded
nor resumed. One line per agent: status, foreground state or -, agent. active
means that the agent holds the session in memory, for some connection; a prompt
still has to take it up first. inactive is no proof that the session exists: an
agent may say so for any session it does not hold.

Several agents may be named; they are asked at the same time. Exit 0 if the
session is active in any.

--from answers from what acptool tap or record keeps at this moment, for agents
that have no session/status.`,
		Flags:  slices.Concat(own, agentFlags(), connectionFlags(10*time.Second), trafficFlags(), outputFlags()),
		Action: e.status,
	}
}

// statusQuery is what the command line asks.
type statusQuery struct {
	session  string
	from     string // --from
	is, wait []string
	interval time.Duration
}

// about says whether the question is about a session, rather than about an
// agent alone.
func (q statusQuery) about() bool { return q.session != "" || q.from != "" }

func (e *env) status(c *cli.Context) error {
	words, err := e.words(c, 0, 1)
	if err != nil {
		return err
	}
	q := statusQuery{from: c.String("from"), interval: c.Duration("interval")}
	if len(words) == 1 {
		q.session = words[0]
	}
	if q.is, err = stateList(c, "is", q.about()); err != nil {
		return err
	}
	if q.wait, err = stateList(c, "wait", q.about()); err != nil {
		return err
	}
	p, err := e.printer(c)
	if err != nil {
		return err
	}
	if q.from != "" {
		if len(e.line.agents) > 0 {
			return usagef("keep one of them", "--from and an agent are both given")
		}
		return p.finish(e.tellStatus(p, q, e.fromRows(c.Context, q, c.Duration("timeout"))))
	}
	agents, err := e.agents(c)
	if err != nil {
		return err
	}
	d, err := e.dialing(c)
	if err != nil {
		return err
	}
	defer d.close()
	if len(agents) > 1 && d.record != "" {
		return usagef("ask one agent at a time", "--record keeps one connection, and %d agents are named", len(agents))
	}
	rows := make([]*statusRow, len(agents))
	var all sync.WaitGroup
	for i, a := range agents {
		// Each ends with its answer, or with its --timeout.
		all.Go(func() { rows[i] = d.askStatus(c.Context, a, q) })
	}
	all.Wait()
	return p.finish(e.tellStatus(p, q, rows))
}

// stateList reads the value of --is or --wait.
func stateList(c *cli.Context, flag string, about bool) ([]string, error) {
	if !c.IsSet(flag) {
		return nil, nil
	}
	if !about {
		return nil, usagef("acptool status SESSION --"+flag+" "+wire.Quote(c.String(flag))+" -- AGENT", "--%s is about a session, and none is named", flag)
	}
	known := []string{"active", "inactive", acp.StateRunning, acp.StateIdle, acp.StateRequiresAction, "exited"}
	states := strings.Split(c.String(flag), ",")
	for i, s := range states {
		states[i] = strings.TrimSpace(s)
		if !slices.Contains(known, states[i]) {
			return nil, usagef("the states are "+strings.Join(known, ", "), "--%s: %q is no state", flag, s)
		}
	}
	return states, nil
}

// foreground says whether a state is one of what the session does, rather than
// of whether the agent holds it.
func foreground(state string) bool {
	return state == acp.StateRunning || state == acp.StateIdle || state == acp.StateRequiresAction
}

// askStatus asks one agent, with --wait again and again.
func (d *dialing) askStatus(ctx context.Context, t target, q statusQuery) *statusRow {
	ctx, cancel := acp.WithTimeout(ctx, d.timeout)
	defer cancel()
	var l *link
	defer func() {
		if l != nil {
			l.close()
		}
	}()
	last := ""
	for {
		row := &statusRow{Agent: t.Label, SessionID: q.session, started: t.started()}
		if q.session != "" {
			row.Source = "agent"
		}
		begin := time.Now()
		if l == nil {
			var err error
			if l, err = d.connect(ctx, t, nil); err != nil {
				row.fail(err)
			}
		}
		if l != nil {
			row.ask(ctx, l, q)
		}
		row.MS = float64(time.Since(begin).Microseconds()) / 1000
		if len(q.wait) > 0 && row.err != nil && ctx.Err() != nil {
			row.fail(waited(ctx, q, last))
		}
		if len(q.wait) == 0 || !row.notYet(q) {
			if l != nil && row.err == nil {
				closing := l
				l = nil
				if err := closing.close(); err != nil {
					row.fail(err)
				}
			}
			return row
		}
		if row.lost() && l != nil {
			l.close()
			l = nil
		}
		last = row.seen()
		pause := time.NewTimer(q.interval)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			row.giveUp(waited(ctx, q, last))
			return row
		}
	}
}

// seen says in words what a question came to.
func (r *statusRow) seen() string {
	switch {
	case r.err != nil:
		return r.Error.Message
	case r.name != "":
		return r.Status + ", " + r.name
	}
	return r.Status
}

// waited is the error of a --wait that was not fulfilled; last is what was seen
// last.
func waited(ctx context.Context, q statusQuery, last string) error {
	err := context.Cause(ctx)
	var timeout *acp.TimeoutError
	if errors.As(err, &timeout) {
		return &acp.TimeoutError{Phase: "--wait " + strings.Join(q.wait, ","), After: timeout.After, Last: last}
	}
	return err
}

// ask puts the question on an open connection.
func (r *statusRow) ask(ctx context.Context, l *link, q statusQuery) {
	r.peer = l.Peer()
	r.Protocol = r.peer.Protocol
	r.Info, _ = json.Marshal(r.peer.Info)
	if r.peer.Info == (acp.Implementation{}) {
		r.Info = nil
	}
	if q.session == "" {
		r.Capabilities, r.AuthMethods = rawOrNil(r.peer.Caps.Raw()), r.peer.AuthMethods
		return
	}
	wanted := append(slices.Clone(q.is), q.wait...)
	if r.peer.Protocol == acp.V1 && r.peer.Caps.SessionStatus() && len(wanted) > 0 && !slices.ContainsFunc(wanted, func(s string) bool { return !foreground(s) }) {
		// "the v1 response has no state field" (session-status RFD)
		r.fail(notReported(r.peer.Protocol))
		return
	}
	s, err := l.Status(ctx, q.session)
	if err != nil {
		r.fail(l.explain(err))
		return
	}
	r.Status, r.State = s.Status, s.RawState
	if s.State != nil {
		r.name = s.State.Name
	}
	if s.Raw != s.Status {
		r.Raw = s.Raw
	}
	if r.Status == "active" && r.name == "" && !slices.Contains(wanted, "active") && slices.ContainsFunc(wanted, foreground) {
		r.fail(notReported(r.peer.Protocol))
	}
}

// notReported: the agent tells whether it holds the session, not what the
// session is doing.
func notReported(v acp.Version) error {
	if v == acp.V2 {
		return &acp.UnsupportedError{What: "the foreground state of a session", Capability: "a state in its answer to session/status", Protocol: v}
	}
	return &acp.UnsupportedError{What: "foreground state in session/status", Protocol: v}
}

// fail sets what went wrong, and the status that stands for it.
func (r *statusRow) fail(err error) {
	f := explain(err)
	r.err, r.Error = err, &f
	if r.Source == "" {
		return
	}
	switch f.Exit {
	case ExitNoSession:
		r.Status = "unknown"
	case ExitUnsupported:
		if r.Status == "" {
			r.Status = "unsupported"
		}
	default:
		r.Status = "error"
	}
}

// giveUp ends a --wait: what was seen last stays as it was, since nothing is
// wrong with a session that is not yet where somebody waits for it.
func (r *statusRow) giveUp(err error) {
	f := explain(err)
	if r.err != nil && r.Status == "" {
		r.Status = "error"
	}
	r.err, r.Error = err, &f
}

// matches says whether the row is in one of the states. Of a session that is
// not active no foreground state counts; that it exited does.
func (r *statusRow) matches(states []string) bool {
	return slices.Contains(states, r.Status) ||
		r.name != "" && (r.Status == "active" || r.name == record.StateExited) && slices.Contains(states, r.name)
}

// notYet says whether --wait goes on: unreachable and unknown count as "not
// yet", every other failure ends it.
func (r *statusRow) notYet(q statusQuery) bool {
	if r.err != nil {
		return r.Error.Exit == ExitUnreachable || r.Error.Exit == ExitNoSession
	}
	return !r.matches(q.wait)
}

func (r *statusRow) lost() bool { return r.err != nil && r.Error.Exit == ExitUnreachable }
