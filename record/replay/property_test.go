package replay

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// dice makes a random conversation in which every frame has a cause: what the
// agent sends follows what the client asked.
type dice struct {
	*rand.Rand
	b     strings.Builder
	ids   [2]int
	open  []*turn
	count int
}

type turn struct {
	session string
	id      int
	asked   []int // permission requests without an answer
	left    int   // what the agent still says
	v2      bool
	state   int // of version 2: 0 new, 1 answered
}

func (d *dice) line(mark, format string, args ...any) {
	d.b.WriteString(mark + " " + fmt.Sprintf(format, args...) + "\n")
}

// next does one thing of a turn; it reports false when the turn is over.
func (d *dice) next(t *turn) bool {
	d.count++
	switch n := d.IntN(6); {
	case len(t.asked) > 0:
		i := d.IntN(len(t.asked))
		d.line(">", `{"id":%d,"result":{"outcome":{"outcome":"selected","optionId":"o%d"}}}`, t.asked[i], t.asked[i])
		t.asked = slices.Delete(t.asked, i, i+1)
	case t.v2 && t.state == 0:
		t.state = 1
		d.line("<", `{"id":%d,"result":{"messageId":"m%d"}}`, t.id, t.id)
	case t.left == 0:
		if t.v2 {
			d.line("<", "%s", up(t.session, `"sessionUpdate":"state_update","state":"idle","stopReason":"end_turn"`))
		} else {
			d.line("<", `{"id":%d,"result":{"stopReason":"end_turn","n":%d}}`, t.id, d.count)
		}
		return false
	case n == 0:
		for range 1 + d.IntN(2) {
			t.asked = append(t.asked, d.ids[1])
			d.line("<", `{"id":%d,"method":"session/request_permission","params":{"sessionId":%q,"n":%d}}`, d.ids[1], t.session, d.count)
			d.ids[1]++
		}
		t.left--
	default:
		d.line("<", "%s", up(t.session, fmt.Sprintf(`"sessionUpdate":"agent_message_chunk","messageId":"a%d","n":%d`, t.id, d.count)))
		t.left--
	}
	return true
}

func (d *dice) ask(format string, args ...any) int {
	id := d.ids[0]
	d.ids[0]++
	d.line(">", `{"id":%d,%s}`, id, fmt.Sprintf(format, args...))
	return id
}

// conversation makes one of several sessions whose turns interleave.
func conversation(seed uint64) string {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, 1))}
	v := 1 + int(seed%2)
	id := d.ask(`"method":"initialize","params":{"protocolVersion":%d}`, v)
	d.line("<", `{"id":%d,"result":{"protocolVersion":%d,"capabilities":{},"agentCapabilities":{}}}`, id, v)
	var sessions []string
	for range 1 + d.IntN(3) {
		s := fmt.Sprintf("s%d", len(sessions))
		sessions = append(sessions, s)
		id := d.ask(`"method":"session/new","params":{"cwd":"/w","n":%q}`, s)
		if d.IntN(2) == 0 {
			d.line("<", "%s", up(s, `"sessionUpdate":"available_commands_update"`))
		}
		d.line("<", `{"id":%d,"result":{"sessionId":%q}}`, id, s)
	}
	busy := map[string]bool{}
	for range 10 + d.IntN(60) {
		s := sessions[d.IntN(len(sessions))]
		if d.IntN(4) == 0 && !busy[s] {
			id := d.ask(`"method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"turn %d"}]}`, s, d.count)
			d.open = append(d.open, &turn{session: s, id: id, left: d.IntN(6), v2: v == 2})
			busy[s] = true
			continue
		}
		if len(d.open) == 0 {
			continue
		}
		i := d.IntN(len(d.open))
		if !d.next(d.open[i]) {
			busy[d.open[i].session] = false
			d.open = slices.Delete(d.open, i, i+1)
		}
	}
	for _, t := range d.open {
		for d.next(t) {
		}
	}
	return d.b.String()
}

// lanes are the agent's lines, session by session: what a client can tell of
// their order.
func lanes(lines []step) map[string]string {
	session := map[string]string{}
	out := map[string]string{}
	for _, s := range lines {
		id := fmt.Sprint(scanID(s.text))
		lane := textMember([]byte(s.text), "params", "sessionId")
		if s.mark == '>' {
			if lane != "" && id != "" {
				session[id] = lane
			}
			continue
		}
		if lane == "" {
			lane = session[id]
		}
		out[lane] += s.text + "\n"
	}
	return out
}

func scanID(text string) string { return string(locate([]byte(text), "/id")) }

// Recording and replaying random conversations gives every frame again, in the
// order of its session; and the client's part played against the agent's finds
// no difference.
func TestRandomConversationsComeBackWhole(t *testing.T) {
	for seed := range uint64(120) {
		text := conversation(seed)
		l := start(t, agent(t, text, AgentOptions{}))
		var got []step
		pending := 0
		for _, s := range steps(text) {
			if s.mark != '>' {
				pending++
				continue
			}
			if !strings.Contains(s.text, `"method"`) { // an answer: its question must have come
				for !asked(got, scanID(s.text)) {
					got = append(got, step{'<', l.next()})
				}
			}
			if strings.Contains(s.text, `"session/prompt"`) { // as causal as the recorded client: the turn before is over
				s0 := textMember([]byte(s.text), "params", "sessionId")
				for !over(text, got, s0, s.text) {
					got = append(got, step{'<', l.next()})
				}
			}
			got = append(got, s)
			l.send(s.text)
		}
		v := l.close()
		for _, r := range l.rest {
			got = append(got, step{'<', r})
		}
		if v.Diverged(true) {
			t.Fatalf("seed %d: %s\n%s", seed, encode(v), text)
		}
		want, have := lanes(steps(text)), lanes(got)
		for lane := range want {
			if want[lane] != have[lane] {
				t.Fatalf("seed %d, session %q\nwant\n%s\ngot\n%s", seed, lane, want[lane], have[lane])
			}
		}
		if seed%4 == 0 {
			if r := against(t, text, text, ClientOptions{}); len(r.Differences) > 0 || !r.Complete {
				t.Fatalf("seed %d as the client: %s\n%s", seed, differences(r), text)
			}
		}
	}
}

func asked(got []step, id string) bool {
	return slices.ContainsFunc(got, func(s step) bool {
		return s.mark == '<' && strings.Contains(s.text, `"method"`) && scanID(s.text) == id
	})
}

// over says whether all that the recorded agent said in the session before the
// prompt has come.
func over(text string, got []step, session, prompt string) bool {
	before := text[:strings.Index(text, "> "+prompt)]
	return len(lanes(got)[session]) >= len(lanes(steps(before))[session])
}

// The same client gets the same bytes.
func TestReplayIsDeterministic(t *testing.T) {
	for seed := range uint64(20) {
		text := conversation(seed)
		var first []string
		for i := range 3 {
			l := start(t, agent(t, text, AgentOptions{}))
			go func() { // ends when all is written
				for _, s := range steps(text) {
					if s.mark == '>' {
						if _, err := l.in.Write([]byte(long(s.text) + "\n")); err != nil {
							return
						}
					}
				}
				l.in.Close()
			}()
			for {
				line, err := l.lines.ReadLine()
				if err != nil {
					break
				}
				l.rest = append(l.rest, string(line.Bytes))
			}
			if i == 0 {
				first = l.rest
			} else if !slices.Equal(first, l.rest) {
				t.Fatalf("seed %d: another result", seed)
			}
			l.close()
		}
	}
}
