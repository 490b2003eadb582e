"""A turn in the AI SDK's UI-message protocol (version 6), by pydantic-ai's own chunk types.

Steps are `data-step` parts (one a call, replaced when it ends), an open question is `data-ask`,
the end is `data-ended`; text is text. Tool output never leaves the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conch.assistant.happenings import (
    Asks,
    Happening,
    StepBegan,
    StepEnded,
    TextCame,
    TurnEnded,
)
from conch.home.errors import ConchError

if TYPE_CHECKING:
    from pydantic_ai.ui.vercel_ai.response_types import BaseChunk

SDK_VERSION = 6
HEADERS = {
    "x-vercel-ai-ui-message-stream": "v1",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
}


class TurnStream:
    """Makes one turn's happenings into frames."""

    def __init__(self, chat: str) -> None:
        self._chat = chat
        self._texts = 0
        self._open = False
        self._summaries: dict[str, str] = {}

    def begin(self) -> list[str]:
        from pydantic_ai.ui.vercel_ai.response_types import StartChunk

        return [_frame(StartChunk(message_metadata={"chat": self._chat}))]

    def of(self, happening: Happening) -> list[str]:
        """The frames of one happening."""
        from pydantic_ai.ui.vercel_ai.response_types import (
            AbortChunk,
            DataChunk,
            ErrorChunk,
            FinishChunk,
            TextDeltaChunk,
            TextStartChunk,
        )

        match happening:
            case TextCame(text=text):
                chunks: list[BaseChunk] = []
                if not self._open:
                    self._texts += 1
                    self._open = True
                    chunks.append(TextStartChunk(id=self._text_id))
                chunks.append(TextDeltaChunk(id=self._text_id, delta=text))
                return [_frame(chunk) for chunk in chunks]
            case StepBegan(call=call, summary=summary):
                self._summaries[call] = summary
                return [*self._close_text(), _frame(_step(call, summary, None, ""))]
            case StepEnded(call=call, ok=ok, note=note):
                return [_frame(_step(call, self._summaries.get(call, ""), ok, note))]
            case Asks(approval=approval):
                asked = happening.model_dump(mode="json", exclude={"type"})
                return [
                    *self._close_text(),
                    _frame(DataChunk(type="data-ask", id=approval, data=asked)),
                ]
            case TurnEnded():
                ended = happening.model_dump(mode="json", exclude={"type", "reply"})
                frames = [*self._close_text(), _frame(DataChunk(type="data-ended", data=ended))]
                if happening.outcome == "failed":
                    frames.append(_frame(ErrorChunk(error_text=happening.error)))
                elif happening.outcome == "stopped":
                    frames.append(_frame(AbortChunk(reason="stopped")))
                else:
                    frames.append(_frame(FinishChunk(finish_reason="stop")))
                return frames

    def broken(self, error: Exception) -> list[str]:
        """The frames of a turn that broke off."""
        from pydantic_ai.ui.vercel_ai.response_types import ErrorChunk

        sentence = (
            str(error)
            if isinstance(error, ConchError)
            else (
                f"Something went wrong inside Conch ({type(error).__name__}). Your message is kept."
            )
        )
        return [*self._close_text(), _frame(ErrorChunk(error_text=sentence))]

    def end(self) -> list[str]:
        return ["data: [DONE]\n\n"]

    @property
    def _text_id(self) -> str:
        return f"text-{self._texts}"

    def _close_text(self) -> list[str]:
        from pydantic_ai.ui.vercel_ai.response_types import TextEndChunk

        if not self._open:
            return []
        self._open = False
        return [_frame(TextEndChunk(id=self._text_id))]


def _step(call: str, summary: str, ok: bool | None, note: str) -> BaseChunk:
    from pydantic_ai.ui.vercel_ai.response_types import DataChunk

    data = {"call": call, "summary": summary, "ok": ok, "note": note}
    return DataChunk(type="data-step", id=call, data=data)


def _frame(chunk: BaseChunk) -> str:
    return f"data: {chunk.encode(SDK_VERSION)}\n\n"
