"""How long reading people takes, each work beside a plain way to do the same or a part of it.

`python -m conch.evals.benchmarks [--short] [FILE]` prints the figures and writes them to FILE.
Nothing here is asserted: times depend on the machine, so the page tells the machine's facts and
ratios measured in the same run.
"""

from __future__ import annotations

import itertools
import re
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rapidfuzz import process

from conch.chats.events import AssistantMessage, ChatStarted, Event, PersonMessage, TurnCompleted
from conch.chats.stretch import Stretch
from conch.evals.side_by_side import Compared, as_table, machine, side_by_side
from conch.guard.check import CheckContext
from conch.learning.already import AlreadyRead
from conch.learning.changes import Add, Said, Situation
from conch.learning.judge import judge
from conch.learning.nearby import nearby_lines
from conch.learning.signals import labels_of, read_signals
from conch.memory.memory import Memory
from conch.memory.search_index import SearchIndex
from conch.words.meaning import Meaning, load_meaning

_AT = datetime(2026, 12, 1, 12, tzinfo=UTC)
_LIKES = ("short answers", "tabs", "tables", "metric units", "plain words", "British spelling")
_TOOLS = ("ruff", "pytest", "Postgres", "Vim", "Zig", "Kotlin", "SQLite", "pnpm", "Terraform")
_PLACES = (
    "the shop",
    "the blog",
    "the garden site",
    "the choir",
    "invoices",
    "the bakery",
    "maths",
)
_WHO = ("Ada", "Bruno", "Chidi", "Dana", "Emil", "Farah", "Goran", "Hana", "Ines", "Jonas")
_ASKS = (
    "Write a function that reads {tool} files for {place}.",
    "No, I meant {tool}, not what you used for {place}.",
    "How long would {place} take with {tool}?",
    "Thanks, that is exactly what {who} wanted.",
    "I always use {tool} when I work on {place}, please keep to it.",
    "can you check again whether {who} still needs {likes}",
    "that still does not work!! {tool} fails on {place}",
    "Summarise what {who} said about {likes} in three lines.",
)
_PLAIN_CUES = re.compile(r"\b(no|not|actually|meant|thanks?|always|never|prefer|again)\b", re.I)


@dataclass(frozen=True)
class Size:
    """How much is measured: messages in the chat, memories in the store, runs of each work."""

    messages: int
    memories: int
    runs: int
    many_runs: int


FULL = Size(messages=10_000, memories=10_000, runs=7, many_runs=300)
SHORT = Size(messages=200, memories=200, runs=2, many_runs=5)


