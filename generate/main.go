// Command generate writes what is made from the command tree: the completion
// scripts in completions/ and the man pages in man/. Run it from the module's
// root, by go generate; a test compares what is committed.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	all, err := outputs(".")
	if err == nil {
		err = write(all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// outputs makes every generated file: its text by its path below root.
func outputs(root string) (map[string]string, error) {
	t := newTree()
	all, err := manPages(t, root)
	if err != nil {
		return nil, err
	}
	all["completions/acptool.bash"] = bashScript(t)
	all["completions/_acptool"] = zshScript(t)
	all["completions/acptool.fish"] = fishScript(t)
	return all, nil
}

func write(all map[string]string) error {
	for _, name := range sortedKeys(all) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(all[name]), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
