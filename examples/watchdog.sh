#!/bin/sh
# For cron, once a minute: tells when a session begins to wait for somebody, once
# for each time. Sessions are found in the recordings that are being written now
# ("acptool record" in an editor's settings), and asked for at the addresses
# that are given, for agents that know session/status.
# NOTIFY is the command that gets the message, notify-send by default. Where it
# fails, the status is 1 and the next run tries again.
# usage: watchdog.sh [SESSION ADDRESS]...
#
# cron has a PATH of its own and no desktop; so, in "crontab -e" (1000 is what
# "id -u" prints):
#   PATH=/home/me/go/bin:/home/me/bin:/usr/local/bin:/usr/bin:/bin
#   DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus
#   NOTIFY=notify-send
#   * * * * * watchdog.sh
[ $(($# % 2)) -eq 0 ] || { echo "usage: watchdog.sh [SESSION ADDRESS]..." >&2; exit 2; }
notify=${NOTIFY:-notify-send}
told=${XDG_STATE_HOME:-$HOME/.local/state}/acptool-watchdog
mkdir -p "$told" || exit
failed=0

# waits KEY LABEL STATUS...: tells, if the session waits and nobody was told.
waits() {
  mark=$told/$(printf %s "$1" | tr -c 'A-Za-z0-9._-' _) label=$2
  shift 2
  said=$(acptool status "$@" --is requires_action -q 2>&1)
  case $? in
    0)
      if [ ! -e "$mark" ]; then
        if $notify "An agent waits for you: $label"; then : >"$mark"; else failed=1; fi
      fi
      ;;
    2 | 3) failed=1 && printf '%s\n' "$said" >&2 ;;
    *) rm -f "$mark" ;;
  esac
}

files=$(acptool recordings --jq 'select(.writing) | .file' -r) || exit
while IFS= read -r file; do
  [ -n "$file" ] || continue
  waits "$(basename "$file")" "$(basename "$file")" --from "$file"
done <<END
$files
END
while [ $# -ge 2 ]; do
  waits "$1@$2" "session $1" "$1" --connect "$2" --timeout 5
  shift 2
done
exit "$failed"
