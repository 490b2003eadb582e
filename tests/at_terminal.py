"""`conch` run in a pseudo-terminal, with a person before it.

Nothing here can hang: what does not come in time, or can't come any more, fails with what was
shown, and the system ends the process when it has lived too long, whatever became of the test.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Callable

import warm

LIVES_AT_MOST = 240
"""Seconds."""
_PROMPT = re.compile(r"›[^\w›]*\Z")


class AtTerminal:
    """`conch` with a person before it: what it prints is read, keys are pressed."""

    def __init__(self, terminal, *words: str, size: int = -1) -> None:
        """`size`: the longest a file it writes may become, in bytes (-1: as long as it likes)."""
        self._main, inner = pty.openpty()
        os.set_blocking(self._main, False)

        self._process = warm.start(
            *words,
            environ=terminal.environ
            | {"TERM": "xterm", "COLUMNS": "200", "PROMPT_TOOLKIT_NO_CPR": "1"},
            streams=(inner, inner, inner),
            lives=LIVES_AT_MOST,
            new_session=True,
            longest_file=size,
        )
        os.close(inner)
        self.shown = ""

    @property
    def status(self) -> int | None:
        """What it ended with, None while it runs."""
        return self._process.poll()

    @property
    def is_over(self) -> bool:
        return self.status is not None

    @property
    def terminal(self) -> int:
        return self._main

    def signal(self, number: int) -> None:
        """Send it a signal, as from elsewhere; nothing when it has ended."""
        self._process.send_signal(number)

    @property
    def pid(self) -> int:
        return self._process.pid

    def until(self, words: str, seconds: float = 60) -> str:
        """Read until `words` are shown; gives everything shown so far."""
        return self._until(lambda: words in self.shown, repr(words), seconds)

    def until_prompt(self) -> str:
        """Read until the prompt is the last thing shown; gives everything shown so far."""
        return self._until(lambda: _PROMPT.search(self.shown) is not None, "the prompt", 60)

    def _until(self, there: Callable[[], bool], what: str, seconds: float) -> str:
        end = time.monotonic() + seconds
        while not there():
            over = self.is_over
            nothing_left = not self._read() and over
            if not there() and (nothing_left or time.monotonic() > end):
                self._fail(f"waited for {what}" + (" and it ended" if over else ""))
        return self.shown

    def press(self, keys: str, *, keep_shown: bool = False) -> None:
        """Press keys; what was shown before counts no more, unless it shall."""
        if not keep_shown:
            self.shown = ""
        self._send(keys.encode())

    def paste(self, text: str) -> None:
        """Paste text, as a terminal that marks what is pasted does."""
        self.shown = ""
        self._send(f"\x1b[200~{text}\x1b[201~".encode())

    def _send(self, data: bytes) -> None:
        end = time.monotonic() + 60
        while data:
            try:
                data = data[os.write(self._main, data[:1024]) :]
            except BlockingIOError:
                pass
            except OSError:  # The other end is closed.
                return
            # What is shown is read meanwhile, or neither side would go on.
            self._read(0)
            if time.monotonic() > end:
                self._fail("it reads no more keys")

    def _fail(self, why: str) -> None:
        self._process.kill()
        status = self._process.wait()
        raise AssertionError(f"{why} (status {status}); shown:\n{self.shown}")

    def resize(self, rows: int, columns: int) -> None:
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._main, termios.TIOCSWINSZ, size)
        self._process.send_signal(signal.SIGWINCH)

    def ended(self, answering: str = "", at_prompt: str = "") -> str:
        """Wait for its end, pressing `answering` at each question and `at_prompt` every second;
        gives everything shown since the last."""
        end = time.monotonic() + 90
        pressed = time.monotonic()
        while not self.is_over:
            if at_prompt and time.monotonic() - pressed > 1:
                self.press(at_prompt, keep_shown=True)
                pressed = time.monotonic()
            if time.monotonic() > end:
                self._fail("it did not end")
            self._read()
            if answering and "y / n" in self.shown:
                self.press(answering)
        while self._read():
            pass
        os.close(self._main)
        return self.shown

    def _read(self, seconds: float = 0.2) -> bool:
        """Read what is there, waiting for it at most `seconds`; False for nothing."""
        ready, _, _ = select.select([self._main], [], [], seconds)
        if not ready:
            return False
        try:
            more = os.read(self._main, 65_536).decode("utf-8", "replace")
        except OSError:  # The other end is closed.
            time.sleep(0.05)
            return False
        self.shown += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", more)
        return True


def typed(terminal, *words: str, given: str = "", status: int = 0) -> str:
    """What `conch` shows a person who types `given` ahead."""
    at = AtTerminal(terminal, *words)
    at.press(given, keep_shown=True)
    shown = at.ended()
    assert at.status == status, shown
    assert "Traceback" not in shown
    return shown
