package pretty

import (
	"bytes"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// frame is a message as the sinks see it: a glance at its members, and for a
// response the request that it answers.
type frame struct {
	acp.Peeked
	line   []byte // its own bytes
	t      time.Duration
	from   wire.Party
	class  wire.Kind
	method []byte // also of a response: its request's; nil if not known
	sess   []byte // the session it is about; nil if none

	answers bool // a response to a request that was seen
	latency time.Duration
	asked   *asked
}

// asked is a request that waits for its answer.
type asked struct {
	t       time.Duration
	method  []byte
	session []byte
}

// mostPending is how many requests without an answer are remembered. A peer
// that never answers must not cost memory without end.
const mostPending = 1 << 16

// tracker pairs responses with requests on one connection. The two directions
// are two id spaces.
type tracker struct {
	pending [2]map[string]*asked // by who asked
}

func (t *tracker) reset() { t.pending = [2]map[string]*asked{} }

// look makes a frame of one message of e. ok is false if it is no JSON object;
// one that is not a JSON-RPC message has class wire.KindInvalid.
func (t *tracker) look(e *wire.Entry, line []byte) (f frame, ok bool) {
	f.line, f.t, f.from = line, e.T, e.From
	if f.Peeked, ok = acp.Peek(line); !ok {
		return f, false
	}
	f.method, f.sess = f.Method, f.Session
	switch {
	case len(f.Method) > 0 && f.ID != nil:
		f.class = wire.KindRequest
		t.remember(&f)
	case len(f.Method) > 0:
		f.class = wire.KindNotification
	case f.ID != nil && (f.Result != nil) != (f.Error != nil):
		f.class = wire.KindResponse
		t.pair(&f)
	}
	return f, true
}

func (t *tracker) remember(f *frame) {
	m := t.pending[f.from&1]
	if m == nil || len(m) >= mostPending {
		m = make(map[string]*asked)
		t.pending[f.from&1] = m
	}
	m[string(f.ID)] = &asked{t: f.t, method: bytes.Clone(f.Method), session: bytes.Clone(f.Session)}
}

func (t *tracker) pair(f *frame) {
	m := t.pending[1-f.from&1]
	a := m[string(f.ID)]
	if a == nil {
		return
	}
	delete(m, string(f.ID))
	f.answers, f.asked = true, a
	f.method, f.latency = a.method, f.t-a.t
	if len(a.session) > 0 {
		f.sess = a.session
	}
}

// split takes a line apart: the message that it is, the members of an array, or
// frames that are glued to noise or to each other. What is none of these goes
// to noise. valid says that the line is known to be JSON.
func split(line []byte, valid bool, yield func(msg []byte), noise func(text []byte, malformed bool)) {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff")))
	if len(trimmed) == 0 {
		return
	}
	first := trimmed[0]
	if first != '{' && first != '[' || !valid && !scan.IsValid(trimmed) {
		if d := wire.Decode(line); d.Dug {
			if len(d.Noise) > 0 {
				noise(d.Noise, false)
			}
			for _, m := range d.Messages {
				yield(m.Raw)
			}
			return
		}
		noise(trimmed, first == '{' || first == '[')
		return
	}
	if first == '{' {
		yield(trimmed)
		return
	}
	n := 0
	each(trimmed, func(m []byte) bool {
		n++
		if m[0] == '{' {
			yield(m)
		} else {
			noise(m, true)
		}
		return true
	})
	if n == 0 {
		noise(trimmed, true)
	}
}
