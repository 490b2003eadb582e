"""A person's memories: a sealed Markdown file each, found, planned, written, retired, kept.

Everything that writes can be done twice with the same end, and a crash at any point leaves a state
that can be carried on: what is new is on disk before what is old is moved.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from conch.guard.check import CheckContext
from conch.home import files
from conch.home.clock import Clock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.memory.by_hand import Surroundings, changed_by_hand, checked, put_back, reworded
from conch.memory.consents import Consent, Consents
from conch.memory.copies import copy_of, file_name_of, is_whole, original_of
from conch.memory.document import Unreadable
from conch.memory.export import as_json, to_markdown
from conch.memory.memory import Memory, words_hash
from conch.memory.ranking import Hit
from conch.memory.sealed import from_bytes, to_bytes
from conch.memory.search_index import SearchIndex
from conch.memory.section import Section, section_of
from conch.memory.shelf import Shelf
from conch.memory.shown import shown
from conch.memory.watch import memory_changes
from conch.words.meaning import Meaning


class Memories:
    """The memories of one home.

    `consents`: where the presses are minted. `writes`: False for a process that does not hold the
    home's writer lock; it judges files changed by hand without sealing them.
    """

    def __init__(
        self,
        home: Home,
        clock: Clock,
        meaning: Meaning | None = None,
        *,
        consents: Consents | None = None,
        writes: bool = True,
    ) -> None:
        self._home = home
        self._clock = clock
        self.consents = consents or Consents(home)
        self.index = SearchIndex(home.index_file, meaning)
        self._shelf = Shelf(home, self.index, writes=writes)
        self._lock = threading.RLock()

    # Reading

    def refresh(self) -> bool:
        """Pick up what changed in the folder; whether anything did."""
        with self._lock:
            return self._shelf.refresh()

    def all(self) -> list[Memory]:
        """Every live memory, those that wait and are held too, the oldest first.

        Those that say what another says (`same_as`) come last.
        """
        self.refresh()
        return self._shelf.live()

    def usable(self) -> list[Memory]:
        """Those that may be in a prompt, `recall`, nearby or an export."""
        return [memory for memory in self.all() if memory.usable]

    def earlier(self) -> list[Memory]:
        """What used to be true, the latest ended first."""
        self.refresh()
        return self._shelf.earlier()

    def get(self, memory_id: str) -> Memory | None:
        """The live memory of this id."""
        self.refresh()
        return self._shelf.get(memory_id)

    def raw(self, memory_id: str) -> bytes:
        """The bytes of a live memory's file, b"" when there is none."""
        with self._lock:
            self.refresh()
            path = self._shelf.path(memory_id)
            return files.read_bytes(path) if path else b""

    def search(self, query: str, limit: int = 8, include_earlier: bool = False) -> list[Hit]:
        """What fits a query best, of what is usable and, with `include_earlier`, used to be."""
        self.refresh()
        return self.index.search(query, limit, include_earlier=include_earlier)

    def find(self, query: str, limit: int = 8) -> list[Hit]:
        """What a person's list shows for a query: of what `search` finds and what used to be
        true, what is near enough, in the same order."""
        self.refresh()
        return self.index.search(query, limit, include_earlier=True, listed=True)

    def section(self, query: str = "", limit_chars: int = 6_000, here: str = "") -> Section:
        """The system prompt's section; `query` decides only when not everything fits.

        Facts about another computer than the one named `here` are not in it ("": all are).
        """
        usable = [memory for memory in self.usable() if memory.about_computer(here)]
        whole = section_of(usable, (), limit_chars)
        if len(whole.ids) == len(usable) or not query.strip():
            return whole
        matches = [hit.memory.id for hit in self.index.search(query, 24)]
        return section_of(usable, matches, limit_chars)

    def export_json(self) -> str:
        """Every usable memory as JSON."""
        return as_json(self.usable())

    def export_markdown(self, folder: Path) -> int:
        """Every usable memory as a Markdown file in `folder`; gives how many."""
        return to_markdown(self.usable(), folder)

    async def watch(self, after: Callable[[], object] | None = None) -> None:
        """Pick up what a person changes by hand, as it happens, until cancelled.

        `after` is called, on the event loop, when something was picked up.
        """
        import asyncio

        await asyncio.to_thread(self.index.encode_some, 1_000_000)
        async for _ in memory_changes(self._home):
            await asyncio.to_thread(self.refresh)
            if after is not None:
                after()
            await asyncio.to_thread(self.index.encode_some, 1_000_000)

    # Planning: nothing is written

    def plan(self, memory: Memory, context: CheckContext) -> tuple[Memory, bytes]:
        """The memory as the check leaves it, and its sealed bytes.

        A wait or a hold it has already stays. Raises ConchError when it has no words.
        """
        text = clean_words(memory.text)
        if not text:
            raise ConchError("A memory without words can't be kept.", "Nothing was saved.")
        memory = checked(replace(memory, text=text), context)
        return memory, to_bytes(memory, self._home.seal)

    def plan_kept(
        self, memory_id: str, consent: Consent, anyway: bool = False
    ) -> tuple[Memory, bytes]:
        """A memory that waits or is held as it will be once kept; uses the consent up.

        Raises ConchError when there is none, its words changed since the press or can't be shown,
        or the check refuses it and the person did not say `anyway`.
        """
        with self._lock:
            memory = self._must_get(memory_id)
            if not shown(memory).words_hash:
                raise ConchError(
                    "It holds what looks like a secret, so its words were never shown.",
                    "It is still held, and not used.",
                    "Change its words, or forget it.",
                )
            self.consents.spend(consent, memory_id, memory.words_hash)
            if memory.held is not None and memory.held.verdict == "refuse" and not anyway:
                raise ConchError(
                    "This can't be kept as it is: " + " ".join(memory.held.reasons),
                    "It is still held, and not used.",
                    "Change its words, or forget it.",
                )
            kept = replace(memory, waits="", held=None, updated=self._clock.now())
            return kept, to_bytes(kept, self._home.seal, self.raw(memory_id))

    def made_waiting(self, data: bytes, reason: str, old: Memory | None) -> bytes:
        """Planned bytes as those of a memory that waits, and would replace `old` once kept."""
        memory = replace(from_bytes(data), waits=reason)
        if old is not None:
            memory = replace(memory, replaces=old.id, replaces_hash=old.words_hash)
        return to_bytes(memory, self._home.seal, data)

    # Writing

    def add(self, memory: Memory, context: CheckContext) -> Memory:
        """Plan and write a memory."""
        memory, data = self.plan(memory, context)
        self.write_planned(memory.id, data)
        return memory

    def write_planned(self, memory_id: str, data: bytes) -> None:
        """Write a planned memory, unless it is there already, live or as an earlier one."""
        with self._lock:
            self.refresh()
            if self._shelf.path(memory_id) or self._shelf.copy_path(memory_id):
                return
            self._put(self._shelf.new_path(memory_id), data)

    def rewrite_planned(self, memory_id: str, data: bytes) -> None:
        """Write planned bytes over a live memory's file; nothing when it is gone or the same."""
        with self._lock:
            self.refresh()
            path = self._shelf.path(memory_id)
            if path is not None and files.read_bytes(path) != data:
                self._put(path, data)

    def keep(self, memory_id: str, consent: Consent, anyway: bool = False) -> Memory:
        """Lift a wait or a hold: the person's press, for exactly the words they saw."""
        with self._lock:
            kept, data = self.plan_kept(memory_id, consent, anyway)
            self.rewrite_planned(memory_id, data)
            return kept

    def edit(self, memory_id: str, text: str, by_person: Consent) -> Memory:
        """The person's new words for a memory; it is theirs then, and checked again.

        The consent is for the new words. What waits still waits.
        """
        text = clean_words(text)
        with self._lock:
            memory = self._must_get(memory_id)
            self.consents.spend(by_person, memory_id, words_hash(text))
            if not text:
                raise ConchError("A memory without words can't be kept.", "Nothing changed.")
            new = reworded(memory, text, self._clock.now())
            new = checked(new, CheckContext(via="person", said=(text,)))
            self.rewrite_planned(memory_id, to_bytes(new, self._home.seal, self.raw(memory_id)))
            return self.get(memory_id) or new

    def doubles(self) -> set[str]:
        """Live memories whose very words are also in a copy of theirs of what used to be true."""
        self.refresh()
        return self._shelf.doubles()

    def make_the_persons(self, memory_id: str) -> bool:
        """A memory whose file the person put back becomes theirs, through the check.

        A copy of the same words among what used to be true goes: they are live. Whether anything
        changed: done twice, it changes nothing more.
        """
        with self._lock:
            memory = self.get(memory_id)
            if memory is None:
                return False
            changes = memory.source != "you" or bool(memory.learned)
            if changes:
                theirs = put_back(memory, self._clock.now())
                data = to_bytes(theirs, self._home.seal, self.raw(memory_id))
                self.rewrite_planned(memory_id, data)
            copy, copy_path = self._shelf.get_earlier(memory_id), self._shelf.copy_path(memory_id)
            if copy is not None and copy_path is not None and copy.text == memory.text:
                files.remove(copy_path)
                self._shelf.refresh()
                return True
            return changes

    def retire(self, memory_id: str, invalid_at: datetime, superseded_by: str) -> bool:
        """Move a memory to what used to be true; whether it is there now.

        Those that say the very same go with it. One that waits or is held is never retired.
        """
        with self._lock:
            self.refresh()
            memory = self._shelf.get(memory_id)
            if memory is None:
                return self._shelf.copy_path(memory_id) is not None
            if not memory.stands:
                return False
            for one in (*self._shelf.same_words(memory_id), memory_id):
                self._retire_one(one, invalid_at, superseded_by)
            return True

    def _retire_one(self, memory_id: str, invalid_at: datetime, superseded_by: str) -> None:
        path = self._shelf.path(memory_id)
        if path is None or memory_id == superseded_by:
            return
        data = files.read_bytes(path)
        name = "" if path.stem == memory_id else path.name
        copy = copy_of(data, invalid_at, superseded_by, self._home.seal, name)
        to = self._shelf.new_copy_path(memory_id, data)
        files.write_atomic(to, copy)
        for twin in self._shelf.twins(memory_id):
            # What is not in the copy to the last byte is kept beside it.
            if files.read_bytes(twin) == data:
                files.remove(twin)
            else:
                files.move(twin, files.aside_name(twin, self._clock, "left-out"))
        self._only_with(path, to)

    def unretire(self, memory_id: str, context: CheckContext | None = None) -> Memory:
        """Bring back what used to be true, the exact bytes, through the check.

        A copy that was changed comes back as changed by hand; one the check would hold comes back
        held. Raises ConchError when there is no copy and no live memory of this id.
        """
        context = context or CheckContext(via="hand")
        with self._lock:
            self.refresh()
            copy_path = self._shelf.copy_path(memory_id)
            live = self._shelf.get(memory_id)
            if copy_path is None:
                return live or self._must_get(memory_id)
            copy = files.read_bytes(copy_path)
            if live is not None:
                if self.raw(memory_id) == _original(copy):
                    files.remove(copy_path)
                    self._shelf.refresh()
                return live
            memory, data = self._back(memory_id, copy, context)
            to = self._shelf.new_path(memory_id, file_name_of(copy))
            self._put(to, data)
            self._only_with(copy_path, to)
            return memory

    def remove(self, memory_id: str) -> bytes:
        """Remove a live memory, with mere copies of its file; gives its bytes.

        b"" when it is gone already.
        """
        with self._lock:
            data = self.raw(memory_id)
            path, memory = self._shelf.path(memory_id), self._shelf.get(memory_id)
            if path is not None and memory is not None:
                for twin in self._shelf.twins(memory_id):
                    files.remove(twin)
                files.remove(path)
                self._shelf.refresh()
                self.index.forget(memory)
            return data

    def put_back(self, memory_id: str, data: bytes) -> None:
        """Put back what `remove` gave, unless the memory is there."""
        with self._lock:
            self.refresh()
            if self._shelf.path(memory_id) is None:
                self._put(self._shelf.new_path(memory_id), data)

    def forget_earlier(self, memory_id: str) -> None:
        """Remove a copy of what used to be true; nothing live is touched."""
        with self._lock:
            self.refresh()
            path, memory = self._shelf.copy_path(memory_id), self._shelf.get_earlier(memory_id)
            if path is not None:
                files.remove(path)
                self._shelf.refresh()
                if memory is not None and self._shelf.path(memory_id) is None:
                    self.index.forget(memory)

    def _back(self, memory_id: str, copy: bytes, context: CheckContext) -> tuple[Memory, bytes]:
        seal = self._home.seal
        original = _original(copy)
        if original and is_whole(copy, from_bytes(copy), seal):
            memory = checked(from_bytes(original), context)
            return memory, original if memory.usable else to_bytes(memory, seal, original)
        claimed = replace(from_bytes(original or copy), id=memory_id)
        around = Surroundings(self._clock.now(), memory_id, self._shelf.known(memory_id))
        memory = changed_by_hand(claimed, around)
        return memory, to_bytes(memory, seal, original or copy)

    def _must_get(self, memory_id: str) -> Memory:
        memory = self.get(memory_id)
        if memory is None:
            raise ConchError(
                "There is no such memory.", "Nothing changed.", "conch memory list shows them."
            )
        return memory

    def _only_with(self, old: Path, new: Path) -> None:
        """Remove `old` now that `new` is there; where the disk refuses, `new` goes again."""
        try:
            files.remove(old)
        except OSError:
            if old.exists():
                with contextlib.suppress(OSError):
                    files.remove(new)
            raise
        finally:
            self._shelf.refresh()

    def _put(self, path: Path, data: bytes) -> None:
        files.write_atomic(path, data)
        self._shelf.refresh()


def clean_words(text: str) -> str:
    """A memory's words as they are stored: without outer blanks and half characters."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _original(copy: bytes) -> bytes:
    try:
        return original_of(copy)
    except Unreadable:
        return b""
