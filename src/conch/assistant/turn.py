"""One turn: the person's message in, the reply streamed out, everything in the chat's log.

Whatever happens (Stop, an engine that dies, a crash) the turn ends in the log: as a success, as
stopped with what had been said, or as failed with a reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Any

from conch.assistant.allowing import Allowing, HeldTo
from conch.assistant.attached import Attachment
from conch.assistant.beginning import DiskRefused, keep_message, reply_not_kept
from conch.assistant.happenings import (
    Happening,
    StepBegan,
    StepEnded,
    TextCame,
    TurnEnded,
)
from conch.assistant.preparing import Prepared, Sending
from conch.assistant.sending import Earlier, tokens_in
from conch.assistant.todo import NAME as TODO
from conch.assistant.tools import StepTool, TurnContext
from conch.chats.events import (
    AssistantMessage,
    Event,
    LeftOut,
    Outcome,
    PersonMessage,
    TaintMarked,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
    Usage,
)
from conch.chats.hosts import moved_to
from conch.chats.steps import step_summary
from conch.engines.engine import Engine
from conch.engines.failures import failure_of
from conch.engines.prices import price, worst_price
from conch.guard.taints import Taint
from conch.learning.parts import LearningParts
from conch.learning.quiet import QuietLearning

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

    from conch.assistant.hands.hands import TurnHands
    from conch.assistant.skills_in_chat import SkillsInChat

_OUTPUT_IN_LOG = 4_000
_REQUESTS_A_TURN = 50


class Turn:
    """A turn that runs. Iterate over it for what happens; `stop()` stops it.

    Leaving the iteration early stops the turn too: nobody would read its end.
    """

    def __init__(
        self,
        parts: LearningParts,
        learning: QuietLearning,
        engine: Engine,
        model: str,
        steps: Sequence[StepTool],
        chat: str,
        words: str,
        door: str,
        can_ask: bool,
        files: Sequence[Attachment] = (),
        hands: TurnHands | None = None,
        held_to: HeldTo | None = None,
        skills: SkillsInChat | None = None,
        left_out: LeftOut | None = None,
    ) -> None:
        self._parts = parts
        self._learning = learning
        self._engine = engine
        self._model = model
        self._sending = Sending(parts, learning, engine, model, steps, chat, hands, skills)
        self._hands = hands
        self.chat = chat
        self._words = words
        self._door = door
        self._files = files
        self._log = parts.chats.log(chat)
        self._queue: asyncio.Queue[Happening | None] = asyncio.Queue()
        self._used = Usage()
        self._stopped = False
        self._sent_out = False
        self._sent_characters = 0
        self._preparing: asyncio.Task[Prepared] | None = None
        self._run: Any = None
        self._said: list[str] = []
        self._allowing = Allowing(
            parts,
            chat,
            hands,
            held_to,
            can_ask=can_ask,
            append=self._append,
            tell=self._queue.put_nowait,
        )
        self._skills = skills
        self._left_out = left_out

    def stop(self) -> None:
        """Stop the reply; what was said so far stays in the log."""
        self._stopped = True
        self._allowing.stop()
        if self._run is not None:
            self._run.cancel()
        elif self._preparing is not None:
            self._preparing.cancel()

    def answer(self, approval: str, allowed: bool) -> None:
        """The person's answer to an `Asks`; unknown or answered ones are ignored."""
        self._allowing.answer(approval, allowed)

    async def happenings(self) -> AsyncGenerator[Happening]:
        """Run the turn; the last thing that happens is always `TurnEnded`."""
        task = asyncio.create_task(self._go())
        # Even one that breaks off (a full disk, a chat deleted meanwhile) must end the waiting.
        task.add_done_callback(lambda _: self._queue.put_nowait(None))
        try:
            while (happening := await self._queue.get()) is not None:
                yield happening
            await task
        finally:
            if not task.done():
                self.stop()
                await asyncio.shield(asyncio.gather(task, return_exceptions=True))

    async def _go(self) -> None:
        home = self._parts.home
        said = PersonMessage(
            text=self._words,
            door=self._door,
            learn=home.settings().auto_memory,
            host=moved_to(self._log.events(), self._parts.host),
        )
        message, seq = await keep_message(
            home, self.chat, self._log, said, self._files, self._left_out
        )
        try:
            await self._answer(message, seq)
        except OSError as error:
            raise reply_not_kept(error) from error

    async def _answer(self, message: PersonMessage, seq: int) -> None:
        """Answer the message that is in the log as `seq`."""
        asked_for = self._skills.named_in(self._words) if self._skills else None
        skill = ""
        if self._skills is not None and asked_for is not None:
            skill = self._skills.use(self.chat, asked_for, "person")
        outcome: Outcome = "failed"
        error = ""
        reached = True
        earlier = Earlier()
        try:
            self._preparing = asyncio.create_task(
                self._sending.prepare(message, self._files, self._context(), skill)
            )
            if self._stopped:
                self._preparing.cancel()
            prepared = await self._preparing
            earlier = prepared.earlier
            self._sent_characters = prepared.characters
            messages = await self._ask(prepared)
            outcome = "stopped" if self._stopped else "success"
            if messages is not None and outcome == "success":
                self._sending.keep(prepared, messages, seq)
        except asyncio.CancelledError:
            if not self._stopped:
                raise
            outcome = "stopped"
        except DiskRefused:
            raise
        except Exception as failure:
            if self._stopped:
                outcome = "stopped"
            else:
                failed = failure_of(failure, self._engine.name)
                error, reached = str(failed), failed.kind not in ("auth", "no_connection")
        reply = "".join(self._said).strip()
        usage = self._used
        cost = price(self._engine, self._model, usage)
        worst = None
        if outcome != "success" and self._sent_out and reached and self._uncounted(reply):
            # Some providers count only what they end; a price nobody knows is not nothing.
            sent = self._sent_characters
            worst = worst_price(self._engine, self._model, sent, len(reply))
            cost = None if worst else cost
        if reply:
            self._append(AssistantMessage(text=reply, engine=self._engine.id, model=self._model))
        self._append(
            TurnCompleted(
                outcome=outcome,
                engine=self._engine.id if reached and self._sent_out else "",
                model=self._model,
                usage=usage,
                cost_usd=cost,
                error=error,
                sent_from=earlier.sent_from,
            )
        )
        self._parts.usage.add(
            self._engine, self._model, usage, cost, purpose="chat", chat=self.chat, worst=worst
        )
        self._queue.put_nowait(
            TurnEnded(
                chat=self.chat,
                outcome=outcome,
                reply=reply,
                error=error,
                engine=self._engine.id,
                model=self._model,
                cost_usd=cost,
            )
        )

    def _uncounted(self, reply: str) -> bool:
        """Whether the provider counted less than what it is known to have read and said."""
        return not self._used.input_tokens or self._used.output_tokens < tokens_in(len(reply)) // 2

    async def _ask(self, prepared: Prepared) -> list[ModelMessage] | None:
        """Ask the engine and tell what happens; gives all messages, None when it was stopped."""
        from pydantic_ai import Agent, UsageLimits
        from pydantic_ai.exceptions import RunCancelled

        agent = Agent(
            self._engine.model(self._model),
            instructions=prepared.system,
            tools=prepared.tools,
            retries=2,
        )
        async with agent.run_stream_events(
            prepared.words,
            message_history=prepared.earlier.messages or None,
            usage_limits=UsageLimits(request_limit=_REQUESTS_A_TURN),
        ) as run:
            self._run = run
            if self._stopped:
                run.cancel()
            else:
                self._sent_out = True
            try:
                async for event in run:
                    self._see(event, prepared.context)
            except RunCancelled:
                self._stopped = True
                self._allowing.stop()
            finally:
                self._used = Usage(
                    input_tokens=run.usage.input_tokens,
                    output_tokens=run.usage.output_tokens,
                    cache_read_tokens=run.usage.cache_read_tokens,
                    cache_write_tokens=run.usage.cache_write_tokens,
                )
            return None if self._stopped else list(run.all_messages())

    def _see(self, event: Any, context: TurnContext) -> None:
        from pydantic_ai.messages import (
            FunctionToolCallEvent,
            FunctionToolResultEvent,
            PartDeltaEvent,
            PartStartEvent,
            RetryPromptPart,
            TextPart,
            TextPartDelta,
        )

        match event:
            case PartStartEvent(part=TextPart(content=text)) if text:
                if self._said:
                    text = f"\n\n{text}"
                self._say(text)
            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)) if text:
                self._say(text)
            case FunctionToolCallEvent(part=part):
                given = part.args_as_dict()
                summary = step_summary(part.tool_name, given)
                started = ToolStarted(
                    call=part.tool_call_id, tool=part.tool_name, summary=summary, input=given
                )
                self._append(started)
                self._queue.put_nowait(StepBegan(call=part.tool_call_id, summary=summary))
            case FunctionToolResultEvent(part=part):
                output = context.outputs.get(part.tool_call_id)
                ok = not isinstance(part, RetryPromptPart) and (output is None or output.ok)
                text = str(part.content)
                self._append(
                    ToolFinished(
                        call=part.tool_call_id,
                        ok=ok,
                        output=text[:_OUTPUT_IN_LOG],
                        exit=output.exit if output else None,
                    )
                )
                note = text if part.tool_name in ("remember", "forget", TODO) else ""
                if output is not None and not output.ok:
                    note = next((line for line in text.splitlines() if line.strip()), "")[:200]
                self._queue.put_nowait(StepEnded(call=part.tool_call_id, ok=ok, note=note))
            case _:
                pass

    def _context(self) -> TurnContext:
        return TurnContext(
            self.chat,
            self._learning,
            self._parts.memories,
            self._allowing.may,
            self._read_from_outside,
        )

    def _read_from_outside(self, call: str, taint: Taint) -> None:
        self._append(TaintMarked(kind=taint.kind, label=taint.label, call=call))

    def _append(self, event: Event) -> None:
        """Write an event of the turn. Raises DiskRefused: no fault of the engine's."""
        try:
            self._log.append(event)
        except OSError as error:
            raise reply_not_kept(error) from error

    def _say(self, text: str) -> None:
        self._said.append(text)
        self._queue.put_nowait(TextCame(text=text))
