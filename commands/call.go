package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func (e *env) callCommand() *cli.Command {
	own := []cli.Flag{
		&cli.BoolFlag{Name: "notify", Usage: "send a notification: no answer is awaited"},
		&cli.BoolFlag{Name: "unadvertised", Usage: "send it although the agent does not advertise it"},
	}
	return &cli.Command{
		Name: "call", Usage: "send any request and print its result", ArgsUsage: "METHOD [PARAMS | @FILE | -]",
		Description: `PARAMS is a JSON object, {} if it is left out; @FILE holds one, and - reads it
from stdin. What the agent did not advertise is not sent, unless --unadvertised
says so.

With - in place of METHOD, stdin holds one JSON object for each call,
{"method":…,"params":…} or {"method":…,"params":…,"notify":true}, and all are sent
on one connection, one after the other, a line of output for each. The string
"$sessionId" in their params becomes the id that the last session/new gave. A
call that fails gives a line {"error":…}, and the first failure gives the exit
status.`,
		Flags:  slices.Concat(own, agentFlags(), connectionFlags(0), trafficFlags(), outputFlags()),
		Action: e.call,
	}
}

// rpcCall is one call as it is asked for.
type rpcCall struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Notify bool            `json:"notify"`
}

func (e *env) call(c *cli.Context) error {
	words, err := e.words(c, 1, 2)
	if err != nil {
		return err
	}
	many := words[0] == "-"
	single := rpcCall{Method: words[0], Notify: c.Bool("notify")}
	if many && len(words) > 1 {
		return usagef("the params stand beside each method on stdin", "call - takes no params")
	}
	if len(words) == 2 {
		if single.Params, err = e.callParams(words[1]); err != nil {
			return err
		}
	}
	p, j, err := e.plainJob(c)
	if err != nil {
		return err
	}
	defer j.d.close()
	unadvertised := c.Bool("unadvertised")
	err = j.run(c.Context, nil, func(ctx context.Context, l *link) error {
		if many {
			return e.callMany(ctx, l, p, unadvertised)
		}
		result, err := callOnce(ctx, l, single, unadvertised)
		if err != nil || single.Notify {
			return err
		}
		return p.document(orNull(result))
	})
	return p.finish(err)
}

// callParams reads params from where the command line says.
func (e *env) callParams(word string) (json.RawMessage, error) {
	text, from := []byte(word), "PARAMS"
	var err error
	if word == "-" {
		from = "stdin"
		text, err = readAll(e.In)
	} else if file, ok := strings.CutPrefix(word, "@"); ok {
		from = file
		text, err = readFile(file)
	}
	if err != nil {
		return nil, ownf(err, "read the params")
	}
	text = bytes.TrimSpace(text)
	if !json.Valid(text) || text[0] != '{' && text[0] != '[' {
		return nil, usagef(`as in acptool call session/list '{"cwd":"/src"}'`, "the params in %s are no JSON object", from)
	}
	var compact bytes.Buffer // one line on the wire
	if err := json.Compact(&compact, text); err != nil {
		return nil, err
	}
	return compact.Bytes(), nil
}

// callOnce makes one call. What has no params gets an empty object: the methods
// of ACP all take an object, and agents on the official SDK refuse a request
// without one, even where none of its members is required.
func callOnce(ctx context.Context, l *link, r rpcCall, unadvertised bool) (json.RawMessage, error) {
	if len(r.Params) == 0 || string(r.Params) == "null" {
		r.Params = json.RawMessage("{}")
	}
	if r.Notify {
		return nil, l.Notify(ctx, r.Method, r.Params, unadvertised)
	}
	return l.Call(ctx, r.Method, r.Params, unadvertised)
}

// callMany makes the calls that stdin asks for. A call that the agent refuses
// does not end the others; a connection that is lost does.
func (e *env) callMany(ctx context.Context, l *link, p *printer, unadvertised bool) error {
	in := json.NewDecoder(e.In)
	session := ""
	var first error
	for n := 1; ; n++ {
		var r rpcCall
		switch err := decodeCall(ctx, in, &r); {
		case errors.Is(err, io.EOF):
			return first
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return usagef(`each is an object such as {"method":"session/list","params":{}}`, "call %d on stdin: %s", n, err)
		case r.Method == "":
			return usagef(`as in {"method":"session/list","params":{}}`, "call %d on stdin has no method", n)
		}
		r.Params = fillSession(r.Params, session)
		result, err := callOnce(ctx, l, r, unadvertised)
		switch {
		case err != nil && (ctx.Err() != nil || closed(l)):
			return err
		case err != nil:
			f := explain(err)
			e.say.failure(f)
			if first == nil {
				first = &exitError{exit: f.Exit}
			}
			err = p.document(f.document())
		case !r.Notify:
			if r.Method == "session/new" {
				session = sessionIDIn(result, session)
			}
			err = p.document(orNull(result))
		}
		if err != nil {
			return err
		}
	}
}

// decodeCall reads the next call; ctx's end does not wait for stdin.
func decodeCall(ctx context.Context, in *json.Decoder, r *rpcCall) error {
	done := make(chan error, 1)
	go func() { done <- in.Decode(r) }() // the reader of stdin cannot be ended
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// closed says whether the connection is over.
func closed(l *link) bool {
	select {
	case <-l.Done():
		return true
	default:
		return false
	}
}

// fillSession puts a session's id in the place of the string "$sessionId".
func fillSession(params json.RawMessage, session string) json.RawMessage {
	const place = `"$sessionId"`
	if session == "" || !bytes.Contains(params, []byte(place)) {
		return params
	}
	id, err := json.Marshal(session)
	if err != nil {
		return params
	}
	return bytes.ReplaceAll(params, []byte(place), id)
}

// sessionIDIn is the session's id in an answer to session/new.
func sessionIDIn(result json.RawMessage, otherwise string) string {
	var r struct {
		SessionID string `json:"sessionId"`
	}
	if json.Unmarshal(result, &r) != nil || r.SessionID == "" {
		return otherwise
	}
	return r.SessionID
}

func orNull(result json.RawMessage) json.RawMessage {
	if len(result) == 0 {
		return json.RawMessage("null")
	}
	return result
}
