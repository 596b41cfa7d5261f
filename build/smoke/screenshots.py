#!/usr/bin/python3
"""Pictures of the real window in one theme.

    screenshots.py PROGRAM light|dark FOLDER

The theme is the system's, as GTK tells it: nothing is switched in the program.
"""

import pathlib
import re
import shutil
import sys
import tempfile
import time

import steps
from cases import take_picture
from program import Program, start_keyring
from window import Window

GTK_THEMES = {"light": "Adwaita", "dark": "Adwaita:dark"}


def main():
    path, theme, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    home = pathlib.Path(tempfile.mkdtemp(prefix="countersign-screenshots-"))
    keyring = start_keyring(home)
    program = Program(path, home, ["--data-dir", str(home / "data")], {"GTK_THEME": GTK_THEMES[theme]})
    window = Window(program.pid)

    def picture(name):
        time.sleep(0.7)  # what was just asked for is painted
        take_picture(folder / f"{name}-{theme}.png")
        print(f"{folder.name}/{name}-{theme}.png", flush=True)

    try:
        steps.open_screen(window, "Tools")
        window.wait(steps.TOOL, re.compile(steps.DEMO_TOOLS[0]))
        picture("tools")
        steps.propose_weather(window, "Lisbon")
        window.wait_enabled("Approve")
        picture("approval")
        steps.approve(window)
        steps.see_result(window, "Lisbon")
        picture("result")
        steps.open_screen(window, "History")
        window.press(re.compile("^Weather Succeeded"))
        window.wait("landmark", "The call")
        picture("history")
        steps.open_screen(window, "Servers")
        window.wait("push button", re.compile("^Demo Running"))
        picture("servers")
    finally:
        program.stop()
        keyring.terminate()
        keyring.wait()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
