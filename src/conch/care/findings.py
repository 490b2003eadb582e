"""What an examination of a home finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["good", "mend", "yours"]
"""Fine; something `conch repair` can mend; something only the person can do."""

Part = Literal[
    "disk", "settings", "chats", "memories", "record", "index", "learning", "engines", "commands",
    "keys", "backups",
]  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One thing found: what about, in what state, and in a person's words; what to `do` about it
    where that is theirs. `path`: the file to be mended, seen from the home."""

    part: Part
    state: State
    said: str
    do: str = ""
    path: str = ""
