package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReleaseHoldsWhatIsThere: goreleaser leaves out silently what a pattern in
// its configuration does not find.
func TestReleaseHoldsWhatIsThere(t *testing.T) {
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	patterns := regexp.MustCompile(`src: ([^,}\s]+)`).FindAllStringSubmatch(string(text), -1)
	if len(patterns) == 0 {
		t.Fatal("no files in the archives")
	}
	for _, m := range patterns {
		found, err := filepath.Glob(filepath.FromSlash(m[1]))
		if err != nil || len(found) == 0 {
			t.Errorf(".goreleaser.yaml: %s finds nothing (%v)", m[1], err)
		}
	}
	ci, err := os.ReadFile(filepath.Join(".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	for _, goos := range list(t, text, "goos") {
		for _, arch := range list(t, text, "goarch") {
			if !strings.Contains(string(ci), goos+"/"+arch) {
				t.Errorf("CI does not build for %s/%s", goos, arch)
			}
		}
	}
}

// TestReleasesAreBuiltAsCITries: the same tags, and bench measures such a build.
func TestReleasesAreBuiltAsCITries(t *testing.T) {
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(".ci", "run"), filepath.Join("bench", "main.go")} {
		other, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range list(t, text, "tags") {
			if !strings.Contains(string(other), tag) {
				t.Errorf("%s does not build with the tag %s", name, tag)
			}
		}
	}
}

// list is the value of a key such as "goos: [linux, darwin]".
func list(t *testing.T, text []byte, key string) []string {
	t.Helper()
	m := regexp.MustCompile(key + `: \[([^\]]*)\]`).FindSubmatch(text)
	if m == nil {
		t.Fatalf(".goreleaser.yaml names no %s", key)
	}
	return strings.Split(strings.ReplaceAll(string(m[1]), " ", ""), ",")
}
