#!/bin/sh
# A job for CI: tests a script that talks to an agent, without a model, a network
# or a key. The recording plays the agent; the job fails if the script says
# something that the recording has no answer for, or if its own result is wrong.
# usage: ci-replay.sh RECORDING WANTED-TEXT PROMPT
# To record it, and to record it anew:
#   acptool prompt PROMPT --record RECORDING --force -- AGENT
[ $# -eq 3 ] || { echo "usage: ci-replay.sh RECORDING WANTED-TEXT PROMPT" >&2; exit 2; }
recording=$1 wanted=$2 prompt=$3
report=$(mktemp) || exit
trap 'rm -f "$report"' EXIT

got=$(acptool prompt -q "$prompt" -- acptool replay "$recording" --report "$report") || exit
if [ "$got" != "$wanted" ]; then
  echo "ci-replay: got: $got" >&2
  exit 1
fi
# What was asked for in vain, or answered otherwise than recorded.
if grep -q -e '"missed":\[{' -e '"differed":\[{' "$report"; then
  cat "$report" >&2
  exit 1
fi
