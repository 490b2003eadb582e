"""Measures nearby and recall on data named on the command line; nothing of it is kept.

    .venv/bin/python tools/bench_nearby.py prefs PATH [--rows even|odd|all]
    .venv/bin/python tools/bench_nearby.py cases SOME [NONE]
    .venv/bin/python tools/bench_nearby.py recall PATH
    .venv/bin/python tools/bench_nearby.py time [--memories 10000] [--corpus PATH]

`prefs`: rows with `preference`, `question`, `topic` (PrefEval): the right one among the lines that
are shown, floor and 360 characters on, in stores of 20 (one a topic), 100, 300 and all. `cases`:
rows with `memory` and `message`, and messages that call for none. `recall`: LoCoMo facts and
questions, evidence among the first 1, 3 and 8. `time`: a whole nearby, encoder included.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Sequence, Set
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from conch.learning.nearby import nearby_lines
from conch.memory.memory import Memory
from conch.memory.search_index import SearchIndex
from conch.words.meaning import load_meaning

AT = datetime(2026, 1, 1, tzinfo=UTC)
SIZES = (20, 100, 300, 0)
STORES_A_ROW = 3
THINGS = ["tea", "jazz", "trains", "Python", "chess", "bread", "boots", "wool", "maps", "owls"]


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def a_memory(memory_id: str, text: str) -> Memory:
    return Memory(memory_id, text, "preference", "you", AT, AT)


def an_index(memories: Sequence[Memory]) -> SearchIndex:
    index = SearchIndex(None, load_meaning())
    index.set(memories)
    index.encode_some(len(memories))
    return index


def shown(index: SearchIndex, message: str, among: Sequence[Memory]) -> Set[str]:
    return {memory.id for memory in nearby_lines(message, among, set(), index=index)}


def prefs(path: Path, which: str) -> None:
    rows = rows_of(path)
    # The same preference twice is one memory; a row's answer is the memory with its words.
    by_text: dict[str, Memory] = {}
    for number, row in enumerate(rows):
        by_text.setdefault(row["preference"], a_memory(f"m_{number}", row["preference"]))
    everything = list(by_text.values())
    index = an_index(everything)
    by_topic: dict[str, list[Memory]] = {}
    for row in rows:
        by_topic.setdefault(row["topic"], []).append(by_text[row["preference"]])
    parity = {"even": (0,), "odd": (1,), "all": (0, 1)}[which]
    asked = [row for number, row in enumerate(rows) if number % 2 in parity]
    chance = random.Random(7)
    for size in SIZES:
        hits = blank = tries = 0
        for row in asked:
            mine = by_text[row["preference"]]
            for _ in range(STORES_A_ROW if size else 1):
                if size == 0:
                    store = everything
                elif size == 20:
                    store = [mine] + [
                        chance.choice(of) for topic, of in by_topic.items() if topic != row["topic"]
                    ]
                else:
                    others = [one for one in everything if one is not mine]
                    store = [mine, *chance.sample(others, size - 1)]
                found = shown(index if size == 0 else an_index(store), row["question"], store)
                hits += mine.id in found
                blank += not found
                tries += 1
        name = size or len(everything)
        print(f"store {name:>5}: {hits / tries:.3f} shown, {blank / tries:.3f} blank ({tries})")


def cases(some_path: Path, none_path: Path | None) -> None:
    some = rows_of(some_path)
    memories = [a_memory(row["id"], row["memory"]) for row in some]
    index = an_index(memories)
    right = [row["id"] in shown(index, row["message"], memories) for row in some]
    blank = [not shown(index, row["message"], memories) for row in some]
    print(f"right one shown: {sum(right)}/{len(some)}, nothing shown: {sum(blank)}")
    if none_path is not None:
        none = rows_of(none_path)
        lines = [row for row in none if shown(index, row["message"], memories)]
        print(f"nothing shown where nothing fits: {1 - len(lines) / len(none):.3f} ({len(none)})")
        for row in lines:
            print("   shown for:", row["lang"], row["message"])


def recall(path: Path) -> None:
    rows = rows_of(path)
    hits = {1: 0, 3: 0, 8: 0}
    asked = 0
    for chat in sorted({row["conv"] for row in rows}):
        facts = [row for row in rows if row["conv"] == chat and row["type"] == "memory"]
        index = an_index([a_memory(row["id"], row["text"]) for row in facts])
        evidence = {row["id"]: set(row["evidence"]) for row in facts}
        for row in rows:
            if row["conv"] != chat or row["type"] != "qa" or not row["answerable_from_memories"]:
                continue
            asked += 1
            found = [hit.memory.id for hit in index.search(row["question"], 8)]
            for first in hits:
                hits[first] += any(evidence[one] & set(row["evidence"]) for one in found[:first])
    print(", ".join(f"top {first}: {count / asked:.3f}" for first, count in hits.items()), asked)


def timing(count: int, corpus: Path | None) -> None:
    if corpus is not None:
        texts = [row["text"] for row in rows_of(corpus)]
    else:
        things = THINGS
        texts = [
            f"Prefers {a} to {b} number {n}" for n in range(99) for a in things for b in things
        ]
    texts = list(dict.fromkeys(texts))[:count]
    folder = Path(tempfile.mkdtemp())
    memories = [a_memory(f"m_{number}", text) for number, text in enumerate(texts)]
    index = SearchIndex(folder / "index.db", load_meaning())
    start = time.perf_counter()
    index.set(memories)
    print(f"{len(memories)} memories; words indexed in {time.perf_counter() - start:.1f} s")
    start = time.perf_counter()
    index.encode_some(len(memories))
    print(f"encoded in {time.perf_counter() - start:.1f} s")
    start = time.perf_counter()
    again = SearchIndex(folder / "index.db", load_meaning())
    again.set(memories)
    again.encode_some(len(memories))
    print(f"opened again in {time.perf_counter() - start:.1f} s")

    messages = [
        f"What would you suggest for {a} and {b} when I am in a hurry?"
        for a in THINGS
        for b in THINGS
    ]
    taken: list[float] = []
    for message in messages:
        start = time.perf_counter()
        nearby_lines(message, memories, set(), index=again)
        taken.append((time.perf_counter() - start) * 1_000)
    taken.sort()
    print(
        f"nearby: median {statistics.median(taken):.1f} ms, "
        f"p99 {taken[int(len(taken) * 0.99)]:.1f} ms ({len(taken)} messages)"
    )
    start = time.perf_counter()
    for message in messages:
        again.search(message, 8)
    print(f"recall: mean {(time.perf_counter() - start) / len(messages) * 1_000:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", choices=("prefs", "cases", "recall", "time"))
    parser.add_argument("paths", type=Path, nargs="*")
    parser.add_argument("--rows", default="odd", choices=("even", "odd", "all"))
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--corpus", type=Path)
    args = parser.parse_args()
    if args.what == "time":
        timing(args.memories, args.corpus)
    elif args.what == "prefs":
        prefs(args.paths[0], args.rows)
    elif args.what == "recall":
        recall(args.paths[0])
    else:
        cases(args.paths[0], args.paths[1] if len(args.paths) > 1 else None)


if __name__ == "__main__":
    main()
