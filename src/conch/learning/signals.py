"""The signals a chat's log shows, read by code (spec 0088 §2).

Everything here is a function of plain values. `meaning` may be given; it is asked only where the
words alone leave a signal undecided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from conch.chats.events import (
    Event,
    FilesRestored,
    LearningDecided,
    MemoryDecided,
    TurnCompleted,
)
from conch.learning.changes import Signal, SignalKind
from conch.learning.clues import clues_of
from conch.learning.durable import durable
from conch.learning.exchange import Exchange, exchange_of, exchanges
from conch.learning.repeats import is_retry, says_the_same
from conch.learning.undecided import decide
from conch.learning.worked import computer_facts
from conch.words.thanks import are_thanks
from conch.words.weighing import load_weighing

if TYPE_CHECKING:
    from conch.chats.stretch import Stretch
    from conch.words.meaning import Meaning

_LATER: tuple[SignalKind, ...] = ("correction", "frustration")
_OPENS_WITHIN = 1
_SURELY = 2.0
"""How sure a first message must be: with nothing before it, "a useless fact" upsets nobody."""
_ABOUT_WORDS = ("frames.words_about", "frames.reported")
_QUOTES = re.compile(r"[\"“”„«»「」『』]")


def read_signals(stretch: Stretch, meaning: Meaning | None = None) -> tuple[Signal, ...]:
    """All nine signals of a stretch, in the log's order.

    Only the owner's own messages and presses are read; what is earlier gives the first message
    its place and nothing else. Takes time linear in the stretch.
    """
    found = [*_from_presses(stretch.events)]
    for seq, exchange in exchanges(stretch):
        found.extend(Signal(kind, seq, exchange.text) for kind in signals_of(exchange, meaning))
    found.extend(
        Signal("worked_another_way", fact.worked_seq, fact.text) for fact in computer_facts(stretch)
    )
    return tuple(sorted(found, key=lambda signal: signal.seq))


def labels_of(turns: Sequence[tuple[str, str]], meaning: Meaning | None = None) -> tuple[str, ...]:
    """The labels of the last message of `turns` ((role, text)): its signals and "durable".

    An empty tuple where there is none. It is what the labelled cases are run with.
    """
    exchange = exchange_of(turns)
    if exchange is None:
        return ()
    found: list[str] = list(signals_of(exchange, meaning))
    if durable(exchange.prose):
        found.append("durable")
    return tuple(found)


def signals_of(exchange: Exchange, meaning: Meaning | None = None) -> tuple[SignalKind, ...]:
    """The signals one message gives by its words: correction, rephrasing or retry, frustration,
    thanks. The first message of a chat can give frustration alone, which is a list of words and
    needs nothing before it (spec 0088 §2); the others would have nothing to be about.
    """
    if exchange.before is None:
        return ("frustration",) if _is_upset(exchange) else ()
    if says_the_same(exchange):
        kinds: tuple[SignalKind, ...] = ("retry",) if is_retry(exchange) else ()
        return (*kinds, *_weighed(exchange, ("frustration",), None))
    if not exchange.answered:
        return ()
    asked: tuple[SignalKind, ...] = ("correction", "rephrasing", "frustration")
    found: list[SignalKind] = list(_weighed(exchange, asked, meaning))
    found.extend(kind for kind in _said_later(exchange) if kind not in found)
    if are_thanks(exchange.reading) and not found:
        found.append("thanks")
    return tuple(found)


def _said_later(exchange: Exchange) -> Iterator[SignalKind]:
    """Corrections and frustration past the start of a very long message.

    Only a sentence that opens with one's words counts: in a long text most others are material.
    """
    for sentence in exchange.later_sentences():
        groups = sentence.reading.groups
        for kind in _LATER:
            opens = any(
                group.startswith(f"{kind}.") and hits[0].start <= _OPENS_WITHIN
                for group, hits in groups.items()
            )
            if opens:
                yield from _weighed(sentence, (kind,), None)


def _is_upset(exchange: Exchange) -> bool:
    """Whether a first message says one of the words for itself: "what does ugh mean" asks about
    one, and a customer's "come on" is somebody else's."""
    groups = exchange.reading.groups
    if exchange.prose.strip() != exchange.text.strip() or _QUOTES.search(exchange.text):
        return False
    if any(group in groups for group in _ABOUT_WORDS):
        return False
    if not any(group.startswith("frustration.") for group in groups):
        return False
    total = load_weighing("conch.learning", "frustration").weigh(clues_of(exchange))
    return total > _SURELY


def _weighed(
    exchange: Exchange, kinds: Sequence[SignalKind], meaning: Meaning | None
) -> Iterator[SignalKind]:
    clues = clues_of(exchange)
    for kind in kinds:
        total = load_weighing("conch.learning", kind).weigh(clues)
        if decide(kind, total, exchange, clues, meaning):
            yield kind


def _from_presses(events: Sequence[Event]) -> Iterator[Signal]:
    """Stop, Undo of files and Undo of a memory: what the person did rather than said."""
    for event in events:
        if isinstance(event, TurnCompleted) and event.outcome == "stopped":
            yield Signal("stop", event.seq)
        elif isinstance(event, FilesRestored) and event.direction == "undo":
            yield Signal("undo_of_files", event.seq, ", ".join(event.files))
        elif isinstance(event, MemoryDecided) and event.decision == "undone":
            yield Signal("undo_of_memory", event.seq, event.memory)
        elif isinstance(event, LearningDecided) and event.state == "undone":
            yield Signal("undo_of_memory", event.seq, event.record)
