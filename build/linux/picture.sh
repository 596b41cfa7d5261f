#!/usr/bin/env bash
# Saves a picture of the display once something is really painted on it.
#
#   picture.sh FILE.png [PID]     gives up after a minute, or when PID is gone
set -euo pipefail

file=$1
pid=${2:-}

# A page that shows text and rules has many shades and some contrast; an empty
# window has one colour, a half-started one two or three.
painted() {
	import -silent -window root "$file" 2>/dev/null || return 1
	local colours deviation
	read -r colours deviation < <(convert "$file" -format '%k %[fx:standard_deviation*1000]\n' info:)
	[ "$colours" -ge 32 ] && [ "${deviation%.*}" -ge 10 ]
}

for _ in $(seq 120); do
	[ -z "$pid" ] || kill -0 "$pid" 2>/dev/null || exit 1
	painted && sleep 2 && painted && exit 0 # servers have started by then
	sleep 0.5
done
exit 1
