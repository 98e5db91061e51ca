package pretty

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/acptool/acptool/wire"
)

// statsReport is what Stats says, in its JSON shape. Durations are in
// milliseconds unless their name says otherwise.
type statsReport struct {
	Connections int            `json:"connections"`
	Seconds     float64        `json:"seconds"`
	Frames      byParty[int]   `json:"frames"`
	Bytes       byParty[int64] `json:"bytes"`
	Noise       int            `json:"noise"`
	Malformed   int            `json:"malformed"`
	StderrBytes int64          `json:"stderrBytes"`
	Methods     []methodReport `json:"methods"`
	Updates     map[string]int `json:"updates"`
	Turns       turnReport     `json:"turns"`
}

type byParty[T any] struct {
	Client T `json:"client"`
	Agent  T `json:"agent"`
}

type methodReport struct {
	Method     string      `json:"method"`
	From       string      `json:"from"`
	Count      int         `json:"count"`
	Errors     int         `json:"errors"`
	Unanswered int         `json:"unanswered"`
	Latency    *spreadJSON `json:"ms,omitempty"`
}

type turnReport struct {
	Count           int            `json:"count"`
	Unfinished      int            `json:"unfinished"`
	Length          *spreadJSON    `json:"ms,omitempty"`
	FirstChunk      *spreadJSON    `json:"firstChunkMs,omitempty"`
	Chunks          int            `json:"chunks"`
	TextBytes       int64          `json:"textBytes"`
	ChunksPerSecond float64        `json:"chunksPerSecond,omitempty"`
	BytesPerSecond  float64        `json:"bytesPerSecond,omitempty"`
	StopReasons     map[string]int `json:"stopReasons"`
	Permissions     waitReport     `json:"permissions"`

	firstChunks int
}

type waitReport struct {
	Count   int         `json:"count"`
	TotalMs float64     `json:"totalMs"`
	Wait    *spreadJSON `json:"ms,omitempty"`
}

func (s *Stats) report() *statsReport {
	r := &statsReport{
		Connections: s.connections, Seconds: (s.total + s.last).Seconds(),
		Frames: byParty[int]{s.frames[0], s.frames[1]}, Bytes: byParty[int64]{s.bytes[0], s.bytes[1]},
		Noise: s.noise, Malformed: s.malformed, StderrBytes: s.stderr,
		Methods: []methodReport{}, Updates: map[string]int{},
	}
	for kind, n := range s.updates {
		r.Updates[kind] = *n
	}
	for from, methods := range s.methods {
		for name, m := range methods {
			mr := methodReport{Method: name, From: wire.Party(from).String(), Count: m.count, Errors: m.errors, Latency: m.latency.json()}
			if m.request {
				mr.Unanswered = max(m.count-m.answered, 0)
			}
			r.Methods = append(r.Methods, mr)
		}
	}
	slices.SortFunc(r.Methods, func(a, b methodReport) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Method, b.Method), cmp.Compare(a.From, b.From))
	})
	t := &s.turns
	r.Turns = turnReport{
		Count: t.count, Unfinished: len(s.open), Length: t.length.json(), FirstChunk: t.firstChunk.json(),
		Chunks: t.chunks, TextBytes: t.bytes, StopReasons: t.reasons,
		Permissions: waitReport{t.waits.n, millis(t.waits.sum), t.waits.json()},
		firstChunks: t.firstChunk.n,
	}
	if secs := t.streaming.Seconds(); secs > 0 {
		r.Turns.ChunksPerSecond = tenth(float64(t.chunks) / secs)
		r.Turns.BytesPerSecond = tenth(float64(t.bytes) / secs)
	}
	return r
}

func tenth(v float64) float64 { return math.Round(v*10) / 10 }

func (r *statsReport) marshal() ([]byte, error) { return json.Marshal(r) }

