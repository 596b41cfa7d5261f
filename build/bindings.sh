#!/usr/bin/env bash
# frontend/wailsjs is what the Wails generator makes of the bound methods. This
# makes it anew beside it and compares; with --write it takes its place.
#
# The generator is the program itself, built with the tag "bindings": its main
# then writes the files and ends.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

go build -buildvcs=false -tags bindings,sqlite_fts5 -o "$scratch/generate" .
mkdir "$scratch/frontend"
cp wails.json "$scratch/"
if ! (cd "$scratch" && ./generate >generate.log 2>&1); then
	cat "$scratch/generate.log" >&2
	echo "the bindings generator failed" >&2
	exit 1
fi
made=$scratch/frontend/wailsjs
[ -d "$made/go" ] || {
	cat "$scratch/generate.log" >&2
	echo "the bindings generator wrote nothing" >&2
	exit 1
}
# It marks what it writes as executable, which none of it is.
find "$made" -type f -exec chmod 0644 {} +

if [ "${1:-}" = --write ]; then
	rm -rf frontend/wailsjs
	cp -R "$made" frontend/wailsjs
elif ! diff -r frontend/wailsjs "$made"; then
	echo "frontend/wailsjs is not what the Go code says: run make bindings and commit it" >&2
	exit 1
fi
