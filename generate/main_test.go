package main

import (
	"os"
	"path/filepath"
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
