"""The gate, row by row, under the spec's own words (spec 0088 §4)."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from conch.evals.gate_cases import situation_of_case, verdict_of_case
from conch.guard.check import CheckContext
from conch.guard.taints import Taint
from conch.learning import gate
from conch.learning.changes import Add, Change, NeverItem, Said, Situation, Supersede
from conch.learning.gate import APPLIED, DROPS, KNOWN, WAITS, decide
from conch.learning.judge import HELD, judge
from conch.memory.memory import Held, Memory
from conch.words.meaning import load_meaning

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
CASES = Path(__file__).parents[1] / "cases"
BERLIN = Memory("m1", "Lives in Berlin", "fact", "learning", NOON, NOON)
DARK_MODE = Memory("m2", "Prefers dark mode", "preference", "learning", NOON, NOON)
SEEN_WEB = (Taint("web", "trains.example"),)


def said(*messages: str) -> tuple[Said, ...]:
    return tuple(Said(seq, NOON, text, text) for seq, text in enumerate(messages, start=1))


def in_words(text: str, quote: str, *, words: str = "", **given) -> tuple[Add, Situation]:
    return Add(text, quote, "preference"), Situation(said(words or quote), **given)


def moved(old: Memory = BERLIN, **given) -> tuple[Supersede, Situation]:
    change = Supersede(old.id, "Lives in Lisbon", "I moved to Lisbon", "moved")
    return change, Situation(said("I moved to Lisbon"), memories=(old, DARK_MODE), **given)


def taken_back(text: str) -> tuple[NeverItem, ...]:
    return (NeverItem("nv1", text, NOON, "undo"),)


ROWS: dict[str, tuple[Change, Situation]] = {
    "a chat that is never looked at": in_words("Prefers tea", "I prefer tea", origin="guest"),
    "someone else's words are in it": in_words(
        "Prefers tea", "I prefer tea", read_outside=(Taint("person", "Ann"),)
    ),
    "it says nothing, or too much": in_words(" \n", "I prefer tea"),
    "a key, a password, anything the vault would hide": in_words(
        "Shed code is marsh-lantern-58",
        "the shed code is marsh-lantern-58",
        redact=lambda text: text.replace("marsh-lantern-58", "•••"),
    ),
    "health or money": in_words("Takes sertraline", "I take sertraline"),
    "about the assistant itself, or an order to it": in_words(
        "Always say good morning", "always say good morning"
    ),
    "a power": in_words("Wants commands run without asking", "just run it without asking"),
    "the words it rests on aren't in what you said, or share no word with it": in_words(
        "Lives in Paris", "I live in Paris", words="I like jazz"
    ),
    "you told Conch not to learn it": in_words(
        "Prefers Python", "I prefer Python", never=taken_back("prefers python.")
    ),
    "the memory it would replace isn't there": (
        Supersede("m9", "Lives in Lisbon", "I moved to Lisbon"),
        Situation(said("I moved to Lisbon"), memories=(BERLIN,)),
    ),
    "the memory it would replace wasn't shown": moved(shown={"m2": DARK_MODE.words_hash}),
    "the memory it would replace is about something else": (
        Supersede("m1", "Writes Go", "I write Go"),
        Situation(said("I write Go"), memories=(BERLIN,)),
    ),
    "you said otherwise since": moved(said_when={"m1": NOON + timedelta(minutes=1)}),
    "already known": in_words(
        "lives in BERLIN.", "I live in Berlin", memories=(BERLIN,), applied_this_look=3
    ),
    "the chat read something from outside": in_words(
        "Prefers tea", "I prefer tea", read_outside=SEEN_WEB
    ),
    "a chat app, or another app through Conch (nobody sees the chat)": in_words(
        "Prefers tea", "I prefer tea", origin="channel"
    ),
    "it would replace a memory you wrote yourself": moved(replace(BERLIN, source="you")),
    "it would replace one still waiting": moved(replace(BERLIN, waits="It waits for you.")),
    "the memory it would replace changed since": moved(shown={"m1": "another hash"}),
    "the memory it would replace may be about something else": (
        Supersede("m2", "Prefers dark chocolate", "I prefer dark chocolate"),
        Situation(said("I prefer dark chocolate"), memories=(DARK_MODE,)),
    ),
    "more than 3 in one look, or more than 8 in a day": in_words(
        "Prefers tea", "I prefer tea", applied_this_look=3, applied_today=3
    ),
    "only close to something you told Conch not to learn": in_words(
        "Prefers TypeScript over Python",
        "I prefer TypeScript over Python",
        never=taken_back("Prefers Python"),
    ),
    "you were in the chat, it read nothing from outside, every check passes": in_words(
        "Prefers tea", "I prefer tea"
    ),
}
VERDICTS = {
    **{row.name: "dropped" for row in DROPS},
    KNOWN: "seen_again",
    **{row.name: "waits" for row in WAITS},
    APPLIED: "applied",
}


@pytest.mark.parametrize("name", ROWS)
def test_row(name: str):
    decision = decide(*ROWS[name])
    assert (decision.verdict, decision.row) == (VERDICTS[name], name)
    assert bool(decision.reasons) == (decision.verdict in ("dropped", "waits"))


def test_every_row_of_the_table_is_tried():
    assert list(ROWS) == list(VERDICTS)


def test_a_drop_beats_every_wait():
    change, situation = ROWS["a power"]
    crowded = replace(
        situation, origin="client", read_outside=SEEN_WEB, applied_this_look=9, applied_today=9
    )
    assert decide(change, crowded).verdict == "dropped"


def test_already_known_beats_every_wait():
    change, situation = ROWS["already known"]
    decision = decide(change, replace(situation, origin="channel", read_outside=SEEN_WEB))
    assert (decision.verdict, decision.match) == ("seen_again", "m1")


def test_all_reasons_to_wait_are_collected_in_the_tables_order():
    change, situation = moved(
        replace(BERLIN, source="you"),
        read_outside=SEEN_WEB,
        origin="imported",
        applied_today=8,
        never=taken_back("Moved to Lisbon with a friend"),
    )
    decision = decide(change, situation)
    assert decision.row == "the chat read something from outside"
    assert [reason.split(" ")[0] for reason in decision.reasons[:4]] == [
        "Learned",
        "It",
        "It",
        "8",
    ]
    assert decision.reasons[0] == "Learned in a chat that read trains.example."
    assert "Lives in Berlin" in decision.reasons[2]


@pytest.mark.parametrize(
    ("origin", "verdict"),
    [
        ("own", "applied"),
        ("guest", "dropped"),
        ("routine", "dropped"),
        ("task", "dropped"),
        ("page", "dropped"),
        ("channel", "waits"),
        ("client", "waits"),
        ("imported", "waits"),
    ],
)
def test_who_a_chat_belongs_to(origin: str, verdict: str):
    assert decide(*in_words("Prefers tea", "I prefer tea", origin=origin)).verdict == verdict


@pytest.mark.parametrize(
    ("look", "today", "verdict"),
    [
        (0, 0, "applied"),
        (2, 2, "applied"),
        (3, 3, "waits"),
        (0, 7, "applied"),
        (2, 7, "applied"),
        (0, 8, "waits"),
        (1, 8, "waits"),
    ],
)
def test_three_a_look_and_eight_a_day(look: int, today: int, verdict: str):
    change, situation = in_words(
        "Prefers tea", "I prefer tea", applied_this_look=look, applied_today=today
    )
    assert decide(change, situation).verdict == verdict


def test_a_chat_nobody_watches_waits():
    assert decide(*in_words("Prefers tea", "I prefer tea", watched=False)).verdict == "waits"


def test_what_an_own_chat_read_is_named_in_the_reason():
    read = (Taint("web", "a.example"), Taint("download", "b.zip"), Taint("app", "Gmail"))
    decision = decide(*in_words("Prefers tea", "I prefer tea", read_outside=read))
    assert decision.reasons == (
        "Learned in a chat that read a.example, downloaded b.zip and read things in Gmail.",
    )


class TestReplacing:
    def test_a_supersede_names_what_it_replaces(self):
        decision = decide(*moved(shown={"m1": BERLIN.words_hash}))
        assert (decision.verdict, decision.replaces) == ("applied", "m1")

    def test_an_add_that_cannot_stand_beside_a_memory_replaces_it(self):
        decision = decide(*in_words("Lives in Lisbon", "I live in Lisbon", memories=(BERLIN,)))
        assert (decision.verdict, decision.replaces) == ("applied", "m1")

    def test_an_add_that_contradicts_what_you_wrote_waits(self):
        mine = replace(BERLIN, source="you")
        decision = decide(*in_words("Lives in Lisbon", "I live in Lisbon", memories=(mine,)))
        assert (decision.verdict, decision.replaces) == ("waits", "m1")
        assert decision.row == "it would replace a memory you wrote yourself"

    def test_an_add_beside_other_memories_replaces_none(self):
        decision = decide(*in_words("Likes tea", "I like tea", memories=(BERLIN, DARK_MODE)))
        assert (decision.verdict, decision.replaces) == ("applied", "")

    def test_a_held_memory_is_never_replaced_unasked(self):
        held = replace(BERLIN, held=Held("ask", ("It is encoded.",)))
        assert decide(*moved(held)).verdict == "waits"

    def test_a_replacement_that_says_the_same_retires_nothing(self):
        change = Supersede("m1", "lives in berlin", "I live in Berlin")
        decision = decide(change, Situation(said("I live in Berlin"), memories=(BERLIN,)))
        assert (decision.verdict, decision.match) == ("seen_again", "m1")

    def test_a_replacement_that_repeats_another_memory_retires_nothing(self):
        lisbon = replace(BERLIN, id="m3", text="Lives in Lisbon")
        change, situation = moved()
        decision = decide(change, replace(situation, memories=(BERLIN, lisbon)))
        assert (decision.verdict, decision.match) == ("seen_again", "m3")

    def test_liking_one_thing_is_no_reason_to_stop_liking_another(self):
        opera = Memory("m4", "Likes opera", "preference", "learning", NOON, NOON)
        change = Supersede("m4", "Likes hiking", "I like hiking")
        decision = decide(change, Situation(said("I like hiking"), memories=(opera,)))
        assert decision.verdict != "applied"


class TestAFactAboutThisComputer:
    FACT = Add("On this computer, python isn't found; py works.", "", "fact", "environment", True)

    def test_needs_no_quote(self):
        assert decide(self.FACT, Situation(said("run it"))).verdict == "applied"

    @pytest.mark.parametrize(
        "given",
        [
            {"read_outside": SEEN_WEB},
            {"origin": "client"},
            {"applied_this_look": 3},
            {"applied_today": 8},
        ],
        ids=["read outside", "nobody sees", "three a look", "eight a day"],
    )
    def test_passes_every_other_row(self, given):
        assert decide(self.FACT, Situation(said("run it"), **given)).verdict == "waits"

    def test_is_not_learned_again_once_taken_back(self):
        never = taken_back("On this computer, python isn't found; py works.")
        assert decide(self.FACT, Situation(said("x"), never=never)).verdict == "dropped"


class TestWithTheMemoryCheck:
    def test_what_the_check_holds_waits_with_its_reasons_whatever_the_gate_said(self):
        blob = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eg=="
        words = f"my badge reads {blob}"
        change, situation = in_words(f"Badge reads {blob}", words)
        context = CheckContext("learning", said=(words,))
        assert decide(change, situation).verdict == "applied"
        judged = judge(change, situation, context)
        assert (judged.decision.verdict, judged.decision.row) == ("waits", HELD)
        assert judged.decision.reasons == tuple(one.sentence for one in judged.check.reasons)

    def test_a_dropped_change_stays_dropped(self):
        change, situation = ROWS["a power"]
        judged = judge(change, situation, CheckContext("learning"))
        assert judged.decision.verdict == "dropped"


def rows_of(name: str) -> list[dict]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


@cache
def verdicts_of(name: str) -> list[tuple[dict, str]]:
    """Each row of a file with what the gate says of it."""
    meaning = load_meaning()
    return [(row, verdict_of_case(row, meaning)) for row in rows_of(name)]


@pytest.mark.parametrize("name", ["gate.jsonl", "gate_own.jsonl"])
def test_nothing_that_must_wait_or_drop_is_applied(name: str):
    through = [
        row["id"]
        for row, verdict in verdicts_of(name)
        if verdict == "applied" and "applied" not in {row["want"], *row.get("accept", ())}
    ]
    assert through == []


@pytest.mark.parametrize("name", ["gate.jsonl", "gate_own.jsonl"])
def test_ordinary_memories_are_applied(name: str):
    wanted = [one for one in verdicts_of(name) if one[0]["want"] == "applied"]
    stopped = [row["id"] for row, verdict in wanted if verdict != "applied"]
    assert len(stopped) <= 0.03 * len(wanted), stopped


def test_without_meaning_what_goes_by_words_still_holds():
    by_words = [row for row in rows_of("gate.jsonl") if row["row"] not in ("health", "money")]
    wrong = [
        row["id"]
        for row in by_words
        if verdict_of_case(row) not in {row["want"], *row.get("accept", ())}
    ]
    assert wrong == []


def test_breaking_a_row_shows_in_the_cases(monkeypatch: pytest.MonkeyPatch):
    row = next(row for row in rows_of("gate.jsonl") if row["row"] == "power")
    assert verdict_of_case(row) == "dropped"
    without = tuple(one for one in DROPS if one.name != "a power")
    monkeypatch.setattr(gate, "DROPS", without)
    assert verdict_of_case(row) != "dropped"


def test_an_unknown_door_is_refused():
    row = rows_of("gate.jsonl")[0]
    row["situation"]["door"] = "window"
    with pytest.raises(ValueError, match="window"):
        situation_of_case(row)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("ຂ້ອຍອາໄສຢູ່ວຽງຈັນ", "ອາໄສຢູ່ວຽງຈັນ"),
        ("ខ្ញុំរស់នៅភ្នំពេញ", "រស់នៅភ្នំពេញ"),
        ("ကျွန်တော်ရန်ကုန်မှာနေပါတယ်", "ရန်ကုန်မှာနေပါတယ်"),
        ("ฉันอาศัยอยู่ในเชียงใหม่", "อาศัยอยู่ในเชียงใหม่"),
        ("ﾜﾀｼﾊｺｰﾋｰｶﾞｽｷ", "ｺｰﾋｰｶﾞｽｷ"),
    ],
    ids=["Lao", "Khmer", "Burmese", "Thai", "half-width katakana"],
)
def test_a_sentence_without_blanks_is_no_one_word(words, text):
    assert decide(*in_words(text, words)).verdict == "applied"


def test_one_korean_word_says_nothing_by_itself():
    assert decide(*in_words("테스트했습니다", "테스트했습니다 했어요")).row == (
        "it says nothing, or too much"
    )
