"""Where a user's home is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def home_folder(environ: Mapping[str, str]) -> Path:
    """`CONCH_HOME` of the environment it is given, else `~/.conch`."""
    given = environ.get("CONCH_HOME", "")
    return Path(given).expanduser().absolute() if given else Path.home() / ".conch"
