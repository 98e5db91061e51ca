package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

// authRow is the answer of auth-status; its members are the shape of --json.
type authRow struct {
	Agent       string           `json:"agent"`
	State       string           `json:"state"` // authenticated, unauthenticated, not_required, unknown, unsupported, error
	Raw         string           `json:"raw,omitempty"`
	Message     string           `json:"message,omitempty"`
	Accounts    json.RawMessage  `json:"accounts,omitempty"`
	Probe       *authProbe       `json:"probe,omitempty"`
	AuthMethods []acp.AuthMethod `json:"authMethods,omitempty"`
	Error       *failure         `json:"error,omitempty"`

	exit Exit
	err  error
}

// authProbe is what trying session/new showed.
type authProbe struct {
	Method    string `json:"method"`
	SessionID string `json:"sessionId,omitempty"`
	Closed    bool   `json:"closed"`
}

func (e *env) authStatusCommand() *cli.Command {
	own := []cli.Flag{
		&cli.BoolFlag{Name: "probe", Usage: "where the agent has no auth/status, try session/new"},
		&cli.StringFlag{Name: "cwd", Aliases: []string{"C"}, Usage: "with --probe, the session's directory `DIR` (ours)"},
	}
	return &cli.Command{
		Name:  "auth-status",
		Usage: "is the agent logged in?",
		Description: `Asks auth/status where the agent advertises it, and nothing else. authenticated
means that credentials are present, not that a service accepts them. Where it is
not advertised, --probe may try session/new, which shows whether that needs a
login; a prompt may still need one. Nobody is ever logged in by this.`,
		Flags:  slices.Concat(own, agentFlags(), connectionFlags(10*time.Second), trafficFlags(), outputFlags()),
		Action: e.authStatus,
	}
}

func (e *env) authStatus(c *cli.Context) error {
	if _, err := e.words(c, 0, 0); err != nil {
		return err
	}
	p, err := e.printer(c)
	if err != nil {
		return err
	}
	cwd, err := e.directory(c.String("cwd"))
	if err != nil {
		return err
	}
	t, err := e.agent(c)
	if err != nil {
		return err
	}
	d, err := e.dialing(c)
	if err != nil {
		return err
	}
	defer d.close()
	d.client.Auth = "" // "Never log in unasked"
	row := d.askAuth(c.Context, t, c.Bool("probe"), cwd)
	if p.structured() {
		err = p.document(row)
	} else {
		err = e.authText(row)
	}
	switch {
	case err != nil:
		return p.finish(err)
	case row.err != nil:
		return jsonDone{row.err}
	case row.exit != ExitOK:
		lines, hint := authHelp(row.AuthMethods)
		if row.exit == ExitAuth || len(row.AuthMethods) > 0 {
			for _, l := range lines {
				e.say.hint(l)
			}
			e.say.hint(hint)
		}
	}
	return p.finish(exitWith(row.exit))
}

func (d *dialing) askAuth(ctx context.Context, t target, probe bool, cwd string) *authRow {
	row := &authRow{Agent: t.Label, State: "error"}
	ctx, cancel := acp.WithTimeout(ctx, d.timeout)
	defer cancel()
	l, err := d.connect(ctx, t, nil)
	if err != nil {
		row.fail(err)
		return row
	}
	row.ask(ctx, l, probe, cwd)
	if err := l.close(); err != nil && row.err == nil {
		row.fail(err)
	}
	return row
}

func (r *authRow) ask(ctx context.Context, l *link, probe bool, cwd string) {
	r.AuthMethods = l.Peer().AuthMethods
	if !l.Peer().Caps.AuthStatus() && probe {
		r.probe(ctx, l, cwd)
		return
	}
	s, err := l.AuthStatus(ctx)
	if err != nil {
		r.fail(l.explain(err))
		return
	}
	r.State, r.Raw, r.Message, r.Accounts = s.State, s.RawState, s.Message, s.Accounts
	switch s.State {
	case acp.Authenticated, acp.AuthNotRequired:
		r.AuthMethods = nil
	case acp.Unauthenticated:
		r.exit = ExitAuth
	default:
		r.exit = ExitCannotTell
	}
}

// probe tries session/new. "Clients cannot rely on session/new to consistently
// surface auth issues" (auth-status RFD), so success is not called
// authenticated.
func (r *authRow) probe(ctx context.Context, l *link, cwd string) {
	res, err := l.Probe(ctx, acp.Setup{Cwd: cwd})
	if err != nil {
		r.fail(l.explain(err))
		return
	}
	r.Probe = &authProbe{Method: "session/new", SessionID: res.SessionID, Closed: res.Closed}
	if res.AuthRequired != nil {
		r.State, r.exit = acp.Unauthenticated, ExitAuth
		r.Message = res.AuthRequired.Agent.Message
		return
	}
	r.State, r.Message, r.AuthMethods = acp.AuthNotRequired, "session/new needed no login; a prompt still may", nil
}

func (r *authRow) fail(err error) {
	f := explain(err)
	r.err, r.Error, r.exit, r.State = err, &f, f.Exit, "error"
	if f.Exit == ExitUnsupported {
		r.State = "unsupported"
		r.err = &unsupportedAuth{err, r.AuthMethods}
	}
}

// unsupportedAuth is an agent without auth/status; its login methods are
// listed, since they are all that is known.
type unsupportedAuth struct {
	error
	methods []acp.AuthMethod
}

func (u *unsupportedAuth) Unwrap() error { return u.error }

func (e *env) authText(r *authRow) error {
	if r.err != nil {
		return nil
	}
	text := r.State + "\n"
	if r.Message != "" {
		text += r.Message + "\n"
	}
	text += accountsText(r.Accounts)
	if isTerminal(e.Out) {
		text = pretty.Sanitize(text)
	}
	_, err := io.WriteString(e.out, text)
	return err
}

// accountsText lists the accounts, one a line.
func accountsText(raw json.RawMessage) string {
	var accounts []acp.AuthAccount
	if json.Unmarshal(raw, &accounts) != nil {
		return ""
	}
	var b strings.Builder
	for _, a := range accounts {
		parts := slices.DeleteFunc([]string{a.Label, a.Name, a.Email, a.Organization}, func(s string) bool { return s == "" })
		mark := ""
		if a.Active != nil && *a.Active {
			mark = " (active)"
		}
		fmt.Fprintf(&b, "%s%s\n", strings.Join(slices.Compact(parts), ", "), mark)
	}
	return b.String()
}