// text is the report for people.
func (r *statsReport) text(pal *Palette, clean bool) []byte {
	var b strings.Builder
	safe := func(s string) string {
		if clean {
			return Sanitize(s)
		}
		return s
	}
	size := func(n int64) string { return string(appendSize(nil, n)) }
	dur := func(ms float64) string {
		return string(appendDuration(nil, time.Duration(ms*float64(time.Millisecond))))
	}
	b.WriteString(strconv.Itoa(r.Connections) + " connection" + plural(r.Connections) + ", " + dur(r.Seconds*1000) + "\n")
	b.WriteString("client  " + strconv.Itoa(r.Frames.Client) + " frames, " + size(r.Bytes.Client) + "\n")
	b.WriteString("agent   " + strconv.Itoa(r.Frames.Agent) + " frames, " + size(r.Bytes.Agent) + "\n")
	if r.Noise+r.Malformed > 0 || r.StderrBytes > 0 {
		b.WriteString("noise   " + strconv.Itoa(r.Noise) + " line" + plural(r.Noise) + ", malformed " + strconv.Itoa(r.Malformed) + ", stderr " + size(r.StderrBytes) + "\n")
	}
	rows := [][]string{{"method", "from", "count", "errors", "open", "p50", "p95", "max"}}
	for _, m := range r.Methods {
		row := []string{safe(m.Method), m.From, strconv.Itoa(m.Count), blankZero(m.Errors), blankZero(m.Unanswered), "", "", ""}
		if m.Latency != nil {
			row[5], row[6], row[7] = dur(m.Latency.P50), dur(m.Latency.P95), dur(m.Latency.Max)
		}
		rows = append(rows, row)
	}
	table(&b, pal, rows)
	if len(r.Updates) > 0 {
		rows = [][]string{{"update", "count"}}
		kinds := slices.Sorted(maps.Keys(r.Updates))
		slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(r.Updates[b], r.Updates[a]) })
		for _, k := range kinds {
			name := safe(k)
			if k == "" {
				name = "(none)"
			}
			rows = append(rows, []string{name, strconv.Itoa(r.Updates[k])})
		}
		table(&b, pal, rows)
	}
	r.Turns.text(&b, pal, safe, dur, size)
	return []byte(b.String())
}

func (t *turnReport) text(b *strings.Builder, pal *Palette, safe func(string) string, dur func(float64) string, size func(int64) string) {
	if t.Count+t.Unfinished == 0 {
		return
	}
	rows := [][]string{{"turns", "count", "p50", "p95", "max"}}
	row := func(name string, n int, s *spreadJSON) {
		if s != nil {
			rows = append(rows, []string{name, strconv.Itoa(n), dur(s.P50), dur(s.P95), dur(s.Max)})
		}
	}
	row("length", t.Count, t.Length)
	row("to the first chunk", t.firstChunks, t.FirstChunk)
	row("waiting for permission", t.Permissions.Count, t.Permissions.Wait)
	table(b, pal, rows)
	if t.Chunks > 0 {
		b.WriteString("\n" + strconv.Itoa(t.Chunks) + " chunk" + plural(t.Chunks) + ", " + size(t.TextBytes) + " of text")
		if t.ChunksPerSecond > 0 {
			b.WriteString(", " + strconv.FormatFloat(t.ChunksPerSecond, 'f', -1, 64) + " chunks/s, " + size(int64(t.BytesPerSecond)) + "/s")
		}
		b.WriteString("\n")
	}
	var ends []string
	for _, reason := range slices.Sorted(maps.Keys(t.StopReasons)) {
		ends = append(ends, safe(reason)+" "+strconv.Itoa(t.StopReasons[reason]))
	}
	if t.Unfinished > 0 {
		ends = append(ends, "unfinished "+strconv.Itoa(t.Unfinished))
	}
	b.WriteString("ended: " + strings.Join(ends, ", ") + "\n")
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func blankZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// table writes rows in columns, the first row as their names: the first column
// to the left, numbers to the right.
func table(b *strings.Builder, pal *Palette, rows [][]string) {
	b.WriteByte('\n')
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for n, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 || cell == "client" || cell == "agent" || cell == "from" {
				line.WriteString(cell + pad)
			} else {
				line.WriteString(pad + cell)
			}
			if i < len(row)-1 {
				line.WriteString("  ")
			}
		}
		text := strings.TrimRight(line.String(), " ")
		if n == 0 {
			text = pal.Bold.Of(text)
		}
		b.WriteString(text + "\n")
	}
}
