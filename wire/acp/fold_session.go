package acp

import (
	"encoding/json"
	"slices"

	"github.com/acptool/acptool/wire/scan"
)

// stateUpdate applies a change of the foreground state. "unknown is neither a
// work outcome nor a closure or cancellation"; what was known before it is kept
// beside it (v2-prompt-lifecycle, Session States).
func stateUpdate(f *Fold, p *payload, c *Change) {
	s, ok := DecodeState(p.without("sessionUpdate"))
	if !ok {
		if name, has := p.needText("state"); has && name == "" {
			p.fault("state", "is empty")
		}
		return
	}
	*p.problems = append(*p.problems, s.Problems...)
	c.Applied, c.State = true, &s
	f.setState(s)
}

func (f *Fold) setState(s State) {
	before := f.state.Name
	switch {
	case s.Name != StateUnknown:
		f.lastKnown = ""
	case before != StateUnknown:
		f.lastKnown = before
	}
	f.state = s
	switch {
	case s.Live():
		f.stop, f.turnUsage, f.stopErr = "", nil, nil
	case s.Name == StateIdle && (s.StopReason != "" || before != StateIdle):
		// A repeated snapshot may leave out what the first one told.
		f.stop, f.turnUsage, f.stopErr = s.StopReason, s.Usage, s.Error
	}
}

// subagentUpdate announces a child session or patches what is shown of it. Its
// mirrored state is no state of this session.
func subagentUpdate(f *Fold, p *payload, c *Change) {
	id, ok := p.needID("sessionId")
	if !ok {
		return
	}
	c.Applied = true
	i := slices.IndexFunc(f.subagents, func(s *Subagent) bool { return s.SessionID == id })
	if i < 0 {
		i = len(f.subagents)
		f.subagents = append(f.subagents, &Subagent{SessionID: id})
		c.Created = true
	}
	s := f.subagents[i]
	c.Subagent = s
	p.patchText(&s.Title, "title")
	p.patchText(&s.Description, "description")
	p.patchText(&s.Cwd, "cwd")
	p.patchObject(&s.Capabilities, "capabilities")
	p.patchObject(&s.Meta, "_meta")
	if _, is := p.array("additionalDirectories"); is != wrong {
		p.patchRaw(&s.AdditionalDirectories, "additionalDirectories")
	}
	state, is := p.object("state")
	if _, ok := DecodeState(state); is == given && !ok {
		p.fault("state", "is not a state")
		return
	}
	patch(&s.State, state, is)
}

// notice keeps a live advisory. "Notices have no ID or Agent-managed lifecycle.
// Each occurrence is an independent live event, not conversation history."
func notice(f *Fold, p *payload, c *Change) {
	severity, hasSeverity := p.needText("severity")
	title, hasTitle := p.needText("title")
	if hasTitle && title == "" {
		p.fault("title", "is empty")
	}
	description, _ := p.text("description")
	if !hasSeverity && !hasTitle {
		return
	}
	c.Applied = true
	c.Notice = &Notice{severity, title, description, p.without("sessionUpdate")}
	f.notices = append(f.notices, c.Notice)
}

func availableCommands(f *Fold, p *payload, c *Change) {
	list, ok := p.needArray("availableCommands")
	if !ok {
		return
	}
	for i, raw := range list {
		if command, ok := readPayload(raw, p.at("availableCommands", i), p.problems); ok {
			command.needText("name")
			command.needText("description")
		}
	}
	p.keep(&f.commands, "availableCommands")
	c.Applied, c.Replaced = true, true
}

func configOptions(f *Fold, p *payload, c *Change) {
	list, ok := p.needArray("configOptions")
	if !ok {
		return
	}
	id := "configId"
	if f.version == V1 {
		id = "id"
	}
	for i, raw := range list {
		if option, ok := readPayload(raw, p.at("configOptions", i), p.problems); ok {
			option.needText(id)
			option.needText("name")
		}
	}
	p.keep(&f.configOptions, "configOptions")
	c.Applied, c.Replaced = true, true
}

func (p *payload) keep(dst *json.RawMessage, key string) {
	v, _ := p.raw(key)
	*dst = clone(v)
}

func currentMode(f *Fold, p *payload, c *Change) {
	if id, ok := p.needText("currentModeId"); ok {
		f.mode = id
		c.Applied = true
	}
}

// sessionInfo patches the session's metadata, member by member: null clears.
func sessionInfo(f *Fold, p *payload, c *Change) {
	c.Applied = true
	for _, m := range p.members {
		switch m.key {
		case "sessionUpdate":
			continue
		case "title", "updatedAt":
			if _, is := p.text(m.key); is == wrong {
				continue
			}
		case "_meta":
			if _, is := p.object(m.key); is == wrong {
				continue
			}
		}
		i := slices.IndexFunc(f.infoMembers, func(o member) bool { return o.key == m.key })
		switch {
		case string(m.value) == "null":
			if i >= 0 {
				f.infoMembers = slices.Delete(f.infoMembers, i, i+1)
			}
		case i >= 0:
			f.infoMembers[i].value = clone(m.value)
		default:
			f.infoMembers = append(f.infoMembers, member{m.key, clone(m.value)})
		}
	}
}

// usageUpdate: "used and size are required and non-null token counts … cost is
// optional and, if present, amount and currency are required." A cost that is
// left out stays what it was.
func usageUpdate(f *Fold, p *payload, c *Change) {
	_, used := p.needNumber("used")
	_, size := p.needNumber("size")
	raw, is := p.object("cost")
	sound := is != wrong
	if is == given {
		cost, ok := readPayload(raw, p.path+"/cost", p.problems)
		_, amount := cost.needNumber("amount")
		_, currency := cost.needText("currency")
		sound = ok && amount && currency
	}
	if !used || !size {
		return
	}
	c.Applied, c.Replaced = true, true
	f.usage = p.without("sessionUpdate", "cost")
	if sound {
		patch(&f.cost, raw, is)
	}
}

// Setup applies what session/new, resume, load or fork answered: modes and
// config options, as the updates of those names tell them later.
func (f *Fold) Setup(result json.RawMessage) {
	if mode := scan.Text(scan.Path(result, "modes", "currentModeId")); len(mode) > 0 {
		f.mode = string(mode)
	}
	if options := scan.Member(result, "configOptions"); len(options) > 0 && options[0] == '[' {
		f.configOptions = clone(options)
	}
}

// SetMode notes that the client has set a mode (v1) and the agent agreed.
func (f *Fold) SetMode(id string) { f.mode = id }
