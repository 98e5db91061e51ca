package main

import (
	"fmt"
	"strings"

	"github.com/acptool/acptool/commands"
)

// fishScript is the completion for fish 3.1 and later.
func fishScript(t *tree) string {
	var b strings.Builder
	fmt.Fprintf(&b, header, "fish", "fish")
	var one, two []string
	for _, g := range t.groups(func(f commands.FlagDoc) string {
		if f.Optional {
			return ""
		}
		return strings.Repeat("+", f.Arity)
	}) {
		for _, p := range g.patterns {
			_, name, _ := strings.Cut(p, ":")
			if g.answer == "+" {
				one = append(one, name)
			} else {
				two = append(two, name)
			}
		}
	}
	b.WriteString(strings.NewReplacer("@ONE@", strings.Join(unique(one), " "), "@TWO@", strings.Join(unique(two), " ")).Replace(fishBegin))
	for _, c := range t.commands {
		fmt.Fprintf(&b, "complete -c acptool -n '__acptool_at' -a %s -d %s\n", c.Name, fishQuote(c.Usage))
	}
	for _, f := range t.global {
		fmt.Fprintf(&b, "complete -c acptool -n '__acptool_at'%s\n", fishFlag(f))
	}
	for _, c := range t.commands {
		b.WriteString("\n")
		for _, f := range c.Flags {
			fmt.Fprintf(&b, "complete -c acptool -n '__acptool_at %s any'%s\n", c.Name, fishFlag(f))
		}
		if action := fishValue(c.Arg); action != "" {
			at := "0"
			if many(c) {
				at = "any"
			}
			fmt.Fprintf(&b, "complete -c acptool -n '__acptool_at %s %s'%s\n", c.Name, at, action)
		}
	}
	return b.String()
}

func unique(words []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

func fishFlag(f commands.FlagDoc) string {
	s := ""
	for _, n := range f.Short {
		s += " -s " + n
	}
	for _, n := range f.Long {
		s += " -l " + n
	}
	if f.Arity > 0 && !f.Optional {
		s += " -r"
	}
	if f.Arity > 0 {
		s += fishValue(f.Values)
	}
	return s + " -d " + fishQuote(plain(f.Text))
}

// fishValue is what offers values: no files but where they are meant.
func fishValue(v commands.Values) string {
	words := strings.Join(v.Words, " ")
	switch v.Kind {
	case commands.KindWords:
		if v.List {
			return " -f -a " + fishQuote("(__acptool_list "+words+")")
		}
		return " -f -a " + fishQuote(words)
	case commands.KindFile:
		if words != "" {
			return " -F -a " + fishQuote(words)
		}
		return " -F"
	case commands.KindDir:
		return " -f -a '(__fish_complete_directories)'"
	case commands.KindRecording:
		return " -f -a '(__acptool_recordings)'"
	case commands.KindAgent:
		return " -f -a '(__acptool_agents)'"
	case commands.KindAddress:
		return " -f -a '(__acptool_addresses)'"
	case commands.KindSession:
		return " -f -a '(__acptool_sessions)'"
	case commands.KindVariable:
		return " -f -a '(set --names --export)'"
	}
	return ""
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}

const fishBegin = `
# __acptool_words prints the command and the number of arguments after it, or
# "agent" where the agent's command is being typed.
function __acptool_words
    set -l command
    set -l arguments 0
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip -gt 0
            set skip (math $skip - 1)
            continue
        end
        switch $word
            case --
                echo agent
                return
            case @ONE@
                set skip 1
            case @TWO@
                set skip 2
            case '-*'
            case '*'
                if test -z "$command"
                    set command $word
                else
                    set arguments (math $arguments + 1)
                end
        end
    end
    echo $command
    echo $arguments
end

# __acptool_at [COMMAND N]: whether the cursor stands at the Nth argument of the
# command ("any": anywhere), or where no command is typed yet.
function __acptool_at
    set -l words (__acptool_words)
    test "$words[1]" = "$argv[1]"; or return 1
    test (count $argv) -lt 2; or test "$argv[2]" = any; or test "$words[2]" = "$argv[2]"
end

function __acptool_after_dashes
    test (__acptool_words)[1] = agent
end

# __acptool_agent completes the agent's command as it is completed by itself.
function __acptool_agent
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words)
    set -e words[1..$at]
    complete -C (string join -- ' ' (string escape -- $words) (commandline -ct))
end

function __acptool_agents
    set -l words (commandline -opc)
    command $words[1] __complete agents 2>/dev/null
end

function __acptool_sessions
    set -l words (commandline -opc)
    command $words[1] __complete sessions -- $words[2..-1] 2>/dev/null
end

function __acptool_addresses
    if string match -q 'unix:*' -- (commandline -ct)
        for path in (__fish_complete_path (string sub -s 6 -- (commandline -ct)))
            echo unix:$path
        end
    else
        printf '%s\n' unix: tcp: ws:// wss:// http:// https://
    end
end

function __acptool_recordings
    printf '@last\tthe newest recording\n'
    __fish_complete_suffix .acp.jsonl
end

# __acptool_list WORD…: several with commas between them.
function __acptool_list
    set -l before (string match -r '.*,' -- (commandline -ct))
    for word in $argv
        contains -- $word (string split , -- $before); or printf '%s\n' $before$word
    end
end

complete -c acptool -e
complete -c acptool -f
complete -c acptool -n __acptool_after_dashes -f -a '(__acptool_agent)'
`
