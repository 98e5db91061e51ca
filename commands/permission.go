package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// policy reads --permission.
func (j *promptJob) policy(s string) (acp.Policy, error) {
	var ask acp.AskFunc
	if isTerminal(j.e.Err) && (isTerminal(j.e.In) || hasTerminal()) {
		// One question at a time, since there is one terminal to answer on.
		turn := make(chan struct{}, 1)
		ask = func(ctx context.Context, r acp.PermissionRequest) (string, error) {
			select {
			case turn <- struct{}{}:
			case <-ctx.Done():
				return "", ctx.Err()
			}
			defer func() { <-turn }()
			return j.e.askPermission(ctx, r)
		}
	}
	p, err := acp.ParsePolicy(s, ask, compilePermission)
	var kind *acp.ToolKindError
	if errors.As(err, &kind) {
		hint := "the kinds are " + strings.Join(acp.ToolKinds(), ", ") + "; an agent's own begin with _"
		if near := nearest(kind.Kind, acp.ToolKinds()); near != "" {
			hint = "did you mean " + near + "? " + hint
		}
		return p, usagef(hint, "--permission %s: %s", wire.Quote(s), kind)
	}
	return p, err
}

// compilePermission makes a policy of a jq filter: the request's params go in,
// an option's id or kind, true or false come out.
func compilePermission(source string) (acp.FilterFunc, error) {
	if _, err := pretty.CompileFilter(source, pretty.FilterOptions{}); err != nil {
		return nil, err
	}
	return func(params json.RawMessage) (any, error) {
		var out, errs bytes.Buffer
		f, err := pretty.CompileFilter(source, pretty.FilterOptions{Out: &out, Err: &errs, Compact: true})
		if err != nil {
			return nil, err
		}
		if err := f.Apply(params, pretty.Vars{}); err != nil {
			return nil, err
		}
		var v any // the first output decides
		err = json.NewDecoder(&out).Decode(&v)
		return v, err
	}, nil
}

// permission tells of a request that was refused, and of a choice that had to
// be made between equals.
func (j *promptJob) permission(r acp.PermissionRequest, o acp.Outcome) {
	what := r.Title
	if r.Command != "" {
		what = strings.TrimSpace(what + " " + r.Command)
	}
	if what == "" {
		what = r.ToolCallID
	}
	what = shorten(strings.Join(strings.Fields(what), " "), 100)
	kind, equals := "", 0
	for _, opt := range r.Options {
		if opt.ID == o.OptionID {
			kind = opt.Kind
		}
	}
	for _, opt := range r.Options {
		if opt.Kind == kind {
			equals++
		}
	}
	switch {
	case kind == acp.AllowOnce || kind == acp.AllowAlways:
		if equals > 1 {
			j.e.say.note(fmt.Sprintf("permission for %q: %d options are of kind %s; chose %q", what, equals, kind, o.OptionID))
		}
	default:
		j.e.say.note(fmt.Sprintf("permission refused for %q (%s); --permission allow grants it", what, r.ToolKind))
	}
}

// askPermission puts a request to the person at the terminal. The end of ctx
// ends the question.
func (e *env) askPermission(ctx context.Context, r acp.PermissionRequest) (string, error) {
	tty, err := openTerminal()
	if err != nil {
		return "", err
	}
	defer tty.close()
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe agent asks for permission: %s (%s)\n", pretty.Sanitize(r.Title), pretty.Sanitize(r.ToolKind))
	for _, s := range []string{r.Description, r.Command} {
		if s != "" {
			b.WriteString("  " + pretty.Sanitize(s) + "\n")
		}
	}
	for i, o := range r.Options {
		fmt.Fprintf(&b, "  %d  %s (%s)\n", i+1, pretty.Sanitize(o.Name), pretty.Sanitize(o.Kind))
	}
	for {
		fmt.Fprintf(&b, "Number, or empty to refuse: ")
		if _, err := tty.out.WriteString(b.String()); err != nil {
			return "", err
		}
		b.Reset()
		line, err := tty.readLine(ctx)
		if err != nil {
			return "", err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			return "", errRefused{}
		}
		if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(r.Options) {
			return r.Options[n-1].ID, nil
		}
		fmt.Fprintf(&b, "%q is none of them, nothing was decided.\n", pretty.Sanitize(line))
	}
}

type errRefused struct{}

func (errRefused) Error() string { return "refused" }
