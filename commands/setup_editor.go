package commands

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// editor is one whose settings we know: block writes what is to be pasted.
type editor struct {
	name  string
	where string // the place to paste it, for help
	block func(entry) string
}

func editors() []editor {
	return []editor{
		{"zed", "settings.json (zed: open settings file)", zedBlock},
		{"jetbrains", "~/.jetbrains/acp.json (AI Chat: Configure ACP Agents)", jetbrainsBlock},
		{"codecompanion", "the setup of codecompanion.nvim", codecompanionBlock},
		{"avante", "the setup of avante.nvim", avanteBlock},
		{"agent-shell", "the init file of Emacs", agentShellBlock},
	}
}

// entry is an agent as an editor is told of it: with a recording tap around it.
type entry struct {
	Name string   // as the editor shows it
	ID   string   // the agent's own short name
	Argv []string // absolute
	Env  []string // K=V
}

func (e *env) setupCommand() *cli.Command {
	var names, places []string
	for _, x := range editors() {
		names = append(names, x.name)
		places = append(places, "  "+x.name+strings.Repeat(" ", 15-len(x.name))+x.where)
	}
	return &cli.Command{
		Name:      "setup",
		Usage:     "print the block for an editor's settings that records an agent",
		ArgsUsage: "EDITOR",
		Description: "The block starts \"acptool record\" around the agent, so that every conversation is kept, and \"acptool show -f\" in any terminal shows it live. " +
			"The paths of programs, sockets and files that are found here are absolute, since editors often have another PATH and start elsewhere.\n\nEditors, and where the block goes:\n\n" + strings.Join(places, "\n"),
		Flags: append(agentFlags(), toneFlags()...),
		Action: func(c *cli.Context) error {
			words, err := e.words(c, 1, 1)
			if err != nil {
				return err
			}
			i := slices.IndexFunc(editors(), func(x editor) bool { return x.name == words[0] })
			if i < 0 {
				return usagef("one of "+strings.Join(names, ", "), "unknown editor %q", words[0])
			}
			t, err := e.agent(c)
			if err != nil {
				return err
			}
			self, err := os.Executable()
			if err != nil {
				return ownf(err, "find our own path")
			}
			_, err = io.WriteString(e.out, editors()[i].block(e.entry(t, self, c.StringSlice("env"))))
			return err
		},
	}
}

