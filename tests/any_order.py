"""A home that lives through anything in any order, and what must be true of it after every step.

The life itself, a machine of rules that talks, answers, edits files and crashes, is in
`tests/learning/test_any_order.py`. The promises are looked at by code that shares nothing with the
code that keeps them.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from hypothesis.stateful import RuleBasedStateMachine, invariant

from conch.chats.events import PersonMessage, TaintMarked
from conch.evals.promises import broken_promises, read_home
from conch.home import files
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.learning.nearby import nearby_lines
from conch.learning.record import Pointer
from conch.words.likeness import same
from living import Living

Picked = TypeVar("Picked")

_BURIED: list[object] = []
"""What died at a crash: held on to, since letting go of it would let it run on."""


class Crash(KeyboardInterrupt):
    """The process ends here, at a wait for the disk."""


class Disk:
    """Waits for the disk, until the process is to die at one of these waits."""

    def __init__(self) -> None:
        self.waits = files._fsync
        self.left: int | None = None
        self.before = False
        self.armed = False
        self.dead = False

    def fsync(self, fd: int) -> None:
        if self.dead:
            raise Crash
        if self.left is not None and self.armed:
            self.left -= 1
            if self.left < 0:
                self.dead = True
                if not self.before:
                    self.waits(fd)
                raise Crash
        # Nothing takes the power away here, so nothing has to wait.

    def mend(self) -> None:
        self.left, self.armed, self.dead = None, False, False


class AnyHome(RuleBasedStateMachine):
    """One home, the process that lives with it, and what was seen of it so far."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="conch-any-order-"))
        self.disk = Disk()
        files._fsync = self.disk.fsync
        self.loops: list[asyncio.AbstractEventLoop] = []
        self.buried: list[object] = []
        self.loop = self._new_loop()
        self.living = Living(self.folder / "home")
        self.other = Living(self.folder / "home")
        self.number = 0
        self.at_rest = True
        self.meanwhile: tuple[str, int] = ("", 0)
        self.unreadable: set[str] = set()
        self.after_reading: set[str] = set()
        self.may_go: set[str] = set()
        self.there: set[str] = set()
        self.live_bytes: dict[str, bytes] = {}
        self.by_hand: set[str] = set()
        self.seen: set[str] = set()
        self.places: dict[str, Pointer] = {}

    # What the machine lives with

    @property
    def conch(self):
        return self.living.conch

    @property
    def learning(self):
        return self.living.conch.learning

    def _new_loop(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        loop.set_exception_handler(lambda *_: None)
        self.loops.append(loop)
        return loop

    def do(self, act: Callable[[], object]) -> None:
        """Do one thing; when the process dies at it, things may happen to the files, then it is
        started again."""
        self.may_go = set()
        never = [item.text for item in self.conch.parts.never.items()]
        self.disk.armed = True
        try:
            done = act()
            if asyncio.iscoroutine(done):
                self.loop.run_until_complete(done)
        except ConchError:
            pass
        except Crash:
            self._start_again()
        self.disk.armed = False
        self._look_at_what_is_new(never)

    def _start_again(self) -> None:
        while True:
            for task in asyncio.all_tasks(self.loop):
                self.buried.append(task)
            self.buried.append(self.living)
            self.disk.mend()
            self._meanwhile()
            self.loop = self._new_loop()
            clock = self.living.clock
            try:
                self.living = self._started(clock)
                self.other = self._started(clock)
            except Crash:
                continue
            self.disk.armed = False
            self.at_rest = True
            return

    def _started(self, clock: SteppedClock) -> Living:
        return Living(self.folder / "home", clock=clock)

    def _meanwhile(self) -> None:
        what, which = self.meanwhile
        self.meanwhile = ("", 0)
        if what == "edit":
            self.change_file("memory/*.md", which)
        elif what == "delete":
            self.delete_file("memory/*.md", which)
        elif what == "delete copy":
            self.delete_file("memory/superseded/*.md", which)
        elif what == "crash":
            self.disk.left, self.disk.before, self.disk.armed = which, True, True

    def pick(self, things: Iterable[Picked], which: int) -> Picked | None:
        things = list(things)
        return things[which % len(things)] if things else None

    def a_chat(self, which: int) -> str | None:
        heads = self.conch.chats.heads()
        head = self.pick(heads, which)
        return head.id if head is not None else None

    def a_record(self, which: int):
        return self.pick(self.learning.records(), which)

    def note_what_may_be_read(self, chat: str, words: str) -> None:
        head = self.conch.chats.head(chat)
        events = self.conch.chats.log(chat).events()
        tokens = {one for one in re.findall(r"\w+", words) if one.endswith(str(self.number))}
        saved = "remember" in words
        off = not self.living.home.settings().auto_memory or head.quiet
        joined = any(isinstance(one, PersonMessage) and one.who for one in events)
        if "Secret" in words or (not saved and (off or joined or head.origin == "task")):
            self.unreadable |= tokens
        if any(isinstance(one, TaintMarked) for one in events):
            self.after_reading |= tokens

    def change_file(self, where: str, which: int) -> None:
        path = self.pick(sorted((self.folder / "home").glob(where)), which)
        if path is not None:
            self.by_hand.add(_id_in(path))
            path.write_text(path.read_text().rstrip() + " by hand\n")
            self.at_rest = False

    def delete_file(self, where: str, which: int) -> None:
        path = self.pick(sorted((self.folder / "home").glob(where)), which)
        if path is not None:
            self.by_hand.add(_id_in(path))
            self.there.discard(_id_in(path))
            path.unlink()
            self.at_rest = False

    # What holds

    def _look_at_what_is_new(self, never: list[str]) -> None:
        """What the last step learned: nothing the person took back, nothing it may not read."""
        for record in self.learning.records():
            words = " ".join((record.text, *record.quotes))
            assert not [one for one in self.unreadable if one in words], words
            if record.id in self.seen:
                continue
            self.seen.add(record.id)
            if record.state == "applied":
                assert not [one for one in never if same(one, record.text)], record.text
                assert not [one for one in self.after_reading if one in words], words
        for chat, place in self.conch.parts.record.state.pointers.items():
            assert place >= self.places.get(chat, Pointer())
            self.places[chat] = place

    @invariant()
    def the_promises_hold(self) -> None:
        if self.at_rest:
            assert broken_promises(self.folder / "home") == []

    @invariant()
    def what_waits_or_is_held_is_nowhere_used(self) -> None:
        memories = self.conch.memories
        all_of_them = memories.all()
        bad = {memory.id for memory in all_of_them if memory.waits or memory.held}
        used = {memory.text for memory in all_of_them if memory.id not in bad}
        assert bad.isdisjoint(memories.section("script Berlin").ids)
        assert bad.isdisjoint(one["id"] for one in json.loads(memories.export_json())["memories"])
        for memory in all_of_them:
            if memory.id in bad and memory.text not in used:
                assert not re.search(
                    rf"{re.escape(memory.text)}(?![\w ,])", memories.section().text
                )
                hits = memories.search(memory.text, include_earlier=True)
                assert memory.id not in {hit.memory.id for hit in hits}
                near = nearby_lines(memory.text, all_of_them, set())
                assert bad.isdisjoint(one.id for one in near)

    @invariant()
    def nothing_is_lost_but_by_the_person(self) -> None:
        home = read_home(self.folder / "home")
        now = {*home.memories, *home.earlier}
        assert self.there - now - self.may_go == set()
        self.there = now
        for path in (self.folder / "home" / "memory").glob("*.md"):
            if path.stem in home.memories:
                self.live_bytes[path.stem] = path.read_bytes()

    def teardown(self) -> None:
        try:
            self.disk.mend()
            self._start_again()
            for _ in range(3):
                self.do(lambda: self.living.quiet(61))
            home = read_home(self.folder / "home")
            assert broken_promises(self.folder / "home") == []
            late = {record.chat for record in home.records.values() if record.id in home.unsaid}
            ended = {head.id for head in self.conch.chats.heads() if head.last_turn_ended}
            assert late.isdisjoint(ended)
        finally:
            files._fsync = self.disk.waits
            # What died is left as it is: closing it would let it run on.
            _BURIED.append((self.loops, self.buried))
            shutil.rmtree(self.folder, ignore_errors=True)


def _id_in(path: Path) -> str:
    found = re.search(r"^id: (\S+)$", path.read_text(), re.MULTILINE)
    return found[1] if found else path.stem
