#!/usr/bin/env bash
# Opens the built program's window: on the person's screen, or, where there is
# none, on a virtual one, with a picture of what stands on it.
#
#   run.sh PROGRAM [ARGUMENT...]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [ "${1:-}" != --on-virtual-screen ]; then
	[ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || exec "$@"
	echo "No screen here (DISPLAY and WAYLAND_DISPLAY are not set): starting a virtual one."
	exec "$here/headless.sh" "${BASH_SOURCE[0]}" --on-virtual-screen "$@"
fi
shift

picture=$(dirname "$1")/window.png
rm -f "$picture"

"$@" &
program_pid=$!
# The program is given the time it needs to stop its servers and close its store.
trap 'kill -TERM "$program_pid" 2>/dev/null || true; wait "$program_pid" 2>/dev/null || true' EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

if "$here/picture.sh" "$picture" "$program_pid"; then
	echo "The window is open on display $DISPLAY. Picture: $picture"
	echo "Runs until stopped (Ctrl-C)."
elif kill -0 "$program_pid" 2>/dev/null; then
	echo "The window still shows nothing after a minute. Picture: $picture" >&2
fi
code=0
wait "$program_pid" || code=$?
trap - EXIT
exit "$code"
