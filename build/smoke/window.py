"""Drives a real window through its accessibility tree, as a screen reader would.

A control is found by role and name only. What cannot be found this way, a person
who does not see the screen cannot find either, so a failed search is a finding.
"""

import re
import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

# A busy machine answers late; the default gives up after 0.8 seconds.
Atspi.set_timeout(10_000, 15_000)

PATIENCE = 30.0  # seconds a thing may take to appear on a busy machine
PAUSE = 0.15

PRESSABLE = ("push button", "link", "menu item", "page tab", "list item", "toggle button", "radio button", "check box")
WRITABLE = ("entry", "text", "spin button", "password text", "combo box")


class NotFound(Exception):
    """What was looked for did not appear in time; says what was there instead."""


def _children(node):
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child is not None:
            yield child


def _walk(node):
    """Every node below, in document order; a part that vanishes meanwhile is left out."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        try:
            stack.extend(reversed(list(_children(here))))
        except GLib.Error:
            continue


def _text(node):
    try:
        if "Text" in node.get_interfaces():
            return Atspi.Text.get_text(node, 0, -1).replace("\ufffc", " ")
    except GLib.Error:
        pass
    return ""


def _matches(wanted, have):
    if wanted is None:
        return True
    if isinstance(wanted, re.Pattern):
        return wanted.search(have) is not None
    return wanted == have


class Node:
    """One control of the tree."""

    def __init__(self, raw):
        self.raw = raw

    @property
    def role(self):
        return self.raw.get_role_name()

    @property
    def name(self):
        return self.raw.get_name() or ""

    @property
    def text(self):
        return _text(self.raw)

    def has(self, state):
        return self.raw.get_state_set().contains(getattr(Atspi.StateType, state.upper()))

    @property
    def enabled(self):
        return self.has("enabled") and self.has("sensitive")

    def press(self):
        """The control's own action: press, click, jump."""
        if not Atspi.Action.do_action(self.raw, 0):
            raise NotFound(f"{self.role} {self.name!r} has no action to do")

    def focus(self):
        Atspi.Component.grab_focus(self.raw)


class Window:
    """The window of one process; native dialogs of that process included."""

    def __init__(self, pid):
        self.pid = pid

    def _application(self):
        desktop = Atspi.get_desktop(0)
        desktop.clear_cache()
        for app in _children(desktop):
            try:
                if app.get_process_id() == self.pid:
                    app.clear_cache()  # and all below: the tree is read as it is now
                    return app
            except GLib.Error:
                continue
        return None

    def nodes(self):
        """Every visible node now."""
        app = self._application()
        for raw in _walk(app) if app is not None else ():
            try:
                if raw.get_state_set().contains(Atspi.StateType.VISIBLE):
                    yield Node(raw)
            except GLib.Error:
                continue

    def find(self, roles, name):
        """The first visible node with one of the roles and that name, or None."""
        roles = (roles,) if isinstance(roles, str) else roles
        for node in self.nodes():
            try:
                if (roles is None or node.role in roles) and _matches(name, node.name):
                    return node
            except GLib.Error:
                continue
        return None

    def wait(self, roles, name, patience=PATIENCE):
        return self.until(lambda: self.find(roles, name), f"{roles} named {name!r}", patience)

    def until(self, condition, what, patience=PATIENCE):
        """Polls until the condition gives something true, and returns that."""
        end = time.monotonic() + patience
        while True:
            try:
                found = condition()
            except GLib.Error:
                found = None
            if found:
                return found
            if time.monotonic() > end:
                raise NotFound(f"{what} did not appear within {patience:.0f} s. On screen: {self.summary()}")
            time.sleep(PAUSE)

    def gone(self, roles, name, patience=PATIENCE):
        self.until(lambda: self.find(roles, name) is None, f"the end of {roles} named {name!r}", patience)

    def says(self, wanted, patience=PATIENCE):
        """Waits until that text (or pattern) stands somewhere on screen."""
        pattern = wanted if isinstance(wanted, re.Pattern) else re.compile(re.escape(wanted))
        return self.until(lambda: pattern.search(self.all_text()), f"text {wanted!r}", patience)

    def all_text(self):
        parts = []
        for node in self.nodes():
            try:
                parts.append(node.name)
                parts.append(node.text)
            except GLib.Error:
                continue
        return "\n".join(p for p in parts if p.strip())

    def wait_enabled(self, name, roles=PRESSABLE, patience=PATIENCE):
        def ready():
            node = self.find(roles, name)
            return node if node is not None and node.enabled else None

        return self.until(ready, f"an enabled {'/'.join(roles)} named {name!r}", patience)

    def press(self, name, roles=PRESSABLE, patience=PATIENCE):
        """Presses a control once it is there and enabled."""
        node = self.wait_enabled(name, roles, patience)
        node.press()
        return node

    def write(self, name, value, roles=WRITABLE):
        """Focuses a field and types into it; web fields offer no other way to a reader."""
        field = self.wait(roles, name)
        self.take_keys()
        field.focus()
        self.until(lambda: self._focused(name, roles), f"focus on {name!r}")
        subprocess.run(["xdotool", "key", "--clearmodifiers", "ctrl+a"], check=True)
        subprocess.run(["xdotool", "type", "--clearmodifiers", "--delay", "12", value], check=True)
        self.until(lambda: value in self.wait(roles, name).text, f"{value!r} in {name!r}")

    def _focused(self, name, roles):
        node = self.find(roles, name)
        return node is not None and node.has("focused")

    def take_keys(self):
        """Gives this window the keyboard: a bare display has nobody else who would."""
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.pid), "--name", "."],
            check=False, capture_output=True, text=True,
        ).stdout.split()
        if found:
            subprocess.run(["xdotool", "windowfocus", "--sync", found[0]], check=True)

    def keys(self, *names):
        self.take_keys()
        subprocess.run(["xdotool", "key", "--clearmodifiers", *names], check=True)

    def summary(self, limit=60):
        """The named nodes on screen, for the person who reads why a search failed."""
        seen = []
        for node in self.nodes():
            try:
                if node.name and node.role not in ("filler", "application"):
                    seen.append(f"{node.role} {node.name[:60]!r}")
            except GLib.Error:
                continue
        if len(seen) > limit:
            seen = seen[:limit] + [f"and {len(seen) - limit} more"]
        return "; ".join(seen) or "nothing"
