package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/wiretest"
)

// seen collects what a Conn reports, as one line of text each.
type seen struct {
	mu      sync.Mutex
	lines   []string
	request func(wire.Message, *wire.Responder)
}

func (s *seen) add(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

func (s *seen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}

func (s *seen) Notification(m wire.Message) { s.add("notification %s %s", m.Method, m.Params) }

func (s *seen) Request(m wire.Message, r *wire.Responder) {
	s.add("request %s %s", m.ID, m.Method)
	if s.request != nil {
		s.request(m, r)
		return
	}
	_ = r.Error(wire.CodeMethodNotFound, "no "+m.Method, nil)
}

// Observe leaves out times.
func (s *seen) Observe(e wire.Entry) {
	switch e.Kind {
	case wire.EntryExit:
		s.add("%s exit %d %s", e.From, e.Exit.Code, e.Exit.Signal)
	case wire.EntryEOF:
		s.add("%s eof", e.From)
	case wire.EntryStderr:
		s.add("%s stderr %s", e.From, e.Data)
	default:
		s.add("%s %s %q", e.From, e.Data, e.EOL)
	}
}

// newConn is a connection whose Handler, noise and warnings go into s.
func newConn(t *testing.T, s *seen) (*wire.Conn, *wiretest.End) {
	t.Helper()
	client, agent := wiretest.Pipe()
	c := wire.NewConn(client, wire.ConnOptions{
		Handler: s,
		Noise:   func(line []byte) { s.add("noise %s", line) },
		Warn:    func(text string) { s.add("warning %s", text) },
	})
	t.Cleanup(func() { c.Close(context.Background()) })
	return c, agent
}

func start(t *testing.T, c *wire.Conn, method string, params any) *wire.Pending {
	t.Helper()
	p, err := c.Start(method, params)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t *testing.T, agent *wiretest.End) wire.Message {
	t.Helper()
	m, err := agent.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCallGivesTheResult(t *testing.T) {
	c, agent := newConn(t, &seen{})
	p := start(t, c, "m", map[string]any{"a": "<&>\n"})
	req := read(t, agent)
	if got, want := string(req.Raw), `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"<&>\n"}}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	agent.Reply(req, `{"n":1.50}`)
	m, err := p.Wait(t.Context())
	if err != nil || string(m.Result) != `{"n":1.50}` {
		t.Errorf("got %s, %v", m.Result, err)
	}
}

func TestParamsAreSentAsTheyAre(t *testing.T) {
	c, agent := newConn(t, &seen{})
	for _, test := range []struct {
		params any
		want   string
	}{
		{nil, ``},
		{json.RawMessage(`{"n":12345678901234567890,"n":1.50}`), `,"params":{"n":12345678901234567890,"n":1.50}`},
		{[]byte("{\n \"a\" :\r\n1}"), `,"params":{"a":1}`},
		{[]int{1}, `,"params":[1]`},
	} {
		if err := c.Notify("n", test.params); err != nil {
			t.Fatal(err)
		}
		if got, want := string(read(t, agent).Raw), `{"jsonrpc":"2.0","method":"n"`+test.want+`}`; got != want {
			t.Errorf("sent %s, want %s", got, want)
		}
	}
	for _, bad := range []any{json.RawMessage(`{`), []byte(`1 2`), func() {}} {
		if err := c.Notify("n", bad); err == nil {
			t.Errorf("%v was sent", bad)
		}
	}
}

func TestErrorResponseIsRPCError(t *testing.T) {
	c, agent := newConn(t, &seen{})
	for raw, want := range map[string]wire.RPCError{
		`{"code":-32002,"message":"gone","data":{"sessionId":"s"}}`: {Code: -32002, Message: "gone", Data: []byte(`{"sessionId":"s"}`)},
		`{"code":-32603.0}`: {Code: -32603},
	} {
		p := start(t, c, "m", nil)
		agent.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, read(t, agent).ID, raw))
		_, err := p.Wait(t.Context())
		var e *wire.RPCError
		if !errors.As(err, &e) || e.Code != want.Code || e.Message != want.Message || string(e.Data) != string(want.Data) {
			t.Errorf("%s became %#v", raw, err)
		}
	}
}

func TestMalformedResponseFailsItsRequest(t *testing.T) {
	s := &seen{}
	c, agent := newConn(t, s)
	for _, members := range []string{
		``, `,"result":1,"error":{"code":1}`, `,"error":"boom"`, `,"error":{}`, `,"error":null`, `,"error":{"code":1,"message":2}`,
	} {
		p := start(t, c, "m", nil)
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s%s}`, read(t, agent).ID, members)
		agent.Send(line)
		_, err := p.Wait(t.Context())
		var e *wire.MalformedResponseError
		if !errors.As(err, &e) || e.Method != "m" || string(e.Line) != line {
			t.Errorf("%s: %v", line, err)
		}
	}
	if got := s.all(); got != "" {
		t.Errorf("also reported: %s", got)
	}
}

// A null member beside the other one says nothing, and libraries write it.
func TestANullErrorIsNone(t *testing.T) {
	s := &seen{}
	c, agent := newConn(t, s)
	for _, members := range []string{`"result":{"a":1},"error":null`, `"error":null,"result":{"a":1}`} {
		p := start(t, c, "m", nil)
		agent.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, read(t, agent).ID, members))
		if m, err := p.Wait(t.Context()); err != nil || string(m.Result) != `{"a":1}` || m.Error != nil {
			t.Errorf("%s: %s, %v", members, m.Raw, err)
		}
	}
	p := start(t, c, "m", nil)
	agent.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":null,"error":{"code":5,"message":"no"}}`, read(t, agent).ID))
	var e *wire.RPCError
	if _, err := p.Wait(t.Context()); !errors.As(err, &e) || e.Code != 5 {
		t.Errorf("%v", err)
	}
	if got := s.all(); strings.Count(got, "warning") != 1 || !strings.Contains(got, "both result and error, of which one is null") {
		t.Errorf("reported: %s", got)
	}
}

