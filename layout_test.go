package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/acptool/acptool"

// layers says how far up a folder of the tool stands; folders below one
// belong to its layer unless they are named themselves. Nothing imports upward,
// or beside itself.
var layers = map[string]int{
	"main":     4,
	"commands": 3,
	"pretty":   2, "record": 2,
	"wire/acp": 1,
	"wire":     0,
	// Texts that are embedded.
	"completions": 0, "man": 0,
}

// folder is the entry of layers that a package belongs to, "" if it is none of
// the tool's (tests' counterparties, measurements, generators).
func folder(pkg string) string {
	if pkg == "." {
		return "main"
	}
	for ; pkg != "."; pkg = path.Dir(pkg) {
		if _, ok := layers[pkg]; ok {
			return pkg
		}
	}
	return ""
}

// source is one Go file of the module.
type source struct {
	path string // slash-separated, from the module's root
	text []byte
	file *ast.File
}

func (s source) pkg() string  { return filepath.ToSlash(filepath.Dir(s.path)) }
func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// product reports whether the file is part of the tool rather than of what
// tests, measures or makes it.
func (s source) product() bool { return folder(s.pkg()) != "" && !s.isTest() }

// sources reads every Go file of the module.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		all = append(all, source{filepath.ToSlash(name), text, file})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestNothingImportsUpward(t *testing.T) {
	for _, s := range sources(t) {
		if !s.product() {
			continue
		}
		for _, spec := range s.file.Imports {
			own, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module+"/")
			if !ok {
				continue
			}
			from, to := folder(s.pkg()), folder(own)
			down := to != "" && (from == to || layers[to] < layers[from])
			if !down || from == "main" && to != "commands" {
				t.Errorf("%s imports %s, which is not below it", s.path, own)
			}
		}
	}
}

// TestNothingDearIsLinked: what these packages set up, every start pays; and
// templates call methods by name, so that the linker has to keep all exported
// ones (2.4 MB). Urfave's App.Run would bring them too: see commands/act.go.
func TestNothingDearIsLinked(t *testing.T) {
	dear := map[string]bool{"text/template": true, "html/template": true}
	for _, s := range sources(t) {
		if !s.product() {
			continue
		}
		for _, spec := range s.file.Imports {
			if name := strings.Trim(spec.Path.Value, `"`); dear[name] {
				t.Errorf("%s imports %s", s.path, name)
			}
		}
	}
}

// TestProcessEdgeIsInMain keeps the process's streams and its end out of
// everything but main.go: what is handed down can be handed a test's own. The
// guard (wire/guard*.go) is a process of its own and so has an edge of its own,
// and so is the tests' fake agent (wire/wiretest).
func TestProcessEdgeIsInMain(t *testing.T) {
	edge := map[string]bool{"Exit": true, "Stdin": true, "Stdout": true, "Stderr": true}
	for _, s := range sources(t) {
		if !s.product() || s.path == "main.go" || strings.HasPrefix(s.path, "wire/guard") || strings.HasPrefix(s.path, "wire/wiretest/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "os" && edge[sel.Sel.Name] {
					t.Errorf("%s uses os.%s", s.path, sel.Sel.Name)
				}
			}
			return true
		})
	}
}

func TestNoInitFunctions(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", s.path)
			}
		}
	}
}

func TestFilesHaveOneSubject(t *testing.T) {
	const most = 500
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > most && !ast.IsGenerated(s.file) {
			t.Errorf("%s has %d lines; over %d a file has two subjects", s.path, n, most)
		}
	}
}

// TestTestsNeitherSkipNorSleep: a skip hides that nothing was proved, a sleep
// that nobody knows what is waited for.
func TestTestsNeitherSkipNorSleep(t *testing.T) {
	banned := map[string]bool{"t.Skip": true, "t.Skipf": true, "t.SkipNow": true, "time.Sleep": true}
	for _, s := range sources(t) {
		if !s.isTest() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && banned[x.Name+"."+sel.Sel.Name] {
					t.Errorf("%s uses %s.%s", s.path, x.Name, sel.Sel.Name)
				}
			}
			return true
		})
	}
}
