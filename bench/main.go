// Command bench measures acptool side by side with what it is compared with,
// and prints a table. Machines are shared and noisy, so every figure is a ratio
// of two things measured alternately in one run; nothing is judged by a clock
// alone.
//
//	go run ./bench              everything (minutes)
//	go run ./bench --quick      small inputs, one round: proves that it works
//	go run ./bench --only tap   only the rows whose name matches a regexp
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"syscall"
)

// bench is one run of the program.
type bench struct {
	quick  bool
	rounds int            // how often each thing is measured
	only   *regexp.Regexp // names of the rows that are wanted
	dir    string         // for inputs and outputs; removed at the end
	tool   string         // the acptool that was built
	self   string         // this program, which also plays the peers
	ctx    context.Context
	table  table
}

// groups are the rows in the order of the table. Each group has a file.
func (b *bench) groups() []group {
	return []group{
		{"relay latency", b.relayLatency},
		{"relay throughput", b.relayThroughput},
		{"relay large frame", b.relayLargeFrame},
		{"relay memory", b.relayMemory},
		{"start-up", b.startup},
		{"size", b.sizes},
		{"show", b.reading},
		{"transcript", b.folding},
		{"replay", b.replaying},
		{"prompt", b.prompting},
	}
}

type group struct {
	name string
	run  func() error
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "peer" {
		os.Exit(peer(os.Args[2:]))
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	b := &bench{}
	only := flag.String("only", "", "measure only groups whose name matches the `regexp`")
	flag.BoolVar(&b.quick, "quick", false, "small inputs, one round; proves that it works and judges nothing")
	flag.IntVar(&b.rounds, "rounds", 5, "how often each thing is measured")
	flag.StringVar(&b.tool, "tool", "", "measure this `program` in place of a fresh build")
	flag.Parse()
	var err error
	if b.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	if b.quick {
		b.rounds, b.table.quick = 1, true
	}
	var stop context.CancelFunc
	b.ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if b.dir, err = os.MkdirTemp("", "acptool-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	if err := b.build(); err != nil {
		return err
	}
	b.table.begin(os.Stdout, b.versions())
	for _, g := range b.groups() {
		if !b.only.MatchString(g.name) {
			continue
		}
		if err := g.run(); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		if err := b.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// build makes the tool as a release is made.
func (b *bench) build() error {
	if b.tool != "" {
		return nil
	}
	b.tool = filepath.Join(b.dir, "acptool")
	if runtime.GOOS == "windows" {
		b.tool += ".exe"
	}
	return b.goBuild("", b.tool, "-tags", "urfave_cli_no_docs", "github.com/acptool/acptool")
}

// goBuild builds a program and puts it to where it is measured as an archive or
// a package would: by writing it. Linux maps a file that was written into memory
// by large pieces; one that the linker has written through a memory map of its
// own by single pages, or not, as luck has it, and a program of 12 MB then starts
// 0.6 to 1.4 ms later.
func (b *bench) goBuild(dir, file string, what ...string) error {
	linked := file + ".linked"
	c := exec.CommandContext(b.ctx, "go", append([]string{"build", "-trimpath", "-ldflags", "-s -w", "-o", linked}, what...)...)
	c.Dir, c.Env, c.Stderr = dir, append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := c.Run(); err != nil {
		return err
	}
	program, err := os.ReadFile(linked)
	if err != nil {
		return err
	}
	if err := os.Remove(linked); err != nil {
		return err
	}
	return os.WriteFile(file, program, 0o755)
}

// size picks the full or the quick size of an input.
func (b *bench) size(full, quick int) int {
	if b.quick {
		return quick
	}
	return full
}
