package replay

import (
	"slices"

	"github.com/acptool/acptool/wire"
)

// lane is what was asked in one session, or handed it out, so far.
type lane struct {
	last    *scene   // that is no query
	open    []*scene // prompts whose work may go on
	history []*scene // requests for the conversation so far that may wait for their answer
}

func (d *director) lane(session string) *lane {
	l := d.lanes[session]
	if l == nil {
		l = &lane{}
		d.lanes[session] = l
	}
	return l
}

// turns are the prompts of the lane whose work goes on.
func (l *lane) turns() []*scene {
	l.open = slices.DeleteFunc(l.open, func(sc *scene) bool { return !sc.open })
	return l.open
}

// replaying is the first request for the conversation so far that waits for its
// answer at the step, or nil.
func (l *lane) replaying(step int) *scene {
	l.history = slices.DeleteFunc(l.history, func(sc *scene) bool { return sc.root.answer.Step <= step })
	if len(l.history) == 0 {
		return nil
	}
	return l.history[0]
}

// enter makes the scene known to the frames that follow.
func (d *director) enter(sc *scene) {
	s, root := d.s, sc.root
	sc.session, sc.from = textMember(root.Params, "sessionId"), replayFrom(root.Params)
	s.scenes = append(s.scenes, sc)
	key := wanted{root.Kind(), root.Method, sc.session}
	s.asked[key] = append(s.asked[key], sc)
	d.roots[root] = sc
	d.ids[root.ID] = append(d.ids[root.ID], sc)
	if sc.query {
		return
	}
	d.last = sc
	if root.Kind() == wire.KindRequest {
		s.requests = append(s.requests, sc)
		s.lanes[root.Lane] = append(s.lanes[root.Lane], sc)
	}
	lanes := []*lane{d.lane(root.Lane)}
	if sc.handsOut != "" && sc.handsOut != root.Lane {
		lanes = append(lanes, d.lane(sc.handsOut))
	}
	for _, l := range lanes {
		l.last = sc
		if sc.open {
			l.open = append(l.open, sc)
		}
		if root.answer != nil && isHistory(root) {
			l.history = append(l.history, sc)
		}
	}
	if sc.open {
		d.open = append(d.open, sc)
	}
}
