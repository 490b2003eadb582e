"""Ctrl-C: the first one asks what runs to end, whatever it is at; a second one leaves at once.

Nothing is lost by leaving at once: what was acknowledged is on disk. An exception raised in the
middle of the event loop's own work, or while Python shuts down, would end in a traceback instead;
so none is raised there.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

INTERRUPTED = 130
_SHOW_CURSOR = b"\x1b[?25h"


_CAN_HOLD_BACK = hasattr(signal, "pthread_sigmask")


class _Presses:
    """What a press does while no event loop takes it: raise once where that may be, else leave."""

    def __init__(self) -> None:
        self.may_raise = False
        self._raised = False

    def __call__(self, *_: object) -> None:
        if self._raised or not self.may_raise:
            leave()
        self._raised = True
        raise KeyboardInterrupt


_presses = _Presses()
_terminal: list[Any] = []
"""How the terminal was set when this began, to set it so again when leaving at once."""


def watch() -> None:
    """Take Ctrl-C from here on; until `may_interrupt` it leaves at once: nothing has begun."""
    if not _CAN_HOLD_BACK:
        return
    signal.signal(signal.SIGINT, _presses)
    if not _terminal and sys.stdin is not None and sys.stdin.isatty():
        import termios

        _terminal.append(termios.tcgetattr(sys.stdin))


@contextlib.contextmanager
def may_interrupt() -> Iterator[None]:
    """Let a Ctrl-C raise KeyboardInterrupt while inside; a second one leaves at once."""
    _presses.may_raise = True
    try:
        yield
    finally:
        _presses.may_raise = False


def leave() -> None:
    """Leave this very moment, as one who was interrupted."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    if _terminal:
        import termios

        with contextlib.suppress(Exception):
            termios.tcsetattr(sys.stdin, termios.TCSANOW, _terminal[0])
            os.write(sys.stdout.fileno(), _SHOW_CURSOR)
    os._exit(INTERRUPTED)


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, where a Ctrl-C cancels the work and a second one leaves at once.

    Raises KeyboardInterrupt when the work was cancelled so.
    """

    async def whole() -> T:
        this = asyncio.current_task()
        assert this is not None
        presses = 0

        def pressed() -> None:
            nonlocal presses
            presses += 1
            if presses > 1:
                leave()
            this.cancel()

        with on_interrupt(asyncio.get_running_loop(), pressed):
            return await work

    before, _presses.may_raise = _presses.may_raise, False
    try:
        return asyncio.run(whole())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        _presses.may_raise = before


_taking: list[Callable[[], object]] = []


@contextlib.contextmanager
def on_interrupt(loop: asyncio.AbstractEventLoop, do: Callable[[], object]) -> Iterator[None]:
    """Have Ctrl-C call `do` while inside, and what it called before afterwards."""
    if not _CAN_HOLD_BACK:
        yield
        return
    _taking.append(do)
    before = signal.getsignal(signal.SIGINT)
    try:
        loop.add_signal_handler(signal.SIGINT, do)
        yield
    finally:
        _taking.pop()
        if _taking:
            loop.add_signal_handler(signal.SIGINT, _taking[-1])
        else:
            _give_back(loop, before)


def _give_back(loop: asyncio.AbstractEventLoop, before: Any) -> None:
    """Have a Ctrl-C do again what it did before the loop took it."""
    # Held back meanwhile: between the two it would raise in the middle of anything.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
