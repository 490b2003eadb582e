"""`conch` run in a pseudo-terminal, with a person before it."""

from __future__ import annotations

import os
import pty
import re
import resource
import select
import subprocess
import sys
import time


class AtTerminal:
    """`conch` with a person before it: what it prints is read, keys are pressed."""

    def __init__(self, terminal, *words: str, size: int = -1) -> None:
        """`size`: the longest a file it writes may become, in bytes (-1: as long as it likes)."""
        self._main, inner = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "conch", *words],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=terminal.environ
            | {"TERM": "xterm", "COLUMNS": "200", "PROMPT_TOOLKIT_NO_CPR": "1"},
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, -1)),
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
        end = time.monotonic() + seconds
        while words not in self.shown:
            assert time.monotonic() < end, self.shown
            self._read()
        return self.shown

    def press(self, keys: str) -> None:
        self.shown = ""
        os.write(self._main, keys.encode())

    def ended(self, answering: str = "", at_prompt: str = "") -> str:
        """Wait for its end, pressing `answering` at each question and `at_prompt` every second;
        gives everything shown since the last."""
        end = time.monotonic() + 90
        pressed = time.monotonic()
        while self._process.poll() is None:
            if at_prompt and time.monotonic() - pressed > 1:
                os.write(self._main, at_prompt.encode())
                pressed = time.monotonic()
            if time.monotonic() > end:
                self._process.kill()
                raise AssertionError(self.shown)
            self._read()
            if answering and "y / n" in self.shown:
                self.press(answering)
        self._read()
        os.close(self._main)
        return self.shown

    def _read(self) -> None:
        ready, _, _ = select.select([self._main], [], [], 0.2)
        if ready:
            try:
                more = os.read(self._main, 65_536).decode("utf-8", "replace")
            except OSError:  # The other end is closed.
                time.sleep(0.05)
                return
            self.shown += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", more)
