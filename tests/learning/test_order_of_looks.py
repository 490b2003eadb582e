"""In whatever order chats are looked at, what the person said last is what holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conch.chats.events import PersonMessage, TurnCompleted
from conch.home.errors import ConchError
from conch.learning.changes import Add, Said, Situation, Supersede
from conch.learning.deciding import World, decide_changes
from conch.learning.gate import decide
from conch.learning.when_said import when_said
from conch.memory.memory import Memory

MONDAY = datetime(2026, 11, 30, 9, tzinfo=UTC)
CITIES = ("Berlin", "Lisbon", "Porto", "Rome")
SAID = ("I live in {}", "I moved to {}")
SINCE = "you said otherwise since"


class Looking:
    """What is remembered, look after look, as plain values."""

    def __init__(self) -> None:
        self.memories: list[Memory] = []
        self.said: dict[str, datetime] = {}
        self.made = 0

    def new_id(self) -> str:
        self.made += 1
        return f"m{self.made}"

    def look(self, chat: str, at: datetime, words: str, city: str, named: bool):
        now = MONDAY + timedelta(days=30, hours=self.made)
        live = self.memories[0].id if self.memories else ""
        text = f"Lives in {city}"
        change = Supersede(live, text, words) if named and live else Add(text, words)
        world = World(
            chat=chat,
            at=now,
            origin="own",
            watched=True,
            said=(Said(1, at, words, words),),
            taints=(),
            memories=tuple(self.memories),
            never=(),
            shown={live: self.memories[0].words_hash} if live else {},
            applied_today=0,
            redact=lambda one: one,
            said_when=when_said(self.memories, self.said, now),
        )
        (one,) = decide_changes([change], world, self.new_id, lambda _: f"l{chat}:0", None)
        if one.says and one.said_at:
            self.said[one.says] = max(self.said.get(one.says, one.said_at), one.said_at)
        if one.memory is not None and one.memory.usable:
            gone = one.replaced.id if one.replaced else ""
            self.memories = [m for m in self.memories if m.id != gone] + [one.memory]
        return one


@settings(max_examples=60, derandomize=True)
@given(
    cities=st.lists(st.sampled_from(CITIES), min_size=2, max_size=5),
    draw=st.randoms(use_true_random=False),
)
def test_in_any_order_what_was_said_last_holds(cities, draw):
    looks = [
        (str(at), MONDAY + timedelta(days=at), draw.choice(SAID).format(city), city)
        for at, city in enumerate(cities)
    ]
    draw.shuffle(looks)
    looking = Looking()
    for chat, at, words, city in looks:
        looking.look(chat, at, words, city, named=draw.random() < 0.5)
    assert [memory.text for memory in looking.memories] == [f"Lives in {cities[-1]}"]


def test_what_was_said_at_the_same_time_replaces_as_it_comes():
    looking = Looking()
    looking.look("1", MONDAY, "I live in Berlin", "Berlin", named=False)
    one = looking.look("2", MONDAY, "I live in Lisbon", "Lisbon", named=False)
    assert one.replaced is not None
    assert [memory.text for memory in looking.memories] == ["Lives in Lisbon"]


def test_older_words_about_something_else_are_learned():
    looking = Looking()
    looking.look("1", MONDAY + timedelta(days=1), "I live in Berlin", "Berlin", named=False)
    memories = tuple(looking.memories)
    said = (Said(1, MONDAY, "I prefer tea", "I prefer tea"),)
    late = {memory.id: MONDAY + timedelta(days=1) for memory in memories}
    situation = Situation(said, memories=memories, said_when=late)
    assert decide(Add("Prefers tea", "I prefer tea"), situation).verdict == "applied"


def test_words_of_an_unknown_time_are_no_older():
    """A chat brought in without times waits for the person, as ever."""
    berlin = Memory("m1", "Lives in Berlin", "fact", "you", MONDAY, MONDAY)
    said = (Said(1, datetime(1970, 1, 1, tzinfo=UTC), "I moved to Rome", "I moved to Rome"),)
    situation = Situation(
        said, "imported", watched=False, memories=(berlin,), said_when={"m1": MONDAY}
    )
    decision = decide(Add("Moved to Rome", "I moved to Rome"), situation)
    assert (decision.verdict, decision.replaces) == ("waits", "m1")


def test_older_words_replace_nothing_that_still_waits():
    lisbon = Memory("m1", "Lives in Lisbon", "fact", "learning", MONDAY, MONDAY, waits="It waits.")
    said = (Said(1, MONDAY, "I live in Berlin", "I live in Berlin"),)
    situation = Situation(said, memories=(lisbon,), said_when={"m1": MONDAY + timedelta(days=1)})
    decision = decide(Add("Lives in Berlin", "I live in Berlin"), situation)
    assert (decision.verdict, decision.replaces) == ("waits", "")
    assert decision.reasons == (
        'You said otherwise since, and that still waits for you: "Lives in Lisbon".',
    )


@pytest.mark.parametrize(
    ("source", "learned", "in_journal", "known"),
    [
        ("learning", "l1:0", MONDAY, MONDAY),
        ("learning", "l1:0", None, None),
        ("import", "", None, None),
        ("assistant", "", None, MONDAY + timedelta(days=2)),
        ("you", "", None, MONDAY + timedelta(days=2)),
        ("you", "", MONDAY + timedelta(days=3), MONDAY + timedelta(days=3)),
        ("you", "l1:0", MONDAY, MONDAY + timedelta(days=2)),
        ("learning", "l1:0", MONDAY + timedelta(days=900), None),
    ],
)
def test_when_a_memory_was_said(source, learned, in_journal, known):
    written = MONDAY + timedelta(days=2)
    memory = Memory("m1", "Lives in Rome", "fact", source, MONDAY, written, learned=learned)
    said = {"m1": in_journal} if in_journal else {}
    found = when_said([memory], said, MONDAY + timedelta(days=9))
    assert found == ({"m1": known} if known else {})


# In a home


async def said_in_turn(living, *messages, origin="own"):
    """Say each in a chat of its own, an hour apart; gives the chats."""
    chats = []
    for words in messages:
        chat = living.conch.chats.new(title=words, origin=origin)
        chats.append(await living.say(words, chat=chat))
        living.clock.advance(hours=1)
    return chats


async def looks_at(living, *chats):
    return [await living.conch.learning.look(chat) for chat in chats]


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_look_at_an_older_chat_puts_nothing_back(living, restarts):
    a, b = await said_in_turn(
        living, "By the way, I live in Berlin.", "By the way, I moved to Rome."
    )
    await looks_at(living, b)
    if restarts:
        living.start()
    (look,) = await looks_at(living, a)
    assert living.memories == ["Lives in Rome"]
    assert [(one.row, one.reason) for one in look.dropped] == [(SINCE, "You said otherwise since.")]
    assert living.conch.memories.earlier() == []
    assert living.lines(a) == []


async def test_what_was_said_again_counts_from_then(living):
    a, b, c = await said_in_turn(
        living,
        "By the way, I live in Berlin.",
        "By the way, I moved to Rome.",
        "By the way, I live in Berlin.",
    )
    await looks_at(living, a, c)
    living.start()
    (look,) = await looks_at(living, b)
    assert living.memories == ["Lives in Berlin"]
    assert [one.row for one in look.dropped] == [SINCE]


async def test_what_the_person_wrote_since_stays(living):
    (a,) = await said_in_turn(living, "By the way, I live in Berlin.")
    living.conch.learning.add_own("Lives in Rome")
    (look,) = await looks_at(living, a)
    assert living.memories == ["Lives in Rome"]
    assert [one.row for one in look.dropped] == [SINCE]


async def test_what_the_person_wrote_since_in_the_same_words_stays(living):
    a, b = await said_in_turn(
        living, "By the way, I live in Rome.", "By the way, I moved to Berlin."
    )
    await looks_at(living, a)
    living.conch.learning.add_own("Lives in Rome")
    (look,) = await looks_at(living, b)
    assert living.memories == ["Lives in Rome"]
    assert [one.row for one in look.dropped] == [SINCE]


async def test_what_is_said_after_the_person_wrote_waits_for_them(living):
    living.conch.learning.add_own("Lives in Rome")
    living.clock.advance(hours=1)
    (a,) = await said_in_turn(living, "By the way, I moved to Berlin.")
    (look,) = await looks_at(living, a)
    assert [one.state for one in look.records] == ["waiting"]


async def cards(living):
    """Two cards that wait, of chats nobody watches, the newer looked at first."""
    a, b = await said_in_turn(
        living, "By the way, I live in Berlin.", "By the way, I moved to Rome.", origin="channel"
    )
    newer, older = [look.records[0] for look in await looks_at(living, b, a)]
    assert (newer.state, older.state) == ("waiting", "waiting")
    return newer, older


async def test_of_two_cards_the_older_does_not_push_out_the_newer(living):
    newer, older = await cards(living)
    living.keep(newer.id)
    with pytest.raises(ConchError, match="You said otherwise since: “Lives in Rome”") as refused:
        living.keep(older.id)
    assert living.memories == ["Lives in Rome"]
    assert f"conch memory forget {newer.memory}" in refused.value.do
    living.conch.learning.forget(newer.id)
    living.keep(older.id)
    assert living.memories == ["Lives in Berlin"]


async def test_of_two_cards_the_newer_kept_last_says_what_stays_beside_it(living):
    newer, older = await cards(living)
    living.keep(older.id)
    kept = living.keep(newer.id)
    assert "“Lives in Berlin” says otherwise and stays too." in kept.note


async def test_the_longest_quiet_is_looked_at_first(living):
    chats = await said_in_turn(living, *(f"By the way, I live in {city}." for city in CITIES))
    first = await living.quiet()
    second = await living.quiet(5)
    assert [look.chat for look in (*first, *second)] == chats
    assert living.memories == ["Lives in Rome"]


async def test_chats_brought_in_are_read_newest_first_and_keep_the_order_they_were_said_in(living):
    made = []
    for day, city in enumerate(("Berlin", "Lisbon")):
        chat = living.conch.chats.new(origin="imported", title=city, brought_from="x")
        log = living.conch.chats.log(chat)
        at = MONDAY - timedelta(days=20 - day)
        words = f"By the way, I live in {city}."
        log.append(PersonMessage(text=words, door="chatgpt", at=at))
        log.append(TurnCompleted(outcome="success", engine="chatgpt"))
        made.append(chat)
    engine = living.answering
    newer = await living.conch.learning.look(made[1], by=engine)
    older = await living.conch.learning.look(made[0], by=engine)
    assert [one.before for look in (newer, older) for one in look.records] == ["", ""]
    living.keep(newer.records[0].id)
    with pytest.raises(ConchError, match="You said otherwise since"):
        living.keep(older.records[0].id)
