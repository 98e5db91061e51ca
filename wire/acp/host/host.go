// Package host serves the methods of version 1 by which an agent uses the
// client's files and terminals. Nothing is served that was not asked for, and
// files only within the session's roots.
package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// Options say what is served.
type Options struct {
	Roots     []string // absolute: the session's cwd first, then its added directories
	Read      bool     // fs/read_text_file
	Write     bool     // fs/write_text_file
	Terminals bool     // terminal/*
	MaxFile   int64    // the largest file that is read, in bytes; 0: 64 MiB
}

// Host serves an agent's requests. It implements acp.ClientMethods and must be
// closed: that ends all commands that still run.
type Host struct {
	o         Options
	roots     []root
	terminals *terminals
}

var _ acp.ClientMethods = (*Host)(nil)

// New opens the roots. The error is the file system's, for a root that is no
// directory.
func New(o Options) (*Host, error) {
	if o.MaxFile <= 0 {
		o.MaxFile = 64 << 20
	}
	h := &Host{o: o, terminals: newTerminals()}
	for _, dir := range o.Roots {
		r, err := openRoot(dir)
		if err != nil {
			h.Close()
			return nil, err
		}
		h.roots = append(h.roots, r)
	}
	return h, nil
}

// Close ends all commands and waits for them.
func (h *Host) Close() {
	h.terminals.close()
	for _, r := range h.roots {
		r.close()
	}
}

// Advertise gives the capabilities of version 1 for what is served, and the
// methods.
func (h *Host) Advertise() (map[string]any, []string) {
	caps := map[string]any{"fs": map[string]any{"readTextFile": h.o.Read, "writeTextFile": h.o.Write}, "terminal": h.o.Terminals}
	var methods []string
	if h.o.Read {
		methods = append(methods, "fs/read_text_file")
	}
	if h.o.Write {
		methods = append(methods, "fs/write_text_file")
	}
	if h.o.Terminals {
		methods = append(methods, "terminal/create", "terminal/output", "terminal/wait_for_exit", "terminal/kill", "terminal/release")
	}
	return caps, methods
}

// Serve answers one request. Methods that were not advertised are refused as
// unknown, which an agent may try all the same.
func (h *Host) Serve(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch {
	case method == "fs/read_text_file" && h.o.Read:
		return serve(params, h.readTextFile)
	case method == "fs/write_text_file" && h.o.Write:
		return serve(params, h.writeTextFile)
	case method == "terminal/create" && h.o.Terminals:
		return serve(params, h.createTerminal)
	case method == "terminal/output" && h.o.Terminals:
		return serve(params, h.terminals.output)
	case method == "terminal/wait_for_exit" && h.o.Terminals:
		return serve(params, func(p terminalParams) (any, error) { return h.terminals.wait(ctx, p) })
	case method == "terminal/kill" && h.o.Terminals:
		return serve(params, h.terminals.kill)
	case method == "terminal/release" && h.o.Terminals:
		return serve(params, h.terminals.release)
	}
	return nil, &wire.RPCError{Code: wire.CodeMethodNotFound, Message: "method not found: " + method}
}

// serve decodes the params for one method.
func serve[P any](params json.RawMessage, f func(P) (any, error)) (any, error) {
	var p P
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, invalid("malformed params: %v", err)
	}
	return f(p)
}

func invalid(format string, args ...any) error {
	return &wire.RPCError{Code: wire.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// failed passes an error of the system on without its operation's name.
func failed(what string, err error) error {
	return &wire.RPCError{Code: wire.CodeInternalError, Message: what + ": " + cause(err).Error()}
}

// cause takes the wrapping off an error of the os package.
func cause(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
