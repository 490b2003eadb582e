"""Do the promises of docs/architecture.md hold for a home? One function that looks at its files.

It reads the files on its own, with none of the code that writes them: a mistake there cannot hide
here. Drills and tests call it after every crash; it changes nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from conch.evals.skill_promises import broken_skill_promises
from conch.home.json_values import read_json

_LIVE = ("applied", "waiting", "kept")


@dataclass
class Learned:
    """A record as the journal's own lines tell it."""

    id: str
    chat: str
    memory: str
    before: str
    state: str
    say: bool
    gone: bool = False


@dataclass
class FoundHome:
    """Everything the promises are about, read from the files of one home."""

    records: dict[str, Learned] = field(default_factory=dict)
    unfinished: set[str] = field(default_factory=set)
    unsaid: set[str] = field(default_factory=set)
    memories: dict[str, dict[str, Any]] = field(default_factory=dict)
    earlier: dict[str, dict[str, Any]] = field(default_factory=dict)
    said: Counter[str] = field(default_factory=Counter)
    never: list[str] = field(default_factory=list)
    forgotten: set[str] = field(default_factory=set)
    answers: dict[str, list[Learned]] = field(default_factory=dict)
    newly_forgotten: dict[str, str] = field(default_factory=dict)
    added: dict[str, dict[str, Any]] = field(default_factory=dict)
    replaced_by_own: dict[str, str] = field(default_factory=dict)
    chats: set[str] = field(default_factory=set)
    contradicted: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)


def broken_promises(root: Path) -> list[str]:
    """What is wrong with the home at `root`, in plain sentences; empty when all promises hold.

    The home must be at rest: no process writing, and what a crash cut off carried through.
    """
    home = read_home(root)
    wrong = [*home.damaged, *home.contradicted, *broken_skill_promises(root)]
    wrong += [f"intent {one} was never carried through" for one in sorted(home.unfinished)]
    for record in home.records.values():
        wrong += _about(record, home)
    for id, front in home.memories.items():
        learned = front.get("learned")
        record = home.records.get(str(learned)) if learned else None
        if learned and record is None:
            wrong.append(f"memory {id} is there without its record {learned}")
        if record is not None and record.state not in _LIVE:
            wrong.append(f"memory {id} is there though it was {record.state}")
        if id in home.earlier and front["words"] == home.earlier[id]["words"]:
            wrong.append(f"memory {id} is live and earlier at once")
    for id, own in home.replaced_by_own.items():
        if id in home.memories and home.memories[id].get("source") != "you":
            wrong.append(f"{id} is live though the person's own {own} took its place")
    return wrong


def _about(record: Learned, home: FoundHome) -> list[str]:
    wrong: list[str] = []
    live = record.memory in home.memories
    kept = live or record.memory in home.earlier
    if record.state in _LIVE and not kept:
        wrong.append(f"record {record.id} is {record.state} but its memory is gone")
    if record.state == "waiting" and live and _used(home.memories[record.memory]):
        wrong.append(f"memory {record.memory} waits and is used")
    own = live and home.memories[record.memory].get("source") == "you"
    in_use = record.state in ("applied", "kept") and live and not own
    if in_use and not _used(home.memories[record.memory]):
        wrong.append(f"memory {record.memory} is {record.state} but does not count as used")
    replaced = record.before if record.state in ("applied", "kept") else ""
    if replaced in home.memories and home.memories[replaced].get("source") != "you":
        wrong.append(f"{replaced} is live beside {record.memory}, which replaced it")
    taken_back = {one.memory for one in home.records.values() if one.state not in _LIVE}
    somewhere = replaced in home.memories or replaced in home.earlier
    if replaced and not somewhere and replaced not in taken_back | home.forgotten:
        wrong.append(f"{replaced}, which {record.memory} replaced, has no copy left")
    times = home.said[record.id]
    if times > 1:
        wrong.append(f"record {record.id} was said {times} times")
    told = record.id in home.unsaid or times or record.chat not in home.chats
    if record.say and not told and record.state in _LIVE:
        wrong.append(f"record {record.id} counts as said but was not")
    return wrong


def _used(front: dict[str, Any]) -> bool:
    return not front.get("waits") and not front.get("held")


