"""A staged set of files takes the place of those there: all of them, or none, cut off anywhere."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conch.home import swapping
from conch.home.clock import SteppedClock
from conch.home.errors import Damaged
from conch.home.home import Home
from conch.home.swapping import PLAN, carry_on_swap, swap
from conch.home.writer import take_writer
from living import START

NAMES = ("chats", "memory", "settings.json", "usage.jsonl")
BEFORE = {"chats/a": "old", "memory/m": "old", "settings.json": "old", "keys/k": "key"}
STAGED = {"chats/b": "new", "settings.json": "new", "usage.jsonl": "new"}
AFTER = STAGED | {"keys/k": "key"}


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def root(tmp_path) -> Path:
    write(tmp_path, BEFORE)
    write(tmp_path / ".staged", STAGED)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def stands(root: Path) -> dict[str, str]:
    found = (path for path in root.rglob("*") if path.is_file())
    named = {str(path.relative_to(root)): path.read_text() for path in found}
    return {name: text for name, text in named.items() if not name.startswith(".")}


def kept(root: Path) -> dict[str, str]:
    inner = stands(root / ".aside")
    return {name: text for name, text in inner.items() if name != swapping.SWAPPED}


def swapped(root: Path) -> None:
    swap(root, root / ".staged", root / ".aside", NAMES)


def failing(monkeypatch, at: int, error: BaseException):
    """Have the `at`th change of the disk raise `error`, once; who is killed does no more."""
    count = 0

    def instead(of):
        def does(*args, **more):
            nonlocal count
            count += 1
            if count == at or (count > at and isinstance(error, Killed)):
                raise error
            return of(*args, **more)

        return does

    for name in ("move", "remove", "write_atomic", "make_folder"):
        monkeypatch.setattr(swapping, name, instead(getattr(swapping, name)))


def killed(monkeypatch, at: int, does: Callable[[], object]) -> None:
    """Do it in a process that is killed at the `at`th change of the disk."""
    with monkeypatch.context() as patch, contextlib.suppress(Killed):
        failing(patch, at, Killed())
        does()


def test_what_is_staged_takes_its_place_and_what_was_there_is_kept(root):
    swapped(root)
    assert stands(root) == AFTER
    assert kept(root) == {name: text for name, text in BEFORE.items() if name != "keys/k"}
    assert not carry_on_swap(root)


@pytest.mark.parametrize("at", range(1, 12))
def test_killed_at_any_change_it_is_as_before_or_carried_on(root, monkeypatch, at):
    killed(monkeypatch, at, lambda: swapped(root))
    begun = carry_on_swap(root)
    assert stands(root) == (AFTER if begun or at > 2 else BEFORE)
    assert not (root / PLAN).exists()


@pytest.mark.parametrize("at", range(1, 12))
def test_killed_again_while_it_is_carried_on(root, monkeypatch, at):
    killed(monkeypatch, 5, lambda: swapped(root))
    killed(monkeypatch, at, lambda: carry_on_swap(root))
    carry_on_swap(root)
    assert stands(root) == AFTER


@pytest.mark.parametrize("at", range(1, 8))
def test_what_the_disk_refuses_leaves_everything_as_it_was(root, monkeypatch, at):
    with monkeypatch.context() as patch:
        failing(patch, at, OSError("full"))
        with pytest.raises(OSError, match="full"):
            swapped(root)
    assert not carry_on_swap(root)
    assert stands(root) == BEFORE


def test_an_interrupt_leaves_everything_as_it_was(root, monkeypatch):
    for at in range(3, 9):
        with monkeypatch.context() as patch:
            failing(patch, at, KeyboardInterrupt())
            with pytest.raises(KeyboardInterrupt):
                swapped(root)
        assert stands(root) == BEFORE
        assert not (root / PLAN).exists()


def test_what_was_staged_and_is_gone_is_not_passed_over(root, monkeypatch):
    killed(monkeypatch, 4, lambda: swapped(root))
    shutil.rmtree(root / ".staged")
    with pytest.raises(Damaged, match="in neither place"):
        carry_on_swap(root)
    assert (root / PLAN).exists()
    assert kept(root)["chats/a"] == "old"


def test_whoever_opens_the_home_next_carries_it_on(root, monkeypatch):
    killed(monkeypatch, 5, lambda: swapped(root))
    with take_writer(Home.open(root, SteppedClock(START))):
        found = stands(root)
    assert {name: found[name] for name in AFTER} == AFTER
    assert "memory/m" not in found


def test_a_plan_that_cannot_be_read_stops_the_home_from_being_opened(root):
    (root / PLAN).write_text("{")
    home = Home.open(root, SteppedClock(START))
    with pytest.raises(Damaged, match="a restore was being carried out"):
        take_writer(home)
    with pytest.raises(Damaged):
        take_writer(home)
    assert (root / "chats/a").read_text() == "old"


def test_a_plan_never_leads_out_of_the_home(root):
    outside = root.parent / "outside"
    outside.mkdir(exist_ok=True)
    plan = swapping._Swap(staged="../outside", aside="../outside", going=["chats"], coming=[])
    (root / PLAN).write_text(plan.model_dump_json())
    carry_on_swap(root)
    assert not (outside / "chats").exists()
