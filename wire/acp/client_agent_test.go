package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/wiretest"
)

// scripted is an agent that follows a script, line for line.
type scripted struct {
	*wiretest.End
	t    *testing.T
	sent []wire.Message // what the client sent
}

// next reads the client's next message.
func (a *scripted) next() wire.Message {
	m, err := a.ReadMessage()
	if err != nil {
		if err != io.EOF {
			a.t.Errorf("the agent reads: %v", err)
		}
		runtime.Goexit()
	}
	a.sent = append(a.sent, m)
	return m
}

// expect reads the client's next message, which must have this method.
func (a *scripted) expect(method string) wire.Message {
	m := a.next()
	if m.Method != method {
		a.t.Errorf("the client sent %s, want %s", m.Raw, method)
		_ = a.Close(context.Background())
		runtime.Goexit()
	}
	return m
}

// answer expects a request and answers it.
func (a *scripted) answer(method, result string) wire.Message {
	m := a.expect(method)
	a.Reply(m, result)
	return m
}

// update sends a session/update.
func (a *scripted) update(session, update string) {
	a.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":%s}}`, session, update))
}

func (a *scripted) state(session, members string) {
	a.update(session, `{"sessionUpdate":"state_update",`+members+`}`)
}

func (a *scripted) say(session, text string) {
	a.update(session, fmt.Sprintf(`{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"text","text":%q}}`, text))
}

// ask sends a request of the agent's.
func (a *scripted) ask(id, method, params string) {
	a.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
}

const (
	result1 = `{"protocolVersion":1,"agentCapabilities":%s,"agentInfo":{"name":"one","version":"1"},"authMethods":[{"id":"key","name":"Key"},{"id":"term","name":"T","type":"terminal","args":["--login"]}]}`
	result2 = `{"protocolVersion":2,"capabilities":%s,"info":{"name":"two","version":"1"},"authMethods":[{"methodId":"key","type":"agent","name":"Key"}]}`
)

// initialize answers initialize in version v's shape.
func (a *scripted) initialize(v Version, caps string) wire.Message {
	if v == V2 {
		return a.answer("initialize", fmt.Sprintf(result2, caps))
	}
	return a.answer("initialize", fmt.Sprintf(result1, caps))
}

// withAgent runs test against an agent that follows script after initialize. Time
// is simulated, so that waiting costs none and is exact. It returns what the
// client sent after initialize.
func withAgent(t *testing.T, v Version, caps string, o Options, script func(*scripted), test func(*testing.T, *Client)) (sent []wire.Message) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var wait sync.WaitGroup
		var agent *scripted
		dial := func(context.Context) (wire.Transport, error) {
			client, end := wiretest.Pipe()
			agent = &scripted{End: end, t: t}
			wait.Go(func() {
				agent.initialize(v, caps)
				script(agent)
				for { // whatever else the client sends
					agent.next()
				}
			})
			return client, nil
		}
		c, err := Connect(t.Context(), dial, o)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = c.Close(context.Background())
			wait.Wait()
			sent = slices.Clone(agent.sent[1:])
		}()
		test(t, c)
	})
	return sent
}

// methods lists the methods of messages; "→ID" stands for an answer.
func methods(sent []wire.Message) []string {
	names := []string{}
	for _, m := range sent {
		name := m.Method
		if name == "" {
			name = "→" + string(m.ID)
		}
		names = append(names, name)
	}
	return names
}

func wantSent(t *testing.T, sent []wire.Message, want ...string) {
	t.Helper()
	if got := methods(sent); !slices.Equal(got, want) {
		t.Errorf("the client sent %q, want %q", got, want)
	}
}

func nothing(*scripted) {}

var cwd = Setup{Cwd: "/work"}

func text(s string) []json.RawMessage {
	b, _ := TextBlock(s)
	return []json.RawMessage{b}
}

// seenUpdates collects updates as "when kind".
type seenUpdates struct {
	mu   sync.Mutex
	list []string
}

func (s *seenUpdates) add(u Update) {
	when := map[When]string{Between: "between", Early: "early", History: "history", InTurn: "turn", Late: "late"}[u.When]
	if u.Session == nil {
		when = "foreign"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, when+" "+u.Kind)
}

func (s *seenUpdates) want(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.list, want) {
		t.Errorf("updates %q, want %q", s.list, want)
	}
}
