package commands

import (
	"errors"
	"strings"
	"testing"

	"github.com/acptool/acptool/wire"
	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// testTree is a small tree with every kind of flag.
func testTree() *cli.App {
	common := func() []cli.Flag {
		return append(append(append(agentFlags(), connectionFlags(0)...), outputFlags()...),
			&cli.StringFlag{Name: "session", Aliases: []string{"s"}})
	}
	return &cli.App{
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "help", Aliases: []string{"h"}},
			&cli.BoolFlag{Name: "version", Aliases: []string{"V"}},
		},
		Commands: []*cli.Command{
			{Name: "status", Flags: append(common(), &cli.StringFlag{Name: "is"})},
			{Name: "prompt", Flags: append(common(), &cli.StringFlag{Name: "file", Aliases: []string{"f"}}, &cli.BoolFlag{Name: "updates"})},
			{Name: "show", Flags: append(outputFlags(), &cli.BoolFlag{Name: "follow", Aliases: []string{"f"}}, &cli.IntFlag{Name: "n"})},
			{Name: "tap"},
			{Name: "help"},
		},
	}
}

func TestParseLine(t *testing.T) {
	type want struct {
		command    string
		flags      []string
		words      []string
		argv       []string
		agents     []naming
		help, json bool
	}
	for _, tt := range []struct {
		name string
		args string // split at NUL where there is one, else at spaces
		want want
	}{
		{"flags before positionals", "prompt --updates hello",
			want{command: "prompt", flags: []string{"--updates=true"}, words: []string{"hello"}}},
		{"flags after positionals", "prompt hello --updates",
			want{command: "prompt", flags: []string{"--updates=true"}, words: []string{"hello"}}},
		{"flags between positionals", "prompt hello --session x world",
			want{command: "prompt", flags: []string{"--session=x"}, words: []string{"hello", "world"}}},
		{"flags before the command", "--session x prompt hello",
			want{command: "prompt", flags: []string{"--session=x"}, words: []string{"hello"}}},
		{"a flag of two meanings before the command", "-f show",
			want{command: "show", flags: []string{"--follow=true"}}},
		{"the value of a flag before the command is not the command", "-s status prompt hello",
			want{command: "prompt", flags: []string{"--session=status"}, words: []string{"hello"}}},
		{"the first -- is the agent's", "prompt hi -- agent --json -- -x",
			want{command: "prompt", words: []string{"hi"}, argv: []string{"agent", "--json", "--", "-x"}, agents: []naming{{"--", "agent --json -- -x"}}}},
		{"after -- nothing is ours", "status -- prompt --is active",
			want{command: "status", argv: []string{"prompt", "--is", "active"}, agents: []naming{{"--", "prompt --is active"}}}},
		{"bundle", "show -rc",
			want{command: "show", flags: []string{"--raw-output=true", "--compact-output=true"}}},
		{"bundle that ends with a value", "prompt -rs ID",
			want{command: "prompt", flags: []string{"--raw-output=true", "--session=ID"}}},
		{"attached short value", "prompt -sID",
			want{command: "prompt", flags: []string{"--session=ID"}}},
		{"attached short value with =", "prompt -s=ID",
			want{command: "prompt", flags: []string{"--session=ID"}}},
		{"--arg takes two words", "show\x00--arg\x00name\x00a value\x00rest",
			want{command: "show", flags: []string{"--arg=name=a value"}, words: []string{"rest"}}},
		{"--arg twice", "show --arg a 1 --argjson b {}",
			want{command: "show", flags: []string{"--arg=a=1", "--argjson=b={}"}}},
		{"bare seconds", "status --timeout 2",
			want{command: "status", flags: []string{"--timeout=2s"}}},
		{"fractions of seconds", "status --timeout=0.5",
			want{command: "status", flags: []string{"--timeout=0.5s"}}},
		{"a duration with its unit", "status --timeout 250ms",
			want{command: "status", flags: []string{"--timeout=250ms"}}},
		{"text that begins with a dash", "prompt\x00- first\n- second",
			want{command: "prompt", words: []string{"- first\n- second"}}},
		{"text that begins like a flag", "prompt\x00--json is what I want",
			want{command: "prompt", words: []string{"--json is what I want"}}},
		{"a value may hold spaces", "show\x00--jq=.a | .b",
			want{command: "show", flags: []string{"--jq=.a | .b"}}},
		{"a lone dash is a word", "prompt -",
			want{command: "prompt", words: []string{"-"}}},
		{"a comma does not split", "status --header a:1,2",
			want{command: "status", flags: []string{"--header=a:1,2"}}},
		{"an empty value", "prompt --session=",
			want{command: "prompt", flags: []string{"--session="}}},
		{"a value that looks like a number below zero", "show -n -5",
			want{command: "show", flags: []string{"--n=-5"}}},
		{"boolean with a value", "prompt --updates=false",
			want{command: "prompt", flags: []string{"--updates=false"}}},
		{"a word called h is text", "prompt h",
			want{command: "prompt", words: []string{"h"}}},
		{"a word called help is text", "prompt help",
			want{command: "prompt", words: []string{"help"}}},
		{"a word called as a flag is text", "prompt model",
			want{command: "prompt", words: []string{"model"}}},
		{"help", "prompt --help", want{command: "prompt", help: true}},
		{"short help", "prompt -h", want{command: "prompt", help: true}},
		{"-v is not the version", "-V", want{}},
		{"json is known early", "status --json", want{command: "status", flags: []string{"--json=true"}, json: true}},
		{"agents in their order", "status -a one --connect unix:/s -a two",
			want{command: "status", flags: []string{"--agent=one", "--connect=unix:/s", "--agent=two"},
				agents: []naming{{"agent", "one"}, {"connect", "unix:/s"}, {"agent", "two"}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := strings.Split(tt.args, "\x00")
			if len(args) == 1 {
				args = strings.Fields(tt.args)
			}
			l, err := parseLine(testTree(), args)
			if err != nil {
				t.Fatal(err)
			}
			got := want{flags: l.flags, words: l.words, argv: l.argv, agents: l.agents, help: l.help, json: l.json}
			if l.command != nil {
				got.command = l.command.Name
			}
			if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(want{}, naming{})); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestUsageErrors(t *testing.T) {
	for _, tt := range []struct {
		args      string
		msg, hint string
	}{
		{"promt hi", `unknown command "promt"`, "did you mean acptool prompt?"},
		{"exec hi", `unknown command "exec"`, "that is called prompt here; see acptool help prompt"},
		{"ls -l", `unknown command "ls"`, "to ask whether that agent answers: acptool status -- ls -l"},
		{"version", `unknown command "version"`, "did you mean acptool --version?"},
		{"zzzzzzz", `unknown command "zzzzzzz"`, "acptool help lists the commands"},
		{"prompt --sesion x", "unknown flag --sesion for prompt", "did you mean --session?"},
		{"prompt --is active", "unknown flag --is for prompt", "it is a flag of status"},
		{"prompt --yolo hi", "unknown flag --yolo for prompt", "permission requests are answered by --permission allow (by kind: --permission allow:read,search)"},
		{"prompt --approve-all hi", "unknown flag --approve-all for prompt", "permission requests are answered by --permission allow (by kind: --permission allow:read,search)"},
		{"prompt --to x", "unknown flag --to for prompt", "name the agent after -- or with --agent, the session with --session"},
		{"prompt -q .text", "-q takes no value", "a filter goes with --jq: --jq .text"},
		{"prompt -agent x", "unknown flag -agent", "write --agent"},
		{"prompt -Zx", "unknown flag -Zx for prompt", "acptool help prompt lists the flags; an agent's own flags stand after --"},
		{"tap sh --verbose x", "unknown flag --verbose for tap", "the agent's command stands after --: acptool tap -- sh --verbose x"},
		{"prompt --session", "--session needs a value", ""},
		{"prompt --session --json", "--session needs a value", "if the value is meant to be --json: --session=--json"},
		{"prompt -s a -s b", "-s stands twice", "give it once"},
		{"prompt -s a --session b", "--session stands twice", "give it once"},
		{"prompt --updates=yes", "--updates takes no value", "write --updates alone"},
		{"status --timeout soon", `--timeout takes a duration, and "soon" is none`, "as in --timeout 10, --timeout 1m30s or --timeout 250ms"},
		{"status --timeout=-1s", `--timeout takes a duration, and "-1" is none`, "as in --timeout 10, --timeout 1m30s or --timeout 250ms"},
		{"show -n five", `-n takes a whole number, and "five" is none`, ""},
		{"show --arg 1x y", `--arg takes the name of a variable and a value, and "1x" is no name`, "as in --arg name value"},
		{"show --arg x", "--arg needs a value", ""},
		{"prompt hi --", "nothing stands after --", "put the agent's command there: acptool prompt hi -- AGENT ARG…"},
		{"--session x", "unknown flag --session", "it belongs after a command: acptool status --session"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			_, err := parseLine(testTree(), strings.Fields(tt.args))
			var u *usageError
			if !errors.As(err, &u) {
				t.Fatalf("error %v (%T), want a usage error", err, err)
			}
			if u.msg != tt.msg || u.hint != tt.hint {
				t.Errorf("got  %q, hint %q\nwant %q, hint %q", u.msg, u.hint, tt.msg, tt.hint)
			}
		})
	}
}

// Urfave must read back what the line holds, whatever the words are.
func TestUrfaveReadsTheLineBack(t *testing.T) {
	for _, args := range [][]string{
		{"prompt", "h"}, {"prompt", "help"}, {"prompt", "model"}, {"prompt", "-"},
		{"prompt", "--header", "a: 1,2 ", "x"},
		{"prompt", "--arg", "a", " spaced, with comma ", "x"},
		{"prompt", "--env", "", "x"},
		{"prompt", "--session", "", "x"},
		{"prompt", "- a list", "--json"},
	} {
		var got []string
		var values []string
		app := testTree()
		l, err := parseLine(app, args)
		if err != nil {
			t.Fatal(err)
		}
		l.command.Action = func(c *cli.Context) error {
			got = c.Args().Slice()
			for _, n := range []string{"header", "arg", "env"} {
				values = append(values, c.StringSlice(n)...)
			}
			for _, f := range l.flags {
				if name, _, _ := strings.Cut(f[2:], "="); !c.IsSet(name) {
					t.Errorf("%q: --%s is not set", args, name)
				}
			}
			return nil
		}
		if err := l.act(t.Context(), app); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		if d := cmp.Diff(l.words, got); d != "" {
			t.Errorf("%q: %s", args, d)
		}
		for _, f := range l.flags {
			name, v, _ := strings.Cut(strings.TrimPrefix(f, "--"), "=")
			if (name == "header" || name == "arg" || name == "env") && (len(values) != 1 || values[0] != v) {
				t.Errorf("%q: values %q, want %q", args, values, v)
			}
		}
	}
}

func FuzzParseLine(f *testing.F) {
	f.Add("prompt|hello|--json|--|agent|--x")
	f.Add("--arg|a|b|show|-rc")
	f.Add("prompt|-")
	f.Fuzz(func(t *testing.T, s string) {
		args := strings.Split(s, "|")
		l, err := parseLine(testTree(), args)
		if err != nil {
			return
		}
		// What stands after the first -- comes out as it went in.
		for i, a := range args {
			if a == "--" {
				if d := cmp.Diff(args[i+1:], l.argv); d != "" {
					t.Fatal(d)
				}
				break
			}
		}
	})
}

func TestQuoteLine(t *testing.T) {
	for in, want := range map[string]string{"a": "a", "a b": "'a b'", "": "''", "it's": `'it'\''s'`, "--x=1": "--x=1", "$HOME": "'$HOME'"} {
		if got := wire.Quote(in); got != want {
			t.Errorf("wire.Quote(%q) = %s, want %s", in, got, want)
		}
	}
}