def read_home(root: Path) -> FoundHome:
    """Read the files of a home; what cannot be read is told under `damaged`."""
    home = FoundHome()
    for entry in _lines(root / "learning" / "record.jsonl", home):
        _take(entry["kind"], entry["data"], home)
    for log in sorted((root / "chats").glob("*/log.jsonl")):
        home.chats.add(log.parent.name)
        for event in _lines(log, home):
            if event.get("type") == "learning_noted":
                home.said.update(item["record"] for item in event["items"])
    home.memories = _memories(root / "memory", home)
    home.earlier = _memories(root / "memory" / "superseded", home)
    never = root / "learning" / "never.json"
    if never.exists():
        try:
            home.never = [item["text"] for item in read_json(never.read_text())["items"]]
        except (ValueError, KeyError):
            home.damaged.append("the never-list can't be read")
    return home


def _take(kind: str, data: dict[str, Any], home: FoundHome) -> None:
    match kind:
        case "decided":
            home.unfinished.add(data["look"])
            for raw in data.get("records", []):
                home.records[raw["id"]] = Learned(
                    raw["id"],
                    raw["chat"],
                    raw["memory"],
                    raw.get("before", ""),
                    raw.get("state", "applied"),
                    data.get("say", False),
                )
                if data.get("say"):
                    home.unsaid.add(raw["id"])
        case "answered":
            home.unfinished.add(data["id"])
            record = home.records[data["record"]]
            home.answers[data["id"]] = [replace(record)]
            _answer(record, data["answer"], home)
            record.gone = data["answer"] == "forgotten" and not data.get("file")
            if record.state == "kept":
                record.before = data.get("retires", "")
        case "forgot":
            home.unfinished.add(data["id"])
            if data["memory"] not in home.forgotten:
                home.newly_forgotten[data["id"]] = data["memory"]
            home.forgotten.add(data["memory"])
            about = [one for one in home.records.values() if one.memory == data["memory"]]
            home.answers[data["id"]] = [replace(record) for record in about]
            for record in about:
                _answer(record, "forgotten", home)
        case "added":
            home.unfinished.add(data["id"])
            home.added[data["id"]] = data
        case "done":
            home.unfinished.discard(data["id"])
            added = home.added.pop(data["id"], {})
            for one in () if data.get("given_up") else added.get("retires", {}):
                if one not in data.get("stay", ()):
                    home.replaced_by_own[one] = added["memory"]
            for one in data.get("waits", {}):
                home.records[one].state = "waiting"
            if data.get("given_up"):
                home.forgotten.discard(home.newly_forgotten.get(data["id"], ""))
                for before in home.answers.get(data["id"], ()):
                    before.before = "" if data.get("restored") else before.before
                    home.records[before.id] = before
        case "said":
            looks = set(data["looks"])
            home.unsaid = {one for one in home.unsaid if one.rpartition(":")[0] not in looks}
        case _:
            pass


def _answer(record: Learned, answer: str, home: FoundHome) -> None:
    """What was taken back stays so: a second answer contradicts the first.

    But for what counted as forgotten since its file was gone: then Undo is the first answer.
    """
    if record.state in _LIVE or (record.gone and answer == "undone"):
        record.state = answer
    else:
        home.contradicted.append(f"record {record.id} was {record.state} and then {answer}")


def _lines(path: Path, home: FoundHome) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    found: list[dict[str, Any]] = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line:
            continue
        try:
            found.append(read_json(line))
        except ValueError:
            home.damaged.append(f"{path.name}, line {number} can't be read")
    return found


def _memories(folder: Path, home: FoundHome) -> dict[str, dict[str, Any]]:
    """The memories of a folder by id. Of several files of one id, the one that is used: the one
    named so, else the shortest name; the others are mere copies, left out wherever they are read.
    """
    yaml = YAML(typ="safe")
    found: dict[str, dict[str, Any]] = {}
    named: dict[str, tuple[bool, int, str]] = {}
    for path in sorted(folder.glob("*.md")):
        try:
            parts = path.read_text(encoding="utf-8").split("---\n", 2)
            front = yaml.load(parts[1])
            front["words"] = parts[2].strip()
            id = front["id"]
        except Exception as error:
            home.damaged.append(f"{path.name} can't be read ({type(error).__name__})")
            continue
        rank = (path.stem != id, len(path.name), path.name)
        if id not in found or rank < named[id]:
            found[id], named[id] = front, rank
    return found
