package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWhatIsCommittedIsCurrent(t *testing.T) {
	root := ".."
	all, err := outputs(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		have, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if string(have) != want {
			t.Errorf("%s is not current (go generate writes it anew):\n%s", name, cmp.Diff(string(have), want))
		}
	}
}

// A script of which half depends on the order of a map would differ from run to
// run.
func TestGenerationIsDeterministic(t *testing.T) {
	one, err := outputs("..")
	if err != nil {
		t.Fatal(err)
	}
	two, err := outputs("..")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(one, two); d != "" {
		t.Error(d)
	}
}

// Every command has a page with an example, however small.
func TestEveryCommandHasExamples(t *testing.T) {
	for _, c := range newTree().commands {
		prose, err := readProse("..", c.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(prose, "# EXAMPLES\n") {
			t.Errorf("generate/pages/%s.md has no EXAMPLES", c.Name)
		}
	}
}

// A page that is referred to exists.
func TestPagesReferToPages(t *testing.T) {
	all, err := outputs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range newTree().commands {
		prose, _ := readProse("..", c.Name)
		for _, m := range reference.FindAllStringSubmatch(prose, -1) {
			if all["man/"+m[1]+"."+m[2]] == "" {
				t.Errorf("generate/pages/%s.md: there is no %s(%s)", c.Name, m[1], m[2])
			}
		}
	}
}

func TestRoff(t *testing.T) {
	for in, want := range map[string]string{
		"one\ntwo\n\nthree\n":            ".PP\none\ntwo\n.PP\nthree\n",
		"# HEAD\ntext `--flag`\n":        ".SH HEAD\ntext \\fB\\-\\-flag\\fR\n",
		"a *b* \\ c\n":                   ".PP\na \\fIb\\fR \\e c\n",
		".x\n'y\n":                       ".PP\n\\&.x\n\\(aqy\n",
		"- TERM\n  text\n  more\nend\n":  ".TP\nTERM\ntext\nmore\n.PP\nend\n",
		"see:\n\n    a\n\n    .b\n\nz\n": ".PP\nsee:\n.PP\n.RS 4\n.nf\na\n\n\\&.b\n.fi\n.RE\n.PP\nz\n",
		"a…b → c\n":                      ".PP\na...b -> c\n",
	} {
		r := &roff{}
		r.write(in)
		if d := cmp.Diff(want, r.b.String()); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
}
