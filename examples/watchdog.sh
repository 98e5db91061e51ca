#!/bin/sh
# For cron, once a minute: tells when a session begins to wait for somebody, once
# for each time. Sessions are found in the recordings that are being written now
# ("acptool record" in an editor's settings), and asked for at the addresses
# that are given, for agents that know session/status.
#   * * * * * watchdog.sh
# usage: watchdog.sh [SESSION ADDRESS]...
# NOTIFY is the command that gets the message, notify-send by default.
notify=${NOTIFY:-notify-send}
told=${XDG_STATE_HOME:-$HOME/.local/state}/acptool-watchdog
mkdir -p "$told" || exit

# waits KEY LABEL STATUS...: tells, if the session waits and nobody was told.
waits() {
  mark=$told/$(printf %s "$1" | tr -c 'A-Za-z0-9._-' _) label=$2
  shift 2
  if acptool status "$@" --is requires_action -q 2>/dev/null; then
    [ -e "$mark" ] || $notify "An agent waits for you: $label"
    : >"$mark"
  else
    rm -f "$mark"
  fi
}

acptool recordings --jq 'select(.writing) | .file' -r | while IFS= read -r file; do
  waits "$(basename "$file")" "$(basename "$file")" --from "$file"
done
while [ $# -ge 2 ]; do
  waits "$1@$2" "session $1" "$1" --connect "$2" --timeout 5
  shift 2
done
