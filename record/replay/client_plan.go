package replay

import "github.com/acptool/acptool/wire"

// plan is what playing as the client looks up in the recorded frames, gathered
// in one look at them: a long recording is gone through once and not once per
// frame.
type plan struct {
	frames      []*Frame
	at          map[*Frame]int      // requests of the agent: where they stand
	nth         []int               // of the agent's notifications: how many of their signature came up to here
	bySignature map[string][]*Frame // the first of each of those
	asks        map[string][]*Frame // requests of the agent that no live one was paired with, by signature

	next    int            // up to here all were looked at
	awaited []awaitedFrame // those before it that did not come yet, and those that did but were not taken out
	idles   map[string]int // ends of turns before it, by session
}

// awaitedFrame is an answer, a question, or the end of a turn.
type awaitedFrame struct {
	frame *Frame
	count int // of the end of a turn: which one of its session
}

func newPlan(frames []*Frame) plan {
	p := plan{
		frames: frames, at: map[*Frame]int{}, nth: make([]int, len(frames)),
		bySignature: map[string][]*Frame{}, asks: map[string][]*Frame{}, idles: map[string]int{},
	}
	last := map[string]string{} // the message that the last one of a signature belongs to
	for i, f := range frames {
		if f.From != wire.Agent {
			continue
		}
		switch f.Kind() {
		case wire.KindRequest:
			p.at[f] = i
			sig := signature(f)
			p.asks[sig] = append(p.asks[sig], f)
		case wire.KindNotification:
			// Chunks of one message count once, since where they are cut is not
			// behaviour.
			sig, run := signature(f), runOf(f)
			if run == "" || run != last[sig] {
				p.bySignature[sig] = append(p.bySignature[sig], f)
			}
			last[sig] = run
			p.nth[i] = len(p.bySignature[sig])
		}
	}
	return p
}

// upTo takes in what is awaited by a frame that stands at i.
func (p *plan) upTo(i int) {
	for ; p.next < i; p.next++ {
		switch g := p.frames[p.next]; {
		case g.From == wire.Client || g.Noise():
		case g.Kind() != wire.KindNotification:
			p.awaited = append(p.awaited, awaitedFrame{frame: g})
		case milestone(g):
			p.idles[g.Lane]++
			p.awaited = append(p.awaited, awaitedFrame{g, p.idles[g.Lane]})
		}
	}
}
