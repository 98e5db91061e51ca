#!/bin/sh
# Is a session alive? Asks an agent that runs already, and asks again while it
# cannot be reached or does not answer in time; every other answer stands.
# Ends as "acptool status" does: 0 active, 1 inactive, 4 unknown, 5 the agent
# cannot say, 8 unreachable, 9 timed out.
# usage: liveness.sh SESSION ADDRESS [TRIES]
[ $# -ge 2 ] || { echo "usage: liveness.sh SESSION ADDRESS [TRIES]" >&2; exit 2; }
session=$1 address=$2 tries=${3:-5}

while :; do
  acptool status "$session" --connect "$address" --timeout 5
  answer=$?
  tries=$((tries - 1))
  case $answer in
    8 | 9) [ "$tries" -gt 0 ] || exit "$answer" ;;
    *) exit "$answer" ;;
  esac
  sleep 1
done
