package record

import (
	"bytes"
	"strings"

	"github.com/acptool/acptool/wire"
)

// lineDecoder reads bare JSON-RPC lines, as a pipe carries them, and the
// journals of acpx, which are the same with marks between
// ({"schema":"acpx.session.journal.v1",…}). Who sent a line is inferred.
type lineDecoder struct {
	r      *Reader
	values *valueScanner
	dir    *directions
}

func (d *lineDecoder) next() (Entry, error) {
	for {
		v, err := d.values.next()
		if err != nil {
			return Entry{}, err
		}
		if !v.json {
			// Noise: only agents' stdout is known for it.
			e := frameEntry(wire.Agent, bytes.TrimRight(v.text, "\r"), v.line)
			return e, nil
		}
		if v.text[0] == '{' && (isJournalMark(v.text) || isComment(v.text)) {
			d.r.source = sourceAfterMark(d.r.source, v.text)
			continue
		}
		return frameEntry(d.dir.of(v.text), v.text, v.line), nil
	}
}

func isJournalMark(text []byte) bool {
	found := false
	members(text, func(key, val []byte) {
		if string(key) == "schema" {
			s, _ := str(val)
			found = strings.HasPrefix(s, "acpx.")
		}
	})
	return found
}

func sourceAfterMark(s Source, text []byte) Source {
	if isJournalMark(text) {
		return SourceAcpx
	}
	return s
}

// directions infers who sent a message: by its method, and for a response by
// the request that it answers. The two id spaces overlap, so where requests of
// both sides wait under one id, what the result looks like decides.
type directions struct {
	open map[string][2]string // id → method of the open request of the client, of the agent
}

func newDirections() *directions { return &directions{open: map[string][2]string{}} }

// of returns the sender of a message, or of the first message of a batch.
func (d *directions) of(text []byte) wire.Party {
	from, first := wire.Agent, true
	eachMessage(text, func(m wire.Message) {
		if p := d.ofMessage(m); first {
			from, first = p, false
		}
	})
	return from
}

func (d *directions) ofMessage(m wire.Message) wire.Party {
	if m.Method == "" {
		return d.response(string(m.ID), m.Result, m.Error != nil)
	}
	from := senderOf(m.Method, m.ID != "")
	if m.ID != "" {
		open := d.open[string(m.ID)]
		open[from] = m.Method
		d.open[string(m.ID)] = open
	}
	return from
}

func (d *directions) response(id string, result []byte, failed bool) wire.Party {
	open := d.open[id]
	asker := wire.Client // of whom most requests are
	switch {
	case open[wire.Client] == "" && open[wire.Agent] == "":
	case open[wire.Agent] == "":
	case open[wire.Client] == "":
		asker = wire.Agent
	case !failed && answersAgent(open[wire.Agent], result):
		asker = wire.Agent
	}
	open[asker] = ""
	if open == [2]string{} {
		delete(d.open, id)
	} else {
		d.open[id] = open
	}
	if asker == wire.Client {
		return wire.Agent
	}
	return wire.Client
}

// answersAgent says whether a result looks like the answer to this method of
// the client's.
func answersAgent(method string, result []byte) bool {
	want := ""
	switch method {
	case "session/request_permission":
		want = "outcome"
	case "fs/read_text_file":
		want = "content"
	case "terminal/create":
		want = "terminalId"
	case "terminal/output":
		want = "output"
	case "elicitation/create":
		want = "action"
	case "terminal/wait_for_exit":
		want = "exitCode"
	default:
		return string(result) == "null" || string(result) == "{}"
	}
	found := false
	members(result, func(key, _ []byte) { found = found || string(key) == want })
	return found
}

// senderOf says who sends a method. ACP's methods belong to one side; of an
// extension's, agents' are mostly notifications.
func senderOf(method string, request bool) wire.Party {
	switch method {
	case "session/update", "session/request_permission", "elicitation/create", "elicitation/complete", "auth/status_update", "mcp/connect", "mcp/disconnect":
		return wire.Agent
	case "tool_call/cancel", "terminal/cancel", "session/cancel":
		return wire.Client
	}
	switch {
	case strings.HasPrefix(method, "fs/"), strings.HasPrefix(method, "terminal/"):
		return wire.Agent
	case strings.HasPrefix(method, "_") && !request:
		return wire.Agent
	}
	return wire.Client
}
