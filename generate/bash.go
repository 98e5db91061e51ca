package main

import (
	"fmt"
	"strings"

	"github.com/acptool/acptool/commands"
)

// bashScript is the completion for bash 4.3 and later. It needs nothing but
// bash; where bash-completion is loaded, it is used for what follows "--".
func bashScript(t *tree) string {
	var b strings.Builder
	fmt.Fprintf(&b, header, "bash", "bash")
	b.WriteString("# shellcheck shell=bash\n")
	b.WriteString("\n# __acptool_flags COMMAND sets flags.\n__acptool_flags() {\n  case $1 in\n")
	for _, c := range t.commands {
		fmt.Fprintf(&b, "    %s) flags='%s' ;;\n", c.Name, strings.Join(flagNames(c.Flags), " "))
	}
	fmt.Fprintf(&b, "    *) flags='%s' ;;\n  esac\n}\n", strings.Join(flagNames(t.global), " "))

	b.WriteString("\n# __acptool_value COMMAND FLAG sets arity, and kind and values of what follows\n# the flag.\n__acptool_value() {\n  arity=0 kind='' values=''\n  case $1:$2 in\n")
	for _, g := range t.groups(bashAnswer) {
		fmt.Fprintf(&b, "    %s)\n      %s ;;\n", lines(g.patterns, "|", "\\\n      "), g.answer)
	}
	b.WriteString("  esac\n}\n")

	b.WriteString("\n# __acptool_argument COMMAND N sets kind and values of the Nth argument.\n__acptool_argument() {\n  kind='' values=''\n  case $1:$2 in\n")
	fmt.Fprintf(&b, "    :0) kind=words values='%s' ;;\n", strings.Join(t.names, " "))
	for _, c := range t.commands {
		if c.Arg.Kind == commands.KindFree {
			continue
		}
		at := "0"
		if many(c) {
			at = "*"
		}
		fmt.Fprintf(&b, "    %s:%s) %s ;;\n", c.Name, at, bashValues(c.Arg))
	}
	b.WriteString("  esac\n}\n")
	b.WriteString(bashRest)
	return b.String()
}

func flagNames(flags []commands.FlagDoc) []string {
	var all []string
	for _, f := range flags {
		names := spelled(f)
		if len(f.Long) > 0 {
			names = names[len(f.Short):] // the letter is shorter than the tab key
		}
		all = append(all, names...)
	}
	return all
}

func bashAnswer(f commands.FlagDoc) string {
	if f.Arity == 0 {
		return ""
	}
	arity := fmt.Sprintf("arity=%d ", f.Arity)
	if f.Optional {
		arity = "arity=optional "
	}
	return arity + bashValues(f.Values)
}

func bashValues(v commands.Values) string {
	kind := map[commands.ValueKind]string{
		commands.KindFree: "free", commands.KindWords: "words", commands.KindFile: "file", commands.KindDir: "dir", commands.KindRecording: "recording",
		commands.KindAgent: "agent", commands.KindAddress: "address", commands.KindSession: "session", commands.KindVariable: "variable",
	}[v.Kind]
	if v.List {
		kind = "list"
	}
	if len(v.Words) == 0 {
		return "kind=" + kind
	}
	return fmt.Sprintf("kind=%s values='%s'", kind, strings.Join(v.Words, " "))
}

