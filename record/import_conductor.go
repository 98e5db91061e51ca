package record

import (
	"strconv"
	"strings"

	"github.com/acptool/acptool/wire"
)

// conductorDecoder reads traces of the agentclientprotocol conductor, which
// show the messages between all components of a chain: {"type":"request"|
// "response"|"notification","ts":seconds,"from","to","id","method","params",
// "payload","is_error","protocol"}. Components are "Client", "Proxy(0)", …,
// "Agent" (in older traces "client", "proxy:0", "agent").
//
// What passes between the client and the chain is kept, so that the trace
// reads as one connection; messages to the client stand in the trace where they
// leave the second component. The same message further down the chain, and MCP,
// are left out. Frames are put together from their parts as they stand.
type conductorDecoder struct {
	r        *Reader
	values   *valueScanner
	requests map[string]wire.Party // id → who asked, of the requests that were kept
}

func (d *conductorDecoder) next() (Entry, error) {
	for {
		v, err := d.values.next()
		if err != nil {
			return Entry{}, err
		}
		ev := map[string][]byte{}
		members(v.text, func(key, val []byte) {
			switch k := string(key); k {
			case "type", "ts", "protocol", "from", "to", "id", "method", "params", "payload", "is_error":
				ev[k] = val
			}
		})
		if d.r.header == nil {
			d.r.begin(&Header{Format: string(SourceConductor)})
		}
		from, frame, ok := d.frame(ev)
		if !ok {
			continue
		}
		e := frameEntry(from, frame, v.line)
		e.T, e.HasT = seconds(ev["ts"])
		return e, nil
	}
}

// frame puts the message together; it is not ok if the event is left out.
func (d *conductorDecoder) frame(ev map[string][]byte) (wire.Party, []byte, bool) {
	kind, _ := str(ev["type"])
	if kind == "response" {
		return d.response(ev)
	}
	if protocol, _ := str(ev["protocol"]); protocol == "mcp" {
		return 0, nil, false
	}
	from, to := place(ev["from"]), place(ev["to"])
	sender := wire.Client
	switch {
	case from == placeClient && to > from:
	case to == placeClient, to == placeClient+1 && from > to:
		sender = wire.Agent
	default:
		return 0, nil, false
	}
	frame := []byte(`{"jsonrpc":"2.0"`)
	if kind == "request" {
		if ev["id"] == nil {
			return 0, nil, false
		}
		frame = append(append(frame, `,"id":`...), ev["id"]...)
		d.requests[string(ev["id"])] = sender
	}
	method, _ := str(ev["method"])
	// The conductor's own initialize for a proxy is the editor's.
	if sender == wire.Client && (method == "_proxy/initialize" || method == "proxy/initialize") {
		method = "initialize"
	}
	frame = appendString(append(frame, `,"method":`...), method)
	if p := ev["params"]; p != nil && string(p) != "null" {
		frame = append(append(frame, `,"params":`...), p...)
	}
	return sender, append(frame, '}'), true
}

func (d *conductorDecoder) response(ev map[string][]byte) (wire.Party, []byte, bool) {
	asker, ok := d.requests[string(ev["id"])]
	if !ok || ev["payload"] == nil {
		return 0, nil, false
	}
	delete(d.requests, string(ev["id"]))
	frame := append(append([]byte(`{"jsonrpc":"2.0","id":`), ev["id"]...), `,"result":`...)
	if string(ev["is_error"]) == "true" {
		frame = append(append([]byte(`{"jsonrpc":"2.0","id":`), ev["id"]...), `,"error":`...)
	}
	frame = append(append(frame, ev["payload"]...), '}')
	if asker == wire.Client {
		return wire.Agent, frame, true
	}
	return wire.Client, frame, true
}

const (
	placeClient = -1
	placeAgent  = 1 << 30
)

// place says where in the chain a component stands.
func place(v []byte) int {
	name, _ := str(v)
	name = strings.ToLower(name)
	switch name {
	case "client":
		return placeClient
	case "agent":
		return placeAgent
	}
	digits := strings.Trim(name, "proxy:()")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n >= placeAgent {
		return placeAgent
	}
	return n
}