func TestTwoIDSpaces(t *testing.T) {
	s := &seen{}
	c, agent := newConn(t, s)
	p := start(t, c, "m", nil)
	req := read(t, agent)
	ids := []string{`"req-é"`, `0`, `1`, `"1"`, `1.0`, `1e2`, `123456789012345678901234567890`, `null`, `-7`}
	for _, id := range ids {
		agent.Send(`{"jsonrpc":"2.0","id":` + id + `,"method":"ask"}`)
		if m := read(t, agent); string(m.ID) != id || m.Error == nil {
			t.Errorf("request %s was answered with %s", id, m.Raw)
		}
	}
	select {
	case <-p.Done():
		t.Error("a request of the peer ended ours")
	default:
	}
	agent.Reply(req, `{}`)
	if _, err := p.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestUnaskedResponsesAreReportedNotAnswered(t *testing.T) {
	s := &seen{}
	c, agent := newConn(t, s)
	p := start(t, c, "m", nil)
	req := read(t, agent)
	agent.Reply(wire.Message{ID: `99`}, `{}`)
	agent.Reply(wire.Message{ID: `"1"`}, `{}`)
	agent.ReplyError(wire.Message{ID: `null`}, -32700, "parse error", "")
	agent.Reply(req, `{}`)
	if _, err := p.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	agent.Reply(req, `{}`) // a second time
	agent.Send(`{"jsonrpc":"2.0","method":"last"}`)
	agent.CloseWrite()
	<-c.Done()
	want := `warning a response to a request that was not made (id 99)
warning a response to a request that was not made (id "1")
warning the peer could not read something that we sent: parse error (code -32700)
warning a response to a request that was not made (id 1)
notification last `
	if got := s.all(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	c.Close(context.Background())
	if m, err := agent.ReadMessage(); err != io.EOF {
		t.Errorf("the peer was sent %s", m.Raw)
	}
}

func TestNumberOfAnIDCounts(t *testing.T) {
	c, agent := newConn(t, &seen{})
	p := start(t, c, "m", nil)
	read(t, agent)
	agent.Reply(wire.Message{ID: "1.0"}, `{}`)
	if _, err := p.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestResponseComesAfterWhatStoodBeforeIt(t *testing.T) {
	s := &seen{}
	c, agent := newConn(t, s)
	for range 100 {
		p := start(t, c, "m", nil)
		req := read(t, agent)
		agent.SendRaw(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"update","params":%s}`+"\n"+`{"jsonrpc":"2.0","id":%s,"result":1}`+"\n", req.ID, req.ID))
		if _, err := p.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := "notification update " + string(req.ID); !strings.HasSuffix(s.all(), want) {
			t.Fatalf("%q is missing", want)
		}
	}
}

func TestStartFuncIsCalledInOrder(t *testing.T) {
	s := &seen{}
	c, agent := newConn(t, s)
	p, err := c.StartFunc("m", nil, func(m wire.Message, err error) { s.add("answer %s %v", m.Result, err) })
	if err != nil {
		t.Fatal(err)
	}
	req := read(t, agent)
	agent.Send(`{"jsonrpc":"2.0","method":"before"}`)
	agent.Reply(req, `1`)
	agent.Send(`{"jsonrpc":"2.0","method":"after"}`)
	agent.CloseWrite()
	<-c.Done()
	if _, err := p.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if got, want := s.all(), "notification before \nanswer 1 <nil>\nnotification after "; got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestNoiseIsReportedAndSkipped(t *testing.T) {
	s := &seen{}
	c, agent := newConn(t, s)
	p := start(t, c, "m", nil)
	req := read(t, agent)
	agent.Send("Booting")
	agent.Send("")
	agent.Send(`{"level":"info","id":1,"msg":"NOISE"}`)
	agent.Send("> " + `{"jsonrpc":"2.0","method":"n"}`)
	agent.Reply(req, `"clean"`)
	if m, err := p.Wait(t.Context()); err != nil || string(m.Result) != `"clean"` {
		t.Errorf("got %s, %v", m.Result, err)
	}
	want := "noise Booting\nnoise {\"level\":\"info\",\"id\":1,\"msg\":\"NOISE\"}\nnoise > \nnotification n "
	if got := s.all(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestBatchIsReadAndAnsweredInOneArray(t *testing.T) {
	s := &seen{}
	var kept []*wire.Responder
	got := make(chan struct{})
	s.request = func(m wire.Message, r *wire.Responder) {
		if kept = append(kept, r); len(kept) == 2 {
			close(got)
		}
	}
	c, agent := newConn(t, s)
	p := start(t, c, "m", nil)
	read(t, agent)
	agent.Send(`[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":1,"result":5},7,{"jsonrpc":"2.0","id":"x","method":"b"}]`)
	if m, err := p.Wait(t.Context()); err != nil || string(m.Result) != "5" {
		t.Fatalf("got %s, %v", m.Result, err)
	}
	<-got
	for _, r := range kept {
		if err := r.Result(nil); err != nil {
			t.Error(err)
		}
		if err := r.Error(1, "again", nil); err != nil { // does nothing
			t.Error(err)
		}
	}
	line, err := agent.ReadLine()
	if want := `[{"jsonrpc":"2.0","id":1,"result":null},{"jsonrpc":"2.0","id":"x","result":null}]`; err != nil || string(line.Bytes) != want {
		t.Errorf("answered %s, %v, want %s", line.Bytes, err, want)
	}
	want := "warning the peer sends batches, which ACP does not have\nwarning member 4 of the batch: JSON, but no object\n" +
		"request 1 a\nnotification n \nrequest \"x\" b"
	if got := s.all(); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestCancelRequestIsSurfaced(t *testing.T) {
	responders := make(chan *wire.Responder, 2)
	s := &seen{request: func(_ wire.Message, r *wire.Responder) { responders <- r }}
	_, agent := newConn(t, s)
	agent.Send(`{"jsonrpc":"2.0","id":"5","method":"a"}`)
	agent.Send(`{"jsonrpc":"2.0","id":5,"method":"b"}`)
	a, b := <-responders, <-responders
	for range 2 { // the second does nothing
		agent.Send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"5"}}`)
	}
	<-a.Cancelled()
	select {
	case <-b.Cancelled():
		t.Error("the wrong request was cancelled")
	default:
	}
	if err := a.Error(wire.CodeRequestCancelled, "cancelled", map[string]int{"n": 1}); err != nil {
		t.Error(err)
	}
	if got, want := string(read(t, agent).Raw), `{"jsonrpc":"2.0","id":"5","error":{"code":-32800,"message":"cancelled","data":{"n":1}}}`; got != want {
		t.Errorf("answered %s", got)
	}
	agent.Send(`{"jsonrpc":"2.0","id":6,"method":"after"}`)
	<-responders
	if !strings.Contains(s.all(), `notification $/cancel_request {"requestId":"5"}`) {
		t.Errorf("the handler was not told: %s", s.all())
	}
}

func TestRequestsWithoutHandlerAreRefused(t *testing.T) {
	client, agent := wiretest.Pipe()
	c := wire.NewConn(client, wire.ConnOptions{})
	defer c.Close(context.Background())
	agent.Send(`{"jsonrpc":"2.0","id":0,"method":"fs/read_text_file"}`)
	m := read(t, agent)
	e, err := wire.DecodeError(m.Error)
	if m.ID != "0" || err != nil || e.Code != wire.CodeMethodNotFound {
		t.Errorf("answered %s", m.Raw)
	}
}
