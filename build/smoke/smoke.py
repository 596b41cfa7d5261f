#!/usr/bin/python3
"""The packaged program in a real window, driven through the accessibility tree.

    smoke.py PROGRAM VERSION HOME PICTURES

Runs on the display and session bus it finds (build/linux/headless.sh makes both).
Everything it writes stands in the folders HOME, which is the person's, and PICTURES.
"""

import os
import pathlib
import re
import socket
import stat
import subprocess
import sys

import steps
from cases import Cases, check, shades_and_contrast, take_picture
from program import Program, environment_in, open_ports, start_keyring
from window import Window


class Smoke:
    def __init__(self, path, version, pictures, home):
        self.path, self.version, self.pictures, self.home = path, version, pictures, home
        self.data = home / "data"
        self.program = Program(path, home, ["--data-dir", str(self.data)])
        self.window = Window(self.program.pid)

    def close(self):
        self.program.stop()

    # Each method below is one case; its docstring is not printed, its name is given in run().

    def tells_its_version(self):
        said = subprocess.run([str(self.path), "--version"], env=environment_in(self.home),
                              check=True, capture_output=True, text=True).stdout.strip()
        check(said.split()[-1].removeprefix("v") == self.version, f"--version said {said!r}, the package is {self.version}")

    def shows_its_navigation(self):
        for name in ("Approvals", "Tools", "Servers", "History", "Settings"):
            self.window.wait(steps.NAVIGATION, re.compile(rf"^{name}\b"))

    def lists_the_demo_tools(self):
        steps.open_screen(self.window, "Tools")
        for tool in steps.DEMO_TOOLS:
            self.window.wait(steps.TOOL, re.compile(f"^{tool}\\b"))

    def is_not_blank(self):
        self.window.until(self._painted, "a picture with many colours and some contrast")

    def _painted(self):
        colours, contrast = shades_and_contrast(take_picture(self.pictures / "tools.png"))
        return colours >= 64 and contrast >= 0.02

    def one_call_is_countersigned(self):
        steps.propose_weather(self.window, "Lisbon")
        self.window.wait("push button", "Deny")
        self.window.says('"city": "Lisbon"')
        for name in ("Approve", "Deny"):
            check(not self.window.wait("push button", name).has("focused"), f"{name} has the focus")
        take_picture(self.pictures / "card.png")
        steps.approve(self.window)
        steps.see_result(self.window, "Lisbon")
        take_picture(self.pictures / "result.png")

    def history_shows_the_call(self):
        steps.open_screen(self.window, "History")
        self.window.wait("push button", re.compile("^Weather Succeeded"))
        take_picture(self.pictures / "history.png")

    def listens_on_no_port(self):
        ports = open_ports(self.program.pid)
        check(not ports, "listens on " + ", ".join(ports))
        with socket.create_server(("127.0.0.1", 0)):  # the control: a port that is there is seen
            check(open_ports(os.getpid()), "the search for ports finds none where there is one")

    def keeps_its_folder_private(self):
        mode = stat.S_IMODE(self.data.stat().st_mode)
        check(mode == 0o700, f"the data folder has mode {mode:o}")

    def second_start_raises_the_first(self):
        second = Program(self.path, self.home, ["--data-dir", str(self.data)])
        try:
            second.process.wait(30)
        except subprocess.TimeoutExpired:
            second.stop()
            raise AssertionError("a second start on the same folder keeps running") from None
        said = second.said()
        check(second.process.returncode == 0 or str(self.program.pid) in said,
              f"ended with {second.process.returncode} and named no holder: {said}")
        check(self.program.process.poll() is None, "the first window was ended by it")

    def another_folder_runs_beside(self):
        other = Program(self.path, self.home, ["--data-dir", str(self.home / "other")])
        try:
            Window(other.pid).wait(steps.NAVIGATION, re.compile("^Tools"))
            self.window.wait(steps.NAVIGATION, re.compile("^Tools"))
        finally:
            check(other.stop() in (0, -15), f"the second program ended badly: {other.said()}")

    def a_launch_is_confirmed_in_a_native_dialog(self):
        # A dialog of the frame takes its text as a printf format: what looks like one stays as it is.
        steps.add_stdio_server(self.window, "Second", str(self.path), ["demo-server"], {"NOTE": "100%s of %n"})
        said = steps.answer_consent(self.window, "No")
        for part in (str(self.path), "demo-server", "NOTE", "100%s of %n"):
            check(part in said, f"the dialog does not show {part!r}: {said!r}")
        self.window.says("You did not give your consent")
        steps.answer_consent(self.window, "Yes")
        self.window.wait("push button", re.compile("^Second Running"))
        take_picture(self.pictures / "servers.png")

    def after_a_restart_all_is_there(self):
        code = self.program.stop()
        check(code in (0, -15), f"ended with {code}: {self.program.said()}")
        self.program = Program(self.path, self.home, ["--data-dir", str(self.data)])
        self.window = Window(self.program.pid)
        steps.open_screen(self.window, "History")
        self.window.wait("push button", re.compile("^Weather Succeeded"))
        # The server that was agreed to starts again without a question.
        steps.open_screen(self.window, "Servers")
        self.window.wait("push button", re.compile("^Second Running"))

    def ends_while_a_native_dialog_is_open(self):
        steps.add_stdio_server(self.window, "Third", str(self.path), ["demo-server"], {})
        self.window.press(re.compile("^Review and agree"))
        self.window.wait("alert", None)
        code = self.program.stop()
        check(code in (0, -15), f"ended with {code}: {self.program.said()}")
        self.program = Program(self.path, self.home, ["--data-dir", str(self.data)])
        self.window = Window(self.program.pid)
        steps.open_screen(self.window, "Servers")
        self.window.wait("push button", re.compile("^Third .*[Cc]onsent"))


def main():
    path, version, home, pictures = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
    keyring = start_keyring(home)
    cases = Cases()
    smoke = Smoke(path, version, pictures, home)
    try:
        cases.run("the program tells the package's version", smoke.tells_its_version)
        cases.run("the window shows its navigation to a screen reader", smoke.shows_its_navigation)
        cases.run("the demo tools stand in the accessibility tree", smoke.lists_the_demo_tools)
        cases.run("the window is painted", smoke.is_not_blank)
        cases.run("one call is proposed, approved and answered through the tree", smoke.one_call_is_countersigned)
        cases.run("history shows the call", smoke.history_shows_the_call)
        cases.run("the release listens on no port", smoke.listens_on_no_port)
        cases.run("the data folder is the person's alone", smoke.keeps_its_folder_private)
        cases.run("a second start on the same folder raises the first window", smoke.second_start_raises_the_first)
        cases.run("another folder runs side by side", smoke.another_folder_runs_beside)
        cases.run("a server's launch is confirmed in a native dialog", smoke.a_launch_is_confirmed_in_a_native_dialog)
        cases.run("after a restart the history is there", smoke.after_a_restart_all_is_there)
        cases.run("it ends with the session while a native dialog is open", smoke.ends_while_a_native_dialog_is_open)
        if cases.failed:
            take_picture(pictures / "failed.png")
            print(smoke.program.said(), file=sys.stderr)
    finally:
        smoke.close()
        keyring.terminate()
        keyring.wait()
    cases.finish()


if __name__ == "__main__":
    main()
