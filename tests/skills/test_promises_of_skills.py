"""The promises about skills hold through every crash of a save, and are seen when they don't."""

from __future__ import annotations

import contextlib
import json

import pytest

from conch.evals.promises import broken_promises
from conch.evals.skill_promises import broken_skill_promises
from living import Living


@pytest.fixture
def living(tmp_path) -> Living:
    return Living(tmp_path / "home")


def offered(living, key="c_1"):
    offer = living.conch.skills.offers.new(
        key=key, chat=key, title="Sort files", description="Sorts files.",
        instructions="1. Look.\n2. Sort.", permissions=["none"],
    )  # fmt: skip
    living.conch.skills.offers.answered(key, offer=offer)
    return offer


class Crash(BaseException):
    pass


def writes(living, monkeypatch, at):
    """Crash at the `at`-th write of any file from here on."""
    import conch.home.files as files

    count = 0
    fsync = files._fsync

    def counting(fd):
        nonlocal count
        count += 1
        if count == at:
            raise Crash
        fsync(fd)

    monkeypatch.setattr(files, "_fsync", counting)
    return lambda: count


@pytest.mark.parametrize("at", range(1, 16))
def test_a_save_cut_off_anywhere_is_whole_or_waits_again(living, monkeypatch, at):
    offered(living)
    with monkeypatch.context() as patch:
        writes(living, patch, at)
        with contextlib.suppress(Crash):
            living.conch.skills.offers.save("1")
    living.start()
    assert broken_promises(living.home.root) == []
    waits, saved = living.conch.skills.offers.open(), living.conch.skills.library.skills()
    assert len(waits) + len(saved) == 1, (waits, saved)


@pytest.mark.parametrize("at", range(1, 5))
def test_an_offer_cut_off_is_there_with_its_chance_or_not_at_all(living, monkeypatch, at):
    with monkeypatch.context() as patch:
        writes(living, patch, at)
        with contextlib.suppress(Crash):
            offered(living)
    living.start()
    assert broken_promises(living.home.root) == []
    there = bool(living.conch.skills.offers.open())
    assert living.conch.skills.offers.had_its_chance("c_1") is there


async def test_every_use_is_counted(living):
    offered(living)
    skill = living.conch.skills.offers.save("1")
    await living.say(f"/{skill.name} please")
    await living.say(f"/{skill.name} again")
    assert broken_promises(living.home.root) == []
    usage = living.home.root / "skill-usage.json"
    kept = json.loads(usage.read_text("utf-8"))
    kept["skills"][skill.id]["times"] = 1
    usage.write_text(json.dumps(kept), "utf-8")
    assert broken_skill_promises(living.home.root) == [f"{skill.id} was used 2 times and counted 1"]


def test_what_is_broken_is_seen(living):
    offered(living)
    file = living.home.root / "skill-learned.json"
    kept = json.loads(file.read_text("utf-8"))
    kept["offers"].append({**kept["offers"][0], "id": "ws_2", "saving": "sort-files"})
    kept["chances"] = {}
    file.write_text(json.dumps(kept), "utf-8")
    (living.home.root / "skills" / ".sort.coming").mkdir(parents=True)
    (living.home.root / "skills" / ".git").mkdir()
    (living.home.root / "vault").mkdir(exist_ok=True)
    (living.home.root / "vault" / "secrets.sealed").write_text("plain", "utf-8")
    wrong = " ".join(broken_skill_promises(living.home.root))
    assert ".git" not in wrong
    for what in ("without the chance", "never carried through", "offered 2 times", "half a save",
                 "not sealed"):  # fmt: skip
        assert what in wrong
