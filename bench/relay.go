package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// tap is the command line of a tap around an agent.
func (b *bench) tap(flags []string, agent ...string) []string {
	argv := append([]string{b.tool, "tap"}, flags...)
	return append(append(argv, "--"), agent...)
}

// recording is a new file each time, since a tap never overwrites one.
func (b *bench) recording() string {
	f := filepath.Join(b.dir, "recording.acp.jsonl")
	os.Remove(f)
	return f
}

// relayLatency measures what a tap adds to a round trip, against what a relay
// of two cats adds. The agent is a cat.
func (b *bench) relayLatency() error {
	agent := []string{"cat"}
	n := b.size(4000, 200)
	kinds := []string{"direct", "cats", "off", "log", "on"}
	p50 := map[string][]time.Duration{}
	p99 := map[string][]time.Duration{}
	for range b.rounds * b.size(5, 1) { // many short runs: a disturbance spoils few of them
		for _, kind := range kinds {
			var argvs [][]string
			switch kind {
			case "direct":
				argvs = [][]string{agent}
			case "cats":
				argvs = [][]string{{"cat"}, agent, {"cat"}}
			case "off":
				argvs = [][]string{b.tap([]string{"-q"}, agent...)}
			case "log":
				argvs = [][]string{b.tap([]string{"--log", os.DevNull}, agent...)}
			case "on":
				argvs = [][]string{b.tap([]string{"-q", "--record", b.recording()}, agent...)}
			}
			times, err := b.roundTrips(n, argvs...)
			if err != nil {
				return err
			}
			p50[kind] = append(p50[kind], percentile(times, 50))
			p99[kind] = append(p99[kind], percentile(times, 99))
		}
	}
	for _, r := range []struct {
		kind, name   string
		p50max, p99m float64
	}{{"off", "no recording", 1.5, 0}, {"log", "log, no recording", 1.5, 0}, {"on", "recording", 2, 2}} {
		b.addLatency("p50 added, "+r.name, r.kind, p50, r.p50max)
		if r.p99m > 0 {
			b.addLatency("p99 added, "+r.name, r.kind, p99, r.p99m)
		}
	}
	return nil
}

func (b *bench) addLatency(what, kind string, all map[string][]time.Duration, most float64) {
	direct := median(all["direct"])
	ours, cats := median(all[kind])-direct, median(all["cats"])-direct
	ratio := float64(ours) / float64(cats)
	b.table.add(row{what: "round trip through tap, " + what, ours: micros(ours),
		against: fmt.Sprintf("two cats %s (direct %s)", micros(cats), micros(direct)),
		ratio:   ratio, target: fmt.Sprintf("≤ %.1f×", most), met: ratio <= most, noise: ours <= 0 || cats <= 0})
}

// roundTrips sends n frames of 200 bytes one after the other, each when the
// one before has come back.
func (b *bench) roundTrips(n int, argvs ...[]string) ([]time.Duration, error) {
	p, err := b.start(argvs...)
	if err != nil {
		return nil, err
	}
	f := frame(200)
	back := make([]byte, len(f))
	warm := n / 10
	times := make([]time.Duration, 0, n)
	for i := range warm + n {
		began := time.Now()
		if _, err := p.in.Write(f); err != nil {
			return nil, err
		}
		if _, err := io.ReadFull(p.out, back); err != nil {
			return nil, err
		}
		if i >= warm {
			times = append(times, time.Since(began))
		}
	}
	return times, p.end()
}
