#!/bin/sh
# Sends a prompt to whichever of several agents holds the session; if none does,
# to the first that answers, which then takes the session up. All are asked at
# the same time, and a dead one costs no more than the timeout.
# usage: router.sh SESSION TEXT ADDRESS...
[ $# -ge 3 ] || { echo "usage: router.sh SESSION TEXT ADDRESS..." >&2; exit 2; }
session=$1 text=$2
shift 2
for address; do
  set -- "$@" --connect "$address"
  shift
done

where=$(acptool status "$session" "$@" --timeout 5 --jq 'select(.status == "active") | .agent' -r 2>/dev/null | head -n 1)
[ -n "$where" ] ||
  where=$(acptool status "$@" --timeout 5 --jq 'select(.error | not) | .agent' -r 2>/dev/null | head -n 1)
[ -n "$where" ] || { echo "router: no agent answers" >&2; exit 8; }
exec acptool prompt --session "$session" --connect "$where" "$text"
