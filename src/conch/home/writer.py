"""One writer a home: whoever holds its lock writes, everybody else asks (design.md)."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from conch.home.errors import HomeBusy
from conch.home.files import clear_unfinished
from conch.home.home import Home
from conch.home.swapping import carry_on_swap

if TYPE_CHECKING:
    from filelock import BaseFileLock


class Writer:
    """The right to write one home, held until `close` (or the end of the `with` block)."""

    def __init__(self, home: Home, lock: BaseFileLock) -> None:
        self.home = home
        self._lock = lock

    def close(self) -> None:
        self._lock.release()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def take_writer(home: Home) -> Writer:
    """Take the home's writer lock now; the system gives it back if the process dies.

    A restore that a crash cut off is finished first. Raises HomeBusy when another Conch, in this or
    another process, holds the lock; Damaged, OSError when that restore can't be finished.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(home.lock_file, timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise HomeBusy(
            f"Another Conch is using {home.root}.",
            "Nothing was changed.",
            "Use that one, or stop it first.",
        ) from None
    for folder in (home.root, home.memory, home.superseded, home.learning, home.keys):
        clear_unfinished(folder)
    try:
        carry_on_swap(home.root)
    except BaseException:
        lock.release()
        raise
    return Writer(home, lock)
