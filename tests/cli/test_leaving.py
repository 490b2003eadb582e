"""Ctrl-C and Stop: what was stopped says so and has a status of its own; leaving is no error."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wire.answers import says
from wire.server import StubServer

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def slow(terminal):
    """An engine that answers after half a minute."""
    with StubServer() as server:
        server.otherwise = says("Late.", hang_s=30)
        server.pages = {"/v1/models": {"data": [{"id": "m"}]}}
        terminal.run("connect", "mine", "--url", server.url, "--no-check", given="\n")
        terminal.run("engines", "use", "mine")
        yield server


def stopped(terminal, server, words: list[str], given: str = "") -> tuple[int, str]:
    """Run it, and press Ctrl-C once the engine is being asked; gives the status and the output."""
    running = subprocess.Popen(
        [sys.executable, "-m", "conch", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=terminal.environ,
    )
    assert running.stdin is not None
    running.stdin.write(given)
    running.stdin.close()
    running.stdin = None
    until = time.monotonic() + 60
    while not server.completions():
        assert running.poll() is None, running.communicate()[0]
        assert time.monotonic() < until
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    shown, _ = running.communicate(timeout=60)
    assert "Traceback" not in shown
    return running.returncode, shown


def test_one_line_that_is_stopped_says_so_and_ends_with_130(terminal, slow):
    status, shown = stopped(terminal, slow, ["chat", "Hello there"])
    assert (status, "(stopped)" in shown) == (130, True)


def test_piped_lines_after_one_that_is_stopped_are_not_asked(terminal, slow):
    status, shown = stopped(terminal, slow, ["chat"], given="Hello there\nAnd you?\n")
    assert (status, "(stopped)" in shown) == (130, True)
    assert "And you?" not in shown
    assert len(slow.completions()) == 1


def pressed(words: list[str], after: tuple[bytes, ...], environ: dict[str, str]) -> bytes:
    """What a terminal shows of a command that Ctrl-C is pressed in once it shows one of `after`."""
    child, screen = pty.fork()
    if child == 0:
        os.chdir(REPOSITORY)
        os.execvpe(words[0], words, environ)
    shown, was_pressed, until = b"", False, time.monotonic() + 90
    while time.monotonic() < until:
        if not select.select([screen], [], [], 0.2)[0]:
            continue
        try:
            data = os.read(screen, 4096)
        except OSError:
            break
        if not data:
            break
        shown += data
        if not was_pressed and any(one in shown for one in after):
            time.sleep(0.3)
            os.write(screen, b"\x03")
            was_pressed = True
    else:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert was_pressed, shown
    return shown


MADE = ["make", f"BIN={Path(sys.executable).parent}", "-o", "web", "-o", ".venv/.ready-to-run"]


def test_leaving_make_run_with_ctrl_c_is_no_error(terminal):
    environ = {**terminal.environ, "BROWSER": "true", "TERM": "dumb"}
    shown = pressed([*MADE, "run"], (b"Ctrl-C stops it", b"/help lists"), environ)
    assert b"***" not in shown
    assert b"Error" not in shown
    assert b"Interrupt" not in shown


def test_what_fails_under_make_run_still_fails(terminal, tmp_path):
    (tmp_path / "not-a-folder").write_text("")
    environ = {**terminal.environ, "CONCH_HOME": str(tmp_path / "not-a-folder")}
    done = subprocess.run(
        [*MADE, "run"], cwd=REPOSITORY, env=environ, capture_output=True, text=True, timeout=90
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
