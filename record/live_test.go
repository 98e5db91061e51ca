package record

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

// story is a connection told in short: lines of a sender, a time in seconds,
// and a frame, or an event.
type story struct {
	t *Tracker
	h *Header
}

func newStory(start time.Time) *story {
	return &story{t: NewTracker(), h: &Header{Started: start}}
}

func (s *story) tell(at time.Duration, from wire.Party, frame string) {
	e := Entry{Entry: line(from, frame, "\n"), Header: s.h, Frame: true}
	e.T = at
	s.t.Feed(e)
}

var storyStart = time.Date(2026, 11, 30, 4, 0, 0, 0, time.UTC)

// Each step says what is sent and what the session's state is then.
func TestLiveStates(t *testing.T) {
	type step struct {
		from  wire.Party
		frame string
		state string
		since int // the step at which the state began
	}
	const c, a = wire.Client, wire.Agent
	prompt := func(id string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`
	}
	update := func(state string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update",` + state + `}}}`
	}
	const (
		born   = `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}`
		ask    = `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s","options":[]}}`
		answer = `{"jsonrpc":"2.0","id":1,"result":{"outcome":{"outcome":"cancelled"}}}`
		chunk  = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk"}}}`
	)
	for name, steps := range map[string][]step{
		"version 1": {
			{c, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{}}`, StateIdle, 0},
			{a, born, StateIdle, 2}, {c, prompt("2"), StateRunning, 3}, {a, chunk, StateRunning, 3}, {a, ask, StateRequiresAction, 5},
			{a, chunk, StateRequiresAction, 5}, {c, answer, StateRunning, 7}, {a, `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`, StateIdle, 8},
			{c, prompt("3"), StateRunning, 9}, {a, `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"x"}}`, StateIdle, 10},
		},
		"two prompts, two questions": {
			{c, prompt("2"), StateRunning, 1}, {c, prompt("3"), StateRunning, 1}, {a, ask, StateRequiresAction, 3},
			{a, strings.Replace(ask, `"id":1`, `"id":7`, 1), StateRequiresAction, 3}, {c, answer, StateRequiresAction, 3},
			{a, `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`, StateRequiresAction, 3},
			{c, strings.Replace(answer, `"id":1`, `"id":7`, 1), StateRunning, 7}, {a, `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`, StateIdle, 8},
		},
		"version 2": {
			{c, prompt("2"), StateRunning, 1}, {a, `{"jsonrpc":"2.0","id":2,"result":{"messageId":"m"}}`, StateRunning, 1}, {a, update(`"state":"running"`), StateRunning, 1},
			{a, ask, StateRequiresAction, 4}, {a, update(`"state":"requires_action"`), StateRequiresAction, 4}, {c, answer, StateRunning, 6},
			{a, update(`"state":"running"`), StateRunning, 6}, {a, update(`"state":"unknown"`), StateRunning, 6}, {a, update(`"state":"idle","stopReason":"end_turn"`), StateIdle, 9},
		},
		"version 2, the answer comes last": {
			{c, prompt("2"), StateRunning, 1}, {a, update(`"state":"running"`), StateRunning, 1}, {a, update(`"state":"idle","stopReason":"refusal"`), StateIdle, 3},
			{a, `{"jsonrpc":"2.0","id":2,"result":{"messageId":"m"}}`, StateIdle, 3},
		},
		"version 2, an idle of before": {
			{c, prompt("2"), StateRunning, 1}, {a, update(`"state":"idle"`), StateRunning, 1}, {a, `{"jsonrpc":"2.0","id":2,"result":{"messageId":"m"}}`, StateRunning, 1},
			{a, update(`"state":"running"`), StateRunning, 1}, {a, update(`"state":"idle","stopReason":"end_turn"`), StateIdle, 5},
		},
		"work without a prompt": {
			{a, update(`"state":"running"`), StateRunning, 1}, {a, update(`"state":"compacting"`), "compacting", 2}, {a, update(`"state":"idle"`), StateIdle, 3},
		},
		"a batch, an answer nobody asked for": {
			{c, "[" + prompt("2") + "]", StateRunning, 1}, {a, `{"jsonrpc":"2.0","id":9,"result":{}}`, StateRunning, 1}, {a, `[{"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}}]`, StateIdle, 3},
		},
		"closed": {
			{c, prompt("2"), StateRunning, 1}, {c, `{"jsonrpc":"2.0","id":3,"method":"session/close","params":{"sessionId":"s"}}`, StateRunning, 1}, {a, `{"jsonrpc":"2.0","id":3,"result":{}}`, StateExited, 3},
		},
	} {
		s := newStory(storyStart)
		for i, st := range steps {
			s.tell(time.Duration(i+1)*time.Second, st.from, st.frame)
			l, ok := s.t.Session("")
			if want := storyStart.Add(time.Duration(st.since) * time.Second); !ok || l.State != st.state || !l.Since.Equal(want) {
				t.Errorf("%s, step %d: %s since %s, want %s since %s", name, i+1, l.State, l.Since, st.state, want)
			}
		}
	}
}

