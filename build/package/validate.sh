#!/usr/bin/env bash
# Checks what desktops read of the package: the desktop entry, the AppStream
# metadata, and that its newest release is the version being built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

desktop-file-validate countersign.desktop
metainfo=desktop.countersign.Countersign.metainfo.xml
if ! said=$(appstreamcli validate --no-net "$metainfo" 2>&1); then
	printf '%s\n' "$said" >&2
	exit 1
fi
version=$(sed -n 's/.*"productVersion": *"\([^"]*\)".*/\1/p' ../../wails.json)
newest=$(sed -n 's/.*<release version="\([^"]*\)".*/\1/p' "$metainfo" | head -n 1)
[ "$newest" = "$version" ] || {
	echo "$metainfo tells of release $newest; wails.json says $version" >&2
	exit 1
}
