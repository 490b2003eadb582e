"""What only a person may do, at a terminal of their own.

That is everything that gives: it lets be used what waits or is held, takes away a guard, trusts,
raises what may be spent or done unasked, opens a secret or a backup. What takes back, forgets,
reads or connects may be piped, as from a person's own script. A process that Conch started may do
none of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from conch.home.errors import ConchError

_MARK = b"CONCH_STARTED=1"
_MOST_PARENTS = 64


def must_be_the_person(nothing_done: str) -> None:
    """Raises ConchError unless this runs at a terminal and nothing Conch started started it."""
    if started_by_conch():
        raise ConchError(
            "A command that Conch runs can't do this.",
            nothing_done,
            "Type it in a terminal of your own.",
        )
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise ConchError("This needs a person at a terminal.", nothing_done, "Type it in one.")


def started_by_conch() -> bool:
    """Whether Conch started this process, or one above it.

    Every process above this one is asked where the system tells, since a mark in the environment
    is easily taken out of it.
    """
    return bool(os.environ.get("CONCH_STARTED")) or any(
        _MARK in one.split(b"\0") for one in _environments_above()
    )


def _environments_above() -> Iterator[bytes]:
    """What the processes above this one were started with, as far as it can be read."""
    process = os.getppid()
    for _ in range(_MOST_PARENTS):
        if process <= 1:
            return
        try:
            yield Path(f"/proc/{process}/environ").read_bytes()
            status = Path(f"/proc/{process}/stat").read_text(errors="replace")
            process = int(status.rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            return
