"""Notices what changes in a home, whoever changed it, and tells the event stream.

The files are the truth, so they are what is watched: a look, a terminal, a hand edit and another
tab are told of in the same way.
"""

from __future__ import annotations

from pathlib import Path

from conch.chats.events import LearningNoted
from conch.home.errors import ConchError
from conch.web.event_shapes import (
    ChatChanged,
    ChatGone,
    LearningChanged,
    LineCame,
    MemoryChanged,
    SettingsChanged,
    SkillsChanged,
    SkillsOffered,
)
from conch.web.gateway import Gateway
from conch.web.reading import chat_of
from conch.web.telling import quiet_line

_TOLD_AFTER_MS = 60
_SETTINGS = frozenset(("settings.json", "learning-spend.json", "usage.jsonl", "plan-room.json"))
_SKILLS = frozenset(("skill-modes.json", "skill-learned.json", "skill-usage.json"))


class Watcher:
    """Watches one gateway's home."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._root = gateway.conch.home.root
        self._seen = {head.id: head.last_seq for head in gateway.conch.chats.heads()}
        self._offers = {offer.id for offer in gateway.conch.skills.offers.open()}

    async def run(self) -> None:
        """Watch until cancelled; where the system can't tell of changes, look again and again."""
        try:
            await self._watch(polls=False)
        except (OSError, RuntimeError) as error:
            self._gateway.conch.home.notes.say(
                f"The system doesn't tell of changed files ({error}). Conch looks for them instead."
            )
            await self._watch(polls=True)

    async def _watch(self, *, polls: bool) -> None:
        from watchfiles import awatch

        watching = awatch(
            self._root,
            watch_filter=None,
            debounce=400,
            step=_TOLD_AFTER_MS,
            force_polling=polls,
            ignore_permission_denied=True,
        )
        async for changes in watching:
            try:
                self.tell([Path(path) for _, path in changes])
            except (OSError, ConchError):
                # A chat deleted while it was read, a full disk: the next change tells again.
                continue

    def tell(self, paths: list[Path]) -> None:
        """Publish what changes to these files mean, each thing once."""
        chats: dict[str, None] = {}
        areas: set[str] = set()
        for path in paths:
            if not path.is_relative_to(self._root):
                continue
            parts = path.relative_to(self._root).parts
            match parts:
                case ("chats", chat) | ("chats", chat, "log.jsonl"):
                    if not chat.startswith("."):
                        chats[chat] = None
                case ("memory",):
                    # A folder just made: what was put into it at once is told of by nobody else.
                    areas.add("memory")
                case ("memory", *_) if path.suffix == ".md":
                    areas.add("memory")
                case ("learning", *_):
                    areas.add("learning")
                case ("skills", *_):
                    areas.add("skills")
                case (name,) if name in _SKILLS:
                    areas.add("skills")
                case (name,) if name in _SETTINGS:
                    areas.add("settings")
                case ("keys", "engines.sealed"):
                    areas.add("settings")
                case _:
                    pass
        for chat in chats:
            self._tell_of_chat(chat)
        events = self._gateway.events
        if "memory" in areas:
            events.publish(MemoryChanged())
        if "learning" in areas:
            events.publish(LearningChanged())
        if "skills" in areas:
            self._tell_of_skills()
        if "settings" in areas:
            events.publish(SettingsChanged())

    def _tell_of_skills(self) -> None:
        offers = self._gateway.conch.skills.offers.open()
        for offer in offers:
            if offer.id not in self._offers:
                self._gateway.events.publish(SkillsOffered(chat=offer.chat, offer=offer.id))
        self._offers = {offer.id for offer in offers}
        self._gateway.events.publish(SkillsChanged())

    def _tell_of_chat(self, chat: str) -> None:
        gateway = self._gateway
        head = gateway.conch.chats.find(chat)
        if head is None:
            if self._seen.pop(chat, None) is not None:
                gateway.events.publish(ChatGone(chat=chat))
            return
        before = self._seen.get(chat, 0)
        if head.last_seq == before:
            return
        self._seen[chat] = head.last_seq
        gateway.events.publish(ChatChanged(chat=chat_of(head)))
        for event in gateway.conch.chats.log(chat).events(after=before):
            if isinstance(event, LearningNoted) and event.items:
                line = quiet_line(gateway.conch, event)
                gateway.events.publish(LineCame(chat=chat, line=line))
