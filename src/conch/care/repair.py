"""Repair everything: what code can mend is mended and said; only what is derived is deleted."""

from __future__ import annotations

from collections.abc import Sequence

from conch.care.findings import Finding
from conch.home.files import remove, set_aside
from conch.home.home import Home


def mend_before_opening(home: Home, found: Sequence[Finding]) -> None:
    """Mend what must be whole before the home is opened: rights, and the index, which is derived.

    The caller holds the home's writer lock. Raises OSError.
    """
    parts = {finding.part for finding in found if finding.state == "mend"}
    if "keys" in parts:
        home.root.chmod(0o700)
        for path in (home.keys, *home.keys.iterdir()):
            path.chmod(0o700 if path.is_dir() else 0o600)
    if "index" in parts:
        for name in ("index.db", "index.db-wal", "index.db-shm"):
            remove(home.root / name)


def set_aside_what_is_left(home: Home, found: Sequence[Finding]) -> None:
    """Set aside the damaged files that nothing which opened the home has read and mended."""
    for finding in found:
        if finding.part == "settings" and finding.state == "mend":
            aside = set_aside(home.root / finding.path, home.clock)
            home.notes.say(f"{finding.path} could not be read. It was set aside as {aside.name}.")


def mended(before: Sequence[Finding], after: Sequence[Finding]) -> list[Finding]:
    """Of what was found to mend, what is found no more."""
    still = {finding.said for finding in after}
    return [one for one in before if one.state == "mend" and one.said not in still]
