"""A disk that refuses some paths, for tests of what is kept then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from conch.home import files, store

REMOVE, WRITE = files.remove, files.write_atomic
Which = Callable[[Path], bool]


def refusing(monkeypatch, error: Callable[[Path], OSError]):
    """Gives what makes the disk refuse, with `error`, to remove or write what a test of the path
    says."""

    def refuse(
        *, removing: Which = lambda path: False, writing: Which = lambda path: False
    ) -> None:
        def no(path):
            raise error(path)

        monkeypatch.setattr(
            files, "remove", lambda path, *rest: no(path) if removing(path) else REMOVE(path, *rest)
        )
        for module in (files, store):
            monkeypatch.setattr(
                module,
                "write_atomic",
                lambda path, *rest: no(path) if writing(path) else WRITE(path, *rest),
            )

    return refuse
