"""What was typed before, in `prompt-history`; a disk that refuses costs it, not the chat."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prompt_toolkit.history import FileHistory


def typed_before(path: Path) -> FileHistory:
    """The lines typed in earlier chats, kept at `path` for the owner only."""
    from prompt_toolkit.history import FileHistory

    class TypedBefore(FileHistory):
        def load_history_strings(self) -> Iterable[str]:
            try:
                return list(super().load_history_strings())
            except OSError:
                return []

        def store_string(self, string: str) -> None:
            with contextlib.suppress(OSError):
                super().store_string(string)

    with contextlib.suppress(OSError):
        path.touch(mode=0o600)
    return TypedBefore(str(path))
