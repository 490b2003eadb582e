"""The sweep and the folder watch work in threads beside the loop: nothing happens twice or halfway.

What one thread holds up is held up on purpose here, so that a lock that is missing is seen at once.
"""

from __future__ import annotations

import asyncio
import random
import sys
import threading
import time
from collections import Counter

import pytest

from conch.chats.events import LearningDecided
from conch.evals.promises import broken_promises
from conch.home import files
from conch.home.errors import ConchError
from conch.learning.recovery import carry_through
from living import CORRECTION

FSYNC, REMOVE = files._fsync, files.remove


class Held:
    """Holds up whoever comes by first, until let go."""

    def __init__(self) -> None:
        self.came, self.may_go = threading.Event(), threading.Event()

    def by(self) -> None:
        if not self.came.is_set():
            self.came.set()
            assert self.may_go.wait(30)


async def learned(living, *messages):
    await living.say(*messages)
    await living.quiet()
    return living.conch.learning.records()[0]


async def begun(held: Held) -> None:
    await asyncio.to_thread(held.came.wait, 30)


def never(living):
    return [item.text for item in living.conch.parts.never.items()]


def at_once(*acts):
    """Do these in threads of their own at the same time."""
    threads = [threading.Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    return threads


async def test_a_state_that_is_read_stays_as_it_was(living):
    record = await learned(living, *CORRECTION)
    state = living.conch.parts.record.state
    states = []
    for one in state.records.values():
        states.append(one.state)
        living.conch.learning.undo(record.id)
        assert living.conch.parts.record.state.records[record.id].state == "undone"
    assert states == ["applied"]
    assert state.records[record.id].state == "applied"


async def test_an_answer_carried_out_by_two_at_once_happens_once(living, monkeypatch):
    record = await learned(living, *CORRECTION)
    held = Held()

    def remove(path, *rest):
        if path.parent == living.home.memory:
            held.by()
        REMOVE(path, *rest)

    monkeypatch.setattr(files, "remove", remove)
    parts = living.conch.parts
    threads = at_once(lambda: living.conch.learning.undo(record.id))
    await begun(held)
    threads += at_once(lambda: carry_through(parts))
    await asyncio.sleep(0.3)
    held.may_go.set()
    for thread in threads:
        await asyncio.to_thread(thread.join, 30)
    events = living.conch.chats.log(record.chat).events()
    assert len([one for one in events if isinstance(one, LearningDecided)]) == 1
    assert never(living) == ["Prefers TypeScript"]
    done = [one for one in parts.record._journal.entries() if one.kind == "done"]
    assert len(done) == 2
    assert broken_promises(living.folder) == []


async def test_an_answer_waits_while_what_was_put_back_is_made_the_persons(living, monkeypatch):
    await learned(living, "By the way, I live in Berlin.")
    other = await learned(living, *CORRECTION)
    file = living.home.memory / f"{other.memory}.md"
    data = file.read_bytes()
    living.conch.learning.undo(other.id)
    second = await learned(living, "By the way, I moved to Lisbon.")
    file.write_bytes(data)
    held = Held()
    makes = living.conch.memories.make_the_persons

    def make_the_persons(ids):
        held.by()
        return makes(ids)

    monkeypatch.setattr(living.conch.memories, "make_the_persons", make_the_persons)
    noticing = asyncio.create_task(asyncio.to_thread(living.conch.learning.notice_what_is_put_back))
    await begun(held)
    undoing = asyncio.create_task(asyncio.to_thread(living.conch.learning.undo, second.id))
    await asyncio.sleep(0.3)
    # The memory an Undo brings back must not look as if the person had put it back.
    assert living.conch.learning.record(second.id).state == "applied"
    held.may_go.set()
    await asyncio.gather(noticing, undoing)
    assert living.memories == ["Lives in Berlin", "Prefers TypeScript"]
    sources = {one.text: one.source for one in living.conch.memories.all()}
    assert sources == {"Lives in Berlin": "learning", "Prefers TypeScript": "you"}
    assert broken_promises(living.folder) == []


async def test_the_loop_goes_on_while_the_sweep_waits_for_the_disk(living, monkeypatch):
    record = await learned(living, *CORRECTION)

    def dies(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "remove", dies)
    with pytest.raises(KeyboardInterrupt):
        living.conch.learning.undo(record.id)
    held = Held()

    def remove(path, *rest):
        held.by()
        REMOVE(path, *rest)

    monkeypatch.setattr(files, "remove", remove)
    sweeping = asyncio.create_task(living.conch.learning.sweep.once())
    await begun(held)
    for _ in range(10):
        await asyncio.sleep(0.001)
    assert not sweeping.done()
    held.may_go.set()
    await sweeping
    assert living.memories == []
    assert broken_promises(living.folder) == []


async def test_who_is_closed_while_it_waits_for_the_disk_has_ended_before(living, monkeypatch):
    record = await learned(living, *CORRECTION)
    file = living.home.memory / f"{record.memory}.md"
    data = file.read_bytes()
    living.conch.learning.undo(record.id)
    file.write_bytes(data)
    held, ended = Held(), []
    writes = files.write_atomic

    def write_atomic(path, data, mode=0o600):
        if path == file:
            held.by()
            writes(path, data, mode)
            ended.append(path)
        else:
            writes(path, data, mode)

    monkeypatch.setattr(files, "write_atomic", write_atomic)
    sweeping = asyncio.create_task(living.conch.learning.sweep.once())
    await begun(held)
    sweeping.cancel()
    asyncio.get_running_loop().call_later(0.2, held.may_go.set)
    with pytest.raises(asyncio.CancelledError):
        await sweeping
    assert ended == [file]


@pytest.fixture
def slow_disk(monkeypatch):
    """A disk that takes a moment each time, so that threads meet."""
    draw = random.Random(5)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)

    def fsync(fd):
        time.sleep(draw.uniform(0, 0.003))

    monkeypatch.setattr(files, "_fsync", fsync)
    yield
    sys.setswitchinterval(before)


