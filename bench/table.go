package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// table prints rows as they come, in Markdown.
type table struct {
	w     io.Writer
	quick bool // judge nothing
}

// row is one comparison.
type row struct {
	what    string
	ours    string
	against string
	ratio   float64 // in the sense of the target
	target  string  // "" for a row that is there to be known
	met     bool
	noise   bool // the machine was too busy to tell
	count   bool // a number that is compared with nothing
}

func (t *table) begin(w io.Writer, versions string) {
	t.w = w
	fmt.Fprintf(w, "%s, %s; %s\n\n", time.Now().UTC().Format("2006-01-02 15:04Z"), machine(), versions)
	fmt.Fprintf(w, "| what | acptool | against | ratio | target | |\n|---|---|---|---|---|---|\n")
}

func (t *table) add(r row) {
	ratio, mark := fmt.Sprintf("%.2f×", r.ratio), "missed"
	switch {
	case r.noise:
		ratio, mark = "", "noise"
	case r.count:
		ratio, mark = "", ""
	case r.target == "" || t.quick:
		mark = ""
	case r.met:
		mark = "met"
	}
	fmt.Fprintf(t.w, "| %s | %s | %s | %s | %s | %s |\n", r.what, r.ours, r.against, ratio, r.target, mark)
}

// machine says where the numbers come from.
func machine() string {
	parts := []string{runtime.GOOS + "/" + runtime.GOARCH, fmt.Sprintf("%d processors", runtime.NumCPU()), runtime.Version()}
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for l := range strings.Lines(string(b)) {
			if name, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(name) == "model name" {
				parts = append(parts, strings.TrimSpace(value))
				break
			}
		}
	}
	if out, err := exec.Command("uname", "-sr").Output(); err == nil {
		parts = append(parts, strings.TrimSpace(string(out)))
	}
	return strings.Join(parts, ", ")
}

// median of some measurements.
func median[T int | int64 | float64 | time.Duration](v []T) T {
	return percentile(v, 50)
}

func percentile[T int | int64 | float64 | time.Duration](v []T, p int) T {
	s := slices.Sorted(slices.Values(v))
	return s[min(len(s)*p/100, len(s)-1)]
}

func micros(d time.Duration) string { return fmt.Sprintf("%.1f µs", float64(d)/1e3) }

func mib(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

func speed(n int64, d time.Duration) string {
	return fmt.Sprintf("%.0f MB/s", float64(n)/1e6/d.Seconds())
}
