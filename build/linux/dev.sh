#!/usr/bin/env bash
# The development window: the page is built again on every change and reloaded,
# under the same policy as in the release, which keeps a plain browser out: the script
# that Wails adds for one breaks it.
#
#   dev.sh PROGRAM [ARGUMENT...]
#
# The data stands in build/bin/dev-data unless --data-dir says otherwise: this
# build's server takes web sockets from any page, so it never opens a person's own.
set -euo pipefail

if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
	echo "No screen here: starting a virtual one."
	exec "$(dirname "${BASH_SOURCE[0]}")/headless.sh" "${BASH_SOURCE[0]}" "$@"
fi

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$1
shift
case " $* " in
*" --data-dir"*) ;;
*) set -- --data-dir build/bin/dev-data "$@" ;;
esac
port=${PORT:-34115}

started=()
finish() {
	trap '' INT TERM
	local pid
	for pid in "${started[@]}"; do
		kill -TERM "$pid" 2>/dev/null || true
	done
	wait
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

frontend/node_modules/.bin/vite build --watch --logLevel warn frontend &
started+=($!)

devserver=localhost:$port assetdir=frontend/dist "$program" "$@" &
program_pid=$!
started+=("$program_pid")
echo "The window follows every change of the page. It runs with $*"

# Wails' development server reloads every page on request.
reload() {
	{ printf 'GET /wails/reload HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3 && cat <&3 >/dev/null; } \
		3<>"/dev/tcp/localhost/$port"
}

watch_page() {
	local before=0 now
	while sleep 1; do
		now=$(stat -c %Y frontend/dist/index.html 2>/dev/null || echo "$before")
		[ "$now" = "$before" ] || reload 2>/dev/null || true
		before=$now
	done
}
watch_page &
started+=($!)
wait "$program_pid"
