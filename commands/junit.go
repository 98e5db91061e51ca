package commands

import (
	"encoding/xml"
	"fmt"
	"os"
	"strings"
)

// The parts of JUnit's XML that CI systems read.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string     `xml:"name,attr"`
		Class   string     `xml:"classname,attr"`
		File    string     `xml:"file,attr"`
		Time    string     `xml:"time,attr"`
		Failure *junitText `xml:"failure"`
		Error   *junitText `xml:"error"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes one test case per file.
func writeJUnit(name string, all []replayed) error {
	s := junitSuite{Name: "acptool replay", Tests: len(all)}
	total := 0.0
	for _, r := range all {
		total += r.took.Seconds()
		c := junitCase{Name: r.File, Class: "replay", File: r.File, Time: fmt.Sprintf("%.3f", r.took.Seconds())}
		switch {
		case r.err != nil:
			s.Errors++
			c.Error = &junitText{Message: r.Error}
		case !r.OK:
			s.Failures++
			var lines []string
			for _, d := range r.Differences {
				lines = append(lines, d.String())
			}
			c.Failure = &junitText{Message: count(len(r.Differences), "difference"), Text: strings.Join(lines, "\n")}
		}
		s.Cases = append(s.Cases, c)
	}
	s.Time = fmt.Sprintf("%.3f", total)
	b, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(xml.Header+string(b)+"\n"), 0o644)
}
