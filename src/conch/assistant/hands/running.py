"""Runs one command: sealed where that works, its output capped, its processes killed at Stop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from conch.assistant.hands.sealing import (
    Sealed,
    can_seal,
    environment,
    fenced_command,
    sealed_command,
)
from conch.guard.taints import Taint

LONGEST_OUTPUT = 30_000
"""Characters the model is given: the first third and the last two thirds of what came."""
TIMEOUT_SECONDS = 120
LONGEST_TIMEOUT_SECONDS = 600
_SHELL = "/bin/bash" if Path("/bin/bash").exists() else "/bin/sh"
_CHUNK = 65_536
_KEPT_BYTES = 4 * LONGEST_OUTPUT

_WORD = re.compile(r"(?<![\w.~-])(?:/(?:usr/|local/)*bin/)?([a-z][\w.-]*)(?![\w/])")
_URL = re.compile(r"(?:https?|ftp|git|ssh)://[^\s'\"<>|;&)]+", re.IGNORECASE)
_DOWNLOADERS = frozenset(
    {"curl", "wget", "aria2c", "yt-dlp", "youtube-dl", "scp", "sftp", "rsync", "ssh", "nc", "ncat"}
    | {"socat", "telnet", "lynx", "w3m", "links", "http", "https", "gh", "ftp", "lftp"}
)


@dataclass(frozen=True)
class Ran:
    """What came of a command. `exit` is None when it was ended for taking too long."""

    output: str
    exit: int | None


def can_run() -> bool:
    """Whether commands can be run, and ended with all they started, on this system."""
    return os.name == "posix"


async def run(
    command: str,
    seal: Sealed,
    environ: Mapping[str, str],
    seconds: float,
    secrets: Mapping[str, str] | None = None,
) -> Ran:
    """Run a command line by `bash` (or `sh`), in the chat's folder. Leaves no process behind.

    `secrets` are the variables the person allowed it. It is ended after `seconds`. Cancelling it
    kills the command and everything it started.
    """
    words = [_SHELL, "-c", command]
    env = environment(dict(environ), seal.folder) | dict(secrets or {})
    if can_seal():
        return await _run(sealed_command(words, seal), seal.folder, env, seconds)
    with tempfile.TemporaryDirectory(prefix="conch-", ignore_cleanup_errors=True) as temp:
        argv = fenced_command(words, seal, Path(temp))
        return await _run(argv, seal.folder, env | {"TMPDIR": temp}, seconds)


async def _run(argv: list[str], folder: Path, env: dict[str, str], seconds: float) -> Ran:
    process = await asyncio.create_subprocess_exec(
        *argv,
        cwd=folder,
        env=env,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    kept = _Kept()
    try:
        async with asyncio.timeout(min(seconds, LONGEST_TIMEOUT_SECONDS)):
            assert process.stdout is not None
            while chunk := await process.stdout.read(_CHUNK):
                kept.take(chunk)
            code = await process.wait()
    except TimeoutError:
        return Ran(f"{kept.text()}\n(It was ended after {seconds:g} seconds.)".strip(), None)
    finally:
        # Also whatever it left running in the background.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            await asyncio.shield(process.wait())
    return Ran(kept.text(), code)


def downloaded(command: str) -> tuple[Taint, ...]:
    """What a command took in from outside, as far as its words say."""
    hosts = [urlsplit(found).hostname or "" for found in _urls(command)]
    labels = list(dict.fromkeys(host for host in hosts if host))
    if not labels:
        labels = sorted(set(_WORD.findall(command)) & _DOWNLOADERS)
    return tuple(Taint("download", label) for label in labels)


def _urls(command: str) -> list[str]:
    found = []
    for text in _URL.findall(command):
        with contextlib.suppress(ValueError):
            urlsplit(text)
            found.append(text)
    return found


class _Kept:
    """The first and the last of what a command says, however much it is."""

    def __init__(self) -> None:
        self._first = bytearray()
        self._last = bytearray()
        self._left_out = 0

    def take(self, chunk: bytes) -> None:
        room = _KEPT_BYTES // 3 - len(self._first)
        if room > 0:
            self._first += chunk[:room]
            chunk = chunk[room:]
        self._last += chunk
        over = len(self._last) - 2 * _KEPT_BYTES // 3
        if over > 0:
            self._left_out += over
            del self._last[:over]

    def text(self) -> str:
        first = self._first.decode("utf-8", "replace")
        last = self._last.decode("utf-8", "replace")
        if self._left_out:
            return capped(f"{first}\n… {self._left_out} bytes left out …\n{last}")
        return capped(first + last)


def capped(text: str) -> str:
    """At most `LONGEST_OUTPUT` characters: the start and, for the greater part, the end."""
    text = text.replace("\r\n", "\n").replace("\0", "")
    if len(text) <= LONGEST_OUTPUT:
        return text
    first, last = LONGEST_OUTPUT // 3, 2 * LONGEST_OUTPUT // 3 - 60
    out = len(text) - first - last
    return f"{text[:first]}\n… {out} characters left out …\n{text[-last:]}"
