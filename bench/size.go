package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// sizes reports what the program weighs, beside an empty one: there is no
// target, but growth should be seen.
func (b *bench) sizes() error {
	empty, err := b.emptyProgram()
	if err != nil {
		return err
	}
	ours, err := os.Stat(b.tool)
	if err != nil {
		return err
	}
	nothing, err := os.Stat(empty)
	if err != nil {
		return err
	}
	b.table.add(row{what: "program, stripped", ours: mib(ours.Size()), against: "an empty Go program " + mib(nothing.Size()),
		ratio: float64(ours.Size()) / float64(nothing.Size())})
	info, err := buildinfo.ReadFile(b.tool)
	if err != nil {
		return err
	}
	b.table.add(row{what: "modules linked in beside our own", ours: fmt.Sprint(len(info.Deps)), count: true})
	return nil
}

// versions are those of what is measured and of what it is measured against.
func (b *bench) versions() string {
	var all []string
	for _, argv := range [][]string{{b.tool, "--version"}, {"jq", "--version"}, {"cat", "--version"}} {
		out, err := exec.CommandContext(b.ctx, argv[0], argv[1:]...).Output()
		if first, _, _ := strings.Cut(string(out), "\n"); err == nil {
			all = append(all, first)
		}
	}
	return strings.Join(all, ", ")
}
