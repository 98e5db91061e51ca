package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func (b *bench) frames(n, size int) []string {
	return []string{b.self, "peer", "frames", strconv.Itoa(n), strconv.Itoa(size)}
}

// relayThroughput measures one direction, from the agent to the client.
func (b *bench) relayThroughput() error {
	n := b.size(1<<20, 1<<10)
	teed := filepath.Join(b.dir, "teed")
	took := map[string][]time.Duration{}
	for range b.rounds {
		for kind, argvs := range map[string][][]string{
			"cat": {b.frames(n, 1<<10), {"cat"}},
			"off": {b.tap([]string{"-q"}, b.frames(n, 1<<10)...)},
			"log": {b.tap([]string{"--log", os.DevNull}, b.frames(n, 1<<10)...)},
			"tee": {b.frames(n, 1<<10), {"tee", teed}},
			"on":  {b.tap([]string{"-q", "--record", b.recording()}, b.frames(n, 1<<10)...)},
		} {
			d, _, err := b.pour(int64(n)<<10, argvs...)
			if err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
			took[kind] = append(took[kind], d)
			os.Remove(teed)
			b.recording() // makes room
		}
	}
	for _, r := range []struct {
		kind, against, name string
		least               float64
	}{{"off", "cat", "no recording", 0.9}, {"log", "cat", "log, no recording", 0}, {"on", "tee", "recording", 0.5}} {
		ours, other := median(took[r.kind]), median(took[r.against])
		ratio := float64(other) / float64(ours)
		x := row{what: fmt.Sprintf("throughput through tap, %d MiB of 1 KiB frames, %s", n>>10, r.name),
			ours: speed(int64(n)<<10, ours), against: r.against + " " + speed(int64(n)<<10, other), ratio: ratio}
		if r.least > 0 {
			x.target, x.met = fmt.Sprintf("≥ %.1f×", r.least), ratio >= r.least
		}
		b.table.add(x)
	}
	return nil
}

// pour starts an agent that says total bytes when asked, and measures from the
// question to the last byte. The peak memory is that of the first process.
func (b *bench) pour(total int64, argvs ...[]string) (time.Duration, int64, error) {
	p, err := b.start(argvs...)
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if _, err := io.WriteString(p.in, "go\n"); err != nil {
		return 0, 0, err
	}
	buf := make([]byte, 256<<10)
	for got := int64(0); got < total; {
		n, err := p.out.Read(buf)
		if err != nil {
			return 0, 0, fmt.Errorf("after %d of %d bytes: %w", got, total, err)
		}
		got += int64(n)
	}
	took := time.Since(began)
	if err := p.end(); err != nil {
		return 0, 0, err
	}
	return took, peakMemory(p.procs[0].ProcessState), nil
}

// relayLargeFrame measures one frame of 64 MiB with recording.
func (b *bench) relayLargeFrame() error {
	size := b.size(64<<20, 1<<20)
	var ours, cats []time.Duration
	var peaks []int64
	for range b.rounds {
		d, _, err := b.pour(int64(size), b.frames(1, size), []string{"cat"})
		if err != nil {
			return err
		}
		cats = append(cats, d)
		d, peak, err := b.pour(int64(size), b.tap([]string{"-q", "--record", b.recording()}, b.frames(1, size)...))
		if err != nil {
			return err
		}
		ours = append(ours, d)
		peaks = append(peaks, peak)
	}
	ratio := float64(median(ours)) / float64(median(cats))
	b.table.add(row{what: "one frame of " + mib(int64(size)) + " with recording, time",
		ours: micros(median(ours)), against: "cat " + micros(median(cats)), ratio: ratio, target: "≤ 3.0×", met: ratio <= 3})
	ratio = float64(median(peaks)) / float64(size)
	b.table.add(row{what: "the same, peak memory", ours: mib(median(peaks)), against: "the frame " + mib(int64(size)),
		ratio: ratio, target: "≤ 3.0×", met: ratio <= 3})
	return nil
}

// relayMemory measures that memory does not grow with the number of frames.
func (b *bench) relayMemory() error {
	few, many := b.size(10_000, 100), b.size(10_000_000, 10_000)
	var peaks [2]int64
	for i, n := range []int{few, many} {
		size := len(frame(0))
		_, peak, err := b.pour(int64(n*size), b.tap([]string{"-q", "--record", b.recording()}, b.frames(n, size)...))
		if err != nil {
			return err
		}
		peaks[i] = peak
		b.recording()
	}
	ratio := float64(peaks[1]) / float64(peaks[0])
	b.table.add(row{what: fmt.Sprintf("memory of tap with recording after %d frames", many), ours: mib(peaks[1]),
		against: fmt.Sprintf("after %d frames %s", few, mib(peaks[0])), ratio: ratio, target: "flat (≤ 1.5×)", met: ratio <= 1.5})
	return nil
}
