package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"

	"github.com/acptool/acptool/wire"
)

// namedAgent is an agent that has a name: in one of the user's files, or built
// in.
type namedAgent struct {
	Name    string
	Source  string // the file, or "built in"
	Argv    []string
	Env     []string // K=V; applied, never shown
	Address string
}

// builtIn is the source of the names that no file holds.
const builtIn = "built in"

// builtInAgents are the commands that well-known agents are started with.
func builtInAgents() []namedAgent {
	return []namedAgent{
		{Name: "claude", Source: builtIn, Argv: []string{"npx", "-y", "@agentclientprotocol/claude-agent-acp"}},
		{Name: "codex", Source: builtIn, Argv: []string{"npx", "-y", "@agentclientprotocol/codex-acp"}},
		{Name: "gemini", Source: builtIn, Argv: []string{"gemini", "--acp"}},
		{Name: "goose", Source: builtIn, Argv: []string{"goose", "acp"}},
		{Name: "opencode", Source: builtIn, Argv: []string{"opencode", "acp"}},
	}
}

// agentFiles are the files that name agents, in the order in which they are
// asked: ours, Zed's, JetBrains'.
func (e *env) agentFiles() []string {
	home, config := e.home(), e.configDir()
	var files []string
	if config != "" {
		files = append(files, filepath.Join(config, "acptool", "agents.json"))
	}
	switch {
	case runtime.GOOS == "windows":
		if d := e.getenv("APPDATA"); filepath.IsAbs(d) {
			files = append(files, filepath.Join(d, "Zed", "settings.json"))
		}
	case runtime.GOOS == "darwin":
		files = append(files, filepath.Join(home, ".config", "zed", "settings.json"))
	case config != "":
		files = append(files, filepath.Join(config, "zed", "settings.json"))
	}
	if home != "" {
		files = append(files, filepath.Join(home, ".jetbrains", "acp.json"))
	}
	return files
}

func (e *env) home() string {
	if runtime.GOOS == "windows" {
		return e.getenv("USERPROFILE")
	}
	return e.getenv("HOME")
}

// configDir is the XDG configuration directory, also on macOS and, where
// nothing is set, %APPDATA% on Windows.
func (e *env) configDir() string {
	if d := e.getenv("XDG_CONFIG_HOME"); filepath.IsAbs(d) {
		return d
	}
	if runtime.GOOS == "windows" {
		return e.getenv("APPDATA")
	}
	if h := e.home(); h != "" {
		return filepath.Join(h, ".config")
	}
	return ""
}

// namedAgents lists every agent that has a name. The first file that names one
// decides, without regard to how it is spelled. Files that cannot be read as what they should be are reported.
func (e *env) namedAgents() ([]namedAgent, []error) {
	var all []namedAgent
	var bad []error
	seen := map[string]bool{}
	add := func(list []namedAgent) {
		before := len(all)
		for _, a := range list {
			if !seen[plainName(a.Name)] {
				all = append(all, a)
			}
		}
		for _, a := range all[before:] {
			seen[plainName(a.Name)] = true
		}
	}
	for _, file := range e.agentFiles() {
		list, err := readAgentFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			bad = append(bad, err)
		}
		add(list)
	}
	add(builtInAgents())
	return all, bad
}

// readAgentFile reads the object "agent_servers" of an editor's settings, JSON
// with comments; our own agents.json has the same form. An entry is a command
// line or address as a string, or an object with command, args and env, or with
// url. Entries that name neither (Zed keeps some for agents of its own) are no
// agents of ours to start.
func readAgentFile(file string) ([]namedAgent, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Servers map[string]json.RawMessage `json:"agent_servers"`
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(plainJSON(text), &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var list []namedAgent
	for name, raw := range doc.Servers {
		a, ok, err := decodeNamed(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: agent %q: %w", file, name, err)
		}
		if ok {
			a.Name, a.Source = name, file
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b namedAgent) int { return strings.Compare(plainName(a.Name), plainName(b.Name)) })
	return list, nil
}

func decodeNamed(raw json.RawMessage) (a namedAgent, ok bool, err error) {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		if isAddress(text) {
			return namedAgent{Address: text}, true, nil
		}
		a.Argv, err = splitCommand(text)
		return a, err == nil, err
	}
	var o struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env"`
		URL     string            `json:"url"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return a, false, err
	}
	for k, v := range o.Env {
		a.Env = append(a.Env, k+"="+v)
	}
	sort.Strings(a.Env)
	switch {
	case o.Command != "":
		a.Argv = append([]string{o.Command}, o.Args...)
	case isAddress(o.URL):
		a.Address = o.URL
	default:
		return a, false, nil
	}
	return a, true, nil
}

// named resolves @NAME. Names are compared as written first, then without
// regard to case and to spaces ("@claude-code" finds "Claude Code").
func (e *env) named(name string) (target, error) {
	if name == "demo" || strings.HasPrefix(name, "demo-") {
		return e.demoAgent(name)
	}
	all, bad := e.namedAgents()
	same := func(a namedAgent) bool { return a.Name == name }
	i := slices.IndexFunc(all, same)
	if i < 0 {
		i = slices.IndexFunc(all, func(a namedAgent) bool { return plainName(a.Name) == plainName(name) })
	}
	if i < 0 {
		for _, err := range bad {
			e.say.warn(err.Error())
		}
		names := make([]string, len(all))
		for i, a := range all {
			names[i] = plainName(a.Name)
		}
		hint := "there are @demo, @" + strings.Join(names, ", @")
		if near := nearest(plainName(name), names); near != "" {
			hint = "did you mean @" + near + "?"
		}
		return target{}, usagef(hint, "no agent is named @%s", name)
	}
	a := all[i]
	if e.say.tty {
		what := wire.QuoteLine(a.Argv)
		if a.Address != "" {
			what = a.Address
		}
		e.say.note("@" + name + " is " + what + " (" + a.Source + ")")
	}
	return target{Label: "@" + name, Argv: a.Argv, Env: a.Env, Address: a.Address}, nil
}

func plainName(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, " ", "-"))
}
