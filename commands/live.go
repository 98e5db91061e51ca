package commands

import (
	"time"

	"github.com/acptool/acptool/pretty"
	"github.com/acptool/acptool/wire/acp"
)

// liveEvery is how often the status line is drawn anew.
const liveEvery = 200 * time.Millisecond

// liveView keeps the status line of a turn on stderr while a person looks at
// it. The console takes the line away before it writes anything. A nil
// liveView does nothing.
type liveView struct {
	say     *console
	line    *pretty.Live
	outTTY  bool // our stdout is the terminal too
	stop    chan struct{}
	stopped chan struct{}
}

// newLiveView is nil where nobody looks: stderr is no terminal, or -q, or it
// shows the traffic already.
func newLiveView(e *env, errScreen pretty.Screen, outTTY, traffic bool) *liveView {
	if !errScreen.Terminal || e.say.quiet || traffic {
		return nil
	}
	return &liveView{say: e.say, line: pretty.NewLive(e.Err, errScreen, time.Now), outTTY: outTTY}
}

// begin shows the line until end is called.
func (v *liveView) begin() {
	if v == nil {
		return
	}
	v.line.Begin()
	v.say.show(v.line)
	v.stop, v.stopped = make(chan struct{}), make(chan struct{})
	go v.draw(v.stop, v.stopped) // ends when stop is closed
}

func (v *liveView) draw(stop, stopped chan struct{}) {
	defer close(stopped)
	tick := time.NewTicker(liveEvery)
	defer tick.Stop()
	for {
		v.say.draw()
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// end takes the line away.
func (v *liveView) end() {
	if v == nil || v.stop == nil {
		return
	}
	close(v.stop)
	<-v.stopped
	v.stop = nil
	v.say.show(nil)
}

// update notes what the agent does.
func (v *liveView) update(s seen) {
	if v != nil {
		v.line.Update(s.Fold, s.Change)
	}
}

// hide takes the line away for something that is written to stdout.
func (v *liveView) hide() {
	if v != nil && v.outTTY {
		v.say.hide()
	}
}

// wrote says that something was written to stdout.
func (v *liveView) wrote(endsLine bool) {
	if v != nil && v.outTTY {
		v.line.Wrote(endsLine)
	}
}

// asked and answered stand around a question to the person, in which the
// terminal is theirs.
func (v *liveView) asked(r acp.PermissionRequest) {
	if v == nil {
		return
	}
	v.line.Waiting(r.Title)
	v.line.Pause(true)
	v.say.hide()
}

func (v *liveView) answered() {
	if v == nil {
		return
	}
	v.line.Waiting("")
	v.line.Pause(false)
}
