#!/usr/bin/env bash
# Smoke of the package: puts it in place, drives the program in a real window, and
# takes it away again. As root in CI it is installed and removed like a person
# would; elsewhere it is unpacked under a temporary root, so that a person's own
# installation is untouched.
#
#   smoke.sh PACKAGE.deb FRAMECHECK
#
# FRAMECHECK is the test build of build/smoke/framecheck.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
deb=$(realpath "$1")
framecheck=$(realpath "$2")
version=$(dpkg-deb -f "$deb" Version)
pictures=$here/../bin/smoke
scratch=$(mktemp -d)
installed=false

# shellcheck disable=SC2317 # called by the trap
finish() {
	# A run that was cut short leaves no package behind.
	if $installed; then
		dpkg --remove countersign >/dev/null 2>&1 || true
	fi
	rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

rm -rf "$pictures"
mkdir -p "$pictures" "$scratch/home"

ok() {
	printf 'ok - %s\n' "$1"
}

if [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ]; then
	installed=true
	if ! DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends \
		--reinstall --allow-downgrades "$deb" >"$scratch/apt.log" 2>&1 </dev/null; then
		tail -n 25 "$scratch/apt.log" >&2
		echo "not ok - the package installs"
		exit 1
	fi
	ok "the package installs"
	program=/usr/bin/countersign root=/
else
	dpkg-deb -x "$deb" "$scratch/root"
	ok "the package unpacks"
	program=$scratch/root/usr/bin/countersign root=$scratch/root
fi

for file in usr/share/applications/countersign.desktop usr/share/icons/hicolor/scalable/apps/countersign.svg \
	usr/share/icons/hicolor/48x48/apps/countersign.png \
	usr/share/metainfo/desktop.countersign.Countersign.metainfo.xml; do
	[ -f "$root/$file" ] || {
		echo "not ok - the package carries $file"
		exit 1
	}
done
ok "the package carries its desktop entry, icons and metadata"

code=0
"$here/../linux/headless.sh" /usr/bin/python3 -B "$here/smoke.py" "$program" "$version" "$scratch/home" "$pictures" || code=$?

mkdir -m 0700 "$scratch/frames"
(cd "$here/../.." && "$here/../linux/headless.sh" env HOME="$scratch/frames" "$framecheck" "$scratch/frames") || code=$?

if $installed; then
	dpkg --remove countersign >/dev/null
	installed=false
	if [ -e /usr/bin/countersign ]; then
		echo "not ok - the package is removed"
		code=1
	elif [ ! -s "$scratch/home/data/countersign.db" ]; then
		echo "not ok - a person's data stays on removal"
		code=1
	else
		ok "the package is removed, and a person's data stays"
	fi
fi
exit "$code"
