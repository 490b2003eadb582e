"""Where bubblewrap is missing: Linux's own landlock, put on by a small process before the command.

It lets the command read the system, and write only its folder, caches and a temp of its own. It
hides no network but TCP (from version 4 on) and no local socket, so it is a fence and no seal:
commands still ask. Run as `python -I landlock.py PLAN -- COMMAND…`; it imports nothing of Conch.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_NO_NEW_PRIVILEGES = 38
_VERSION = 1
_BENEATH = 1
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_WRITE_FILE, _TRUNCATE, _REFER, _IOCTL = 1 << 1, 1 << 14, 1 << 13, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _READ_FILE | _WRITE_FILE | _TRUNCATE | _IOCTL
_TCP = 0b11


@dataclass(frozen=True)
class Plan:
    """What a command may read and what it may also write, as paths; whether it may use TCP."""

    reads: tuple[str, ...]
    writes: tuple[str, ...]
    network: bool


class _Rules(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


@cache
def version() -> int:
    """The version of landlock this system has; 0 for none."""
    if sys.platform != "linux":
        return 0
    return max(_call(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION)), 0)


def confined_command(command: Sequence[str], plan: Plan) -> list[str]:
    """The command with landlock put on first. Call only where `version()` is not 0."""
    return [sys.executable, "-I", __file__, json.dumps(asdict(plan)), "--", *command]


def _call(number: int, *given: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    return int(libc.syscall(ctypes.c_long(number), *given))


def _confine(plan: Plan) -> None:
    known = version()
    handled = (1 << 13) - 1
    handled |= _REFER if known >= 2 else 0
    handled |= _TRUNCATE if known >= 3 else 0
    handled |= _IOCTL if known >= 5 else 0
    net = 0 if plan.network or known < 4 else _TCP
    scoped = 0b11 if known >= 6 else 0  # No abstract socket, no signal to others.
    rules = _Rules(handled, net, scoped)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    ruleset = _call(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "landlock is refused")
    for paths, rights in ((plan.reads, _READ), (plan.writes, handled)):
        for path in paths:
            _allow(ruleset, path, rights & handled)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or _call(_RESTRICT, ruleset, ctypes.c_uint32(0)):
        raise OSError(ctypes.get_errno(), "landlock is refused")
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rights = rights if Path(path).is_dir() else rights & _OF_FILES
        beneath = _Beneath(rights, fd)
        if _call(_ADD, ruleset, ctypes.c_int(_BENEATH), ctypes.byref(beneath), ctypes.c_uint32(0)):
            raise OSError(ctypes.get_errno(), f"landlock refuses {path}")
    finally:
        os.close(fd)


def _main(arguments: Sequence[str]) -> None:
    plan = json.loads(arguments[0])
    _confine(Plan(tuple(plan["reads"]), tuple(plan["writes"]), plan["network"]))
    os.execvp(arguments[2], list(arguments[2:]))  # Nothing of this process is left after it.


if __name__ == "__main__":
    _main(sys.argv[1:])
