package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

// clientMethods are the methods of version 1's client that --fs and --terminal
// offer to the agent. It is closed after the connection.
type clientMethods struct {
	roots     *roots
	read      bool
	write     bool
	terminals *terminals // nil without --terminal
}

// clientMethods reads --fs and --terminal; nil where neither is given.
func (j *promptJob) clientMethods(c *cli.Context) (*clientMethods, error) {
	m := &clientMethods{}
	switch fs := c.String("fs"); fs {
	case "":
	case "read":
		m.read = true
	case "write":
		m.read, m.write = true, true
	default:
		return nil, usagef("read serves reading, write serves both", "--fs is read or write, not %q", fs)
	}
	if !m.read && !c.Bool("terminal") {
		return nil, nil
	}
	var err error
	if m.roots, err = openRoots(append([]string{j.setup.Cwd}, j.setup.AddDirs...)); err != nil {
		return nil, ownf(err, "open the session's directories")
	}
	if c.Bool("terminal") {
		m.terminals = newTerminals(m.roots, j.setup.Cwd)
	}
	return m, nil
}

// Advertise is acp.ClientMethods': "never advertise what is not served".
func (m *clientMethods) Advertise() (capabilities map[string]any, methods []string) {
	capabilities = map[string]any{}
	if m.read {
		capabilities["fs"] = map[string]bool{"readTextFile": true, "writeTextFile": m.write}
		methods = append(methods, "fs/read_text_file")
		if m.write {
			methods = append(methods, "fs/write_text_file")
		}
	}
	if m.terminals != nil {
		capabilities["terminal"] = true
		methods = append(methods, "terminal/create", "terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release")
	}
	return capabilities, methods
}

// Serve is acp.ClientMethods'.
func (m *clientMethods) Serve(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case "fs/read_text_file":
		return serve(params, m.roots.readText)
	case "fs/write_text_file":
		return serve(params, m.roots.writeText)
	case "terminal/create":
		return serve(params, m.terminals.create)
	case "terminal/output":
		return serve(params, m.terminals.output)
	case "terminal/wait_for_exit":
		return serve(params, func(p terminalParams) (any, error) { return m.terminals.wait(ctx, p) })
	case "terminal/kill":
		return serve(params, m.terminals.kill)
	case "terminal/release":
		return serve(params, m.terminals.release)
	}
	return nil, &wire.RPCError{Code: acp.CodeMethodNotFound, Message: "method not found"}
}

// close ends the terminals that the agent left, and closes the directories.
func (m *clientMethods) close() {
	if m == nil {
		return
	}
	if m.terminals != nil {
		m.terminals.close()
	}
	m.roots.close()
}

// options gives the client the methods, if there are any: a nil pointer in an
// interface is not nil.
func (m *clientMethods) options() acp.ClientMethods {
	if m == nil {
		return nil
	}
	return m
}

// serve decodes the params for one method.
func serve[P any](params json.RawMessage, method func(P) (any, error)) (any, error) {
	var p P
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, invalidParams("%s", err)
	}
	return method(p)
}

func invalidParams(format string, a ...any) error {
	return &wire.RPCError{Code: acp.CodeInvalidParams, Message: fmt.Sprintf(format, a...)}
}

// fileError answers with what went wrong with a file.
func fileError(path string, err error) error {
	if errors.Is(err, errNotExist) {
		data, _ := json.Marshal(map[string]string{"uri": acp.FileURI(path)})
		return &wire.RPCError{Code: acp.CodeNotFound, Message: "no such file: " + path, Data: data}
	}
	return &wire.RPCError{Code: acp.CodeInternal, Message: err.Error()}
}
