package commands

import (
	"fmt"
	"os"
	"strings"
	"unicode/utf8"
)

// writeJUnit writes one test case per file: the parts of JUnit's XML that CI
// systems read. It is written by hand, since encoding/xml brings its tables of
// characters into every start of the tool.
func writeJUnit(name string, all []replayed) error {
	var cases strings.Builder
	failures, errs, total := 0, 0, 0.0
	for _, r := range all {
		total += r.took.Seconds()
		file := xmlText(r.File)
		fmt.Fprintf(&cases, `  <testcase name="%s" classname="replay" file="%[1]s" time="%.3f">`, file, r.took.Seconds())
		switch {
		case r.err != nil:
			errs++
			fmt.Fprintf(&cases, "\n    <error message=\"%s\"></error>\n  ", xmlText(r.Error))
		case !r.OK:
			failures++
			lines := make([]string, len(r.Differences))
			for i, d := range r.Differences {
				lines[i] = d.String()
			}
			fmt.Fprintf(&cases, "\n    <failure message=\"%s\">%s</failure>\n  ", count(len(lines), "difference"), xmlText(strings.Join(lines, "\n")))
		}
		cases.WriteString("</testcase>\n")
	}
	text := fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="acptool replay" tests="%d" failures="%d" errors="%d" time="%.3f">
%s</testsuite>
`, len(all), failures, errs, total, cases.String())
	return os.WriteFile(name, []byte(text), 0o644)
}

// xmlText is s as it may stand in an attribute or between tags. What is no
// character of XML 1.0 (most control characters, invalid UTF-8) becomes U+FFFD.
func xmlText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '<' || r == '>' || r == '&' || r == '"' || r == '\'' || r == '\t' || r == '\n' || r == '\r':
			fmt.Fprintf(&b, "&#%d;", r)
		case r < ' ' || r == 0xFFFE || r == 0xFFFF:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
