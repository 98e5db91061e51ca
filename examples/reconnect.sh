#!/bin/sh
# A client that gets over the loss of its connection. A prompt is never sent
# twice: when the answer is lost, the agent is waited for, and what it then says
# of the session shows whether the prompt arrived.
# usage: reconnect.sh SESSION ADDRESS TEXT
[ $# -eq 3 ] || { echo "usage: reconnect.sh SESSION ADDRESS TEXT" >&2; exit 2; }
session=$1 address=$2 text=$3

acptool prompt --session "$session" --connect "$address" "$text"
answer=$?
[ "$answer" -eq 8 ] || exit "$answer"

echo "reconnect: the connection was lost; waiting for the agent" >&2
# Not yet reachable and not yet known count as "not yet".
acptool status "$session" --connect "$address" --wait active,inactive --timeout 10m >/dev/null || exit
acptool resume "$session" --connect "$address" --replay --json \
  --jq '.items | map(select(.type == "user_message" or .type == "agent_message"))[-1].content[]?.text? // empty' -r
