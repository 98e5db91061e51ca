package replay

import (
	"context"
	"io"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
)

// AgentOptions say how a script is played as the agent.
type AgentOptions struct {
	In       io.Reader                            // what the client writes
	Out      io.Writer                            // what the client reads
	Strict   bool                                 // params must be equal, after the exceptions
	Verbatim bool                                 // the recorded workspace stays in paths
	FailFast bool                                 // end at the first miss or difference
	Loop     bool                                 // a new initialize starts the script afresh
	Speed    float64                              // scales recorded gaps; 0 ignores time
	MaxFrame int64                                // longest line, 0 for the default
	Note     func(text string)                    // what people should know at once; may be nil
	After    func(time.Duration) <-chan time.Time // for tests; nil: time.After
}

// End says how playing ended.
type End struct {
	Exit     *wire.Exit // the recorded agent's, where it ended before its client did; else nil
	FailFast bool       // ended at the first divergence
}

// Agent plays one script as the agent on one connection. All but Verdict runs
// on the goroutine of Run.
type Agent struct {
	s    *Script
	o    AgentOptions
	demo *demo

	in     *queue
	inEnd  error  // what the client's side ended with
	out    []byte // what was sent and not written yet
	outErr error
	runs   []*run         // scenes that play, the one asked first first
	seq    int            // counts what was sent
	sent   map[*Frame]int // when those were sent that end several turns
	played map[*scene]bool
	before map[**scene]int // of a list, by where it begins: how many at its beginning were played
	normal map[*scene]any  // params as they are compared, of those that were
	live   struct {
		initialize []byte // its params
		asked      map[wire.ID]*ask
		early      map[wire.ID][]wire.Message // answers that came before their question was sent
		left       map[wire.ID]int            // questions of turns that were cancelled; their answers are not compared
		terminals  map[string]string          // recorded terminal id to live one
		moves      []move
		changes    int // how often terminals and moves changed
	}
	end *End

	mu      sync.Mutex
	verdict Verdict
	after   int // the last recorded step that was played
}

// ask is a request of the agent that the client has not answered.
type ask struct {
	run   *run
	frame *Frame
}

// run is a scene that plays.
type run struct {
	*scene
	id        wire.ID // of the live request, "" for a notification
	next      int     // index of the item to come
	answered  bool
	cancelled bool
	stopped   bool              // a recorded cancel was satisfied before its place was reached
	began     int               // seq when it began
	played    int               // index in verdict.Played, -1 if none
	idled     bool              // an idle that ends the turn was sent
	done      map[*Frame]bool   // requests of the agent that are answered, or were not sent
	exact     map[string]string // strings that are others in this run
	at        time.Duration     // recorded time of the last item
	due       <-chan time.Time  // paced: when the next item may be sent
	ready     bool              // paced: the time has come
	session   string            // the live session, where a demo plays
	prompted  []byte            // the live prompt, where a demo plays
	rewriter  *rewriter         // as of the changes below; made when something is sent
	changes   int
}

// NewAgent prepares a script to be played once.
//
// Errors: *LoadError where the script cannot be played.
func NewAgent(s *Script, o AgentOptions) (*Agent, error) {
	if err := s.Playable(); err != nil {
		return nil, err
	}
	a := newAgent(o)
	a.s = s
	return a, nil
}

func newAgent(o AgentOptions) *Agent {
	a := &Agent{o: o, sent: map[*Frame]int{}, played: map[*scene]bool{}, before: map[**scene]int{}, normal: map[*scene]any{}}
	if a.o.After == nil {
		a.o.After = time.After
	}
	a.o.Note = func(text string) {
		if o.Note != nil {
			a.flush() // what was sent before stands before the note on a screen
			o.Note(text)
		}
	}
	a.live.asked, a.live.early = map[wire.ID]*ask{}, map[wire.ID][]wire.Message{}
	a.live.left, a.live.terminals = map[wire.ID]int{}, map[string]string{}
	return a
}

