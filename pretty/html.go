package pretty

import (
	"bufio"
	_ "embed"
	"html"
	"io"
	"math"
	"strings"
	"time"

	"github.com/acptool/acptool/wire"
)

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// htmlColumns is how much of a gist a row shows.
const htmlColumns = 300

// HTML writes one self-contained page: a timeline of rows that open, with a box
// that filters them and latencies as bars. It loads nothing, and its policy
// forbids it to. It is a Sink.
type HTML struct {
	w       *bufio.Writer
	n       *narrator
	style   *jsonStyle
	title   string
	begun   bool
	session string
	scratch []byte
}

// NewHTML writes the page to w as entries come.
func NewHTML(w io.Writer, title string, sel Selection) *HTML {
	h := &HTML{w: bufio.NewWriterSize(w, 1<<16), title: title, style: newJSONStyle(Screen{Terminal: true}, false)}
	h.n = newNarrator(sel, htmlColumns, true, h.row)
	return h
}

func (h *HTML) put(parts ...string) {
	for _, s := range parts {
		_, _ = h.w.WriteString(s) // bufio.Writer keeps the error for Flush
	}
}

// head begins the page.
func (h *HTML) head() {
	if h.begun {
		return
	}
	h.begun = true
	h.put("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n",
		"<meta name=\"viewport\" content=\"width=device-width\">\n",
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n",
		"<title>", htmlText(h.title), "</title>\n<style>\n", pageStyle, "</style>\n",
		"<header><h1>", htmlText(h.title), "</h1>\n",
		"<input id=\"filter\" type=\"search\" placeholder=\"filter: words, -word, method or kind\" aria-label=\"filter\" autofocus>\n",
		"<output id=\"shown\"></output></header>\n<main>\n")
}

// Begin starts a connection.
func (h *HTML) Begin(c Connection) {
	h.head()
	h.n.begin()
	h.session = ""
	var parts []string
	if c.Number > 0 {
		parts = append(parts, "connection "+string(appendInt(nil, c.Number+1)))
	}
	if len(c.Agent) > 0 {
		parts = append(parts, strings.Join(c.Agent, " "))
	}
	if !c.Started.IsZero() {
		parts = append(parts, c.Started.UTC().Format(time.RFC3339))
	}
	if len(parts) > 0 {
		h.put("<h2>", htmlText(strings.Join(parts, " · ")), "</h2>\n")
	}
}

// Observe takes one entry.
func (h *HTML) Observe(e wire.Entry) { h.n.entry(&e, false) }

// Frame takes a line that is known to be valid JSON.
func (h *HTML) Frame(e wire.Entry) { h.n.entry(&e, true) }

// row writes one event.
func (h *HTML) row(e *event) {
	h.head()
	if e.session != "" && e.session != h.session {
		h.session = e.session
		h.put("<h3>session ", htmlText(e.session), "</h3>\n")
	}
	class := e.what + " " + e.from.String()
	if e.failed || e.problem != "" || e.what == "malformed" {
		class += " bad"
	}
	arrow := "→"
	if e.from == wire.Agent {
		arrow = "←"
	}
	h.put("<details class=\"", class, "\"><summary><time>", string(appendSeconds(nil, e.t)), "</time> <b>", arrow, "</b> <code>",
		htmlText(e.name), "</code>")
	if e.id != "" {
		h.put(" <i>#", htmlText(e.id), "</i>")
	}
	h.put(" <span>", htmlText(e.text), "</span>")
	if e.problem != "" {
		h.put(" <em>malformed: ", htmlText(e.problem), "</em>")
	}
	h.put(" <small>")
	if e.n > 1 {
		h.put("×", string(appendInt(nil, e.n)), " ")
	}
	h.put(string(appendSize(nil, e.size)))
	if e.n > 1 {
		h.put(" ", string(appendDuration(nil, e.last-e.t)))
	}
	if e.answers {
		h.put(" ", string(appendDuration(nil, e.latency)), "<u style=\"width:", barWidth(e.latency), "px\"></u>")
	}
	h.put("</small></summary>")
	for line := range strings.Lines(string(e.bodies)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "{") && e.what != "malformed" {
			h.scratch = h.style.append(h.scratch[:0], []byte(line))
			line = string(h.scratch)
		}
		h.put("<pre>", htmlText(line), "</pre>")
	}
	h.put("</details>\n")
}

// barWidth draws latencies by their logarithm: 1 ms is a point, ten times as
// long is 20 pixels more.
func barWidth(d time.Duration) string {
	w := 20 * math.Log10(max(float64(d)/float64(time.Millisecond), 1))
	return string(appendInt(nil, 2+int(w)))
}

// htmlText is text of others in a page: nothing in it is markup, and what could
// reorder the page is shown as an escape.
func htmlText(s string) string { return html.EscapeString(Sanitize(s)) }

// Flush writes what is ready.
func (h *HTML) Flush() error { return h.w.Flush() }

// Close ends the page.
func (h *HTML) Close() error {
	h.head()
	h.n.end()
	h.put("</main>\n<script>\n", pageScript, "</script>\n</html>\n")
	return h.w.Flush()
}
