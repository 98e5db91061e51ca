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
	held := map[string]bool{}
	for _, m := range patterns {
		// What the hooks compress is found when it is not compressed yet.
		name := strings.TrimSuffix(strings.TrimPrefix(m[1], "build/"), ".gz")
		if name == "changelog" {
			name = "CHANGELOG.md"
		}
		found, err := filepath.Glob(filepath.FromSlash(name))
		if err != nil || len(found) == 0 {
			t.Errorf(".goreleaser.yaml: %s finds nothing (%v)", m[1], err)
		}
		for _, f := range found {
			held[filepath.ToSlash(f)] = true
		}
	}
	for _, folder := range []string{"man", "examples"} {
		for _, f := range shipped(t, folder) {
			if !held[f] {
				t.Errorf("no archive holds %s", f)
			}
			// A cask names each page; goreleaser knows no patterns there.
			if folder == "man" && !strings.Contains(string(text), "      - "+f+"\n") {
				t.Errorf("the cask does not install %s", f)
			}
		}
	}
}

// shipped lists what a folder holds for those who install, by paths with slashes.
func shipped(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" {
			names = append(names, folder+"/"+e.Name())
		}
	}
	return names
}
