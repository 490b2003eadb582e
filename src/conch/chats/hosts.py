"""Where the commands of a chat's turns ran: on this computer, or on another one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from conch.chats.events import ChatStarted, Event, PersonMessage
from conch.chats.heads import is_own_here
from conch.home.hosts import same_host


def begun(events: Iterable[Event]) -> ChatStarted | None:
    """The first line of a chat's log, None when it can't be read."""
    return next((event for event in events if isinstance(event, ChatStarted)), None)


def moved_to(events: Iterable[Event], here: str) -> str:
    """What a message's `host` says: `here` when the chat began on another computer, else ""."""
    first = begun(events)
    return "" if first is None or same_host(first.host, here) else here


def ran_here(
    first: ChatStarted | None, message: PersonMessage | None, here: str, folder_is_here: bool
) -> bool:
    """Whether the commands of the turn of `message` ran on this computer, in a folder of its.

    `folder_is_here`: the folder the chat names is one of this computer's. What was brought in
    must say where it ran; a turn of Conch's own ran where the chat began, unless it says where
    else. "" for `here` compares no hosts.
    """
    if first is None:
        return False
    brought = first.origin == "imported"
    if message is not None and message.host:
        on_this = not here or same_host(message.host, here)
        return on_this and (brought or folder_is_here or not first.folder)
    if brought and message is not None and is_own_here(message, first.origin):
        return True
    if first.host and here and not same_host(first.host, here):
        return False
    if first.folder:
        return folder_is_here
    return bool(first.host) or not brought


def folder_is_here(events: Iterable[Event]) -> bool:
    """Whether the folder a chat names is one of this computer's; True when it names none."""
    first = begun(events)
    if first is None or not first.folder:
        return True
    try:
        return Path(first.folder).is_absolute() and Path(first.folder).is_dir()
    except (OSError, ValueError):
        return False