// entry makes an agent's entry. A program that is not found stays as it is
// named, with a warning.
func (e *env) entry(t target, self string, vars []string) entry {
	x := entry{ID: shortName(t), Env: append(slices.Clone(t.Env), vars...)}
	x.Name = x.ID + " (recorded)"
	if !t.started() {
		x.Argv = []string{self, "record", "--connect", absoluteAddress(t.Address)}
		return x
	}
	argv := slices.Clone(t.Argv)
	for i, w := range argv[1:] {
		argv[i+1] = absoluteFile(w)
	}
	path, err := exec.LookPath(argv[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		e.say.warn(argv[0] + " is not found here; put its full path into the block")
	} else {
		argv[0] = path
	}
	x.Argv = append([]string{self, "record", "--"}, argv...)
	return x
}

// absoluteAddress makes the path of a socket absolute.
func absoluteAddress(address string) string {
	name, ok := strings.CutPrefix(address, "unix:")
	if !ok || name == "" || name[0] == '@' { // a name in Linux's abstract space
		return address
	}
	if abs, err := filepath.Abs(name); err == nil {
		return "unix:" + abs
	}
	return address
}

// absoluteFile makes a word absolute that names a file here, as the script of
// an interpreter does. A bare word without an extension is more likely a
// subcommand ("opencode acp"), whatever lies in the current folder.
func absoluteFile(word string) string {
	if filepath.IsAbs(word) || strings.HasPrefix(word, "-") || filepath.Base(word) == word && filepath.Ext(word) == "" {
		return word
	}
	info, err := os.Stat(word)
	if err != nil || info.IsDir() && !strings.HasPrefix(word, ".") { // @scope/package is no folder
		return word
	}
	if abs, err := filepath.Abs(word); err == nil {
		return abs
	}
	return word
}

// shortName is what an agent is called: by its @NAME, the package that npx
// runs, or its program.
func shortName(t target) string {
	if name, ok := strings.CutPrefix(t.Label, "@"); ok {
		return name
	}
	if !t.started() {
		return "agent"
	}
	name := filepath.Base(t.Argv[0])
	if name == "npx" || name == "bunx" || name == "uvx" {
		for _, w := range t.Argv[1:] {
			if !strings.HasPrefix(w, "-") {
				name = w[strings.LastIndex(w, "/")+1:]
				break
			}
		}
		if at := strings.Index(name, "@"); at > 0 {
			name = name[:at] // a version
		}
	}
	return strings.TrimSuffix(name, ".exe")
}

const watchIt = "watch it live: acptool show -f"

func zedBlock(x entry) string {
	return "// in Zed's settings.json; " + watchIt + "\n" + agentServers(x, true)
}

func jetbrainsBlock(x entry) string { return agentServers(x, false) }

// agentServers is the object that Zed and JetBrains have alike.
func agentServers(x entry, custom bool) string {
	type server struct {
		Type    string            `json:"type,omitempty"`
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env"`
	}
	s := server{Command: x.Argv[0], Args: x.Argv[1:], Env: map[string]string{}}
	if custom {
		s.Type = "custom"
	}
	for _, kv := range x.Env {
		k, v, _ := strings.Cut(kv, "=")
		s.Env[k] = v
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	enc.Encode(map[string]any{"agent_servers": map[string]server{x.Name: s}}) // strings alone: it cannot fail
	return b.String()
}

// codecompanionBlock extends the adapter that fits the agent; OpenCode's asks
// for no key and so fits others too.
func codecompanionBlock(x entry) string {
	base := "opencode"
	for _, known := range [][2]string{{"claude", "claude_code"}, {"codex", "codex"}, {"gemini", "gemini_cli"}, {"goose", "goose"}, {"kimi", "kimi_cli"}} {
		if strings.HasPrefix(x.ID, known[0]) {
			base = known[1]
		}
	}
	var b strings.Builder
	b.WriteString("-- codecompanion.nvim: choose the adapter \"recorded\" in a chat (ga); " + watchIt + "\n" +
		"require(\"codecompanion\").setup({\n  adapters = {\n    acp = {\n      recorded = function()\n" +
		"        return require(\"codecompanion.adapters\").extend(\"" + base + "\", {\n" +
		"          name = \"recorded\",\n          formatted_name = " + quoted(x.Name) + ",\n" +
		"          commands = { default = { " + list(x.Argv, ", ") + " } },\n")
	if len(x.Env) > 0 {
		b.WriteString("          env = " + luaTable(x.Env) + ",\n")
	}
	b.WriteString("        })\n      end,\n    },\n  },\n})\n")
	return b.String()
}

func avanteBlock(x entry) string {
	var b strings.Builder
	b.WriteString("-- avante.nvim; " + watchIt + "\n" +
		"require(\"avante\").setup({\n  provider = " + quoted(x.Name) + ",\n  acp_providers = {\n    [" + quoted(x.Name) + "] = {\n" +
		"      command = " + quoted(x.Argv[0]) + ",\n      args = { " + list(x.Argv[1:], ", ") + " },\n")
	if len(x.Env) > 0 {
		b.WriteString("      env = " + luaTable(x.Env) + ",\n")
	}
	b.WriteString("    },\n  },\n})\n")
	return b.String()
}

func agentShellBlock(x entry) string {
	var b strings.Builder
	b.WriteString(";; agent-shell; " + watchIt + "\n" +
		"(with-eval-after-load 'agent-shell\n  (add-to-list 'agent-shell-agent-configs\n" +
		"               (agent-shell-make-agent-config\n" +
		"                :identifier 'recorded\n                :mode-line-name " + quoted(x.Name) + "\n" +
		"                :buffer-name " + quoted(x.Name) + "\n                :shell-prompt " + quoted(x.ID+"> ") + "\n" +
		"                :shell-prompt-regexp " + quoted(x.ID+"> ") + "\n" +
		"                :client-maker\n                (lambda (buffer)\n                  (acp-make-client\n" +
		"                   :command " + quoted(x.Argv[0]) + "\n" +
		"                   :command-params '(" + list(x.Argv[1:], " ") + ")\n")
	if len(x.Env) > 0 {
		b.WriteString("                   :environment-variables '(" + list(x.Env, " ") + ")\n")
	}
	b.WriteString("                   :context-buffer buffer)))))\n")
	return b.String()
}

// quoted writes a string as Lua and Emacs Lisp both read it.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

func list(words []string, between string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quoted(w)
	}
	return strings.Join(out, between)
}

func luaTable(env []string) string {
	out := make([]string, len(env))
	for i, kv := range env {
		k, v, _ := strings.Cut(kv, "=")
		out[i] = "[" + quoted(k) + "] = " + quoted(v)
	}
	return "{ " + strings.Join(out, ", ") + " }"
}
