"""Whatever happens in whatever order, cut off anywhere, a home keeps its promises.

A machine lives with one home: it talks, lets chats go quiet, answers what was learned, edits and
deletes files by hand, crashes at any wait for the disk and starts again.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule, run_state_machine_as_test

from any_order import AnyHome
from conch.chats.events import (
    Archived,
    Origin,
    PersonMessage,
    QuietMark,
    TaintMarked,
    TurnCompleted,
)
from conch.learning.record import Trigger
from conch.memory.memory import words_hash

_LEARNED = (
    "No, I meant Lang{n}.",
    "By the way, I live in City{n}.",
    "By the way, I moved to City{n}.",
    "I always use Tool{n} for this.",
    "I prefer Drink{n}. I love Food{n}. I really like Sport{n}.",
    "By the way, I moved to Berlin.",
    "No, I meant TypeScript.",
)
_PLAIN = ("Write me a script that prints the date.", "Thanks!", "What about {n}?", "Go on.")
_FAILING = ("No, I meant review-fail{n}.", "No, I meant review-garble{n}.")
_SAVED = ("Please remember that I use Box{n}.", "Please remember that I moved to Berlin.")
_NEVER_KEPT = (
    "I always log in with the password hunter2Secret{n}.",
    "I always take insulin for my diabetes Secret{n}.",
    "I always want commands run without asking Secret{n}.",
)
_LONG = "I prefer Tea{n}. " + "We talked about the garden for a while, and it was nice. " * 120
_WORDS = st.sampled_from((*_LEARNED, *_LEARNED, *_PLAIN, *_SAVED, *_NEVER_KEPT, *_FAILING, _LONG))
_WHICH = st.integers(0, 9)
_ORIGINS: st.SearchStrategy[Origin] = st.sampled_from(
    ("own", "own", "own", "own", "channel", "imported", "task")
)


class AnyOrder(AnyHome):
    """What may happen to a home, each as a rule; `_WHICH` picks a chat, a record or a file."""

    # Talking

    @rule(words=_WORDS, which=_WHICH, new=st.booleans(), origin=_ORIGINS)
    def talk(self, words: str, which: int, new: bool, origin: Origin) -> None:
        chat = None if new else self.a_chat(which)
        self.talk_in(chat or self.conch.chats.new(origin=origin, title="a chat"), words)

    def talk_in(self, chat: str, *messages: str) -> None:
        for words in messages:
            self.number += 1
            words = words.format(n=self.number)
            self.note_what_may_be_read(chat, words)
            self.do(lambda words=words: self.living.say(words, chat=chat))

    @initialize(words=st.lists(st.sampled_from(_LEARNED), min_size=1, max_size=5))
    def has_lived(self, words: list[str]) -> None:
        for one in words:
            self.learn(one)

    @rule(words=st.sampled_from(_LEARNED))
    def learn(self, words: str) -> None:
        """A chat of its own that goes quiet."""
        self.talk_in(self.conch.chats.new(title="a chat"), "Write me a script.", words)
        self.goes_quiet(11)

    @rule(words=st.sampled_from((*_LEARNED, *_SAVED)))
    def learn_after_a_page(self, words: str) -> None:
        chat = self.conch.chats.new(title="a chat")
        self.conch.chats.log(chat).append(TaintMarked(kind="web", label="page.example"))
        self.talk_in(chat, "Write me a script.", words)
        self.goes_quiet(11)

    @rule(which=_WHICH)
    def something_is_read(self, which: int) -> None:
        chat = self.a_chat(which)
        if chat is not None:
            mark = TaintMarked(kind="web", label="page.example")
            self.do(lambda: self.conch.chats.log(chat).append(mark))

    @rule(which=_WHICH)
    def somebody_else_writes(self, which: int) -> None:
        chat = self.a_chat(which)
        if chat is not None:

            def writes() -> None:
                log = self.conch.chats.log(chat)
                log.append(PersonMessage(text="I always use Theirs.", who="Ada"))
                log.append(TurnCompleted(outcome="success", engine="practice"))

            self.do(writes)
            self.unreadable.add("Theirs")

    @rule(which=_WHICH, on=st.booleans())
    def mark_quiet(self, which: int, on: bool) -> None:
        chat = self.a_chat(which)
        if chat is not None:
            self.do(lambda: self.conch.chats.log(chat).append(QuietMark(on=on)))

    @rule(on=st.booleans())
    def switch(self, on: bool) -> None:
        self.do(lambda: self.learning.switch(on))

    @rule(which=_WHICH)
    def delete_chat(self, which: int) -> None:
        chat = self.a_chat(which)
        if chat is not None and which < 4:
            self.do(lambda: self.conch.chats.delete(chat))

    # Looking

    @rule(minutes=st.sampled_from((5, 11, 11, 11, 61, 60 * 25)))
    def goes_quiet(self, minutes: int) -> None:
        self.do(lambda: self.living.quiet(minutes))
        self.at_rest = True

    @rule(which=_WHICH, trigger=st.sampled_from(("asked", "archived", "summarised")))
    def look(self, which: int, trigger: Trigger) -> None:
        chat = self.a_chat(which)
        if chat is None:
            return
        log = self.conch.chats.log(chat)
        if trigger == "archived":
            self.do(lambda: log.append(Archived()))
        before = max(2, log.last_seq - which) if trigger == "summarised" else None
        self.do(lambda: self.learning.look(chat, trigger, before=before))

    # Answering

    @rule(which=_WHICH)
    def undo(self, which: int) -> None:
        record = self.a_record(which)
        if record is None:
            return
        self.do(lambda: self._allowed(record.memory, self.learning.undo, record.id))
        back = self.conch.memories.raw(record.before) if record.before else b""
        now = self.learning.record(record.id)
        assert now is not None
        if now.state == "undone" and record.state != "undone":
            untouched = record.before in self.live_bytes and record.before not in self.by_hand
            if back and untouched:
                assert back == self.live_bytes[record.before]

    @rule(which=_WHICH)
    def forget(self, which: int) -> None:
        record = self.a_record(which)
        if record is not None:
            self.do(lambda: self._allowed(record.memory, self.learning.forget, record.id))

    @rule(which=_WHICH)
    def keep(self, which: int) -> None:
        waiting = [one for one in self.learning.records() if one.state == "waiting"]
        record = self.pick(waiting, which)
        if record is not None and self.conch.memories.get(record.memory) is not None:
            self.do(lambda: self.living.keep(record.id))

    @rule(which=_WHICH)
    def forget_memory(self, which: int) -> None:
        memory = self.pick(self.conch.memories.all(), which)
        if memory is not None:
            self.do(lambda: self._allowed(memory.id, self.learning.forget_memory, memory.id))

    @rule(which=_WHICH)
    def forget_earlier(self, which: int) -> None:
        memory = self.pick(self.conch.memories.earlier(), which)
        if memory is not None:
            self.do(lambda: self._allowed(memory.id, self.learning.forget_earlier, memory.id))

    def _allowed(self, memory: str, act, *given) -> None:
        self.may_go.add(memory)
        act(*given)

    @rule(which=_WHICH)
    def edit(self, which: int) -> None:
        memory = self.pick(self.conch.memories.all(), which)
        if memory is None:
            return
        words = f"{memory.text}, really"
        consent = self.conch.consents.mint(memory.id, words_hash(words))
        self.do(lambda: self.conch.memories.edit(memory.id, words, consent))

    @rule(text=st.sampled_from(("Lives in Berlin", "Prefers TypeScript", "Has a cat", "Uses pnpm")))
    def write_own(self, text: str) -> None:
        self.do(lambda: self.learning.add_own(text))

    @rule(which=_WHICH)
    def take_off_the_list(self, which: int) -> None:
        item = self.pick(self.conch.parts.never.items(), which)
        if item is not None:
            self.do(lambda: self.conch.parts.never.remove(item.id))

    # By hand, and the process

    @rule(which=_WHICH, copy=st.booleans())
    def edit_by_hand(self, which: int, copy: bool) -> None:
        self.change_file("memory/superseded/*.md" if copy else "memory/*.md", which)

    @rule(which=_WHICH, copy=st.booleans())
    def delete_by_hand(self, which: int, copy: bool) -> None:
        self.delete_file("memory/superseded/*.md" if copy else "memory/*.md", which)

    @rule(text=st.sampled_from(("Lives in Berlin", "Likes chess by hand")))
    def write_by_hand(self, text: str) -> None:
        self.number += 1
        folder = self.folder / "home" / "memory"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"hand{self.number}.md").write_text(f"{text}\n")
        self.at_rest = False

    @precondition(lambda self: self.disk.left is None)
    @rule(
        waits=st.integers(0, 12),
        before=st.booleans(),
        meanwhile=st.sampled_from(("", "", "edit", "delete", "delete copy", "crash")),
        which=_WHICH,
    )
    def is_to_die(self, waits: int, before: bool, meanwhile: str, which: int) -> None:
        self.disk.left, self.disk.before = waits, before
        self.meanwhile = (meanwhile, which)

    @rule()
    def start_again(self) -> None:
        self.do(lambda: self.living.start())
        self.at_rest = True

    @rule()
    def another_process(self) -> None:
        self.living, self.other = self.other, self.living
        self.other.clock = self.living.clock


_OPTIONS = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "print_blob": True,
}

AnyOrder.TestCase.settings = settings(
    max_examples=12, stateful_step_count=25, derandomize=True, **_OPTIONS
)
TestAnyOrder = AnyOrder.TestCase


@pytest.mark.slow
def test_any_order_at_length():
    run_state_machine_as_test(
        AnyOrder, settings=settings(max_examples=300, stateful_step_count=50, **_OPTIONS)
    )
