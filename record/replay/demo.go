package replay

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/acptool/acptool/record"
	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/acptool/acptool/wire/scan"
)

// The demo's recordings are text until somebody plays them.
var (
	//go:embed demo/v1.acp.jsonl
	demoV1 string
	//go:embed demo/v2.acp.jsonl
	demoV2 string
)

// DemoRecording is the recording that the demo plays, as a file holds it.
func DemoRecording(v acp.Version) string {
	if v == acp.V1 {
		return demoV1
	}
	return demoV2
}

// demo makes an agent of a recording that answers any prompt: its scenes
// repeat, its ids come from counters, and it knows which sessions it holds.
type demo struct {
	scripts  map[acp.Version]*Script
	sessions []*demoSession
	made     int // sessions so far
	turns    int // prompts so far
	stored   string
}

type demoSession struct {
	id, cwd, title string
	active         bool
	past           past
}

// NewDemo prepares the demo: in the version that the client offers, or in one
// version only.
func NewDemo(choice acp.Choice, o AgentOptions) (*Agent, error) {
	a := newAgent(o)
	a.demo = &demo{scripts: map[acp.Version]*Script{}}
	for _, v := range []acp.Version{acp.V2, acp.V1} {
		if choice != acp.Auto && acp.Version(choice) != v {
			continue
		}
		rec, err := Load(record.NewReader(strings.NewReader(DemoRecording(v))))
		if err != nil {
			return nil, fmt.Errorf("the demo's recording: %w", err)
		}
		a.demo.scripts[v] = rec.Main()
		if a.s == nil {
			a.s = rec.Main()
		}
	}
	return a, nil
}

// choose takes the version that the client offers.
func (d *demo) choose(a *Agent, params []byte) {
	n, err := strconv.Atoi(string(scan.Member(params, "protocolVersion")))
	v := acp.V2
	if err == nil && n < 2 {
		v = acp.V1
	}
	if s := d.scripts[v]; s != nil {
		a.s = s
	}
	d.remember(a.s)
}

// remember takes up the session that the recording lists.
func (d *demo) remember(s *Script) {
	if len(d.sessions) > 0 {
		return
	}
	for _, sc := range s.scenes {
		if sc.root.Method != "session/list" || sc.root.answer == nil {
			continue
		}
		c := scan.Cursor{B: scan.Member(sc.root.answer.Result, "sessions")}
		for ok := c.Enter('['); ok && c.Next(); {
			o := c.Skip()
			d.stored = textMember(o, "sessionId")
			d.sessions = append(d.sessions, &demoSession{id: d.stored, cwd: textMember(o, "cwd"), title: textMember(o, "title")})
		}
	}
}

func (d *demo) session(id string) *demoSession {
	for _, s := range d.sessions {
		if s.id == id {
			return s
		}
	}
	return nil
}

func (d *demo) knows(id string) bool { return d.session(id) != nil }

// request plays a live request, or answers it from what the demo knows. It
// reports false for what is played as in any recording.
func (d *demo) request(a *Agent, sc *scene, m wire.Message) bool {
	id := textMember(m.Params, "sessionId")
	s := d.session(id)
	switch m.Method {
	case "session/status":
		a.reply(&run{scene: sc, id: m.ID}, `"result":`+string(encode(d.status(a, s))))
	case "session/list":
		a.reply(&run{scene: sc, id: m.ID}, `"result":`+string(encode(map[string]any{"sessions": d.list()})))
	case "session/new":
		d.made++
		s = &demoSession{id: fmt.Sprintf("demo-session-%d", d.made), cwd: textMember(m.Params, "cwd"), active: true}
		d.sessions = append(d.sessions, s)
		d.play(a, sc, s, m)
	case "session/load", "session/resume":
		s.active = true
		if cwd := textMember(m.Params, "cwd"); cwd != "" {
			s.cwd = cwd
		}
		if isHistory(sc.root) && s.id != d.stored {
			sc = s.past.scene(a.version(), sc, s.id)
		}
		d.play(a, sc, s, m)
	case "session/close":
		s.active = false
		d.play(a, sc, s, m)
	case "session/prompt":
		d.prompt(a, sc, s, m)
	default:
		return false
	}
	return true
}

func (d *demo) prompt(a *Agent, sc *scene, s *demoSession, m wire.Message) {
	switch {
	case !s.active:
		a.sendError(m.ID, wire.CodeInvalidParams, "the session is not active; resume it first", map[string]any{"sessionId": s.id})
		return
	case d.turn(a, s) != nil:
		a.sendError(m.ID, wire.CodeInvalidRequest, "the session has a turn that goes on; cancel it first", map[string]any{"sessionId": s.id})
		return
	}
	d.turns++
	r := d.play(a, sc, s, m)
	for name := range names(sc) {
		r.exact[name] = fmt.Sprintf("%s-%d", name, d.turns)
	}
	r.prompted = scan.Member(m.Params, "prompt")
	if a.version() == acp.V1 {
		s.past.asked(r.prompted, d.turns)
	}
}

