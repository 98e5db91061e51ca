package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// replaying measures how fast replay speaks, against the same lines from cat.
func (b *bench) replaying() error {
	n := b.size(500_000, 1_000)
	file, err := b.writeRecording("replay.acp.jsonl", 0, n, notification)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	var ours, cats []time.Duration
	for range b.rounds {
		for range 2 {
			d, err := b.conversation(n, []string{b.tool, "replay", file})
			if err != nil {
				return err
			}
			ours = append(ours, d)
			began := time.Now()
			if err := b.discard("cat", file); err != nil {
				return err
			}
			cats = append(cats, time.Since(began))
		}
	}
	ratio := float64(median(cats)) / float64(median(ours))
	rate := func(d time.Duration) string { return fmt.Sprintf("%.0f k/s", float64(n)/1e3/d.Seconds()) }
	b.table.add(row{what: "replay, updates per second", ours: rate(median(ours)), against: "the lines through cat " + rate(median(cats)),
		ratio: ratio, target: "≥ 0.3×", met: ratio >= 0.3})
	return nil
}

// discard reads all that a command says.
func (b *bench) discard(argv ...string) error {
	p, err := b.start(argv)
	if err != nil {
		return err
	}
	return p.end()
}

// conversation plays the client of the session that writeRecording makes, and
// measures from the prompt to its answer.
func (b *bench) conversation(n int, agent []string) (time.Duration, error) {
	p, err := b.start(agent)
	if err != nil {
		return 0, err
	}
	out := bufio.NewReaderSize(p.out, 1<<20)
	ask := func(request, answer string) error {
		if _, err := io.WriteString(p.in, request+"\n"); err != nil {
			return err
		}
		for {
			line, err := out.ReadSlice('\n')
			if err != nil {
				return fmt.Errorf("no answer to %s: %w", request, err)
			}
			if strings.Contains(string(line[:min(len(line), 40)]), answer) {
				return nil
			}
		}
	}
	if err := ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}`, `"id":0`); err != nil {
		return 0, err
	}
	if err := ask(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/src","mcpServers":[]}}`, `"id":1`); err != nil {
		return 0, err
	}
	began := time.Now()
	if err := ask(`{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"sess_7f3a","prompt":[{"type":"text","text":"go on"}]}}`, `"id":2`); err != nil {
		return 0, err
	}
	took := time.Since(began)
	return took, p.end()
}

// prompting measures prompt --json over a long turn: linear in chunks, and
// memory in proportion to the text.
func (b *bench) prompting() error {
	n := b.size(1_000_000, 1_000)
	var took [2][]time.Duration
	var peaks [2]int64
	for i, count := range []int{n / 10, n} {
		for range b.rounds {
			p, err := b.start([]string{b.tool, "prompt", "--json", "go on", "--", b.self, "peer", "turn", fmt.Sprint(count)})
			if err != nil {
				return err
			}
			began := time.Now()
			if err := p.end(); err != nil {
				return err
			}
			took[i] = append(took[i], time.Since(began))
			peaks[i] = peakMemory(p.procs[0].ProcessState)
		}
	}
	few, many := median(took[0]), median(took[1])
	ratio := float64(many) / float64(few)
	b.table.add(row{what: fmt.Sprintf("prompt --json, %d chunks", n), ours: millis(many), against: "a tenth of them " + millis(few),
		ratio: ratio, target: "linear (≤ 12×)", met: ratio <= 12})
	text := int64(n) * int64(len(" word 123456"))
	b.table.add(row{what: "the same, peak memory", ours: mib(peaks[1]), against: fmt.Sprintf("%s; the text is %s", mib(peaks[0]), mib(text)),
		ratio: float64(peaks[1]) / float64(text)})
	return nil
}

// turn plays an agent whose one turn has n chunks.
func turn(n int) int {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 64<<10)
	for in.Scan() {
		line := in.Text()
		var m struct{ ID json.RawMessage }
		if json.Unmarshal([]byte(line), &m) != nil || m.ID == nil {
			continue
		}
		id := m.ID
		switch {
		case strings.Contains(line, `"initialize"`):
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1,"agentCapabilities":{}}}`+"\n", id)
		case strings.Contains(line, `"session/new"`):
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"sess_7f3a"}}`+"\n", id)
		default:
			for i := range n {
				out.WriteString(chunk(i))
				out.WriteByte('\n')
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}`+"\n", id)
		}
		if out.Flush() != nil {
			return 1
		}
	}
	return 0
}
