"""Processes of `conch` without the second each takes to load what it is made of.

One process a test worker loads it once and forks for each: `main` runs whole, with streams,
environment, folder and exit status of its own. What starts `conch` in the tests goes through here,
but for those about starting itself and about what stands above a process.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_LOADED = (
    "conch.app",
    "conch.evals.kinds",
    "conch.learning.sweep",
    "prompt_toolkit.shortcuts",
    "rich.live",
    "rich.markdown",
    "rich.table",
    "typer.rich_utils",
)
"""What is loaded before the fork: all but `conch.cli`, which looks at the terminal as it loads."""

Returncode = int


class Process:
    """A `conch` that was forked off; used as a `subprocess.Popen`."""

    def __init__(self, words: tuple[str, ...], streams: tuple[int, int, int], **asked: Any) -> None:
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._connection.connect(_server())
        asked |= {"words": words, "folder": str(Path.cwd())}
        handed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", streams))]
        self._connection.sendmsg([json.dumps(asked).encode()], handed)
        self.pid = int(self._connection.recv(32))
        self.returncode: Returncode | None = None

    def poll(self) -> Returncode | None:
        if self.returncode is None:
            with contextlib.suppress(BlockingIOError):
                self._end(self._connection.recv(32, socket.MSG_DONTWAIT))
        return self.returncode

    def wait(self, seconds: float | None = None) -> Returncode:
        """Raises TimeoutError."""
        if self.returncode is None:
            self._connection.settimeout(seconds)
            self._end(self._connection.recv(32))
        assert self.returncode is not None
        return self.returncode

    def _end(self, said: bytes) -> None:
        self._connection.close()
        self.returncode = os.waitstatus_to_exitcode(int(said))

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def start(
    *words: str,
    environ: Mapping[str, str],
    streams: tuple[int, int, int],
    lives: int,
    new_session: bool = False,
    longest_file: int = -1,
) -> Process:
    """`conch WORDS` on these descriptors; it is ended after `lives` seconds, `longest_file` in
    bytes (-1: no limit)."""
    return Process(
        words,
        streams,
        environ=dict(environ),
        lives=lives,
        new_session=new_session,
        longest_file=longest_file,
    )


def run(
    *words: str, given: str, environ: Mapping[str, str], lives: int = 120
) -> subprocess.CompletedProcess[str]:
    """`conch WORDS` to its end: its exit status, and what it wrote."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as warned:
        reading, writing = os.pipe()
        streams = (reading, said.fileno(), warned.fileno())
        process = start(*words, environ=environ, streams=streams, lives=lives)
        os.close(reading)
        with contextlib.suppress(BrokenPipeError), os.fdopen(writing, "wb") as pipe:
            pipe.write(given.encode())
        status = process.wait()
        said.seek(0)
        warned.seek(0)
        return subprocess.CompletedProcess(
            words, status, said.read().decode(), warned.read().decode()
        )


@cache
def _server() -> str:
    """The address of this worker's loaded process, started with the first that is asked for."""
    folder = tempfile.TemporaryDirectory(prefix="warm-")
    address = str(Path(folder.name) / "asked")
    environ = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    server = subprocess.Popen(
        [sys.executable, __file__, address], env=environ, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"

    def end() -> None:
        server.kill()
        server.wait()
        folder.cleanup()

    atexit.register(end)
    return address


def _serve(address: str) -> None:
    from importlib import import_module

    for name in _LOADED:
        import_module(name)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(address)
    listening.listen()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            _attend(connection)
        connection.close()


def _attend(connection: socket.socket) -> None:
    """In a process of its own: fork what is asked for, say its number, and how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    words, ancillary, _, _ = connection.recvmsg(1_000_000, socket.CMSG_LEN(3 * 4))
    streams = array.array("i")
    streams.frombytes(ancillary[0][2][: 3 * streams.itemsize])
    asked = json.loads(words)
    process = os.fork()
    if process == 0:
        connection.close()
        _become(asked, list(streams))
    for stream in streams:
        os.close(stream)
    connection.send(str(process).encode())
    _, status = os.waitpid(process, 0)
    with contextlib.suppress(OSError):
        connection.send(str(status).encode())
    os._exit(0)


def _become(asked: dict[str, Any], streams: list[int]) -> None:
    """Go on as `conch` would have begun."""
    if asked["new_session"]:
        os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(asked["environ"])
    os.chdir(asked["folder"])
    sys.argv = ["conch", *asked["words"]]
    resource.setrlimit(resource.RLIMIT_FSIZE, (asked["longest_file"], -1))
    signal.alarm(asked["lives"])
    from conch.cli import main

    _leave(main)


def _leave(main: Callable[[], None]) -> None:
    """Run it and end this process, as the interpreter would."""
    import threading

    status = 0
    try:
        main()
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    threading._shutdown()  # pyright: ignore[reportAttributeAccessIssue]
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    _serve(sys.argv[1])
