"""The `conch` command as a person runs it: real processes, one home."""

from __future__ import annotations

import json
import os
from pathlib import Path

import warm


class Terminal:
    """Runs `conch` in a home of its own, with no key and no server in reach."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(home.parent),
            "CONCH_HOME": str(home),
            "LANG": "C.UTF-8",
        }

    def run(self, *words: str, given: str = "", status: int = 0) -> str:
        said, warned = self.apart(*words, given=given, status=status)
        return said + warned

    def apart(self, *words: str, given: str = "", status: int = 0) -> tuple[str, str]:
        """What it wrote to standard output, and what beside it."""
        done = warm.run(*words, given=given, environ=self.environ)
        assert done.returncode == status, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout, done.stderr

    def json(self, *words: str):
        return json.loads(self.run(*words, "--json"))
