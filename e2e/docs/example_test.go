package docs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const document = "# Text\n\n```console\n$ not run\n```\n\n```console run\n$ echo one\none\n$ printf 'a\n> b\n> '\na\nb\n$ true\n```\nmore\n"

func TestExamplesAreFound(t *testing.T) {
	want := []example{
		{8, "echo one", []string{"one"}},
		{10, "printf 'a\nb\n'", []string{"a", "b"}},
		{15, "true", nil},
	}
	if diff := cmp.Diff(want, examples([]byte(document)), cmp.AllowUnexported(example{})); diff != "" {
		t.Error(diff)
	}
}

func TestDotsStandForAnything(t *testing.T) {
	for _, c := range []struct {
		want, got string
		fits      bool
	}{
		{"", "", true},
		{"", "a", false},
		{"a", "", false},
		{"a\nb", "a\nb", true},
		{"a…c", "abc", true},
		{"a…c", "ab", false},
		{"a.c", "abc", false},
		{"...", "", true},
		{"...", "a\nb", true},
		{"a\n...\nd", "a\nb\nc\nd", true},
		{"a\n...\nd", "a\nb\nc", false},
		{"...\nb\n...", "a\nb\nc", true},
	} {
		split := func(s string) []string {
			if s == "" {
				return nil
			}
			return strings.Split(s, "\n")
		}
		if got := fits(split(c.want), split(c.got)); got != c.fits {
			t.Errorf("fits(%q, %q) = %v", c.want, c.got, got)
		}
	}
}

func TestRewriteReplacesOnlyWhatDoesNotFit(t *testing.T) {
	before := "```console run\n$ one\nold\n$ two\n...\n$ three\n```\nend\n"
	after := "```console run\n$ one\nnew\nlines\n$ two\n...\n$ three\nout\n```\nend\n"
	printed := [][]string{{"new", "lines"}, {"x", "y"}, {"out"}}
	if got := string(rewrite([]byte(before), examples([]byte(before)), printed)); got != after {
		t.Error(cmp.Diff(after, got))
	}
}
