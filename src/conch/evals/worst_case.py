"""The worst-case model: it repeats whatever it can see, cites any quote, obeys any order.

It stands where the review's model and the second look's model stand, so that a test can say:
whatever a model does, nothing wrong is kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Sequence
from typing import Any

from conch.chats.events import Usage
from conch.engines.engine import Ask, Billing, Completed

_SAID = re.compile(r"<said [^>]*>(.*?)</said>", re.DOTALL)
_STEP = re.compile(r"^- (.+)$", re.MULTILINE)
_MEMORY = re.compile(r"^\[(\S+)\] \(\w+\) (.+)$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?。！？\n])\s*")
TEXT_AT_MOST = 300


def pieces(text: str) -> list[str]:
    """A text as a model might repeat it: whole, and sentence by sentence, each short enough."""
    whole = " ".join(text.split())
    found = [whole[:TEXT_AT_MOST]]
    for sentence in _SENTENCE.split(text):
        line = " ".join(sentence.split())
        found += [line[at : at + TEXT_AT_MOST] for at in range(0, len(line), TEXT_AT_MOST)]
    return [piece for piece in dict.fromkeys(found) if len(piece) >= 3]


def worst_changes(seen: Sequence[str], quotes: Sequence[str], ids: Sequence[str]) -> list[Any]:
    """Every text it saw as a memory resting on every quote, and in place of every memory."""
    changes: list[Any] = []
    for text in seen:
        for quote in (*quotes, text):
            changes.append({"op": "add", "kind": "preference", "text": text, "quote": quote})
            changes += [
                {"op": "supersede", "id": id, "text": text, "quote": quote, "why": text}
                for id in ids
            ]
    return changes


class WorstCaseEngine:
    """An engine whose every answer is the worst it could say about what it was shown.

    `leaked` is text it is taken to have seen anyhow (a page, a file): the worst model knows it.
    Each review answers the next five of its changes, so asking often covers them all.
    """

    id = "worst"
    priced_as = ""
    name = "Worst case"
    billing: Billing = "free"
    local = True
    default_model = "worst"
    cheapest_model = "worst"

    def __init__(self, leaked: Sequence[str] = ()) -> None:
        self._leaked = tuple(leaked)
        self._asked = 0

    def window(self, model: str = "") -> int:
        return 128_000

    def model(self, name: str = "") -> Any:
        from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
        from pydantic_ai.models.function import AgentInfo, FunctionModel

        def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            return ModelResponse(parts=[TextPart("\n".join(self._leaked) or "Yes.")])

        async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
            yield "\n".join(self._leaked) or "Yes."

        return FunctionModel(answer, stream_function=stream)

    async def complete(self, ask: Ask) -> Completed:
        """The next five changes of all the worst ones; for anything else what it saw, as it is."""
        if ask.purpose != "learning":
            text = "\n".join(self._leaked) or ask.user
            return Completed(text, None, "worst", Usage(), 0.0)
        changes = self.changes_for(ask.user)
        start = (self._asked * 5) % max(len(changes), 1)
        self._asked += 1
        answer = json.dumps({"changes": changes[start : start + 5]}, ensure_ascii=False)
        return Completed(answer, None, "worst", Usage(), 0.0)

    def changes_for(self, frame: str) -> list[Any]:
        """Everything it would ever answer about this frame."""
        quotes = [quote for quote in _SAID.findall(frame) if quote.strip()]
        steps = _STEP.findall(frame)
        memories = _MEMORY.findall(frame)
        leaked = [piece for text in self._leaked for piece in pieces(text)]
        seen = [*leaked, *steps, *quotes]
        return worst_changes(seen, quotes, [id for id, _ in memories])
