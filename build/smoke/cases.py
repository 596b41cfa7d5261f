"""Runs cases and prints a line for each: "ok - name" or "not ok - name: reason"."""

import subprocess
import sys
import traceback

from window import NotFound


class Cases:
    def __init__(self):
        self.failed = 0

    def run(self, name, case, *arguments):
        """A case fails by an exception; the next one still runs."""
        try:
            case(*arguments)
        except (AssertionError, NotFound) as reason:
            self._not_ok(name, str(reason))
        except Exception as reason:  # a crash of the driver is a failed case too
            traceback.print_exc()
            self._not_ok(name, repr(reason))
        else:
            print(f"ok - {name}", flush=True)

    def _not_ok(self, name, reason):
        self.failed += 1
        print(f"not ok - {name}", flush=True)
        for line in reason.splitlines():
            print(f"    {line}", flush=True)

    def finish(self):
        sys.exit(1 if self.failed else 0)


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def take_picture(path):
    """The whole display as a PNG."""
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["import", "-silent", "-window", "root", str(path)], check=True)
    return path


def shades_and_contrast(path):
    """The number of colours and the standard deviation (0..1) of a picture."""
    out = subprocess.run(["convert", str(path), "-format", "%k %[fx:standard_deviation]", "info:"],
                         check=True, capture_output=True, text=True).stdout.split()
    return int(out[0]), float(out[1])
