package main

import (
	"fmt"
	"strings"

	"github.com/acptool/acptool/commands"
)

// zshScript is the completion for zsh: a function for fpath that may be sourced
// as well.
func zshScript(t *tree) string {
	var b strings.Builder
	b.WriteString("#compdef acptool\n")
	fmt.Fprintf(&b, header, "zsh", "zsh")
	b.WriteString(zshBegin)
	b.WriteString("\n# _acptool_arity FLAG sets arity: how many words follow the flag.\n_acptool_arity() {\n  case $1 in\n")
	for n := 1; n <= 2; n++ {
		var names []string
		for _, g := range t.groups(func(f commands.FlagDoc) string {
			if f.Arity == n && !f.Optional {
				return "yes"
			}
			return ""
		}) {
			for _, p := range g.patterns {
				_, name, _ := strings.Cut(p, ":")
				if len(names) == 0 || names[len(names)-1] != name {
					names = append(names, name)
				}
			}
		}
		fmt.Fprintf(&b, "    %s) arity=%d ;;\n", lines(names, "|", "\\\n      "), n)
	}
	b.WriteString("    *) arity=0 ;;\n  esac\n}\n")

	b.WriteString("\n_acptool_commands() {\n  local -a commands\n  commands=(\n")
	for _, c := range t.commands {
		fmt.Fprintf(&b, "    %s\n", single(strings.ReplaceAll(c.Name, ":", `\:`)+":"+c.Usage))
	}
	b.WriteString("  )\n  _describe -t commands command commands\n}\n")

	b.WriteString("\n_acptool_of_command() {\n  case $command in\n")
	for _, c := range t.commands {
		fmt.Fprintf(&b, "    %s)\n      _arguments -s", c.Name)
		for _, f := range c.Flags {
			b.WriteString(" \\\n        " + zshFlag(f))
		}
		if c.Name == "help" {
			b.WriteString(" \\\n        '1:command:_acptool_commands'")
		} else if c.Arg.Kind != commands.KindFree {
			which := "1"
			if many(c) {
				which = "*"
			}
			b.WriteString(" \\\n        " + single(which+":"+zshValue(valueName(c), c.Arg)))
		}
		if !many(c) {
			b.WriteString(" \\\n        '*:text:_acptool_nothing'")
		}
		b.WriteString("\n      ;;\n")
	}
	b.WriteString("  esac\n}\n")
	b.WriteString(zshRest)
	return b.String()
}

// valueName is what a command's argument is called.
func valueName(c commands.CommandDoc) string {
	switch c.Arg.Kind {
	case commands.KindSession:
		return "session"
	case commands.KindRecording:
		return "recording"
	}
	switch c.Name {
	case "setup":
		return "editor"
	case "completion":
		return "shell"
	case "call":
		return "method"
	}
	return "argument"
}

func zshFlag(f commands.FlagDoc) string {
	names := spelled(f)
	text := "[" + zshEscape(plain(f.Text)) + "]"
	value := ""
	switch {
	case f.Optional:
		value = "::" + zshValue(f.Value, f.Values)
	case f.Arity == 1:
		value = ":" + zshValue(f.Value, f.Values)
	case f.Arity == 2:
		value = ":name: :value: "
	}
	spec := func(name string) string {
		switch {
		case f.Arity == 0 || f.Arity == 2:
			return name
		case strings.HasPrefix(name, "--"):
			return name + "="
		}
		return name + "+"
	}
	before := "(" + strings.Join(names, " ") + ")"
	if f.Repeatable && f.Arity > 0 {
		before = "*"
	}
	var all []string
	for _, n := range names {
		all = append(all, single(before+spec(n)+text+value))
	}
	return strings.Join(all, " ")
}

// zshValue is MESSAGE:ACTION.
func zshValue(name string, v commands.Values) string {
	name = strings.ToLower(strings.Trim(name, "[]'"))
	if name == "k: v" {
		name = "header"
	}
	name = zshEscape(name)
	switch v.Kind {
	case commands.KindWords:
		var words []string
		for _, w := range v.Words {
			words = append(words, zshEscape(w))
		}
		if v.List {
			return name + ":_values -s , " + name + " " + strings.Join(words, " ")
		}
		return name + ":(" + strings.Join(words, " ") + ")"
	case commands.KindFile:
		if len(v.Words) > 0 {
			return name + `:{_alternative "words:word:(` + strings.Join(v.Words, " ") + `)" "files:file:_files"}`
		}
		return name + ":_files"
	case commands.KindDir:
		return name + ":_files -/"
	case commands.KindRecording:
		return name + ":_acptool_recordings"
	case commands.KindAgent:
		return name + ":_acptool_agents"
	case commands.KindAddress:
		return name + ":_acptool_addresses"
	case commands.KindSession:
		return name + ":_acptool_sessions"
	case commands.KindVariable:
		return name + ":_parameters -g \"*export*\""
	}
	return name + ": "
}

func zshEscape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(s)
}

// single quotes a word for zsh and fish alike, where it holds no backslash
// before a quote.
func single(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

const zshBegin = `
# Text has no completions; flags may follow it.
_acptool_nothing() { return 1 }

_acptool_recordings() {
  _alternative 'names:name:(@last)' 'files:recording:_files -g "*.acp.jsonl*(-.)"'
}

# _acptool_ask WHAT… offers what acptool itself knows: a value and its
# explanation in each line.
_acptool_ask() {
  local -a answers
  answers=("${(@f)$(_call_program answers ${(q)words[1]} __complete ${(q)@} 2>/dev/null)}")
  answers=("${(@)answers:#}")
  (( $#answers )) || return 1
  answers=("${(@)answers//:/\\:}")
  answers=("${(@)answers/$'\t'/:}")
  _describe -t answers $1 answers
}

_acptool_agents() {
  if [[ -z $PREFIX || $PREFIX == @* ]]; then
    _acptool_ask agents
  else
    _command_names -e
  fi
}

_acptool_sessions() { _acptool_ask sessions -- "${(@)typed}" }

_acptool_addresses() {
  if compset -P 'unix:'; then
    _files
  else
    compadd -S '' -- unix: tcp: ws:// wss:// http:// https://
  fi
}
`

const zshRest = `
_acptool() {
  local curcontext=$curcontext command= i arity
  local -a typed
  typed=("${(@)words[2,CURRENT-1]}")
  for (( i = 2; i < CURRENT; i++ )); do
    case $words[i] in
      --)
        # The agent's command: as it is completed by itself.
        words=("${(@)words[i+1,-1]}")
        (( CURRENT -= i ))
        _normal
        return
        ;;
      -*)
        _acptool_arity $words[i]
        (( i += arity ))
        ;;
      *)
        if [[ -z $command ]]; then
          command=$words[i]
          words[i]=()
          (( CURRENT--, i-- ))
        fi
        ;;
    esac
  done
  if [[ -n $command ]]; then
    _acptool_of_command
  else
    _arguments -s '(-h --help)'{-h,--help}'[show help]' '(-V --version)'{-V,--version}'[show the version]' '1:command:_acptool_commands'
  fi
}

if [[ $funcstack[1] == _acptool ]]; then
  _acptool "$@"
else
  compdef _acptool acptool
fi
`
