package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/acptool/acptool/wire"
	"github.com/acptool/acptool/wire/acp"
	"github.com/urfave/cli/v2"
)

// directory makes the name of a directory absolute and checks that it is one;
// "" is ours.
func (e *env) directory(name string) (string, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return "", ownf(err, "find the current directory")
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return "", usagef("", "no such directory: %s", dir)
	case !info.IsDir():
		return "", usagef("", "not a directory: %s", dir)
	}
	return dir, nil
}

// setup reads the flags that a session is created or taken up with. All paths
// come out absolute: "MUST be an absolute path" (session setup, "Working
// Directory").
func (e *env) setup(c *cli.Context) (acp.Setup, error) {
	var s acp.Setup
	var err error
	if s.Cwd, err = e.directory(c.String("cwd")); err != nil {
		return s, err
	}
	for _, d := range c.StringSlice("add-dir") {
		dir, err := e.directory(d)
		if err != nil {
			return s, err
		}
		s.AddDirs = append(s.AddDirs, dir)
	}
	if file := c.String("mcp-config"); file != "" {
		text, err := readFile(file)
		if err != nil {
			return s, ownf(err, "read the MCP configuration")
		}
		if s.MCP, err = acp.ParseMCPConfig(text); err != nil {
			return s, usageIn(file, err)
		}
		// "The absolute path to the MCP server executable" (session setup)
		abs, err := filepath.Abs(file)
		if err != nil {
			return s, ownf(err, "find the current directory")
		}
		if s.MCP, err = acp.ResolveMCP(s.MCP, filepath.Dir(abs), exec.LookPath); err != nil {
			return s, usageIn(file, err)
		}
	}
	return s, nil
}

// usageIn says in which file the mistake is.
func usageIn(file string, err error) error {
	f := explain(err)
	return usagef(f.Hint, "%s: %s", file, f.Message)
}

// choice is what --model, --mode and --config ask for.
type choice struct {
	model, mode string
	config      [][2]string
}

func readChoice(c *cli.Context) (choice, error) {
	ch := choice{model: c.String("model"), mode: c.String("mode")}
	for _, kv := range c.StringSlice("config") {
		id, value, ok := strings.Cut(kv, "=")
		if !ok || id == "" {
			return ch, usagef("as in --config ID=VALUE", "--config %s: no id and value", wire.Quote(kv))
		}
		ch.config = append(ch.config, [2]string{id, value})
	}
	return ch, nil
}
