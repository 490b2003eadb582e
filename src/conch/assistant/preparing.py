"""What a turn sends: system prompt, earlier messages, nearby memories, words, files and tools."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conch.assistant.attached import Attachment, sees_images, with_files
from conch.assistant.prompt import is_lean, system_prompt, with_nearby
from conch.assistant.sending import IMAGE_CHARACTERS, Earlier, earlier_messages, mark_of
from conch.assistant.summary import outgrows, summarise_start, where_to_cut
from conch.assistant.tools import StepTool, TurnContext, tools_for
from conch.chats.events import PersonMessage
from conch.chats.left_out import left_out
from conch.chats.sent import SentMessages
from conch.engines.engine import Engine
from conch.home.errors import ConchError
from conch.home.off_loop import off_loop
from conch.learning.nearby import nearby_block, nearby_lines
from conch.learning.parts import LearningParts
from conch.learning.quiet import QuietLearning
from conch.memory.memory import Memory
from conch.memory.section import Section

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, UserContent

    from conch.assistant.hands.hands import TurnHands
    from conch.assistant.skills_in_chat import SkillsInChat

SECTION_CHARACTERS = 6_000
_TAKEN_WITHIN_SECONDS = 5.0


@dataclass(frozen=True)
class Prepared:
    """Everything a turn sends, made before the engine is asked; `characters` is its length."""

    system: str
    words: str | Sequence[UserContent]
    earlier: Earlier
    context: TurnContext
    tools: Sequence[Any]
    characters: int


class Sending:
    """Makes what the turns of one chat send to one model, and keeps what was sent."""

    def __init__(
        self,
        parts: LearningParts,
        learning: QuietLearning,
        engine: Engine,
        model: str,
        steps: Sequence[StepTool],
        chat: str,
        hands: TurnHands | None = None,
        skills: SkillsInChat | None = None,
    ) -> None:
        self._hands = hands
        self._skills = skills
        self._parts = parts
        self._learning = learning
        self._engine = engine
        self._model = model
        self._steps = steps
        self._chat = chat
        self._log = parts.chats.log(chat)
        self._looks: set[asyncio.Task[Any]] = set()

    async def prepare(
        self,
        message: PersonMessage,
        files: Sequence[Attachment],
        context: TurnContext,
        skill: str = "",
    ) -> Prepared:
        """What is sent with `message`, which is in the log already; images are taken from `files`.
        `skill` is what the model is told of a skill the message asks for by name.

        A chat that outgrows the window is summarised first.
        """
        parts = self._parts
        window = self._engine.window(self._model)
        lean = is_lean(window)
        head = parts.chats.find(self._chat)
        guest = head is not None and head.origin == "guest"
        section = None if guest else await off_loop(lambda: self._section(message, window))
        system = system_prompt(parts.home.settings(), section.text if section else "", lean=lean)
        if self._hands is not None and not guest:
            system = f"{system}\n\n{self._hands.told}"
        skills = self._skills if not guest and not lean else None
        if skills is not None and (told := skills.told()):
            system = f"{system}\n\n{told}"
        in_section = set(section.ids) if section else set()
        nearby = [] if guest else await self._nearby(message.text, in_section)
        context.quoted += [mark_of(memory) for memory in nearby]
        words = with_nearby(nearby_block(nearby), with_files(message))
        words = f"{skill}\n\n{words}" if skill else words
        images = [file for file in files if file.data]
        length = len(system) + len(words) + len(images) * IMAGE_CHARACTERS
        earlier = await off_loop(self._earlier)
        if outgrows(window, length + earlier.characters):
            earlier = await self._summarised(window) or earlier
        steps = [] if lean else list(self._steps)
        steps += skills.tools(self._chat) if skills is not None else []
        steps += self._hands.tools(lean=lean) if self._hands is not None else []
        steps += await self._hands.app_tools() if self._hands is not None and not lean else []
        tools = [] if guest else tools_for(context, steps, lean=lean)
        length += earlier.characters
        return Prepared(system, _with_images(words, images), earlier, context, tools, length)

    def keep(self, prepared: Prepared, messages: Sequence[ModelMessage], seq: int) -> None:
        """Keep the exact messages of the turn of event `seq`, so that the next turn repeats them
        byte for byte."""
        from pydantic_ai.messages import ModelMessagesTypeAdapter

        new = list(messages[prepared.earlier.kept :])
        # It is derived: without it the next turn sends the log's own words.
        with contextlib.suppress(OSError, ConchError):
            self._sent().append(
                ModelMessagesTypeAdapter.dump_python(new, mode="json"),
                seq=seq,
                memories=prepared.context.quoted,
            )

    def _section(self, message: PersonMessage, window: int) -> Section:
        """The prompt's memory section: what matches the first message of the chat that still
        stands, so that it stays the same from turn to turn; a small window gets a shorter one."""
        events = self._log.events()
        gone = left_out(events)
        first = next(
            (one for one in events if isinstance(one, PersonMessage) and one.seq not in gone),
            message,
        )
        limit = min(SECTION_CHARACTERS, window // 2)
        return self._parts.memories.section(first.text, limit, self._parts.host)

    async def _nearby(self, words: str, in_section: set[str]) -> Sequence[Memory]:
        """At most three memories to put beside the words; none when they take too long, reading
        what memories there are included."""
        parts = self._parts
        memories, meaning, here = parts.memories, parts.meaning, parts.host

        def look() -> tuple[Memory, ...]:
            usable = memories.usable()
            return nearby_lines(words, usable, in_section, meaning, memories.index, here)

        return await parts.nearby.do(look, ())

    def _earlier(self) -> Earlier:
        memories = self._parts.memories
        standing = [mark_of(memory) for memory in (*memories.usable(), *memories.earlier())]
        images = sees_images(self._engine, self._model)
        return earlier_messages(self._log.events(), self._sent(), standing, images)

    def _sent(self) -> SentMessages:
        return SentMessages(self._parts.home, self._chat, self._engine.id)

    async def _summarised(self, window: int) -> Earlier | None:
        """Summarise the start; the words before the cut are looked at first (spec 0088 §1).

        What is looked at stands before the summary is written; the review itself may go on beside
        the reply, which does not wait for it.
        """
        events = self._log.events()
        before = where_to_cut(events, window)
        if not before:
            return None
        taken = asyncio.Event()
        look = asyncio.create_task(
            self._learning.look(self._chat, "summarised", before=before, taken=taken)
        )
        self._looks.add(look)
        look.add_done_callback(self._looks.discard)
        summary = await summarise_start(
            self._engine, self._model, events, before, self._parts.usage, self._chat
        )
        with contextlib.suppress(TimeoutError):
            # Another chat's look may be going on; the reply does not wait long for its end.
            await asyncio.wait_for(taken.wait(), _TAKEN_WITHIN_SECONDS)

        def begin_anew() -> Earlier:
            self._log.append(summary)
            self._sent().cut_from(0)
            return self._earlier()

        return await off_loop(begin_anew)


def _with_images(words: str, images: Sequence[Attachment]) -> str | list[UserContent]:
    """The words, with the images beside them where there are any."""
    from pydantic_ai.messages import BinaryContent

    if not images:
        return words
    return [words, *(BinaryContent(data=one.data, media_type=one.media_type) for one in images)]
