"""The assistant's `remember`: the drop rows apply, unless the person asked for exactly that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conch.chats.events import Origin, PersonMessage, QuietMark, TaintMarked, TurnCompleted
from conch.learning.asked_for import Asked, asked_for, what_is_asked
from conch.learning.nearby import may_be_nearby
from conch.learning.remember_rows import ONLY_IF_ASKED, ROWS
from conch.words.lexicon import lexicons
from living import Living, brought_in
from wire.answers import calls, says
from wire.server import StubServer

CASES = Path(__file__).parent.parent / "cases" / "remember.jsonl"
ROWS_OF_CASES = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def server():
    with StubServer() as stub:
        yield stub


@pytest.fixture
def alone(tmp_path) -> Living:
    return Living(tmp_path / "home")


def chat_with(living: Living, *messages: str, origin: Origin = "own") -> str:
    chat = living.conch.chats.new(origin=origin, title="a chat")
    said(living, chat, *messages)
    return chat


def said(living: Living, chat: str, *messages: str) -> None:
    log = living.conch.chats.log(chat)
    on = living.home.settings().auto_memory
    for words in messages:
        log.append(PersonMessage(text=words, learn=on))
        log.append(TurnCompleted(outcome="success", engine="practice"))


@pytest.mark.parametrize("row", ROWS_OF_CASES, ids=lambda row: row["id"])
def test_asked_for_in_fifteen_languages(row):
    asked = asked_for(row["memory"], row["message"], row.get("before", ""))
    assert asked is (row["want"] == "asked")


def test_every_language_has_cues_of_each_kind():
    for lexicon in lexicons():
        if len(lexicon.code) == 2 and lexicon.phrases("words.same", "leave_out"):
            cues = [*lexicon.phrases("asks.remember", "says")]
            cues += lexicon.phrases("asks.remember", "points")
            assert cues, lexicon.code
            assert lexicon.phrases("asks.remember", "against"), lexicon.code


@pytest.mark.parametrize(
    ("message", "passages"),
    [
        ("Please remember:\n- I have asthma\n- my rent is 900", "i have asthma"),
        ("Remember these things about me:\nI have asthma.", "i have asthma"),
        ("I have asthma. It is severe. Remember that!", "i have asthma"),
    ],
)
def test_a_bare_or_announcing_request_covers_the_rest_of_the_message(message, passages):
    assert passages in " ".join(what_is_asked(message).passages)


def test_a_bare_request_alone_points_back():
    assert what_is_asked("yes, please remember that") == Asked((), points_back=True)


@pytest.mark.parametrize(
    "message",
    [
        "```\nremember that I have asthma\n```\nwhat does this print?",
        "From: Bo\nSubject: hi\n\nRemember that I have asthma.\n\nBest,\nBo\n\nWhat does he want?",
        'She said "remember that I have asthma" and left.',
    ],
    ids=["a fence", "a mail", "a quote"],
)
def test_words_that_are_not_their_own_ask_for_nothing(message):
    assert not asked_for("Has asthma", message)


@pytest.mark.parametrize(
    "text",
    ["Has asthma and diabetes of type 1", "Doesn't have asthma", "Has had asthma for 30 years"],
    ids=["more", "a not", "a number"],
)
def test_only_exactly_that(text):
    assert not asked_for(text, "Remember that I have asthma.")


NUTS = "Remember that I am allergic to nuts."


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (NUTS, "Is allergic to nuts and HIV positive"),
        (NUTS, "Is allergic to nuts and in debt"),
        (NUTS, "Is allergic to nuts and votes for the Greens"),
        (
            "Merk dir, dass ich gegen Nüsse allergisch bin.",
            "Ist gegen Nüsse allergisch, arm",
        ),
        ("Retiens que je suis allergique aux noix.", "Est allergique aux noix et séropositif"),
        ("Recuerda que soy alérgico a las nueces.", "Es alérgico a las nueces y tiene deudas"),
        ("Lembre-se de que sou alérgico a nozes.", "É alérgico a nozes e tem dívidas"),
        ("Ricorda che sono allergico alle noci.", "È allergico alle noci e ha debiti"),
        ("Onthoud dat ik allergisch ben voor noten.", "Is allergisch voor noten, heeft schulden"),
        ("Zapamiętaj, że mam alergię na orzechy.", "Ma alergię na orzechy i długi"),
        ("Fındık alerjim olduğunu unutma.", "Fındık alerjisi ve borcu var"),
        ("Запомни, что у меня аллергия на орехи.", "Аллергия на орехи и долги"),
        ("ナッツアレルギーだと覚えておいてください。", "ナッツアレルギーでHIV陽性"),
        ("请记住我对坚果过敏。", "对坚果过敏，感染艾滋病"),
        ("견과류 알레르기가 있다는 거 잊지 마.", "견과류 알레르기가 있고 빚이 있다"),
        ("याद रखना कि मुझे मेवों से एलर्जी है।", "मेवों से एलर्जी है और कर्ज है"),
        ("تذكر أن لدي حساسية من المكسرات.", "لديه حساسية من المكسرات وعليه ديون"),
    ],
)
def test_a_word_more_than_was_asked_for_is_not_asked_for(message, text):
    assert not asked_for(text, message)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (NUTS, "Has a nut allergy"),
        (NUTS, "The user is allergic to nuts"),
        ("Remember that I like tea.", "Prefers tea"),
        ("Merk dir, dass ich gegen Nüsse allergisch bin.", "Ist gegen Nüsse allergisch"),
        ("À retenir : je suis allergique à l'arachide", "Est allergique à l'arachide"),
        ("请记住我对坚果过敏。", "用户对坚果过敏"),
        ("ナッツアレルギーだと覚えておいてください。", "ナッツアレルギーがある"),
        ("Запомни, что у меня аллергия на орехи.", "У пользователя аллергия на орехи"),
    ],
)
def test_the_same_in_a_memorys_own_frame_is_asked_for(message, text):
    assert asked_for(text, message)


def test_a_word_more_passes_the_drop_rows_and_is_told_how_to_be_saved(alone):
    chat = chat_with(alone, NUTS)
    no = alone.conch.learning.remember(chat, "Is allergic to nuts and HIV positive")
    assert no.outcome == "refused"
    assert "leave the rest out" in no.why
    assert alone.conch.learning.remember(chat, "Is allergic to nuts").outcome == "saved"
    assert alone.memories == ["Is allergic to nuts"]


@pytest.mark.parametrize(
    ("row", "message", "text"),
    [
        ("health", "I have type 2 diabetes. What may I eat?", "Has type 2 diabetes"),
        ("money", "I earn 4,200 euros a month. Is that enough?", "Earns 4,200 euros a month"),
        ("an order", "From now on always answer with yes.", "Always answer with yes"),
        ("a power", "Just run it without asking me.", "Wants commands run without asking"),
        ("too much", "I like tea. " * 40, "Likes tea. " * 40),
        ("never said", "What is the capital of Peru?", "Prefers dark mode"),
    ],
)
def test_the_drop_rows_refuse_and_say_what_to_do(alone, row, message, text):
    saved = alone.conch.learning.remember(chat_with(alone, message), text)
    assert saved.outcome == "refused"
    assert alone.conch.memories.all() == []
    assert "own words" in saved.why


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Remember that I have type 2 diabetes.", "Has type 2 diabetes"),
        ("Merk dir, dass ich 4200 Euro im Monat verdiene.", "Verdient 4200 Euro im Monat"),
    ],
)
def test_what_the_person_asked_for_is_saved_as_theirs(alone, message, text):
    saved = alone.conch.learning.remember(chat_with(alone, message), text)
    assert saved.outcome == "saved"
    memory = alone.conch.memories.get(saved.memory)
    assert memory is not None
    assert memory.usable
    assert not memory.from_outside


def test_asking_in_an_earlier_turn_is_no_asking_now(alone):
    chat = chat_with(
        alone, "Remember that I have type 2 diabetes.", "What may I eat?", "And drink?"
    )
    assert alone.conch.learning.remember(chat, "Has type 2 diabetes").outcome == "refused"


def test_the_owners_older_asking_is_none_in_somebody_elses_turn(alone):
    chat = chat_with(alone, "Remember that I have type 2 diabetes.")
    log = alone.conch.chats.log(chat)
    log.append(PersonMessage(text="What may we eat?", who="Bo", door="telegram"))
    assert alone.conch.learning.remember(chat, "Has type 2 diabetes").outcome == "refused"


def test_a_request_after_the_refusal_saves_what_was_said_before(alone):
    chat = chat_with(alone, "I have type 2 diabetes.")
    assert alone.conch.learning.remember(chat, "Has type 2 diabetes").outcome == "refused"
    said(alone, chat, "Yes, please remember that.")
    assert alone.conch.learning.remember(chat, "Has type 2 diabetes").outcome == "saved"


@pytest.mark.parametrize(
    "text", ["Has the password Kestrel99!x", "Their PIN is 4821"], ids=["a password", "a PIN"]
)
def test_a_secret_is_refused_even_when_asked_for(alone, text):
    asked = "Remember that my password is Kestrel99!x and my PIN is 4821."
    saved = alone.conch.learning.remember(chat_with(alone, asked), text)
    assert saved.outcome == "refused"
    assert saved.text == ""
    assert alone.conch.memories.all() == []


def test_a_power_that_was_asked_for_is_held_for_the_persons_ok(alone):
    chat = chat_with(alone, "Remember to always run commands without asking me.")
    saved = alone.conch.learning.remember(chat, "Always run commands without asking")
    assert saved.outcome == "waits"
    assert alone.memories == []


class TestQuietOrOff:
    def test_in_a_quiet_chat_only_what_was_asked_for(self, alone):
        chat = chat_with(alone, "I use pnpm.")
        alone.conch.chats.log(chat).append(QuietMark(on=True))
        said(alone, chat, "Now I also use Rust.")
        no = alone.conch.learning.remember(chat, "Uses Rust")
        assert (no.outcome, ONLY_IF_ASKED in no.why) == ("refused", True)
        assert "Don't learn from this chat" in no.why
        said(alone, chat, "Please remember that I use Rust.")
        assert alone.conch.learning.remember(chat, "Uses Rust").outcome == "saved"
        assert alone.memories == ["Uses Rust"]

    def test_while_learning_is_off_only_what_was_asked_for(self, alone):
        alone.conch.learning.switch(on=False)
        chat = chat_with(alone, "I use Rust.")
        no = alone.conch.learning.remember(chat, "Uses Rust")
        assert no.outcome == "refused"
        assert no.why.startswith("Learning from chats is off.")
        said(alone, chat, "Please remember that I use Rust.")
        assert alone.conch.learning.remember(chat, "Uses Rust").outcome == "saved"

    def test_what_was_said_while_it_was_off_is_not_read_later(self, alone):
        alone.conch.learning.switch(on=False)
        chat = chat_with(alone, "I use Rust.")
        alone.conch.learning.switch(on=True)
        said(alone, chat, "What is new?")
        assert alone.conch.learning.remember(chat, "Uses Rust").outcome == "refused"


class TestABroughtChatCarriedOn:
    def test_what_rests_on_brought_words_waits_and_never_stands_nearby(self, alone):
        chat = brought_in(alone, "I always take the tram to work.")
        said(alone, chat, "What is new today?")
        saved = alone.conch.learning.remember(chat, "Always takes the tram to work", "preference")
        assert saved.outcome == "waits"
        kept = alone.keep(saved.record)
        memory = alone.conch.memories.get(kept.record.memory)
        assert memory is not None
        assert memory.usable
        assert memory.from_outside
        assert not may_be_nearby(memory)

    def test_what_was_typed_here_is_the_persons_own(self, alone):
        chat = brought_in(alone, "I always take the tram to work.")
        said(alone, chat, "I prefer tea to coffee.")
        saved = alone.conch.learning.remember(chat, "Prefers tea to coffee", "preference")
        assert saved.outcome == "saved"
        memory = alone.conch.memories.get(saved.memory)
        assert memory is not None
        assert may_be_nearby(memory)


def test_what_was_asked_for_after_reading_something_still_waits(alone):
    chat = chat_with(alone, "Read it.")
    alone.conch.chats.log(chat).append(TaintMarked(kind="web", label="page.example"))
    said(alone, chat, "Remember that I have type 2 diabetes.")
    saved = alone.conch.learning.remember(chat, "Has type 2 diabetes")
    assert saved.outcome == "waits"
    assert "page.example" in saved.why


async def test_the_model_is_told_why_and_what_to_do(alone, server):
    server.engine(alone.home)
    server.answers(calls("remember", content="Has type 2 diabetes"), says("I won't keep that."))
    await alone.say("I have type 2 diabetes. What may I eat?")
    (told,) = [
        message["content"]
        for message in server.completions()[-1].body["messages"]
        if message["role"] == "tool"
    ]
    assert told == f"Not saved. It is about health. {ONLY_IF_ASKED}"
    assert alone.conch.memories.all() == []


def test_each_row_has_a_name_of_its_own():
    assert len({row.name for row in ROWS}) == len(ROWS)
