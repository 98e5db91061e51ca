package commands

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/acptool/acptool/wire/acp"
)

// Text for people is made here and in console.go and nowhere else: stderr,
// lower case, "acptool: error: …" and then "acptool: hint: …". Every other
// place returns a typed error.

// usageError is a bad flag, argument or filter: exit 2.
type usageError struct{ msg, hint string }

func (u *usageError) Error() string { return u.msg }

// usagef makes a usage error; the hint may be empty.
func usagef(hint, format string, a ...any) error {
	return &usageError{fmt.Sprintf(format, a...), hint}
}

// ownError is a failure of ours: a file that cannot be read or written.
type ownError struct {
	what string
	err  error
}

func (o *ownError) Error() string { return o.what + ": " + o.err.Error() }
func (o *ownError) Unwrap() error { return o.err }

// ownf wraps a failure of ours with what we were doing.
func ownf(err error, format string, a ...any) error {
	return &ownError{fmt.Sprintf(format, a...), err}
}

// exitError ends the command with a status. Without err nothing more is said:
// the status is an answer (inactive, a stop reason). With err it overrides the
// status that err would have.
type exitError struct {
	exit Exit
	err  error
}

func (x *exitError) Error() string {
	if x.err == nil {
		return fmt.Sprintf("exit status %d", x.exit)
	}
	return x.err.Error()
}
func (x *exitError) Unwrap() error { return x.err }

// exitWith is the error for a status that speaks for itself; nil for ExitOK.
func exitWith(x Exit) error {
	if x == ExitOK {
		return nil
	}
	return &exitError{exit: x}
}

// jsonDone marks an error whose JSON document the command has written itself
// (a row, a partial turn). Its text still goes to stderr.
type jsonDone struct{ error }

func (j jsonDone) Unwrap() error { return j.error }

// failure is an error as it is told: on stderr and as a JSON object.
type failure struct {
	Exit    Exit            `json:"exit"`
	Kind    string          `json:"kind"`
	Message string          `json:"message"`
	Hint    string          `json:"hint,omitempty"`
	Code    *int            `json:"code,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`

	AuthMethods []acp.AuthMethod `json:"authMethods,omitempty"`

	detail   []string // more lines for stderr, such as the end of the agent's
	jsonDone bool
	silent   bool // nothing for people: a signal, which is no error
}

// document is the JSON object that stands for a failed command.
func (f failure) document() any {
	return struct {
		Error failure `json:"error"`
	}{f}
}

// explain classifies an error by its type.
func explain(err error) failure {
	f := failure{Exit: ExitOwnFailure, Message: err.Error()}
	var (
		done  jsonDone
		usage *usageError
		exit  *exitError
	)
	f.jsonDone = errors.As(err, &done)
	switch {
	case errors.As(err, &usage):
		f.Exit, f.Message, f.Hint = ExitUsage, usage.msg, usage.hint
	default:
		explainAgent(err, &f)
	}
	if errors.As(err, &exit) && exit.err != nil {
		f.Exit = exit.exit
	}
	f.Kind = f.Exit.Kind()
	return f
}
