"""A person's memories: a sealed Markdown file each, found, planned, written, retired, kept.

Everything that writes can be done twice with the same end, and a crash at any point leaves a state
that can be carried on: what is new is on disk before what is old is moved.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from conch.guard.check import CheckContext
from conch.home import files
from conch.home.clock import Clock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.off_loop import off_loop
from conch.memory.by_hand import checked, put_back, reworded, said_themself
from conch.memory.consents import Consent, Consents
from conch.memory.document import Unreadable
from conch.memory.export import as_json, to_markdown
from conch.memory.memory import Memory, MemorySource, words_hash
from conch.memory.old_copies import OldCopies
from conch.memory.ranking import Hit
from conch.memory.reading import same_words
from conch.memory.retiring import Retiring
from conch.memory.sealed import from_bytes, to_bytes
from conch.memory.search_index import SearchIndex
from conch.memory.section import Section, section_of
from conch.memory.shelf import Shelf
from conch.memory.shown import shown
from conch.memory.watch import LOOK_SECONDS, memory_changes
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
        self._retiring = Retiring(home, clock, self._shelf)
        self._lock = threading.RLock()
        self.old_copies = OldCopies(self._shelf, self.index, self._lock)

    # Reading

    def refresh(self) -> bool:
        """Pick up what changed in the folder; whether anything did."""
        with self._lock:
            return self._shelf.refresh()

    def all(self) -> list[Memory]:
        """Every live memory, those that wait and are held too, the oldest first.

        Those that say what another says (`same_as`) come last.
        """
        with self._lock:
            self._shelf.refresh()
            return self._shelf.live()

    def usable(self) -> list[Memory]:
        """Those that may be in a prompt, `recall`, nearby or an export."""
        return [memory for memory in self.all() if memory.usable]

    def earlier(self) -> list[Memory]:
        """What used to be true, the latest ended first."""
        with self._lock:
            self._shelf.refresh()
            return self._shelf.earlier()

    def get(self, memory_id: str) -> Memory | None:
        """The live memory of this id."""
        with self._lock:
            self._shelf.refresh()
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

    async def watch(
        self, after: Callable[[], object] | None = None, look_seconds: float = LOOK_SECONDS
    ) -> None:
        """Pick up what a person changes by hand, as it happens, until cancelled.

        `after` is called, in a thread, when something was picked up by whomever. What goes wrong is
        said in the notes, and the watch goes on.
        """
        seen = -1

        def picked_up() -> None:
            nonlocal seen
            self.refresh()
            if self._shelf.version != seen:
                if after is not None:
                    after()
                seen = self._shelf.version

        async for _ in memory_changes(self._home, look_seconds):
            try:
                await off_loop(picked_up)
            except Exception as error:
                self._home.notes.say(
                    "A change in the memory folder could not be picked up "
                    f"({type(error).__name__}: {error}). Nothing was changed; Conch tries again "
                    "with the next change, and within five minutes.",
                    where=self._home.memory.name,
                )

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
        with self._lock:
            self._shelf.refresh()
            return self._shelf.doubles()

    def make_the_persons(self, memory_ids: Iterable[str]) -> list[Memory]:
        """Memories whose files the person put back become theirs, through the check; gives those.

        A copy of the same words among what used to be true goes: they are live. Done twice, it
        changes nothing more. One that the disk refuses stays as it is.
        """
        with self._lock:
            self._shelf.refresh()
            changed: list[str] = []
            for memory_id in memory_ids:
                with contextlib.suppress(OSError):
                    if self._make_the_persons(memory_id):
                        changed.append(memory_id)
            self._shelf.refresh()
            found = (self._shelf.get(memory_id) for memory_id in changed)
            return [memory for memory in found if memory is not None]

    def _make_the_persons(self, memory_id: str) -> bool:
        memory, path = self._shelf.get(memory_id), self._shelf.path(memory_id)
        if memory is None or path is None:
            return False
        data = files.read_bytes(path)
        if from_bytes(data).text != memory.text:
            return False  # Changed at this moment: it is read again first.
        changes = memory.source != "you" or bool(memory.learned)
        if changes:
            theirs = put_back(memory, self._clock.now())
            files.write_atomic(path, to_bytes(theirs, self._home.seal, data))
        copies = self._shelf.copies(memory_id)
        same = [where for where, copy in copies.items() if copy and copy.text == memory.text]
        for where in same:
            files.remove(where)
        return changes or bool(same)

    def make_own(self, memory_id: str, words: str, by: MemorySource) -> bool:
        """A memory from outside is the person's own once they said its words (`words_hash`).

        A wait stays. Whether it was from outside: nothing changes when its words are others by now,
        or it is held.
        """
        with self._lock:
            memory = self.get(memory_id)
            if memory is None or memory.words_hash != words or memory.held is not None:
                return False
            if not memory.from_outside:
                return False
            own = said_themself(memory, by, self._clock.now())
            self.rewrite_planned(memory_id, to_bytes(own, self._home.seal, self.raw(memory_id)))
            return True

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
            group = (*self._shelf.same_words(memory_id), memory_id)
            going = [one for one in group if one != superseded_by]
            self._retiring.retire(going, invalid_at, superseded_by)
            return True

    def unretire(self, memory_id: str, replaced_by: str = "", words_hash: str = "") -> Memory:
        """Bring back what used to be true, the exact bytes, with those that were retired with it.

        Of several copies it is the one that `replaced_by` took the place of, else one of these
        words, else the latest. A copy that was changed comes back as changed by hand, through the
        check. Raises ConchError when there is no copy and no live memory of this id.
        """
        with self._lock:
            self.refresh()
            copy_path = self._shelf.copy_path(memory_id, replaced_by, words_hash)
            if copy_path is not None:
                self._retiring.bring_back(memory_id, copy_path)
            return self._must_get(memory_id)

    def remove(self, memory_id: str) -> bytes:
        """Remove a live memory, with copies of its file that say the same; gives its bytes.

        b"" when it is gone already. Raises ChangedMeanwhile when its file was saved by hand in
        between; it stays then.
        """
        with self._lock:
            data = self.raw(memory_id)
            path, memory = self._shelf.path(memory_id), self._shelf.get(memory_id)
            if path is not None and memory is not None:
                self._retiring.take_out_twins(memory_id, lambda twin: _says(twin, memory))
                files.remove(path, data)
                self._shelf.refresh()
                self.index.forget(memory)
            return data

    def _must_get(self, memory_id: str) -> Memory:
        memory = self.get(memory_id)
        if memory is None:
            raise ConchError(
                "There is no such memory.", "Nothing changed.", "conch memory list shows them."
            )
        return memory

    def _put(self, path: Path, data: bytes) -> None:
        files.write_atomic(path, data)
        self._shelf.refresh()


def clean_words(text: str) -> str:
    """A memory's words as they are stored: without outer blanks and half characters."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _says(data: bytes, memory: Memory) -> bool:
    try:
        return same_words(from_bytes(data), memory)
    except Unreadable:
        return False
