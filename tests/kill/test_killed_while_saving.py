"""Killed while an offer is saved, settled or turned down: after the next start it is done exactly
once, or not at all and the offer still waits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.skills.library import Library
from conch.skills.offers import Offers
from conch.skills.usage import SkillUsage
from living import START

DIES = """
import os, sys
from pathlib import Path
from conch.home.home import Home
from conch.skills.library import Library
from conch.skills.offers import Offers
from conch.skills.usage import SkillUsage

home = Home.open(Path(sys.argv[1]))
offers = Offers(home, Library(home), SkillUsage(home))
left = int(sys.argv[3])

def die(event, args):
    global left
    if event in ("os.rename", "os.mkdir", "open") and sys.argv[1] in str(args[0]):
        left -= 1
        if left == 0:
            os._exit(9)

sys.addaudithook(die)
getattr(offers, sys.argv[2])("1")
"""
MOST = 400


class Waiting:
    """A home in which one offer waits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.start()
        given = {"key": "c_1", "chat": "c_1", "title": "Tidy notes", "asked": ["tidy my notes"]}
        words = {"description": "Tidies notes.", "instructions": "1. Look.\n2. Say."}
        self.offers.answered("c_1", offer=self.offers.new(**given, **words))

    def start(self) -> None:
        home = Home.open(self.folder, SteppedClock(START))
        self.library, self.usage = Library(home), SkillUsage(home)
        self.offers = Offers(home, self.library, self.usage)
        self.offers.recover()

    def dies(self, verb: str, at: int) -> bool:
        """Whether `verb` was killed before it came to its end."""
        words = [sys.executable, "-c", DIES, str(self.folder), verb, str(at)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, 9), done.stderr
        return done.returncode == 9


@pytest.mark.parametrize("verb", ["save", "never"])
def test_exactly_once_wherever_it_is_killed(tmp_path, verb):
    deaths = 0
    for at in range(1, MOST, 2):
        waiting = Waiting(tmp_path / f"{verb}-{at}")
        died = waiting.dies(verb, at)
        waiting.start()
        skills, open_ones = waiting.library.skills(), waiting.offers.open()
        if verb == "save":
            assert len(skills) + len(open_ones) == 1, at
            if open_ones:
                waiting.offers.save("1")
            (skill,) = waiting.library.skills()
            assert skill.instructions.strip().endswith("2. Say.")
            assert waiting.usage.of(skill.id).origin == "learned"
        else:
            assert bool(open_ones) != bool(waiting.offers.turned_down()), at
            assert skills == []
        assert waiting.offers.had_its_chance("c_1")
        waiting.start()
        assert waiting.offers.open() == [] or verb == "never"
        left = [one.name for one in waiting.library.folder.glob(".*")]
        assert left == [], left
        if not died:
            break
        deaths += 1
    else:
        pytest.fail("It never came to its end.")
    assert deaths >= 2
