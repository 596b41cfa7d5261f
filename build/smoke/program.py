"""Starts the program as a person's desktop would, in a home folder of its own."""

import os
import pathlib
import signal
import subprocess


class Program:
    """One running program, ended with everything it started."""

    def __init__(self, path, home, arguments=(), environment=None):
        self.log = open(pathlib.Path(home) / f"program-{os.urandom(3).hex()}.log", "wb+")
        self.process = subprocess.Popen(
            [str(path), *arguments],
            env=environment_in(home) | (environment or {}),
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    @property
    def pid(self):
        return self.process.pid

    def said(self):
        self.log.flush()
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def stop(self, patience=20):
        """Ends it as a session manager does; returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        return self.process.returncode


def environment_in(home):
    """The environment of this session, with every folder of a person's under home."""
    home = pathlib.Path(home)
    kept = ("PATH", "LANG", "DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
            "GDK_BACKEND", "GTK_USE_PORTAL", "NO_AT_BRIDGE", "TMPDIR")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    env.setdefault("LANG", "C.UTF-8")
    env |= {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "USER": "smoke",
        "SHELL": "/bin/bash",
    }
    return env


def start_keyring(home):
    """An unlocked keyring on this session's bus, so that nothing asks for one."""
    daemon = subprocess.Popen(
        ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
        env=environment_in(home), stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    daemon.stdin.write(b"smoke")
    daemon.stdin.close()
    return daemon


def family(pid):
    """The process and all below it."""
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            # The name in brackets may hold spaces and brackets itself.
            parent = int(stat.rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found, left = [], [pid]
    while left:
        here = left.pop()
        found.append(here)
        left.extend(children.get(here, ()))
    return found


def open_ports(pid):
    """What the process and all below it listen on: "tcp 127.0.0.1:80 (pid)"."""
    sockets = {}
    for member in family(pid):
        try:
            for fd in pathlib.Path(f"/proc/{member}/fd").iterdir():
                target = os.readlink(fd)
                if target.startswith("socket:["):
                    sockets[target[8:-1]] = member
        except OSError:
            continue
    ports = []
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        for line in pathlib.Path(f"/proc/net/{kind}").read_text().splitlines()[1:]:
            fields = line.split()
            listening = fields[3] == "0A" if kind.startswith("tcp") else True
            if listening and fields[9] in sockets:
                ports.append(f"{kind} {fields[1]} (process {sockets[fields[9]]})")
    return ports
