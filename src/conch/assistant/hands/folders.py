"""The folder a chat works in, and what a path written by a model really is."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from conch.chats.events import ChatStarted, Event
from conch.home.errors import ConchError
from conch.home.files import make_folder
from conch.home.home import Home

WORK = "work"


def work_folder(home: Home, chat: str, events: Iterable[Event], user_home: Path) -> Path:
    """The chat's folder as a real path: the one its person gave, else `work/<chat>` in the home.

    It is made when missing. Raises ConchError when the one that was given is gone or unfit.
    """
    begun = next((event for event in events if isinstance(event, ChatStarted)), None)
    if begun is not None and begun.folder and begun.origin == "own" and not begun.brought_from:
        return fit_folder(begun.folder, home, user_home)
    folder = home.root / WORK / chat
    make_folder(folder)
    return Path(os.path.realpath(folder))


def fit_folder(folder: str, home: Home, user_home: Path) -> Path:
    """A folder a person gave, as a real path. Raises ConchError when no chat may work there."""
    real = real_path(folder, user_home, user_home)
    root = Path(os.path.realpath(home.root))
    do = "Give a folder of its own, for example a project's: conch chat --folder ~/projects/trip"
    if not real.is_dir():
        raise ConchError(f"There is no folder {real}.", "Nothing was done.", do)
    if real == root or root in real.parents or real in root.parents:
        raise ConchError(
            f"A chat can't work in {real}: Conch's own files lie in it or around it.",
            "Nothing was done.",
            do,
        )
    if real == Path(os.path.realpath(user_home)) or len(real.parts) < 3:
        raise ConchError(f"{real} is too wide for a chat to work in.", "Nothing was done.", do)
    return real


def real_path(path: str, folder: Path, user_home: Path) -> Path:
    """What a path really is, every link on the way followed; relative ones start in `folder`,
    "~" is `user_home`.

    Raises ConchError for what can be no path.
    """
    if not path.strip() or "\0" in path or len(path) > 4_000:
        raise ConchError(
            "That is no path.", "Nothing was done.", "Name a file in the chat's folder."
        )
    path = path.removeprefix("file://")
    if path == "~" or path.startswith("~/"):
        return Path(os.path.realpath(user_home / path[2:]))
    return Path(os.path.realpath(folder / path))