def asked(number: int) -> str:
    """The `number`th of many different messages a person might write."""
    return _ASKS[number % len(_ASKS)].format(
        tool=_TOOLS[number // 3 % len(_TOOLS)],
        place=f"{_PLACES[number // 5 % len(_PLACES)]} {number}",
        who=_WHO[number // 7 % len(_WHO)],
        likes=_LIKES[number // 11 % len(_LIKES)],
    )


def stored(many: int, first: int = 0) -> tuple[Memory, ...]:
    """`many` different preferences, from the `first` on."""
    words = itertools.product(_LIKES, _PLACES, _TOOLS, _WHO, range(first + many))
    texts = (f"Prefers {a} for {b} when {d} uses {c} {n}" for a, b, c, d, n in words)
    return tuple(
        Memory(f"m_{number}", text, "preference", "learning", _AT, _AT)
        for number, text in enumerate(itertools.islice(texts, first, first + many))
    )


def a_chat(messages: int, first: int = 0) -> Stretch:
    """A chat of so many messages of the person's, from the `first` on, each answered."""

    def events() -> Iterator[Event]:
        seq = itertools.count(1)
        yield ChatStarted(seq=next(seq), at=_AT, chat="c_bench")
        for number in range(first, first + messages):
            yield PersonMessage(seq=next(seq), at=_AT, text=asked(number))
            yield AssistantMessage(seq=next(seq), at=_AT, text=f"Here is answer {number}.")
            yield TurnCompleted(seq=next(seq), at=_AT, outcome="success")

    return Stretch("c_bench", "own", 0, tuple(events()))


def reading_a_chat(size: Size) -> Compared:
    # Each run has a chat of its own: what was read once is remembered for a while.
    many = size.messages
    chats = iter([a_chat(many, first=many * run) for run in range(size.runs + 1)])
    texts = [asked(number) for number in range(many)]
    return side_by_side(
        f"Signals of a chat of {many:,} messages, words only",
        "one English regular expression over as many messages",
        lambda: read_signals(next(chats)),
        lambda: [_PLAIN_CUES.findall(text) for text in texts],
        size.runs,
    )


def reading_a_message(size: Size, meaning: Meaning) -> Compared:
    ours, theirs = itertools.count(0), itertools.count(500_000)

    def signals() -> object:
        number = next(ours)
        turns = [("user", asked(number)), ("assistant", "Done."), ("user", asked(number + 1))]
        return labels_of(turns, meaning)

    return side_by_side(
        "Signals of one message, meaning asked where words leave it open",
        "the meaning of that message alone",
        signals,
        lambda: meaning.encode([asked(next(theirs))]),
        size.many_runs,
    )


def judging_a_change(size: Size, meaning: Meaning) -> Compared:
    memories = stored(size.memories)
    texts = [memory.text for memory in memories]
    number = itertools.count(1)
    already = AlreadyRead()
    already.read(memories)

    def change() -> object:
        words = f"I prefer {_TOOLS[next(number) % len(_TOOLS)]} over make for chore {next(number)}."
        said = (Said(1, _AT, words, words),)
        return judge(
            Add(words.replace("I prefer", "Prefers"), words, "preference"),
            Situation(said=said, memories=memories, already=already),
            CheckContext(via="learning", said=(words,)),
            meaning,
        )

    return side_by_side(
        f"Gate and memory check of one change, {size.memories:,} memories",
        "the most alike of those texts by edit distance",
        change,
        lambda: process.extractOne(f"Prefers tabs for chore {next(number)}", texts),
        size.many_runs,
    )


def reading_the_memories(size: Size) -> Compared:
    # What was read once is remembered for a while, so each run has memories of its own.
    many = size.memories // 10
    firsts = [size.memories + many * run for run in range(size.runs + 1)]
    stores = iter([stored(many, first) for first in firsts])
    texts = iter([[one.text for one in stored(many)] for _ in range(size.runs + 1)])
    return side_by_side(
        f"Reading {many:,} new memories for the gate, once after a start",
        "a set of the words of as many texts",
        lambda: AlreadyRead().read(next(stores)),
        lambda: [frozenset(text.lower().split()) for text in next(texts)],
        size.runs,
    )


def nearby(size: Size, meaning: Meaning) -> Compared:
    memories = stored(size.memories)
    index = SearchIndex(None, meaning)
    index.set(memories)
    while index.encode_some(1_000):
        pass
    number = itertools.count(1_000_000)
    words_only = _words_only(memories)
    return side_by_side(
        f"Nearby for one new message, {size.memories:,} memories, its vector included",
        "SQLite's full-text search (BM25) alone",
        lambda: nearby_lines(asked(next(number)), memories, set(), meaning, index),
        lambda: _best_by_words(words_only, asked(next(number))),
        size.many_runs,
    )


def _words_only(memories: Sequence[Memory]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute("create virtual table memories using fts5(text)")
    db.executemany("insert into memories values (?)", [(memory.text,) for memory in memories])
    return db


def _best_by_words(db: sqlite3.Connection, message: str) -> object:
    any_word = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", message))
    query = "select text from memories where memories match ? order by rank limit 3"
    return db.execute(query, (any_word,)).fetchall()


def page(compared: Sequence[Compared], short: bool) -> str:
    """The figures as a Markdown page."""
    note = "A short form: the figures mean nothing, it only shows that everything runs.\n\n"
    return (
        "# How long reading people takes\n\n"
        "Made by `make bench`. Each work is run in turn with something plain beside it; the ratio "
        "is the\nmedian of the ratios run by run. What stands beside it does less: it shows what "
        "the machine makes of\na simple way, not of the same answer.\n\n"
        f"{note if short else ''}Machine: {machine()}; meaning: {load_meaning().name}.\n\n"
        f"{as_table(compared)}\n"
    )


def main(arguments: Sequence[str]) -> None:
    """Measure, print, and write the page to the file named, when one is."""
    short = "--short" in arguments
    size = SHORT if short else FULL
    meaning = load_meaning()
    compared = [
        reading_a_chat(size),
        reading_a_message(size, meaning),
        judging_a_change(size, meaning),
        reading_the_memories(size),
        nearby(size, meaning),
    ]
    text = page(compared, short)
    print(text)
    for name in arguments:
        if not name.startswith("--"):
            Path(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
