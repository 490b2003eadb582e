"""Kills the worker at random instants and looks at what is left (promises 1, 2 and 7)."""

from __future__ import annotations

import hashlib
import json
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import lossy_disk

from conch.app import Conch
from conch.evals.promises import broken_promises, read_home
from conch.home.home import Home
from conch.home.writer import take_writer

_HERE = Path(__file__).parent
_LONGEST = {"look": 0.12, "answer": 0.03, "own": 0.03}
"""Seconds within which a look, an answer about what was learned, and words of the person's own
are about done."""
_LATER = {"applied": 0, "waiting": 0, "kept": 1, "undone": 2, "forgotten": 2}


@dataclass
class Killed:
    """What came of the kills: how many, how much was acknowledged in all, what was broken."""

    kills: int = 0
    acknowledged: int = 0
    carried_through: int = 0
    broken: list[str] = field(default_factory=list)


def kill_many(
    folder: Path, kills: int, seed: int, leave_out: str = "", aim: Sequence[str] = ()
) -> Killed:
    """Kill the worker `kills` times on one home; every other time the power goes as well.

    `aim`: at what it is killed, drawn each time; "" is anywhere. By default at everything.
    """
    aim = aim or (*_LONGEST, "")
    chance = random.Random(seed)
    home, shadow = folder / "home", folder / "shadow"
    Home.open(home)
    killed = Killed()
    acknowledged: dict[str, str] = {}
    bytes_of: dict[str, str] = {}
    for number in range(kills):
        lossy_disk.start_over(home, shadow)
        wanted = chance.choice(aim)
        lines = _run_and_kill(home, shadow, seed * 1_000 + number, chance, leave_out, wanted)
        for line in lines:
            if "record" in line:
                acknowledged[line["record"]] = line["state"]
            bytes_of |= line.get("live", {})
        if number % 2 or leave_out:
            lossy_disk.power_cut(home, shadow)
        killed.kills += 1
        killed.acknowledged = len(acknowledged)
        killed.carried_through += carry_through(home)
        before = fingerprint(home)
        carry_through(home)
        broken = broken_promises(home)
        if fingerprint(home) != before:
            broken.append("carrying through twice changed something")
        broken += _lost(home, acknowledged) + _changed(home, bytes_of) + _half_said(home, lines)
        killed.broken += [f"kill {number}: {one}" for one in broken]
        if broken:
            break
    return killed


def _run_and_kill(
    home: Path, shadow: Path, seed: int, chance: random.Random, leave_out: str, wanted: str
) -> list[dict]:
    command = [sys.executable, str(_HERE / "worker.py"), str(home), str(shadow), str(seed)]
    process = subprocess.Popen([*command, leave_out], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines: list[dict] = []
    ready, aimed = threading.Event(), threading.Event()

    def read() -> None:
        for line in process.stdout or ():
            lines.append(json.loads(line))
            if "ready" in lines[-1]:
                ready.set()
            elif ready.is_set() and lines[-1].get("begins") == wanted:
                aimed.set()
        ready.set()
        aimed.set()

    reader = threading.Thread(target=read)
    reader.start()
    ready.wait(timeout=60)
    assert process.poll() is None, "the worker stopped by itself"
    if wanted:
        # Most of a round is talk: two of three kills are aimed at what is written about memory.
        aimed.wait(timeout=60)
        time.sleep(chance.uniform(0.0, _LONGEST[wanted]))
    else:
        time.sleep(chance.uniform(0.0, 1.2))
    process.kill()
    process.wait()
    reader.join()
    return lines


def carry_through(home: Path) -> int:
    """Start Conch on the home as a person would, and stop it; gives what it had to finish."""
    opened = Home.open(home)
    with take_writer(opened):
        conch = Conch(opened, {}, host="here")
        open_before = len(conch.parts.record.state.unfinished)
        conch.begin()
        conch.chats.close()
    return open_before


def fingerprint(home: Path) -> str:
    """Of everything that counts as truth in a home; what is derived is left out."""
    digest = hashlib.sha256()
    for path in sorted(home.rglob("*")):
        derived = path.name.startswith(("index.db", "writer.lock", "notes")) or "sent" in path.parts
        if path.is_file() and not derived:
            digest.update(str(path.relative_to(home)).encode() + path.read_bytes())
    return digest.hexdigest()


def _lost(home: Path, acknowledged: dict[str, str]) -> list[str]:
    """What had been acknowledged and does not hold any more."""
    records = read_home(home).records
    wrong = []
    for id, state in acknowledged.items():
        record = records.get(id)
        if record is None:
            wrong.append(f"record {id} was acknowledged and is gone")
        elif record.state != state and _LATER[record.state] <= _LATER[state]:
            wrong.append(f"record {id} was {state} and is {record.state} again")
    return wrong


def _half_said(home: Path, lines: list[dict]) -> list[str]:
    """What is wrong with the words of the person's own that were being saved when it was killed."""
    begun = [line for line in lines if "begins" in line]
    if not begun or begun[-1]["begins"] != "own":
        return []
    words, acknowledged = begun[-1]["words"], "own" in lines[-1] or "live" in lines[-1]
    found = read_home(home)
    live = [front for front in found.memories.values() if not front.get("waits")]
    if not any(front["words"] == words for front in live):
        return [f"“{words}” was acknowledged and is gone"] if acknowledged else []
    if begun[-1]["known"] and not acknowledged:
        return []
    other = [
        front["words"]
        for front in live
        if front["words"] != words
        and front["words"].startswith("Lives in ")
        and front.get("source") != "you"
    ]
    wrong = [f"“{one}” is used beside “{words}”, which replaced it" for one in other]
    if words in found.never:
        wrong.append(f"“{words}” was said and is on the never-list")
    return wrong


def _changed(home: Path, bytes_of: dict[str, str]) -> list[str]:
    """Memories in use whose bytes are not those they had in use before (promise 2)."""
    wrong = []
    for path in (home / "memory").glob("*.md"):
        raw = path.read_bytes()
        id = re.search(rb"^id: (\S+)", raw, re.M)
        before = bytes_of.get(id[1].decode()) if id else None
        if before is not None and hashlib.sha256(raw).hexdigest() != before:
            wrong.append(f"the bytes of {path.name} are not what they were")
    return wrong
