"""Killed at any instant, a home keeps its promises."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from killing import kill_many


def test_a_home_keeps_its_promises_when_killed_and_when_the_power_goes(tmp_path):
    killed = kill_many(tmp_path, kills=8, seed=7)
    assert killed.broken == []
    assert killed.acknowledged > 0


@pytest.mark.parametrize("left_out", ["record.jsonl"])
def test_an_fsync_left_out_is_caught(tmp_path, left_out):
    killed = kill_many(tmp_path, kills=12, seed=11, leave_out=left_out)
    assert killed.broken


def test_words_of_the_persons_own_are_saved_wholly_or_not_at_all(tmp_path):
    killed = kill_many(tmp_path, kills=5, seed=3, aim=("own",))
    assert killed.broken == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_a_hundred_kills_while_the_person_adds_words_of_their_own(tmp_path, seed):
    killed = kill_many(tmp_path, kills=100, seed=seed, aim=("own",))
    print(f"\n{killed.kills} kills, {killed.carried_through} carried through")
    assert killed.broken == []
    assert killed.carried_through > 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_two_hundred_kills(tmp_path, seed):
    killed = kill_many(tmp_path, kills=50, seed=seed)
    print(
        f"\n{killed.kills} kills, {killed.acknowledged} acknowledged, "
        f"{killed.carried_through} carried through"
    )
    assert killed.broken == []
    assert killed.kills == 50
    assert killed.carried_through > 5
