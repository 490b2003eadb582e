"""What a chat was learned from, looked at again with answers that are no good.

Every learning test leaves chats behind. Each is read anew, in a home of its own, by a provider's
true client that gets truncated, broken, hostile or planting answers: nothing wrong is kept, and
the place moves on only when an answer was read (spec 0088 §1, §3).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from conch.chats.events import PersonMessage
from conch.engines.engine import Engine
from conch.engines.practice_review import is_review
from conch.evals.promises import broken_promises
from conch.home.json_values import read_json
from conch.learning.record import Pointer
from conch.words.tokens import content_tokens
from living import Living
from wire.answers import (
    Answer,
    after_thinking,
    broken,
    cut_off,
    fenced,
    hostile,
    planting,
    prose,
    rate_limited,
    truncated,
)
from wire.relay import practised
from wire.server import Request, StubServer

Answering = Callable[[Request], Answer]

PAUSED = frozenset(("no_answer", "unreadable"))
ENDED = frozenset(("learned", "nothing_to_learn"))


@dataclass(frozen=True)
class Shape:
    """A way a model may put an answer that is good all the same. `once`: only the first time a
    review is asked for; its retry gets the plain answer."""

    put: Callable[[Answer], Answer]
    once: bool = False

    def answering(self) -> Answering:
        """What answers every request in this shape; everything but reviews plainly."""
        spoilt: set[str] = set()

        def answer(request: Request) -> Answer:
            good = practised(request)
            if not is_review(request.user) or good.status != 200:
                return good
            if self.once:
                if request.user in spoilt:
                    spoilt.discard(request.user)
                    return good
                spoilt.add(request.user)
            return self.put(good)

        return answer


SHAPES = {
    "plain": Shape(lambda good: good),
    "fenced": Shape(fenced),
    "after thinking": Shape(after_thinking),
    "truncated once": Shape(truncated, once=True),
    "prose once": Shape(lambda _: prose(), once=True),
    "broken once": Shape(lambda _: broken(), once=True),
    "limited once": Shape(lambda _: rate_limited(), once=True),
}


@dataclass(frozen=True)
class Bad:
    """A kind of answer that is no good. `plants`: it is well formed, and says what nobody said."""

    name: str
    answer: Callable[[Request, str], Answer]
    plants: bool = False


def _fixed(answer: Answer) -> Callable[[Request, str], Answer]:
    return lambda *_: answer


def _planted(number: int) -> Callable[[Request, str], Answer]:
    return lambda _, quote: planting(quote, _named_in(quote))[number]


BAD = (
    Bad("truncated", lambda request, _: truncated(practised(request))),
    Bad("cut off", lambda request, _: cut_off(practised(request).text or "x" * 40)),
    Bad("prose", _fixed(prose())),
    Bad("500", _fixed(broken())),
    Bad("429", _fixed(rate_limited())),
    *(Bad(f"hostile {at}", _fixed(answer)) for at, answer in enumerate(hostile())),
    *(Bad(f"planting {at}", _planted(at), plants=True) for at in range(len(planting("")))),
)


def _named_in(quote: str) -> str:
    """The longest word the quote says something with."""
    return max(content_tokens(quote), key=len, default="TypeScript")


async def look_again(living: Living, stub: StubServer, wire: str, bad: Bad, folder: Path) -> None:
    """Look at each chat `living` holds anew, with answers of this kind; raises AssertionError."""
    if not living.home.chats.is_dir():
        return
    shutil.copytree(living.home.chats, folder / "chats", ignore=shutil.ignore_patterns("sent"))
    again = Living(folder, clock=living.clock, host=living.host)
    stub.engine(again.home, wire)
    again.start()
    engine = again.conch.engines.get(wire)
    assert engine is not None
    for chat in again.conch.learning.unread():
        await _look(again, chat, stub, engine, bad)
    assert broken_promises(folder) == [], bad.name


async def _look(again: Living, chat: str, stub: StubServer, engine: Engine, bad: Bad) -> None:
    events = again.conch.chats.log(chat).events()
    said = [event.text for event in events if isinstance(event, PersonMessage) and not event.who]
    quote = said[-1] if said else ""
    asked: list[Request] = []
    may_keep: set[str] = set()

    def answer(request: Request) -> Answer:
        asked.append(request)
        if not bad.plants:
            may_keep.update(_texts(practised(request).text))
        return bad.answer(request, quote)

    stub.otherwise = answer
    before = again.conch.parts.record.state.pointers.get(chat, Pointer())
    result = await again.conch.learning.look(chat, by=engine)
    after = again.conch.parts.record.state.pointers.get(chat, Pointer())
    what = (bad.name, quote, result.outcome)

    assert result.outcome != "error", what
    assert len({request.model for request in asked}) <= 2, what
    if result.outcome in PAUSED:
        assert after == before, what
        assert chat in again.conch.parts.record.state.tried, what
    if result.outcome in ENDED and again.conch.chats.head(chat).origin != "imported":
        assert after > before, what
    for record in result.records:
        if record.about == "environment":
            continue  # by code, from the chat's own steps
        if bad.plants:
            assert record.state == "waiting", (*what, record.text)
        else:
            assert record.text in may_keep, (*what, record.text)


def _texts(review: str) -> list[str]:
    found = read_json(review).get("changes", []) if review.startswith("{") else []
    return [item.get("text", "") for item in found]
