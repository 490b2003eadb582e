"""What quiet learning is put together from, for one home."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from conch.chats.chats import Chats
from conch.engines.engines import Engines
from conch.engines.plan import PlanRoom
from conch.engines.spend import LearningSpend
from conch.engines.usage import UsageLedger
from conch.guard.redactor import Redactor
from conch.home.home import Home
from conch.home.in_time import InTime
from conch.learning.already import AlreadyRead
from conch.learning.nearby import DEADLINE_SECONDS
from conch.learning.never import NeverList
from conch.learning.state import LearningRecord
from conch.memory.memories import Memories
from conch.words.meaning import Meaning


@dataclass(frozen=True)
class LearningParts:
    """Everything a look reads, asks and writes. `host` is this computer's name.

    `carrying` is held by whoever brings to the files what is in the journal: one at a time, since
    the sweep does so in a thread of its own.
    """

    home: Home
    chats: Chats
    memories: Memories
    engines: Engines
    spend: LearningSpend
    usage: UsageLedger
    plan: PlanRoom
    never: NeverList
    record: LearningRecord
    redactor: Redactor
    host: str
    meaning: Meaning | None = None
    already: AlreadyRead = field(default_factory=AlreadyRead)
    nearby: InTime = field(default_factory=lambda: InTime(DEADLINE_SECONDS))
    carrying: threading.RLock = field(default_factory=threading.RLock)
