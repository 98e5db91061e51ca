#!/bin/sh
# One short text for a status bar or a prompt: how many agents wait for you, and
# how many work. Nothing while none does. It reads the recordings that are being
# written now, so no agent is asked and none is disturbed.
#   tmux:  set -g status-right '#(tmux-status.sh)'
#   bash:  PS1='$(tmux-status.sh) \w \$ '
# "acp: ?" where acptool is not in the PATH, or fails.
states=$(acptool recordings --jq 'select(.writing) | .state' -r 2>/dev/null) || { echo "acp: ?"; exit 1; }
printf '%s\n' "$states" | awk '
  { n[$0]++ }
  END {
    if (n["requires_action"]) text = n["requires_action"] " waiting"
    if (n["running"]) text = text (text ? ", " : "") n["running"] " running"
    if (text) print "acp: " text
  }'