class ByHand(threading.Thread):
    """A person who edits, copies, deletes and puts back memory files all the time."""

    def __init__(self, living, seed: int) -> None:
        super().__init__()
        self.living, self.draw = living, random.Random(seed)
        self.backup: dict[str, bytes] = {}
        self.edits = 0
        self.over = threading.Event()

    def run(self) -> None:
        folder = self.living.home.memory
        while not self.over.wait(self.draw.uniform(0, 0.02)):
            paths = sorted(folder.glob("*.md"))
            if not paths:
                continue
            path = self.draw.choice(paths)
            try:
                data = path.read_bytes()
                self.backup.setdefault(path.name, data)
                what = self.draw.choice(("edit", "edit", "copy", "delete", "put back"))
                if what == "edit":
                    path.write_bytes(data.rstrip() + b" by hand\n")
                elif what == "copy":
                    path.with_name(f"copy {self.edits}.md").write_bytes(data)
                elif what == "delete" and self.draw.random() < 0.3:
                    path.unlink()
                else:
                    name = self.draw.choice(sorted(self.backup))
                    (folder / name).write_bytes(self.backup[name])
                self.edits += 1
            except FileNotFoundError:
                continue


@pytest.mark.parametrize("seed", range(3))
async def test_hand_edits_looks_sweeps_and_answers_all_at_once(living, slow_disk, seed):
    draw = random.Random(seed)
    learning = living.conch.learning
    by_hand = ByHand(living, seed)
    watching = asyncio.create_task(
        living.conch.memories.watch(learning.notice_what_is_put_back, look_seconds=0.2)
    )
    sweeps = 0

    async def sweeping() -> None:
        nonlocal sweeps
        while not by_hand.over.is_set():
            await learning.sweep.once()
            sweeps += 1
            await asyncio.sleep(0.01)

    def answers() -> None:
        records = list(learning.records())
        if not records:
            return
        record = draw.choice(records)
        act = draw.choice((learning.undo, learning.forget, living.keep))
        try:
            act(record.id)
        except (ConchError, AssertionError):
            return

    sweeper = asyncio.create_task(sweeping())
    by_hand.start()
    try:
        for number in range(8):
            await living.say(f"By the way, I moved to City{number}.", f"No, I meant Lang{number}.")
            living.clock.advance(minutes=11)
            await asyncio.sleep(0.1)
            for _ in range(3):
                answers()
                await asyncio.sleep(0.01)
            if number % 3 == 2:
                learning.add_own(f"Lives in City{number - 1}")
    finally:
        by_hand.over.set()
        by_hand.join()
        await sweeper
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    assert by_hand.edits > 5
    assert sweeps > 2
    for _ in range(4):
        await living.quiet(61)
    living.start()
    assert broken_promises(living.folder) == []
    assert living.conch.parts.record.state.unfinished == {}
    assert [text for text, count in Counter(never(living)).items() if count > 1] == []
    for record in learning.records():
        if living.conch.chats.find(record.chat) is not None:
            events = living.conch.chats.log(record.chat).events()
            decided = [
                (one.record, one.state) for one in events if isinstance(one, LearningDecided)
            ]
            assert len(decided) == len(set(decided))
    said = [note.text for note in living.home.notes.recent(200)]
    assert [text for text in said if "could not be" in text or "failed" in text] == []
