#!/usr/bin/python3
"""Draws the PNG icons from countersign.svg, for the package and for the window.

The PNGs are committed, so this runs only when the drawing changes. Needs
PyGObject with GdkPixbuf and its SVG loader (librsvg2-common), which come with the
packages that build/linux/setup.sh installs.
"""

import pathlib

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

SIZES = (16, 24, 32, 48, 64, 128, 256, 512)

here = pathlib.Path(__file__).resolve().parent
source = str(here / "countersign.svg")


def draw(size, path):
    GdkPixbuf.Pixbuf.new_from_file_at_size(source, size, size).savev(str(path), "png", [], [])


for size in SIZES:
    draw(size, here / f"countersign-{size}.png")
draw(512, here.parent.parent / "appicon.png")
