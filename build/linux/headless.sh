#!/usr/bin/env bash
# Runs one command on a screen of its own: a virtual display with a free number,
# a session bus, and a runtime folder. All of them end with the command, and the
# command ends with them.
#
#   headless.sh [--size 1280x800] [--] COMMAND [ARGUMENT...]
set -euo pipefail

size=1280x800
if [ "${1:-}" = --size ]; then
	size=$2
	shift 2
fi
[ "${1:-}" = -- ] && shift
[ $# -gt 0 ] || {
	echo "usage: headless.sh [--size WxH] [--] COMMAND [ARGUMENT...]" >&2
	exit 2
}

scratch=$(mktemp -d)
display_pid='' session_pid=''

# waits_for PID: true once the process is gone, false when it outlives 5 s.
waits_for() {
	local _
	for _ in $(seq 50); do
		kill -0 "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

# The command was made the leader of a process group of its own, so what is
# signalled here was started here.
finish() {
	trap '' INT TERM HUP
	if [ -s "$scratch/pid" ]; then
		local command_pid
		command_pid=$(cat "$scratch/pid")
		kill -TERM "$command_pid" 2>/dev/null && { waits_for "$command_pid" || true; }
	fi
	if [ -n "$session_pid" ]; then
		waits_for "$session_pid" || true
		kill -KILL -- "-$session_pid" 2>/dev/null || true
		wait "$session_pid" 2>/dev/null || true
	fi
	if [ -n "$display_pid" ]; then
		kill -TERM "$display_pid" 2>/dev/null || true
		wait "$display_pid" 2>/dev/null || true
	fi
	rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Xvfb picks the number and writes it once it takes connections.
mkfifo "$scratch/display"
setsid Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset \
	3>"$scratch/display" >"$scratch/xvfb.log" 2>&1 </dev/null &
display_pid=$!
if ! read -r -t 20 number <"$scratch/display"; then
	cat "$scratch/xvfb.log" >&2
	echo "headless.sh: the virtual display did not start" >&2
	exit 1
fi

mkdir -m 0700 "$scratch/run"
export DISPLAY=:$number XDG_RUNTIME_DIR=$scratch/run
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS XAUTHORITY
# GTK must not find another screen, nor a portal that asks one.
export GDK_BACKEND=x11 GTK_USE_PORTAL=0 NO_AT_BRIDGE=0

# The command keeps this script's stderr; what the bus has to say goes to a file.
# shellcheck disable=SC2016 # expanded by the inner shell
setsid dbus-run-session -- bash -c 'echo $$ >"$0/pid"; exec "$@" 2>&4 4>&-' "$scratch" "$@" \
	4>&2 2>"$scratch/bus.log" &
session_pid=$!
wait "$session_pid"
