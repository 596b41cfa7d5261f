#!/usr/bin/env bash
# Makes the pictures of the README anew: the real window, in both themes.
#
#   screenshots.sh PROGRAM FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")

for theme in light dark; do
	"$here/../linux/headless.sh" --size 1280x800 /usr/bin/python3 -B "$here/screenshots.py" "$program" "$theme" "$folder"
done