// play starts a scene in a live session.
func (d *demo) play(a *Agent, sc *scene, s *demoSession, m wire.Message) *run {
	a.workspaceOf(s.id, textMember(a.demoRoot().Params, "cwd"), s.cwd)
	r := a.begin(sc, m.ID)
	r.session, r.exact = s.id, map[string]string{}
	for id := range a.s.sessions {
		if id != d.stored || sc.root.Lane == d.stored {
			r.exact[id] = s.id
		}
	}
	return r
}

// demoRoot is the recorded session/new: its cwd stands in every session.
func (a *Agent) demoRoot() *Frame {
	for _, sc := range a.s.scenes {
		if sc.root.Method == "session/new" {
			return sc.root
		}
	}
	return &Frame{}
}

// names are the ids that belong to one playing of a scene.
func names(sc *scene) map[string]bool {
	out := map[string]bool{}
	for _, it := range sc.items {
		if it.kind == itemAsk {
			out[string(scan.Text([]byte(it.frame.ID)))] = true
		}
		collect(value(it.frame.Params), out)
		collect(value(it.frame.Result), out)
	}
	delete(out, "")
	delete(out, sc.root.Lane)
	return out
}

// turn is the session's turn that goes on, or nil.
func (d *demo) turn(a *Agent, s *demoSession) *run {
	for _, r := range a.runs {
		if r.prompt && r.session == s.id && !r.turnOver(a.version()) {
			return r
		}
	}
	return nil
}

func (d *demo) status(a *Agent, s *demoSession) map[string]any {
	if !s.active {
		return map[string]any{"status": acp.SessionInactive}
	}
	out := map[string]any{"status": acp.SessionActive}
	if a.version() == acp.V1 {
		return out // "v1 has no foreground state"
	}
	state := acp.StateIdle
	if r := d.turn(a, s); r != nil {
		state = acp.StateRunning
		for _, q := range a.live.asked {
			if q.run == r {
				state = acp.StateRequiresAction
			}
		}
	}
	out["state"] = map[string]any{"state": state}
	return out
}

func (d *demo) list() []any {
	out := []any{}
	for _, s := range slices.Backward(d.sessions) {
		o := map[string]any{"sessionId": s.id, "cwd": s.cwd}
		if s.title != "" {
			o["title"] = s.title
		}
		out = append(out, o)
	}
	return out
}

// branch goes on with the scene whose recorded answer says what the live one
// says: allowed, or not.
func (d *demo) branch(a *Agent, r *run, asked *Frame, m wire.Message) {
	yes := allows(asked.Params, m.Result)
	for _, sc := range a.s.scenes {
		for i, it := range sc.items {
			if it.kind == itemWait && it.frame.asked.ID == asked.ID && allows(asked.Params, it.frame.Result) == yes {
				r.scene, r.next = sc, i
				r.done[it.frame.asked] = true
				return
			}
		}
	}
}

// allows says whether the answer to a permission request selects an option
// that allows.
func allows(params, result []byte) bool {
	chosen := textMember(result, "outcome", "optionId")
	if chosen == "" {
		return false
	}
	c := scan.Cursor{B: scan.Member(params, "options")}
	for ok := c.Enter('['); ok && c.Next(); {
		o := c.Skip()
		if textMember(o, "optionId") == chosen {
			return strings.HasPrefix(textMember(o, "kind"), "allow")
		}
	}
	return false
}

// sending puts the live prompt into its echo, and keeps what belongs to the
// session's history.
func (d *demo) sending(r *run, it item, raw []byte) []byte {
	s := d.session(r.session)
	if s == nil || it.kind != itemSend || it.frame.Method != "session/update" {
		return raw
	}
	if r.prompted != nil && textMember(raw, "params", "update", "sessionUpdate") == "user_message" {
		if old := scan.Path(raw, "params", "update", "content"); old != nil {
			at := cap(raw) - cap(old)
			raw = slices.Concat(raw[:at], r.prompted, raw[at+len(old):])
		}
	}
	if r.prompt {
		update := scan.Path(raw, "params", "update")
		if t := textMember(update, "title"); t != "" && textMember(update, "sessionUpdate") == "session_info_update" {
			s.title = t
		}
		s.past.keep(update)
	}
	return raw
}
