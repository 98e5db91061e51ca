package pretty

import (
	"strconv"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/scan"
)

// gister says in a few words what a message is about. It looks only at the
// members that it shows, so it costs little on the way of every frame.
type gister struct {
	clip
	pal     *Palette
	problem string // what is wrong with a message that should be understood
	where   string // the place of it, as a JSON pointer
}

// gist is what one method's params, its result, or one kind of update say.
type gist func(g *gister, v []byte)

// message writes the gist of a frame.
func (g *gister) message(f *frame) {
	switch {
	case f.class == wire.KindResponse && f.Error != nil:
		g.rpcError(f.Error)
	case f.class == wire.KindResponse:
		if say := resultGist(string(f.method)); say != nil {
			say(g, f.Result)
		} else {
			g.members(f.Result)
		}
	case string(f.Method) == "session/update":
		g.update(f)
	default:
		if say := paramsGist(string(f.Method), f.from); say != nil {
			say(g, f.Params)
		} else {
			g.members(f.Params)
		}
	}
}

// update writes the gist of a session/update.
func (g *gister) update(f *frame) {
	switch {
	case f.Update == nil:
		g.wrong("/params/update", "missing")
	case f.Kind == nil:
		g.wrong("/params/update/sessionUpdate", "missing or no text")
		g.members(f.Update)
	default:
		if say := updateGist(string(f.Kind)); say != nil {
			say(g, f.Update)
		} else {
			g.say("unknown kind")
			g.membersBut(f.Update, "sessionUpdate")
		}
	}
}

// wrong notes the first thing that is malformed in a known message.
func (g *gister) wrong(where, what string) {
	if g.problem == "" {
		g.where, g.problem = where, what
	}
}

// rpcError shows an error object: its code, message and data.
func (g *gister) rpcError(v []byte) {
	g.on(g.pal.Bad)
	g.say("error ")
	g.json(scan.First(v, "code"))
	g.space()
	g.json(scan.First(v, "message"))
	g.off(g.pal.Bad)
	if data := scan.First(v, "data"); data != nil && !null(data) {
		g.space()
		g.json(data)
	}
}

// members is the gist of what is not known: the members that are no objects.
func (g *gister) members(v []byte) { g.membersBut(v, "") }

func (g *gister) membersBut(v []byte, but string) {
	c := scan.Cursor{B: v}
	if !c.Enter('{') {
		g.json(v)
		return
	}
	for !g.full {
		key, ok := c.Key()
		if !ok {
			return
		}
		raw := c.Skip()
		if len(raw) == 0 || string(key) == but || string(key) == "sessionId" {
			continue
		}
		g.space()
		g.text(key)
		switch raw[0] {
		case '{':
			g.say("{…}")
		case '[':
			g.say("[" + strconv.Itoa(count(raw)) + "]")
		default:
			g.say("=")
			g.json(raw)
		}
	}
}

// field shows a member, with a space before it, if it is there and not null.
func (g *gister) field(v []byte, keys ...string) bool {
	raw := at(v, keys...)
	if raw == nil || null(raw) {
		return false
	}
	g.space()
	g.json(raw)
	return true
}

// labelled shows a word of ours and a member, if the member is there.
func (g *gister) labelled(label string, v []byte, keys ...string) bool {
	raw := at(v, keys...)
	if raw == nil || null(raw) {
		return false
	}
	g.space()
	g.say(label)
	g.json(raw)
	return true
}

// need shows a member that must be there and be text.
func (g *gister) need(v []byte, key string) bool {
	raw := scan.First(v, key)
	if len(raw) == 0 || raw[0] != '"' {
		g.wrong("/"+key, "missing or no text")
		return false
	}
	g.space()
	g.json(raw)
	return true
}

// needID is need for an id.
func (g *gister) needID(v []byte, key string) {
	raw := scan.First(v, key)
	if len(raw) == 0 || raw[0] != '"' {
		g.wrong("/"+key, "missing or no text")
		return
	}
	g.space()
	g.id(raw)
}

// at goes down by names; what is shown need not look for repeated names.
func at(v []byte, keys ...string) []byte {
	for _, k := range keys {
		if v = scan.First(v, k); v == nil {
			return nil
		}
	}
	return v
}

func null(raw []byte) bool { return string(raw) == "null" }

// yes tells a capability that is offered in either spelling: true or an object.
func yes(raw []byte) bool { return len(raw) > 0 && (raw[0] == '{' || string(raw) == "true") }

// count is the number of elements of an array.
func count(raw []byte) int {
	n := 0
	each(raw, func([]byte) bool { n++; return true })
	return n
}

// each calls f with the elements of an array until f returns false.
func each(raw []byte, f func(v []byte) bool) {
	c := scan.Cursor{B: raw}
	if !c.Enter('[') {
		return
	}
	for c.Next() {
		if v := c.Skip(); v == nil || !f(v) {
			return
		}
	}
}

// counted says "3 things", "1 thing".
func (g *gister) counted(n int, thing string) {
	g.space()
	g.say(strconv.Itoa(n) + " " + thing)
	if n != 1 {
		g.say("s")
	}
}

// list shows one member of each element of an array, parted by commas.
func (g *gister) list(raw []byte, keys ...string) {
	first := true
	each(raw, func(v []byte) bool {
		for _, k := range keys {
			if m := scan.First(v, k); m != nil && !null(m) {
				if !first {
					g.say(",")
				}
				g.space()
				g.json(m)
				first = false
				break
			}
		}
		return !g.full
	})
}

// blocks shows content blocks: one, or an array of them. Text is shown as it
// is, anything else by its type and name.
func (g *gister) blocks(raw []byte) {
	if len(raw) > 0 && raw[0] == '[' {
		each(raw, func(v []byte) bool {
			g.block(v)
			g.space()
			return !g.full
		})
		return
	}
	g.block(raw)
}

// block shows one content block, without a space before it: the text of
// chunks runs on.
func (g *gister) block(raw []byte) {
	var kind, text []byte
	c := scan.Cursor{B: raw}
	if !c.Enter('{') {
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			break
		}
		switch v := c.Skip(); string(key) {
		case "type":
			kind = scan.Text(v)
		case "text":
			text = v
		}
	}
	switch string(kind) {
	case "text":
		g.json(text)
	case "resource_link":
		g.space()
		g.say("[")
		if !g.field(raw, "uri") {
			g.say("link")
		}
		g.say("]")
	case "resource":
		g.space()
		g.say("[")
		if !g.field(raw, "resource", "uri") {
			g.say("resource")
		}
		g.say("]")
	case "":
		g.wrong("/content/type", "missing or no text")
	default:
		g.space()
		g.say("[")
		g.text(kind)
		g.field(raw, "mimeType")
		g.say("]")
	}
}
