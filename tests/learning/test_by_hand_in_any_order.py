"""What a person does by hand and answers, in any order: nothing is used twice, nothing lost."""

from __future__ import annotations

import random
import shutil
from collections import Counter

import pytest

from conch.evals.promises import broken_promises
from conch.home.errors import ConchError

_CITIES = ("Berlin", "Lisbon", "Porto", "Rome")
_STEPS = ("supersede", "supersede", "undo", "undo", "keep", "forget", "delete", "copy", "put back",
          "put back", "edit", "recover")  # fmt: skip


class Person:
    """Draws one step after the other; `backup` is what they kept of every file they saw."""

    def __init__(self, living, seed: int) -> None:
        self.living = living
        self.draw = random.Random(seed)
        self.backup: dict[str, bytes] = {}

    def files(self):
        return sorted(self.living.home.memory.glob("*.md"))

    async def does(self, step: str) -> None:
        learning = self.living.conch.learning
        records = learning.records()
        file = self.draw.choice(self.files()) if self.files() else None
        match step:
            case "supersede":
                await self.living.say(f"By the way, I moved to {self.draw.choice(_CITIES)}.")
                await self.living.quiet()
            case "undo" | "forget" if records:
                self.answers(getattr(learning, step), self.draw.choice(records).id)
            case "keep":
                waiting = [one for one in records if one.state == "waiting"]
                waiting = [one for one in waiting if self.living.conch.memories.get(one.memory)]
                if waiting:
                    self.answers(self.living.keep, self.draw.choice(waiting).id)
            case "delete" if file:
                file.unlink()
            case "copy" if file:
                name = f"copy {len(list(self.living.home.memory.iterdir()))}.md"
                if not file.with_name(name).exists():
                    shutil.copy(file, file.with_name(name))
            case "put back" if self.backup:
                name = self.draw.choice(sorted(self.backup))
                (self.living.home.memory / name).write_bytes(self.backup[name])
            case "edit" if file:
                words = f"Lives in {self.draw.choice(_CITIES)}"
                head = file.read_text().rpartition("---\n")[0]
                file.write_text(f"{head}---\n{words}\n")
            case "recover":
                self.living.start()
            case _:
                pass

    def answers(self, act, record: str) -> None:
        refused: ConchError | None = None
        try:
            act(record)
        except ConchError as error:
            refused = error
        if refused is not None:
            assert refused.do or "taken back already" in refused.what

    def looks(self) -> None:
        times = Counter(" ".join(text.split()) for text in self.living.memories)
        assert [text for text, count in times.items() if count > 1] == []
        for file in self.files():
            self.backup.setdefault(file.name, file.read_bytes())


async def lives(living, seed: int, steps: int) -> None:
    person = Person(living, seed)
    for _ in range(steps):
        step = person.draw.choice(_STEPS)
        memories = living.conch.memories
        before = {one.text for one in (*memories.all(), *memories.earlier())}
        await person.does(step)
        person.looks()
        if step in ("supersede", "keep", "copy", "recover"):
            memories = living.conch.memories
            now = {one.text for one in (*memories.all(), *memories.earlier())}
            assert before <= now, (seed, step, before - now)
    living.start()
    person.looks()
    assert broken_promises(living.folder) == [], seed


@pytest.mark.parametrize("seed", range(6))
async def test_by_hand_in_any_order(living, seed):
    await lives(living, seed, 12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
async def test_by_hand_in_any_order_at_length(living, seed):
    await lives(living, seed, 40)