func TestLiveSessionsApart(t *testing.T) {
	s := newStory(storyStart)
	s.tell(time.Second, wire.Client, `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"a","prompt":[]}}`)
	s.tell(2*time.Second, wire.Client, `{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"b","prompt":[]}}`)
	s.tell(3*time.Second, wire.Agent, `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"max_tokens"}}`)
	if l, _ := s.t.Session("a"); l.State != StateIdle || l.StopReason != "max_tokens" {
		t.Errorf("a: %+v", l)
	}
	if l, _ := s.t.Session("b"); l.State != StateRunning {
		t.Errorf("b: %+v", l)
	}
	if l, _ := s.t.Session(""); l.SessionID != "b" {
		t.Errorf("latest: %+v", l)
	}
	if _, ok := s.t.Session("c"); ok {
		t.Error("c is known")
	}
	if got := strings.Join(s.t.Sessions(), " "); got != "a b" {
		t.Error(got)
	}
	e := Entry{Entry: wire.Entry{Kind: wire.EntryExit, T: 9 * time.Second}, Header: s.h}
	s.t.Feed(e)
	if l, _ := s.t.Session("b"); l.State != StateExited || !l.Since.Equal(storyStart.Add(9*time.Second)) {
		t.Errorf("after the exit: %+v", l)
	}
	// Another connection knows none of them.
	e = Entry{Entry: line(wire.Client, "{}", "\n"), Conn: 1, Frame: true}
	s.t.Feed(e)
	if _, ok := s.t.Session("a"); ok {
		t.Error("a lives on in another connection")
	}
}

