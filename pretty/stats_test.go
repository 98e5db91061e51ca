package pretty

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/acptool/acptool/wire"
)

func TestStatsGoldens(t *testing.T) {
	for _, c := range []struct {
		name, script string
		o            StatsOptions
	}{
		{"stats-v1.txt", "v1.script", StatsOptions{}},
		{"stats-v2.txt", "v2.script", StatsOptions{}},
		{"stats-v1.json", "v1.script", StatsOptions{JSON: true, Screen: Screen{Terminal: true}}},
		{"stats-v2.json", "v2.script", StatsOptions{JSON: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			play(t, NewStats(&b, c.o), script(t, c.script))
			golden(t, c.name, b.Bytes())
		})
	}
}

// Quantiles are exact for few durations, and within two per cent for many.
func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 10, 1000, 50000} {
		var s spread
		var all []time.Duration
		for range n {
			d := time.Duration(r.ExpFloat64() * float64(20*time.Millisecond))
			s.add(d)
			all = append(all, d)
		}
		slices.Sort(all)
		for _, q := range []float64{.5, .95, 1} {
			want := all[max(int(q*float64(n)+.9999999), 1)-1]
			got := s.quantile(q)
			if off := float64(got-want) / float64(want); n <= mostExact && got != want || off < -.001 || off > .021 {
				t.Errorf("%d durations, %v: %v, want %v", n, q, got, want)
			}
		}
	}
}

// A turn of version 2 ends at its idle, also where that comes before the answer
// to the prompt; an idle without a reason that follows nothing ends none.
func TestStatsTurnsOfVersion2(t *testing.T) {
	frame := func(at int, from wire.Party, s string) wire.Entry {
		return wire.Entry{T: time.Duration(at) * time.Millisecond, From: from, Data: []byte(s)}
	}
	state := func(at int, s string) wire.Entry {
		return frame(at, wire.Agent, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"state_update",`+s+`}}}`)
	}
	prompt := frame(100, wire.Client, `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`)
	answer := func(at int) wire.Entry {
		return frame(at, wire.Agent, `{"jsonrpc":"2.0","id":1,"result":{"messageId":"m"}}`)
	}
	for _, c := range []struct {
		name    string
		entries []wire.Entry
	}{
		{"answer first", []wire.Entry{prompt, answer(110), state(120, `"state":"running"`), state(300, `"state":"idle","stopReason":"end_turn"`)}},
		{"answer last", []wire.Entry{prompt, state(120, `"state":"running"`), state(300, `"state":"idle","stopReason":"end_turn"`), answer(400)}},
		{"snapshot", []wire.Entry{prompt, answer(110), state(115, `"state":"idle"`), state(120, `"state":"running"`), state(300, `"state":"idle"`), state(400, `"state":"idle"`)}},
	} {
		s := NewStats(nil, StatsOptions{})
		for _, e := range c.entries {
			s.Observe(e)
		}
		r := s.report().Turns
		if r.Count != 1 || r.Length == nil || r.Length.Max != 200 || r.Unfinished != 0 {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}