const bashRest = `
# __acptool_line sets line, the words up to the cursor as the shell will see
# them: bash also breaks words at characters such as = : and @.
__acptool_line() {
  local rest=${COMP_LINE:0:COMP_POINT} word i
  line=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((i == 0)) || [[ $rest == [[:blank:]]* ]]; then
      rest=${rest#"${rest%%[![:blank:]]*}"}
      line+=('')
    fi
    ((i == COMP_CWORD)) && word=$rest
    rest=${rest#"$word"}
    line[${#line[@]} - 1]+=$word
  done
}

# __acptool_reply WORD… offers those that begin with what is typed.
__acptool_reply() {
  local word
  for word; do
    [[ $word == "$value"* ]] && COMPREPLY+=("$before$word")
  done
}

# __acptool_ask WHAT… offers what acptool itself knows: the first column.
__acptool_ask() {
  local answers
  mapfile -t answers < <("$program" __complete "$@" 2>/dev/null </dev/null)
  __acptool_reply "${answers[@]%%$'\t'*}"
}

# __acptool_offer offers values of a kind; value is what is typed of it.
__acptool_offer() {
  local found word
  case $kind in
    words) IFS=' ' read -ra found <<<"$values"; __acptool_reply "${found[@]}" ;;
    list)
      before+=${value%"${value##*,}"} value=${value##*,}
      IFS=' ' read -ra found <<<"$values"
      for word in "${found[@]}"; do
        [[ ,${before##*=} == *,"$word",* ]] || __acptool_reply "$word"
      done
      compopt -o nospace
      ;;
    file)
      IFS=' ' read -ra found <<<"$values"
      __acptool_reply "${found[@]}"
      compopt -o default
      ;;
    dir) compopt -o dirnames ;;
    recording)
      __acptool_reply @last
      [[ $value == @* ]] && return
      mapfile -t found < <(compgen -o plusdirs -f -X '!*.acp.jsonl*' -- "$value")
      if ((${#found[@]} > 0)); then
        __acptool_reply "${found[@]}"
        compopt -o filenames
      elif [[ -n $value ]]; then
        compopt -o default
      fi
      ;;
    agent)
      if [[ -z $value || $value == @* ]]; then
        __acptool_ask agents
      else
        mapfile -t found < <(compgen -c -- "$value")
        __acptool_reply "${found[@]}"
      fi
      ;;
    address)
      if [[ $value == unix:* ]]; then
        compopt -o default
      else
        __acptool_reply unix: tcp: ws:// wss:// http:// https://
        compopt -o nospace
      fi
      ;;
    session) __acptool_ask sessions -- "${line[@]:1:${#line[@]}-2}" ;;
    variable) mapfile -t found < <(compgen -e -- "$value"); __acptool_reply "${found[@]}" ;;
  esac
}

# __acptool_agent completes the agent's command, which stands after --, as the
# shell would complete it by itself.
__acptool_agent() {
  local i spec
  for ((i = 0; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -- ]] && break
  done
  ((i++))
  if declare -F _comp_command_offset >/dev/null; then
    _comp_command_offset "$i"
  elif declare -F _command_offset >/dev/null; then
    _command_offset "$i"
  elif ((i == COMP_CWORD)); then
    mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[i]}")
    compopt -o filenames
  elif spec=$(complete -p -- "${COMP_WORDS[i]}" 2>/dev/null) && [[ $spec =~ ' -F '([^ ]+) ]]; then
    COMP_LINE=${COMP_LINE#*[[:blank:]]--[[:blank:]]} COMP_POINT=${#COMP_LINE}
    COMP_WORDS=("${COMP_WORDS[@]:i}") COMP_CWORD=$((COMP_CWORD - i))
    "${BASH_REMATCH[1]}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  else
    compopt -o default
  fi
}

_acptool() {
  local program=$1 line arity kind values flags command='' flag='' argument=0 value before='' i last current
  COMPREPLY=()
  __acptool_line
  last=$((${#line[@]} - 1)) current=${line[last]}
  for ((i = 1; i < last; i++)); do
    case ${line[i]} in
      --) __acptool_agent; return ;;
      --*=*) ;;
      -?*)
        __acptool_value "$command" "${line[i]}"
        if [[ $arity == optional ]]; then
          arity=1
          [[ ${line[i + 1]} == -* ]] && arity=0
        fi
        ((i + arity >= last && arity > 0)) && flag=${line[i]}
        ((i += arity))
        ;;
      *) if [[ -z $command ]]; then command=${line[i]}; else ((argument++)); fi ;;
    esac
  done
  value=$current
  if [[ -n $flag ]]; then
    __acptool_value "$command" "$flag"
    [[ $arity == 2 ]] || __acptool_offer
  elif [[ $current == --*=* ]]; then
    __acptool_value "$command" "${current%%=*}"
    before=${current%%=*}= value=${current#*=}
    __acptool_offer
  else
    if [[ $current != -* ]]; then
      __acptool_argument "$command" "$argument"
      __acptool_offer
    fi
    if [[ $current == -* || -z $current && -z $kind ]]; then
      __acptool_flags "$command"
      IFS=' ' read -ra flags <<<"$flags"
      # shellcheck disable=SC2128 # it is a list by now
      __acptool_reply "${flags[@]}"
    fi
  fi
  # What stands before the last break is no part of the word that bash completes;
  # but an @ is.
  before=${current%"${current##*["$COMP_WORDBREAKS"]}"}
  before=${before%@}
  COMPREPLY=("${COMPREPLY[@]#"$before"}")
}

complete -F _acptool acptool
`