// Only a recording that a living writer holds says that a session is active.
func TestLiveStateNeedsALivingWriter(t *testing.T) {
	env, dir := testEnv(t)
	env.PID = os.Getpid()
	w, path := create(t, CreateOptions{Name: filepath.Join(dir, "x.acp.jsonl"), Start: storyStart, Env: env})
	e := line(wire.Client, `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`, "\n")
	e.T = time.Second
	w.Observe(e)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	l, err := LiveState(path, "s")
	if err != nil || l.State != StateRunning || !l.Writing || !l.Since.Equal(storyStart.Add(time.Second)) || l.Header.PID != os.Getpid() {
		t.Errorf("%+v %v", l, err)
	}
	var unknown *UnknownSessionError
	if _, err := LiveState(path, "other"); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	// A copy is written by nobody, though the process of its header lives.
	b, _ := os.ReadFile(path)
	copied := filepath.Join(dir, "copy.acp.jsonl")
	if err := os.WriteFile(copied, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := LiveState(copied, ""); err != nil || l.State != StateExited || l.Writing {
		t.Errorf("copy: %+v %v", l, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	l, err = LiveState(path, "")
	if err != nil || l.State != StateExited || l.Writing || !l.Since.Equal(storyStart.Add(time.Second)) {
		t.Errorf("closed: %+v %v", l, err)
	}
	if !errors.Is(errOf(LiveState(filepath.Join(dir, "none"), "")), os.ErrNotExist) {
		t.Error("no file, no error")
	}
}

func errOf(_ Live, err error) error { return err }

func TestLiveStateBeforeTheFirstEntry(t *testing.T) {
	env, dir := testEnv(t)
	_, path := create(t, CreateOptions{Name: filepath.Join(dir, "x"), Start: storyStart, Env: env})
	if l, err := LiveState(path, ""); err != nil || l.State != StateIdle || !l.Since.Equal(storyStart) || l.SessionID != "" {
		t.Errorf("%+v %v", l, err)
	}
}

func TestFollow(t *testing.T) {
	env, dir := testEnv(t)
	w, path := create(t, CreateOptions{Name: filepath.Join(dir, "x.acp.jsonl"), Env: env})
	r, err := OpenFollow(t.Context(), path, env)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	waits := 0
	r.OnWait(func() { waits++ })
	for _, frame := range []string{`{"a":1}`, `{"a":2}`} {
		w.Observe(line(wire.Agent, frame, "\n"))
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if e, err := r.Next(); err != nil || string(e.Data) != frame {
			t.Fatalf("%s %v", e.Data, err)
		}
	}
	// The reader waits now; what comes then is read, and the end as well.
	go func() {
		w.Observe(line(wire.Agent, `{"a":3}`, "\n"))
		_ = w.Close()
	}()
	if e, err := r.Next(); err != nil || string(e.Data) != `{"a":3}` {
		t.Fatalf("%s %v", e.Data, err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("end: %v", err)
	}
	if h := r.Header(); h == nil || h.PID != 4711 {
		t.Errorf("header %+v", h)
	}
}

// A capture of another tool, which holds no lock, is followed until the
// context ends; half a line waits for its other half.
func TestFollowForeign(t *testing.T) {
	env, dir := testEnv(t)
	path := filepath.Join(dir, "lines.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := OpenFollow(ctx, path, env)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	halves := []string{`{"jsonrpc":"2.0","method":"session/`, `update","params":{}}` + "\n"}
	r.OnWait(func() {
		if len(halves) > 0 {
			if _, err := f.WriteString(halves[0]); err != nil {
				t.Error(err)
			}
			halves = halves[1:]
			return
		}
		stop()
	})
	if e, err := r.Next(); err != nil || e.From != wire.Agent || !e.Frame {
		t.Fatalf("%s %v", e.Data, err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("end: %v", err)
	}
}

func TestFollowFolder(t *testing.T) {
	env, _ := testEnv(t)
	old, _ := create(t, CreateOptions{Env: env})
	_ = old.Close()
	env.Now = func() time.Time { return time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC) }
	w, first := create(t, CreateOptions{Env: env})
	w.Observe(line(wire.Agent, `{"n":1}`, "\n"))
	_ = w.Flush()
	folder, err := Folder(env)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ch := FollowFolder(ctx, folder, env)
	if f := <-ch; f.Path != first || string(f.Entry.Data) != `{"n":1}` {
		t.Fatalf("%+v", f)
	}
	if f := <-ch; f.Path != first || !f.Wait {
		t.Fatalf("%+v", f)
	}
	env.Now = func() time.Time { return time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC) }
	w2, second := create(t, CreateOptions{Env: env})
	w2.Observe(line(wire.Agent, `{"n":2}`, "\n"))
	_ = w2.Close()
	if f := <-ch; f.Path != second || string(f.Entry.Data) != `{"n":2}` {
		t.Fatalf("%+v", f)
	}
	if f := <-ch; f.Path != second || !f.End && !f.Wait {
		t.Fatalf("%+v", f)
	}
	stop()
	for range ch {
	}
}

func TestGlance(t *testing.T) {
	env, dir := testEnv(t)
	w, path := create(t, CreateOptions{Name: filepath.Join(dir, "x"), Start: storyStart, Agent: []string{"a"}, Env: env})
	w.Observe(line(wire.Client, `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`, "\n"))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if l, err := Glance(path); err != nil || l.State != StateRunning || !l.Writing || l.SessionID != "s" {
		t.Errorf("%+v %v", l, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if l, err := Glance(path); err != nil || l.State != StateExited || l.Writing || l.SessionID != "s" || !l.Since.Equal(info.ModTime()) || l.Header.Agent[0] != "a" {
		t.Errorf("%+v %v", l, err)
	}
	prose := filepath.Join(dir, "prose")
	if err := os.WriteFile(prose, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var bad *FormatError
	if _, err := Glance(prose); !errors.As(err, &bad) {
		t.Errorf("%v", err)
	}
}
