"""A question is no statement, nor is what somebody or something else says of the person.

Neither a look nor the assistant's `remember` learns from such words, and a memory from outside does
not become the person's own by them (spec 0088 §4, §7).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from conch.chats.events import PersonMessage, TurnCompleted
from conch.guard.check import CheckContext
from conch.learning.changes import Add, Said, Situation
from conch.learning.gate import decide
from conch.learning.stating import statements
from conch.memory.memory import Memory
from conch.words.prose import own_prose
from living import Living

ASKED_OR_REPORTED = [
    ("Is it true that I prefer dark mode?", "I prefer dark mode", "Prefers dark mode"),
    ("is it true that I prefer dark mode", "I prefer dark mode", "Prefers dark mode"),
    ("Does the page say I live in Oslo?", "I live in Oslo", "Lives in Oslo"),
    ("Why does it say that I live in Oslo?", "I live in Oslo", "Lives in Oslo"),
    ("LinkedIn says I live in Lisbon", "I live in Lisbon", "Lives in Lisbon"),
    ("Tom thinks I prefer tea", "I prefer tea", "Prefers tea"),
    ("The page claims that I work at Aker.", "I work at Aker", "Works at Aker"),
    ("Stimmt es, dass ich in Oslo wohne?", "ich in Oslo wohne", "Wohnt in Oslo"),
    ("Steht da, dass ich in Oslo wohne?", "ich in Oslo wohne", "Wohnt in Oslo"),
    ("LinkedIn sagt, ich wohne in Oslo", "ich wohne in Oslo", "Wohnt in Oslo"),
    ("Laut LinkedIn wohne ich in Oslo", "wohne ich in Oslo", "Wohnt in Oslo"),
    ("Est-ce vrai que j'habite à Oslo ?", "j'habite à Oslo", "Habite à Oslo"),
    ("LinkedIn dit que j'habite à Oslo", "j'habite à Oslo", "Habite à Oslo"),
    ("¿Es verdad que vivo en Oslo?", "vivo en Oslo", "Vive en Oslo"),
    ("LinkedIn dice que vivo en Oslo", "vivo en Oslo", "Vive en Oslo"),
    ("É verdade que moro em Oslo?", "moro em Oslo", "Mora em Oslo"),
    ("O LinkedIn diz que moro em Oslo", "moro em Oslo", "Mora em Oslo"),
    ("È vero che vivo a Oslo?", "vivo a Oslo", "Vive a Oslo"),
    ("LinkedIn dice che vivo a Oslo", "vivo a Oslo", "Vive a Oslo"),
    ("Klopt het dat ik in Oslo woon?", "ik in Oslo woon", "Woont in Oslo"),
    ("LinkedIn zegt dat ik in Oslo woon", "ik in Oslo woon", "Woont in Oslo"),
    ("Czy to prawda, że mieszkam w Oslo?", "mieszkam w Oslo", "Mieszka w Oslo"),
    ("czy ja mieszkam w Oslo", "mieszkam w Oslo", "Mieszka w Oslo"),
    ("LinkedIn twierdzi, że mieszkam w Oslo", "mieszkam w Oslo", "Mieszka w Oslo"),
    (
        "Karanlık modu mu tercih ediyorum?",
        "Karanlık modu mu tercih ediyorum",
        "Karanlık modu tercih ediyor",
    ),
    ("ben Oslo'da mı yaşıyorum", "ben Oslo'da mı yaşıyorum", "Oslo'da yaşıyor"),
    ("LinkedIn Oslo'da yaşadığımı söylüyor", "Oslo'da yaşadığımı", "Oslo'da yaşıyor"),
    ("Правда, что я живу в Осло?", "я живу в Осло", "Живёт в Осло"),
    ("живу ли я в Осло", "живу ли я в Осло", "Живёт в Осло"),
    ("LinkedIn пишет, что я живу в Осло", "я живу в Осло", "Живёт в Осло"),
    ("私はオスロに住んでいますか", "私はオスロに住んでいます", "オスロに住んでいる"),
    ("私がオスロに住んでいるって本当？", "私がオスロに住んでいる", "オスロに住んでいる"),
    (
        "リンクトインには私がオスロに住んでいると書いてある",
        "私がオスロに住んでいる",
        "オスロに住んでいる",
    ),
    ("我住在奥斯陆吗", "我住在奥斯陆", "住在奥斯陆"),
    ("我真的住在奥斯陆吗？", "我真的住在奥斯陆", "住在奥斯陆"),
    ("领英上说我住在奥斯陆", "我住在奥斯陆", "住在奥斯陆"),
    ("내가 오슬로에 사나요", "내가 오슬로에 사나요", "오슬로에 산다"),
    ("내가 오슬로에 산다는 게 사실이야?", "내가 오슬로에 산다는", "오슬로에 산다"),
    ("링크드인에 내가 오슬로에 산다고 나와", "내가 오슬로에 산다고", "오슬로에 산다"),
    ("क्या मैं ओस्लो में रहता हूँ", "मैं ओस्लो में रहता हूँ", "ओस्लो में रहता है"),
    ("लिंक्डइन कहता है कि मैं ओस्लो में रहता हूँ", "मैं ओस्लो में रहता हूँ", "ओस्लो में रहता है"),
    ("هل أعيش في أوسلو", "أعيش في أوسلو", "يعيش في أوسلو"),
    ("هل صحيح أنني أعيش في أوسلو؟", "أنني أعيش في أوسلو", "يعيش في أوسلو"),
    ("لينكد إن يقول إنني أعيش في أوسلو", "إنني أعيش في أوسلو", "يعيش في أوسلو"),
]
STATED = [
    ("I live in Oslo. Is there a good bank?", "I live in Oslo", "Lives in Oslo"),
    ("Can you recommend a bank, I live in Oslo?", "I live in Oslo", "Lives in Oslo"),
    ("I said that I live in Oslo", "I live in Oslo", "Lives in Oslo"),
    ("Ich wohne in Oslo, kennst du eine gute Bank?", "Ich wohne in Oslo", "Wohnt in Oslo"),
    ("Kannst du eine Bank empfehlen, ich wohne in Oslo?", "ich wohne in Oslo", "Wohnt in Oslo"),
    ("Ich sagte doch, ich wohne in Oslo", "ich wohne in Oslo", "Wohnt in Oslo"),
    ("Ich habe gesagt, dass ich in Oslo wohne", "ich in Oslo wohne", "Wohnt in Oslo"),
    ("J'habite à Oslo, tu connais une bonne banque ?", "J'habite à Oslo", "Habite à Oslo"),
    ("J'ai dit que j'habite à Oslo", "j'habite à Oslo", "Habite à Oslo"),
    ("Vivo en Oslo, ¿conoces un buen banco?", "Vivo en Oslo", "Vive en Oslo"),
    ("Ya te dije que vivo en Oslo", "vivo en Oslo", "Vive en Oslo"),
    ("Moro em Oslo, conheces um bom banco?", "Moro em Oslo", "Mora em Oslo"),
    ("Vivo a Oslo, conosci una buona banca?", "Vivo a Oslo", "Vive a Oslo"),
    ("Ik woon in Oslo, ken je een goede bank?", "Ik woon in Oslo", "Woont in Oslo"),
    ("Ik zei dat ik in Oslo woon", "ik in Oslo woon", "Woont in Oslo"),
    ("Mieszkam w Oslo, znasz dobry bank?", "Mieszkam w Oslo", "Mieszka w Oslo"),
    ("Mówię, że mieszkam w Oslo", "mieszkam w Oslo", "Mieszka w Oslo"),
    ("Oslo'da yaşıyorum, iyi bir banka var mı?", "Oslo'da yaşıyorum", "Oslo'da yaşıyor"),
    ("Я живу в Осло, есть ли хороший банк?", "Я живу в Осло", "Живёт в Осло"),
    ("Я же говорю, я живу в Осло", "я живу в Осло", "Живёт в Осло"),
    (
        "私はオスロに住んでいます。いい銀行はありますか？",
        "私はオスロに住んでいます",
        "オスロに住んでいる",
    ),
    ("我住在奥斯陆，有好的银行吗？", "我住在奥斯陆", "住在奥斯陆"),
    ("我说我住在奥斯陆", "我住在奥斯陆", "住在奥斯陆"),
    ("나는 오슬로에 살아. 좋은 은행 있어?", "나는 오슬로에 살아", "오슬로에 산다"),
    ("मैं ओस्लो में रहता हूँ, क्या कोई अच्छा बैंक है?", "मैं ओस्लो में रहता हूँ", "ओस्लो में रहता है"),
    ("أعيش في أوسلو، هل هناك بنك جيد؟", "أعيش في أوسلو", "يعيش في أوسلو"),
]


@pytest.fixture
def alone(tmp_path) -> Living:
    return Living(tmp_path / "home")


def chat_with(living: Living, message: str) -> str:
    chat = living.conch.chats.new()
    log = living.conch.chats.log(chat)
    log.append(PersonMessage(text=message))
    log.append(TurnCompleted(outcome="success", engine="practice"))
    return chat


def from_outside(living: Living, text: str) -> Memory:
    now = living.home.clock.now()
    memory = Memory(
        id="m_outside", text=text, kind="fact", source="import", created=now, updated=now
    )
    memory = replace(memory, provenance=replace(memory.provenance, yours=False))
    memory, data = living.conch.memories.plan(memory, CheckContext(via="import"))
    living.conch.memories.write_planned(memory.id, data)
    return memory


@pytest.mark.parametrize(("message", "quote", "text"), ASKED_OR_REPORTED)
def test_a_look_drops_what_is_asked_or_reported(message: str, quote: str, text: str) -> None:
    assert _verdict(message, quote, text) == "dropped"


@pytest.mark.parametrize(("message", "quote", "text"), STATED)
def test_a_look_learns_what_is_stated_beside_a_question(
    message: str, quote: str, text: str
) -> None:
    assert _verdict(message, quote, text) == "applied"


def _verdict(message: str, quote: str, text: str) -> str:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    said = (Said(1, at, message, own_prose(message).text, ()),)
    return decide(Add(text, quote), Situation(said=said)).verdict


def test_remember_saves_nothing_of_what_is_asked_or_reported(alone: Living) -> None:
    outcomes = {
        message: alone.conch.learning.remember(chat_with(alone, message), text).outcome
        for message, _, text in ASKED_OR_REPORTED
    }
    assert {message for message, outcome in outcomes.items() if outcome != "refused"} == set()
    assert alone.conch.memories.all() == []


def test_remember_saves_what_is_stated_beside_a_question(alone: Living) -> None:
    message, _, text = STATED[0]
    assert alone.conch.learning.remember(chat_with(alone, message), text).outcome == "saved"


def test_what_a_question_takes_for_granted_may_be_remembered(alone: Living) -> None:
    chat = chat_with(alone, "What can I cook as a vegan?")
    assert alone.conch.learning.remember(chat, "Is a vegan cook").outcome == "saved"


@pytest.mark.parametrize(("message", "text"), [(row[0], row[2]) for row in ASKED_OR_REPORTED])
def test_a_question_makes_nothing_from_outside_the_persons_own(
    alone: Living, message: str, text: str
) -> None:
    memory = from_outside(alone, text)
    assert alone.conch.learning.remember(chat_with(alone, message), text).outcome != "refused"
    found = alone.conch.memories.get(memory.id)
    assert found is not None
    assert found.from_outside


def test_a_statement_does(alone: Living) -> None:
    memory = from_outside(alone, "Prefers dark mode")
    chat = chat_with(alone, "I prefer dark mode. Is it true that the page has it?")
    alone.conch.learning.remember(chat, "Prefers dark mode")
    found = alone.conch.memories.get(memory.id)
    assert found is not None
    assert not found.from_outside


def test_only_the_clauses_that_state_something_are_statements() -> None:
    prose = "I work at Aker, do you know it? The page says I live in Oslo. I drink tea."
    assert statements(prose) == "I work at Aker\nI drink tea"
