# Completion of acptool for bash. Written by go generate from the command tree;
# do not edit. acptool completion bash prints it.
# shellcheck shell=bash

# __acptool_flags COMMAND sets flags.
__acptool_flags() {
  case $1 in
    status) flags='--is --wait --from --interval --help --agent --connect --env --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    auth-status) flags='--probe --cwd --help --agent --connect --env --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    new) flags='--help --agent --connect --env --cwd --add-dir --mcp-config --model --mode --config --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    resume) flags='--replay --drain --help --agent --connect --env --cwd --add-dir --mcp-config --model --mode --config --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    prompt) flags='--session --session-file --file --attach --image --audio --block --lines --updates --close --drain --help --agent --connect --env --cwd --add-dir --mcp-config --model --mode --config --permission --fs --terminal --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    list) flags='--cwd --limit --help --agent --connect --env --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    close) flags='--help --agent --connect --env --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    delete) flags='--help --agent --connect --env --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    cancel) flags='--help --agent --connect --env --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    login) flags='--help --agent --connect --env --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    logout) flags='--help --agent --connect --env --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    call) flags='--notify --unadvertised --help --agent --connect --env --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --record --force -v --log --no-redact --agent-stderr --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    tap) flags='--log --record --help --agent --connect --env --listen --max-conns --idle-timeout --public --allow-origin --max-frame --header --bearer-env --cacert --insecure --no-redact --redact --jq --raw-output --compact-output --arg --argjson --color --quiet --only --except --from --session --body' ;;
    record) flags='--output --mode --help --agent --connect --env --max-frame --header --bearer-env --cacert --insecure --no-redact --redact --color --quiet' ;;
    replay) flags='--max-frame --help --match --speed --verbatim --loop --report --complete --fail-fast --demo --listen --ignore --update --fill-env --cwd --junit --timeout --drain --json --agent --connect --env --public --allow-origin --color --quiet' ;;
    setup) flags='--help --agent --connect --env --color --quiet' ;;
    show) flags='--format --output --force --follow --last --updates --no-redact --redact --max-frame --help --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet --only --except --from --session --body' ;;
    recordings) flags='--last --help --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    agents) flags='--check --help --timeout --init-timeout --idle-timeout --protocol --init-params --auth --max-frame --header --bearer-env --cacert --insecure --json --jq --raw-output --compact-output --exit-status --arg --argjson --color --quiet' ;;
    completion) flags='--help' ;;
    help) flags='--man --help' ;;
    *) flags='--help --version' ;;
  esac
}

# __acptool_value COMMAND FLAG sets arity, and kind and values of what follows
# the flag.
__acptool_value() {
  arity=0 kind='' values=''
  case $1:$2 in
    *:--is|*:--wait)
      arity=1 kind=list values='active inactive running idle requires_action exited' ;;
    status:--from)
      arity=1 kind=recording ;;
    tap:--from|show:--from)
      arity=1 kind=words values='client agent' ;;
    *:--interval|*:--env|*:--timeout|*:--init-timeout|*:--idle-timeout|\
      *:--init-params|*:--auth|*:--max-frame|*:-H|*:--header|*:--jq|\
      *:--model|new:--mode|resume:--mode|prompt:--mode|*:--config|*:--drain|\
      *:--block|*:--limit|*:--max-conns|*:--allow-origin|tap:--redact|\
      record:--redact|*:--ignore|*:-n|*:--last)
      arity=1 kind=free ;;
    *:-a|*:--agent)
      arity=1 kind=agent ;;
    *:--connect|*:--listen)
      arity=1 kind=address ;;
    *:--protocol)
      arity=1 kind=words values='auto 1 2' ;;
    *:--bearer-env)
      arity=1 kind=variable ;;
    *:--cacert|status:--record|auth-status:--record|new:--record|resume:--record|\
      prompt:--record|list:--record|close:--record|delete:--record|\
      cancel:--record|login:--record|logout:--record|call:--record|*:--log|\
      *:--mcp-config|*:--session-file|prompt:-f|*:--file|*:--attach|\
      *:--image|*:--audio|*:-o|*:--output|*:--report|*:--junit)
      arity=1 kind=file ;;
    tap:--record)
      arity=optional kind=file ;;
    *:--agent-stderr)
      arity=1 kind=file values='hide show' ;;
    *:--arg|*:--argjson)
      arity=2 kind=free ;;
    *:--color)
      arity=1 kind=words values='auto always never' ;;
    *:-C|*:--cwd|*:--add-dir|*:--man)
      arity=1 kind=dir ;;
    record:--mode)
      arity=1 kind=words values='all once none' ;;
    *:-s|*:--session)
      arity=1 kind=session ;;
    *:--permission)
      arity=1 kind=words values='reject allow allow:read,search ask jq:' ;;
    *:--fs)
      arity=1 kind=words values='read write' ;;
    show:--redact)
      arity=1 kind=list values='paths ids text' ;;
    *:--only|*:--except)
      arity=1 kind=list values='request response notification error noise malformed stderr eof exit' ;;
    *:--body)
      arity=1 kind=words values='pretty raw' ;;
    *:--match)
      arity=1 kind=words values='similar strict' ;;
    *:--speed)
      arity=1 kind=words values='max 1 2 10' ;;
    *:--demo)
      arity=1 kind=words values='any 1 2' ;;
    *:--format)
      arity=1 kind=words values='log transcript markdown patch mermaid html stats raw:client raw:agent' ;;
  esac
}

# __acptool_argument COMMAND N sets kind and values of the Nth argument.
__acptool_argument() {
  kind='' values=''
  case $1:$2 in
    :0) kind=words values='status auth-status new resume prompt list close delete cancel login logout call tap record replay setup show recordings agents completion help' ;;
    status:0) kind=session ;;
    resume:0) kind=session ;;
    close:0) kind=session ;;
    delete:0) kind=session ;;
    cancel:0) kind=session ;;
    call:0) kind=words values='authenticate logout auth/login auth/logout auth/status providers/list providers/set providers/disable session/new session/load session/resume session/list session/close session/status session/delete session/fork session/archive session/unarchive session/set_title session/prompt session/cancel session/set_mode session/set_model session/set_config_option tool_call/cancel terminal/cancel mcp/message proxy/initialize proxy/successor' ;;
    replay:*) kind=recording ;;
    setup:0) kind=words values='zed jetbrains codecompanion avante agent-shell' ;;
    show:0) kind=recording ;;
    agents:0) kind=agent ;;
    completion:0) kind=words values='bash zsh fish' ;;
    help:0) kind=words values='status auth-status new resume prompt list close delete cancel login logout call tap record replay setup show recordings agents completion help' ;;
  esac
}

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
