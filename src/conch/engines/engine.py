"""What an engine is: somebody who answers, and what an answer and a failure look like.

```
ConchError
└── EngineFailed     the model did not answer, or not in a way that can be read
```
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from conch.chats.events import Usage
from conch.home.errors import ConchError

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_ai.models import Model

__all__ = ["Ask", "Billing", "Completed", "Engine", "EngineFailed", "FailureKind", "Usage"]

Billing = Literal["metered", "plan", "free"]
"""How an engine is paid: by the token, by a subscription, or not at all."""

FailureKind = Literal[
    "no_connection", "no_answer", "refused", "limit", "unreadable", "timeout", "auth"
]
"""Why an engine failed. `no_connection`: nothing was sent. `no_answer`: the provider broke down or
the answer was cut off. `refused`: it would not answer this. `limit`: a rate limit or spent credit.
`unreadable`: it answered something else than was asked for. `auth`: the key does not fit."""


@dataclass(frozen=True)
class Ask:
    """One short question to a model.

    `purpose` is what the ledger files it under ("learning", "summary"). `model` "" is the engine's
    default. With `schema` the answer is JSON of that shape. `timeout_s` counts from asking to the
    whole answer; `max_tokens` bounds the answer.
    """

    system: str
    user: str
    purpose: str
    schema: type[BaseModel] | None = None
    model: str = ""
    timeout_s: float = 60
    max_tokens: int = 1500


@dataclass(frozen=True)
class Completed:
    """A model's answer.

    `text`: the answer; where a schema was asked for, just the JSON in it. `parsed`: the answer as
    that schema, None when there was none or the JSON does not fit it: who can use a part of it
    reads `text`. `cost_usd`: None when the price is not known; 0.0 for what nobody bills.
    """

    text: str
    parsed: Any
    model: str
    usage: Usage
    cost_usd: float | None


class EngineFailed(ConchError):
    """The engine gave no usable answer.

    `before_any_answer`: nothing of an answer had come. `usage` and `cost_usd` are what the failed
    call was billed: 0.0 when it was surely not billed, None when nobody can say (count the worst).
    `retry_after_s`: how long the provider asked to wait, when it did.
    """

    def __init__(
        self,
        kind: FailureKind,
        what: str,
        kept: str = "",
        do: str = "",
        *,
        before_any_answer: bool = True,
        usage: Usage | None = None,
        model: str = "",
        cost_usd: float | None = 0.0,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(what, kept, do)
        self.kind: FailureKind = kind
        self.before_any_answer = before_any_answer
        self.usage = usage or Usage()
        self.model = model
        self.cost_usd = cost_usd
        self.retry_after_s = retry_after_s


@runtime_checkable
class Engine(Protocol):
    """Somebody who answers. `local`: the words never leave this computer.

    `priced_as` is the provider in the price list whose models these are, "" for none.
    """

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def billing(self) -> Billing: ...
    @property
    def local(self) -> bool: ...
    @property
    def default_model(self) -> str: ...
    @property
    def cheapest_model(self) -> str: ...
    @property
    def priced_as(self) -> str: ...

    def model(self, name: str = "") -> Model:
        """The pydantic-ai model, ready to be asked; "" is the default model."""
        ...

    def window(self, model: str = "") -> int:
        """How many tokens the model reads at once, its answer included."""
        ...

    async def complete(self, ask: Ask) -> Completed:
        """One answer to one question, asked once. Raises EngineFailed."""
        ...
