#!/usr/bin/env bash
# Sees to what the build needs from the system. Debian and Ubuntu: installs the
# packages that are missing. Elsewhere: names what is missing and stops.
#
#   setup.sh run     to build and to open the window
#   setup.sh test    everything: tests, package, screenshots
#
# Runs before every `make run` and `make test`, so with nothing to do it is quick
# and silent, and touches no network.
set -euo pipefail

level=${1:-run}
case $level in run | test) ;; *)
	echo "usage: setup.sh run|test" >&2
	exit 2
	;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

readonly node_wanted=20.19.0
go_wanted=$(awk '$1 == "go" { print $2; exit }' "$root/go.mod")
readonly go_wanted

# --- tools a person installs, since distributions carry them too old ---------

stop() {
	printf 'Stopped: %s\n' "$@" >&2
	exit 1
}

# at_least HAVE WANTED: version order, whatever the number of dots.
at_least() {
	[ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

check_tools() {
	command -v git >/dev/null ||
		stop "git is missing. Install it (Debian: apt install git), then try again."

	command -v go >/dev/null ||
		stop "Go is missing. Countersign needs Go $go_wanted or newer: install it as go.dev/doc/install says and put its bin folder on PATH."
	local go_have
	go_have=$(cd / && GOTOOLCHAIN=local go env GOVERSION)
	go_have=${go_have#go}
	at_least "${go_have%%[- ]*}" "$go_wanted" ||
		stop "Go $go_have is too old. Countersign needs Go $go_wanted or newer: install it as go.dev/doc/install says."

	command -v node >/dev/null ||
		stop "Node is missing. Countersign needs Node $node_wanted or newer: install it as nodejs.org says and put it on PATH."
	local node_have
	node_have=$(node --version)
	node_have=${node_have#v}
	at_least "$node_have" "$node_wanted" ||
		stop "Node $node_have is too old. Countersign needs Node $node_wanted or newer: install it as nodejs.org says."

	command -v npm >/dev/null ||
		stop "npm is missing. It comes with Node: install Node $node_wanted or newer as nodejs.org says."
}

# --- packages of the system ---------------------------------------------------

# To build, and what the window needs to show text, emoji and sound.
packages=(
	gcc libc6-dev pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev
	fonts-dejavu-core fonts-noto-color-emoji gstreamer1.0-plugins-good
)

# A window without a screen, its bus, and a picture of it.
headless=(xvfb dbus-daemon at-spi2-core imagemagick)

# Tests: a browser, the accessibility tree of the real window, keys, a keyring,
# the package's checkers.
tests=(
	chromium
	gir1.2-atspi-2.0 python3-gi xdotool
	gnome-keyring
	dpkg-dev desktop-file-utils appstream
	iproute2 procps
)

wanted_packages() {
	if [ "$level" = test ]; then
		packages+=("${headless[@]}" "${tests[@]}")
	elif [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
		packages+=("${headless[@]}")
	fi
}

# missing_packages: those of the list that are not fully installed, one a line.
# Ubuntu carries Chromium under another name.
missing_packages() {
	local installed name
	installed=$(dpkg-query -W -f='${db:Status-Status} ${binary:Package}\n' 2>/dev/null |
		sed -n 's/^installed \([^:]*\).*/\1/p')
	for name in "${packages[@]}"; do
		grep -qxF -e "$name" <<<"$installed" && continue
		if [ "$name" = chromium ] && ! apt-cache show chromium >/dev/null 2>&1; then
			name=chromium-browser
			grep -qxF -e "$name" <<<"$installed" && continue
		fi
		printf '%s\n' "$name"
	done
}

install_packages() {
	local missing=("$@") as_root=()
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null ||
			stop "these packages are missing, and neither root nor sudo is at hand: ${missing[*]}. Install them as root with: apt-get install ${missing[*]}"
		as_root=(sudo)
	fi
	echo "Installing what the system lacks${as_root:+ (with sudo)}: ${missing[*]}"
	local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
	local log
	log=$(mktemp)
	# The lists on disk are often good enough; asking for new ones takes longest.
	if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1 </dev/null; then
		echo "Package lists are missing or old: apt-get update"
		if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
			tail -n 25 "$log" >&2
			rm -f "$log"
			stop "apt-get could not install: ${missing[*]}. What it said stands above."
		fi
	fi
	rm -f "$log"
}

# Elsewhere nothing is installed by this script: what is there is looked at, and
# what is not there is named.
check_other_system() {
	local lacking=() name
	local commands=(gcc pkg-config)
	if [ "$level" = test ] || [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
		commands+=(Xvfb dbus-run-session import)
	fi
	if [ "$level" = test ]; then
		commands+=(chromium xdotool gnome-keyring-daemon dpkg-deb desktop-file-validate appstreamcli ss ps)
	fi
	for name in "${commands[@]}"; do
		command -v "$name" >/dev/null || lacking+=("$name")
	done
	for name in gtk+-3.0 webkit2gtk-4.1; do
		pkg-config --exists "$name" 2>/dev/null || lacking+=("$name (headers)")
	done
	if [ "$level" = test ] && ! /usr/bin/python3 -c 'import gi; gi.require_version("Atspi", "2.0")' 2>/dev/null; then
		lacking+=("PyGObject with the AT-SPI typelib for /usr/bin/python3")
	fi
	[ ${#lacking[@]} -eq 0 ] && return
	cat >&2 <<EOF
Stopped: not found on this system:
$(printf '  %s\n' "${lacking[@]}")

Packages are installed by this script on Debian and Ubuntu only. Install these
by hand, then try again:

  to build and run   a C compiler, pkg-config, GTK 3 and WebKitGTK 4.1 with
                     their headers, the "good" GStreamer plugins, a text font
                     (DejaVu) and a colour emoji font (Noto)
  without a screen   Xvfb, dbus-run-session, ImageMagick
  to test            Chromium, at-spi2-core, Python 3 with PyGObject and the
                     AT-SPI typelib, xdotool, gnome-keyring, dpkg-deb,
                     desktop-file-validate, appstreamcli, ss, ps

Debian's names of them:
  ${packages[*]}
  ${headless[*]}
  ${tests[*]}
EOF
	exit 1
}

is_debian() {
	[ "$(uname -s)" = Linux ] && [ -r /etc/os-release ] && command -v apt-get >/dev/null &&
		grep -qE '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release
}

# Tools first: nothing is installed on a machine that could not build anyway.
check_tools
if ! is_debian; then
	check_other_system
	exit
fi
wanted_packages
mapfile -t missing < <(missing_packages)
[ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
