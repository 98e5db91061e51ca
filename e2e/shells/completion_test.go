//go:build e2e

package shells

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completion is a line and what a shell must and must not offer for its last
// word.
type completion struct {
	line string
	want []string // all of these
	not  []string // none of these
	only bool     // and nothing else
}

// lines are what every shell must complete alike.
func lines(socket string) []completion {
	return []completion{
		{line: "acptool sta", want: []string{"status"}, only: true},
		{line: "acptool p", want: []string{"prompt"}, only: true},
		{line: "acptool ", want: []string{"status", "prompt", "tap", "record", "replay", "show", "completion", "help"}, not: []string{"__complete"}},
		{line: "acptool help sho", want: []string{"show"}, only: true},
		{line: "acptool --ver", want: []string{"--version"}, only: true},
		{line: "acptool status --int", want: []string{"--interval"}, only: true},
		{line: "acptool status --i", want: []string{"--is", "--interval", "--init-timeout", "--init-params"}, not: []string{"--image"}},
		{line: "acptool prompt --im", want: []string{"--image"}, only: true},
		{line: "acptool -q prompt --im", want: []string{"--image"}, only: true},
		{line: "acptool --timeout 5 prompt --im", want: []string{"--image"}, only: true},
		{line: "acptool prompt 'some text' --im", want: []string{"--image"}, only: true},
		{line: "acptool prompt --arg list status --im", want: []string{"--image"}, only: true},
		{line: "acptool prompt --protocol ", want: []string{"auto", "1", "2"}, only: true},
		{line: "acptool prompt --color al", want: []string{"always"}, only: true},
		{line: "acptool show --format raw:c", want: []string{"raw:client"}, only: true},
		{line: "acptool status --is requires_action,", want: []string{"requires_action,idle", "requires_action,active"}, not: []string{"requires_action,requires_action"}},
		{line: "acptool show --from ag", want: []string{"agent"}, only: true},
		{line: "acptool tap --from cl", want: []string{"client"}, only: true},
		{line: "acptool record --mode on", want: []string{"once"}, only: true},
		{line: "acptool completion f", want: []string{"fish"}, only: true},
		{line: "acptool setup code", want: []string{"codecompanion"}, only: true},
		{line: "acptool call session/st", want: []string{"session/status"}, only: true},
		{line: "acptool status --agent @ope", want: []string{"@opencode"}, only: true},
		{line: "acptool status -a @mi", want: []string{"@mine"}, only: true},
		{line: "acptool prompt --connect w", want: []string{"ws://", "wss://"}, only: true},
		{line: "acptool show one", want: []string{"one.acp.jsonl"}, only: true},
		{line: "acptool show @", want: []string{"@last"}, only: true},
		{line: "acptool status --from one", want: []string{"one.acp.jsonl"}, only: true},
		{line: "acptool prompt --file no", want: []string{"notes.txt"}, only: true},
		{line: "acptool prompt -f no", want: []string{"notes.txt"}, only: true},
		{line: "acptool status -- given-", want: []string{"given-agent"}, only: true},
		{line: "acptool status -- given-agent no", want: []string{"notes.txt"}, only: true},
		{line: "acptool status --connect tcp:" + socket + " ses", want: []string{"session-one", "session-two"}, only: true},
		{line: "acptool prompt --connect tcp:" + socket + " hello --session session-o", want: []string{"session-one"}, only: true},
	}
}

// place makes a folder with files to complete, and an agent at an address.
func place(t *testing.T) (dir, socket string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"one.acp.jsonl": "", "notes.txt": "",
		"config/acptool/agents.json": `{"agent_servers":{"mine":{"command":"given-agent","env":{"KEY":"hidden"}}}}`,
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(bin, "given-agent"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, listing(t)
}

// listing is an agent at an address that answers initialize and session/list.
func listing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	// Ends when the listener is closed; each connection ends with its client.
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			answer(c)
		}
	}()
	t.Cleanup(func() { l.Close(); <-ended })
	return l.Addr().String()
}

func answer(c net.Conn) {
	defer c.Close()
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			return
		}
		result := `{"protocolVersion":2,"info":{"name":"lister","version":"1"},"capabilities":{"session":{"list":{}}}}`
		if m.Method == "session/list" {
			result = `{"sessions":[{"sessionId":"session-one","cwd":"/x","title":"First: this"},{"sessionId":"session-two","cwd":"/x"}]}`
		}
		if _, err := c.Write([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + "}\n")); err != nil {
			return
		}
	}
}