// Run plays until the client has closed its side and all that could be played
// was, until the script ends the agent, or until ctx ends. The goroutine that
// reads from In ends with In.
func (a *Agent) Run(ctx context.Context) (End, error) {
	a.in = read(a.o.In, a.o.MaxFrame)
	if a.s != nil {
		a.begin(a.s.prologue, "")
	}
	for {
		// All that can be sent is sent before the next line is looked at, so
		// that what comes out does not hang on how early a client writes.
		if ctx.Err() == nil && a.end == nil && a.play() {
			continue
		}
		a.flush()
		switch {
		case ctx.Err() != nil:
			return End{}, nil
		case a.end != nil && a.end.FailFast:
			return *a.end, nil
		case a.end != nil:
			a.finish()
			return *a.end, nil
		case a.outErr != nil:
			a.finish()
			return End{}, nil // the client is gone
		}
		line, err := a.in.take()
		switch {
		case line != nil:
			a.line(line)
		case err == nil:
			a.wait(ctx)
		default:
			a.inEnd = err
			if len(a.paced()) > 0 {
				a.wait(ctx)
				continue
			}
			a.finish()
			if plainEnd(err) {
				err = nil
			}
			return End{}, err
		}
	}
}

// wait returns when something may have changed.
func (a *Agent) wait(ctx context.Context) {
	wake := a.in.wake
	if a.inEnd != nil {
		wake = nil
	}
	if a.o.Speed == 0 {
		select {
		case <-ctx.Done():
		case <-wake:
		}
		return
	}
	cases := []reflect.SelectCase{
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())},
		{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(wake)},
	}
	paced := a.paced()
	for _, r := range paced {
		cases = append(cases, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(r.due)})
	}
	if i, _, _ := reflect.Select(cases); i >= 2 {
		paced[i-2].ready = true
	}
}

// Verdict is how the client has kept to the script so far. It may be called
// from any goroutine.
func (a *Agent) Verdict() Verdict {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.verdict
	v.Played, v.Missed = slices.Clone(v.Played), slices.Clone(v.Missed)
	v.Differed, v.Skipped = slices.Clone(v.Differed), slices.Clone(v.Skipped)
	v.Unplayed = nil
	if a.s != nil && a.demo == nil {
		for _, sc := range a.s.scenes {
			if !a.played[sc] {
				v.Unplayed = append(v.Unplayed, sc.step())
			}
		}
	}
	return v
}

func (sc *scene) step() Step {
	return Step{sc.root.Step, sc.root.Method, sc.root.Lane}
}

// missed notes a miss.
func (a *Agent) missed(m Missed) {
	a.mu.Lock()
	m.After = a.after
	a.verdict.Missed = append(a.verdict.Missed, m)
	a.mu.Unlock()
	a.o.Note(m.String())
	a.diverged()
}

func (a *Agent) differed(d Differed) {
	a.mu.Lock()
	a.verdict.Differed = append(a.verdict.Differed, d)
	a.mu.Unlock()
	a.o.Note(d.String())
	a.diverged()
}

func (a *Agent) diverged() {
	if a.o.FailFast && a.end == nil {
		a.end = &End{FailFast: true}
	}
}

// expected is what the recording has next: in the session, else anywhere.
func (a *Agent) expected(session string) []Step {
	if session != "" {
		if l := a.unplayed(a.s.lanes[session]); len(l) > 0 {
			return []Step{l[0].step()}
		}
	}
	if l := a.unplayed(a.s.requests); len(l) > 0 {
		return []Step{l[0].step()}
	}
	return nil
}

// unplayed is a list of the script's without the scenes at its beginning that
// were played. Most clients ask in the recorded order, so that little is looked
// at twice.
func (a *Agent) unplayed(list []*scene) []*scene {
	if len(list) == 0 {
		return nil
	}
	n := a.before[&list[0]]
	for n < len(list) && a.played[list[n]] {
		n++
	}
	a.before[&list[0]] = n
	return list[n:]
}

// finish notes what was left undone when the connection ended.
func (a *Agent) finish() {
	for _, r := range a.runs {
		if r.next >= len(r.items) {
			continue
		}
		switch it := r.items[r.next]; it.kind {
		case itemWait:
			a.missed(Missed{Method: it.frame.asked.Method, Session: it.frame.Lane, Reason: "the client ended without an answer to " + it.frame.asked.Method + " at " + it.frame.asked.Place()})
		case itemCancel:
			a.missed(Missed{Method: it.frame.Method, Session: it.frame.Lane, Reason: "the client ended without the recorded " + it.frame.Method + " at " + it.frame.Place()})
		}
	}
	a.strays()
}

// version is that of the connection.
func (a *Agent) version() acp.Version { return a.s.Version }
