"""The assistant of one home: starts turns, one at a time in each chat."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from conch.assistant.allowing import HeldTo
from conch.assistant.attached import Attachment, sees_images
from conch.assistant.beginning import NOT_SENT
from conch.assistant.happenings import Happening
from conch.assistant.tools import StepTool
from conch.assistant.turn import Turn
from conch.chats.events import LeftOut
from conch.engines.engine import Engine
from conch.home.errors import ConchError
from conch.learning.parts import LearningParts
from conch.learning.quiet import QuietLearning

if TYPE_CHECKING:
    from conch.assistant.hands.hands import Hands
    from conch.assistant.skills_in_chat import SkillsInChat


class Assistant:
    """Answers the person. `steps` are the tools other rooms hand to it."""

    def __init__(
        self,
        parts: LearningParts,
        learning: QuietLearning,
        steps: Sequence[StepTool] = (),
        hands: Hands | None = None,
    ) -> None:
        self._parts = parts
        self._learning = learning
        self._steps = tuple(steps)
        self.hands = hands
        """What it can do things with; only a turn whose door hands them over gets them."""
        self.skills: SkillsInChat | None = None
        """The skills a chat of the person's own may use; None: none."""
        self.held_to: HeldTo | None = None
        """Which lists a chat is held to, asked before every step; None: no chat is held."""
        self._running: dict[str, Turn] = {}
        self.answered_by: Engine | None = None
        """Who answers whatever the settings say; None: who the settings say."""

    def engine(self) -> tuple[Engine, str]:
        """The engine and model that answer now, from the person's settings."""
        engine = self.answered_by or self._parts.engines.default()
        settings = self._parts.home.settings()
        model = settings.model if settings.engine == engine.id else ""
        return engine, model or engine.default_model

    async def turn(
        self,
        chat: str,
        words: str,
        *,
        door: str = "terminal",
        can_ask: bool = False,
        files: Sequence[Attachment] = (),
        with_hands: bool = False,
        left_out: LeftOut | None = None,
    ) -> AsyncGenerator[Happening]:
        """Answer one message, happening by happening; the last is always `TurnEnded`.

        `can_ask` says somebody is there who can allow a step; `with_hands` gives the assistant its
        tools for commands, files and pages, in a chat of the person's own; `left_out` is what these
        words stand in for, and written with them. Raises ConchError as `must_be_able`, where the
        chat's folder is gone, and where the disk refuses the message.
        """
        self.must_be_able(chat, words, files)
        own = self._parts.chats.head(chat).origin == "own"
        hands = None
        if with_hands and own and self.hands is not None:
            hands = self.hands.for_turn(chat, self._parts.chats.log(chat))
        engine, model = self.engine()
        # A secret Conch holds is not sent, whoever types it.
        known = self._parts.redactor.redact_known
        words = known(words)
        files = [replace(one, name=known(one.name), text=known(one.text)) for one in files]
        turn = Turn(
            self._parts,
            self._learning,
            engine,
            model,
            self._steps,
            chat,
            words,
            door,
            can_ask,
            files,
            hands,
            self.held_to,
            self.skills if own else None,
            left_out,
        )
        self._running[chat] = turn
        try:
            # Closed here and now, so that leaving early stops the turn before anything else runs.
            async with aclosing(turn.happenings()) as happenings:
                async for happening in happenings:
                    yield happening
        finally:
            self._running.pop(chat, None)

    def must_be_able(self, chat: str, words: str, files: Sequence[Attachment] = ()) -> None:
        """Raises ConchError when the message is empty, there is no such chat, a turn is running in
        it, or an image would go to an engine that may not take any."""
        if not words.strip() and not files:
            raise ConchError("The message is empty.", do="Type something.")
        if self._parts.chats.find(chat) is None:
            raise ConchError("There is no such chat.", do="conch chats lists them.")
        if self.skills is not None:
            self.skills.named_in(words)
        if chat in self._running:
            raise ConchError(
                "A reply is being written in this chat.",
                NOT_SENT,
                "Wait, or stop it.",
            )
        engine, model = self.engine()
        if any(file.data for file in files) and not sees_images(engine, model):
            raise ConchError(
                f"Conch doesn't know that {model} of {engine.name} takes images.",
                NOT_SENT,
                "Send it without the image, or pick another model. "
                f"If it does take them: conch engines set {engine.id} --images",
            )

    def stop(self, chat: str) -> bool:
        """Stop the reply in this chat; False when none is being written."""
        turn = self._running.get(chat)
        if turn is not None:
            turn.stop()
        return turn is not None

    def answer(self, chat: str, approval: str, allowed: bool) -> None:
        """The person's answer to a step the assistant asked for."""
        turn = self._running.get(chat)
        if turn is not None:
            turn.answer(approval, allowed)