// check compares what was offered for the last word.
func (c completion) check(t *testing.T, got []string) {
	t.Helper()
	for _, w := range c.want {
		if !slices.Contains(got, w) {
			t.Errorf("%q: %q is not offered; there is %q", c.line, w, got)
		}
	}
	for _, w := range c.not {
		if slices.Contains(got, w) {
			t.Errorf("%q: %q is offered", c.line, w)
		}
	}
	if c.only && len(got) != len(c.want) {
		t.Errorf("%q: offered is %q, want %q", c.line, got, c.want)
	}
}

// offered is what a line has at the place of its last word.
func (c completion) offered(words []string) []string {
	before := strings.Count(c.line, " ")
	if strings.Contains(c.line, "'") {
		before-- // "some text" is one word
	}
	return words[min(before, len(words)):]
}

func TestBash(t *testing.T) {
	dir, socket := place(t)
	term := open(t, dir, "bash", "--norc", "--noprofile", "-i")
	term.send("PS1= PS2= PROMPT_COMMAND=; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; source <(acptool completion bash); echo re''ady\r")
	term.until(`\nready\r\n`)
	for _, c := range append(lines(socket), []completion{
		{line: "acptool status --is active,run", want: []string{"active,running"}, only: true},
		{line: "acptool status --agent=@ope", want: []string{"--agent=@opencode"}, only: true},
		{line: "acptool prompt --protocol=au", want: []string{"--protocol=auto"}, only: true},
		{line: "acptool prompt --file=no", want: []string{"--file=notes.txt"}, only: true},
	}...) {
		c.check(t, c.offered(term.complete(c.line, "\x1b*")))
	}
}

// Bash hands the line after -- to the function that the command has.
func TestBashUsesTheAgentsOwnCompletion(t *testing.T) {
	dir, _ := place(t)
	term := open(t, dir, "bash", "--norc", "--noprofile", "-i")
	term.send("PS1= PS2= PROMPT_COMMAND=; bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; source <(acptool completion bash); " +
		"_given() { COMPREPLY=(\"$COMP_CWORD-$2-$3\"); }; complete -F _given given-agent; echo re''ady\r")
	term.until(`\nready\r\n`)
	c := completion{line: "acptool status -- given-agent --flag x", want: []string{"2-x---flag"}, only: true}
	c.check(t, c.offered(term.complete(c.line, "\x1b*")))
}

func TestZsh(t *testing.T) {
	dir, socket := place(t)
	term := open(t, dir, "zsh", "-f", "-i")
	term.send("PS1= PS2= RPS1=; unsetopt prompt_sp prompt_cr zle; echo quiet\r")
	term.until(`\nquiet\r\n`)
	term.send("autoload -Uz compinit; compinit -u -D; source <(acptool completion zsh); " +
		"zle -C all-matches complete-word _generic; zstyle ':completion:all-matches:*' completer _all_matches _complete; zstyle ':completion:all-matches:*' insert true; " +
		"bindkey -e; bindkey '^X' all-matches; unsetopt zle_bracketed_paste; unset zle_bracketed_paste; setopt zle; print re''ady\r")
	term.until(`ready\r\n`)
	for _, c := range append(lines(socket), []completion{
		{line: "acptool status --is active,run", want: []string{"active,running"}, only: true},
		{line: "acptool status --agent=@ope", want: []string{"--agent=@opencode"}, only: true},
		{line: "acptool prompt --protocol=au", want: []string{"--protocol=auto"}, only: true},
		{line: "acptool prompt --file=no", want: []string{"--file=notes.txt"}, only: true},
	}...) {
		c.check(t, c.offered(term.complete(c.line, "\x18")))
	}
}

func TestFish(t *testing.T) {
	dir, socket := place(t)
	for _, c := range append(lines(socket), []completion{
		{line: "acptool status --is active,run", want: []string{"active,running"}, only: true},
		{line: "acptool status --agent=@ope", want: []string{"--agent=@opencode"}, only: true},
		{line: "acptool prompt --protocol=au", want: []string{"--protocol=auto"}, only: true},
	}...) {
		cmd := exec.Command("fish", "--no-config", "-c", `acptool completion fish | source; complete -C "$argv"`, c.line)
		cmd.Dir, cmd.Env = dir, world(dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%q: %v", c.line, err)
		}
		var got []string
		for l := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
			got = append(got, word)
		}
		c.check(t, got)
	}
}
