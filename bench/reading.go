package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// reading measures show against jq on the same file.
func (b *bench) reading() error {
	size := b.size(1<<30, 1<<20)
	file, err := b.writeRecording("session.acp.jsonl", size, 0, notification)
	if err != nil {
		return err
	}
	defer os.Remove(file)
	const text = `.params.update.content.text? // empty`
	took, err := b.alternate(map[string][]string{
		"filter":    {b.tool, "show", "--jq", text, "-r", file},
		"jq filter": {"jq", "-r", ".msg" + text, file},
		"log":       {b.tool, "show", "--color", "always", file},
		"jq -C .":   {"jq", "-C", ".", file},
	})
	if err != nil {
		return err
	}
	b.addFaster(fmt.Sprintf("show --jq, pure path, %d MiB", size>>20), took["filter"], "jq", took["jq filter"], 5)
	b.addFaster(fmt.Sprintf("show, coloured log, %d MiB", size>>20), took["log"], "jq -C .", took["jq -C ."], 10)
	return nil
}

// folding measures that a session's story costs no more than reading it, and
// grows as it does.
func (b *bench) folding() error {
	n := b.size(1_000_000, 1_000)
	whole, err := b.writeRecording("chunks.acp.jsonl", 0, n, chunk)
	if err != nil {
		return err
	}
	defer os.Remove(whole)
	tenth, err := b.writeRecording("tenth.acp.jsonl", 0, n/10, chunk)
	if err != nil {
		return err
	}
	defer os.Remove(tenth)
	took, err := b.alternate(map[string][]string{
		"transcript": {b.tool, "show", "--format", "transcript", whole},
		"tenth":      {b.tool, "show", "--format", "transcript", tenth},
		"jq":         {b.tool, "show", "--jq", ".", "-c", whole},
	})
	if err != nil {
		return err
	}
	story, read, part := median(took["transcript"]), median(took["jq"]), median(took["tenth"])
	ratio := float64(story) / float64(read)
	b.table.add(row{what: fmt.Sprintf("show --format transcript, %d chunks", n), ours: millis(story), against: "show --jq . " + millis(read),
		ratio: ratio, target: "≤ 1.5×", met: ratio <= 1.5})
	ratio = float64(story) / float64(part)
	b.table.add(row{what: "the same, ten times the chunks", ours: millis(story), against: "a tenth of them " + millis(part),
		ratio: ratio, target: "linear (≤ 12×)", met: ratio <= 12})
	return nil
}

// alternate runs each command in turn, its output discarded.
func (b *bench) alternate(commands map[string][]string) (map[string][]time.Duration, error) {
	took := map[string][]time.Duration{}
	for range b.rounds {
		for kind, argv := range commands {
			c := exec.CommandContext(b.ctx, argv[0], argv[1:]...)
			var told bytes.Buffer
			c.Stderr = &told
			began := time.Now()
			if err := c.Run(); err != nil {
				return nil, fmt.Errorf("%s: %w: %s", kind, err, told.String())
			}
			took[kind] = append(took[kind], time.Since(began))
		}
	}
	return took, nil
}

// addFaster adds a row whose ratio says how many times faster we are.
func (b *bench) addFaster(what string, ours []time.Duration, against string, other []time.Duration, least float64) {
	ratio := float64(median(other)) / float64(median(ours))
	b.table.add(row{what: what, ours: millis(median(ours)), against: against + " " + millis(median(other)),
		ratio: ratio, target: fmt.Sprintf("≥ %.1f×", least), met: ratio >= least})
}
