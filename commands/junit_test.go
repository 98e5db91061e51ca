package commands

import (
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/acptool/acptool/record/replay"
	"github.com/google/go-cmp/cmp"
)

// What is written is XML that says what was meant, whatever stands in it.
func TestJUnitReadsBack(t *testing.T) {
	type text struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testCase struct {
		Name    string `xml:"name,attr"`
		Class   string `xml:"classname,attr"`
		File    string `xml:"file,attr"`
		Time    string `xml:"time,attr"`
		Failure *text  `xml:"failure"`
		Error   *text  `xml:"error"`
	}
	type suite struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Time     string     `xml:"time,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	nasty := "<a href=\"x\">'&amp;'</a>]]>\t\r\n é😀"
	name := filepath.Join(t.TempDir(), "junit.xml")
	err := writeJUnit(name, []replayed{
		{File: "good", OK: true, took: time.Second},
		{File: nasty, took: 250 * time.Millisecond, Differences: []replay.Difference{{Kind: replay.Missing, Step: 1, What: nasty}, {Kind: replay.Extra, Step: 2, What: "\x00\x1b\xff\uffff"}}},
		{File: "bad", err: errors.New("x"), Error: nasty},
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var got suite
	if err := xml.Unmarshal(b, &got); err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	lines := replay.Difference{Kind: replay.Missing, Step: 1, What: nasty}.String() + "\n" +
		replay.Difference{Kind: replay.Extra, Step: 2, What: strings.Repeat("\ufffd", 4)}.String()
	want := suite{XMLName: xml.Name{Local: "testsuite"}, Name: "acptool replay", Tests: 3, Failures: 1, Errors: 1, Time: "1.250", Cases: []testCase{
		{Name: "good", Class: "replay", File: "good", Time: "1.000"},
		{Name: nasty, Class: "replay", File: nasty, Time: "0.250", Failure: &text{"2 differences", lines}},
		{Name: "bad", Class: "replay", File: "bad", Time: "0.000", Error: &text{Message: nasty}},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
