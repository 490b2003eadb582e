"""What an engine is reached by: its address, wire format, key and models."""

from __future__ import annotations

from dataclasses import dataclass, field

from conch.engines.local import ListedModel
from conch.engines.providers import Wire


@dataclass(frozen=True)
class Connection:
    """Everything an engine is made of. `window` and `images` are the person's own
    settings."""

    id: str
    name: str
    wire: Wire
    url: str
    default_model: str
    cheapest_model: str
    key: str = field(default="", repr=False)
    priced_as: str = ""
    plan: bool = False
    window: int | None = None
    images: bool | None = None
    default_window: int | None = None
    listed: tuple[ListedModel, ...] = ()
    proxy: str | None = field(default=None, repr=False)
