"""What is true beside a memory retires nothing; what changed still does (in fifteen languages)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

import pytest

from conch.learning.changes import Add, Said, Situation, Supersede
from conch.learning.gate import decide
from conch.learning.scope import scope_of
from conch.memory.memory import Memory
from conch.words.meaning import load_meaning

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)

meaning = cache(load_meaning)


def becomes(old: str, text: str, words: str, *, named: bool) -> tuple[str, str]:
    """The verdict, and what is retired or would be with a Keep."""
    known = Memory("m1", old, "fact", "learning", NOON, NOON)
    change = Supersede("m1", text, words) if named else Add(text, words)
    situation = Situation((Said(1, NOON, words, words),), memories=(known,))
    decision = decide(change, situation, meaning())
    return decision.verdict, decision.replaces


@pytest.mark.parametrize(
    "words",
    [
        "I use vim too",
        "I use vim as well",
        "Ich nutze auch vim",
        "J'utilise aussi vim",
        "Uso también vim",
        "Também uso vim",
        "Uso anche vim",
        "Ik gebruik ook vim",
        "Używam też vima",
        "Vim de kullanıyorum",
        "Я тоже использую vim",
        "vimも使っている",
        "我也用vim",
        "vim도 써요",
        "मैं vim भी इस्तेमाल करता हूँ",
        "أستخدم vim أيضا",
    ],
)
def test_as_well(words: str):
    assert scope_of(words).as_well


@pytest.mark.parametrize(
    "words",
    [
        "I use vim now",
        "It is too loud for me here",
        "Ich nutze jetzt vim",
        "J'utilise vim maintenant",
        "もう東京に住んでいる",
        "とても寒い",
        "也许",
        "제주도에 살아요",
        "그래도 vim을 써요",
        "अब भी दिल्ली में रहता हूँ",
    ],
)
def test_not_as_well(words: str):
    assert not scope_of(words).as_well


@pytest.mark.parametrize(
    "words",
    [
        "At work I use Windows",
        "Bei der Arbeit nutze ich Windows",
        "Au travail j'utilise Windows",
        "En el trabajo uso Windows",
        "No trabalho uso Windows",
        "Al lavoro uso Windows",
        "Op het werk gebruik ik Windows",
        "W pracy używam Windowsa",
        "İşte Windows kullanıyorum",
        "На работе я использую Windows",
        "仕事ではWindowsを使う",
        "上班时我用Windows",
        "회사에서는 윈도우를 써요",
        "काम पर मैं Windows इस्तेमाल करता हूँ",
        "في العمل أستخدم ويندوز",
        "On my laptop I use Windows",
    ],
)
def test_somewhere_only(words: str):
    assert scope_of(words).where


@pytest.mark.parametrize(
    "words",
    [
        "I live in Lisbon until June",
        "Ich wohne bis Juni in Lissabon",
        "J'habite à Lisbonne pour l'instant",
        "Vivo en Lisboa hasta junio",
        "Moro em Lisboa até junho",
        "Vivo a Lisbona fino a giugno",
        "Ik woon tijdelijk in Lissabon",
        "Mieszkam tymczasowo w Lizbonie",
        "Şimdilik Lizbon'da yaşıyorum",
        "Временно живу в Лиссабоне",
        "一時的にリスボンに住んでいる",
        "我暂时住在里斯本",
        "당분간 리스본에 살아요",
        "फिलहाल मैं लिस्बन में रहता हूँ",
        "أسكن في لشبونة مؤقتا",
        "This week I live in Lisbon",
    ],
)
def test_for_a_while_only(words: str):
    assert scope_of(words).passing


@pytest.mark.parametrize(
    "words",
    [
        "I live in Lisbon now",
        "I moved to Lisbon this week",
        "I've been living in Lisbon for two months",
        "Ich bin diese Woche nach Lissabon gezogen",
        "Ich wohne seit Juni in Lissabon",
        "Works from home",
    ],
)
def test_from_now_on(words: str):
    assert not scope_of(words).bounded


@pytest.mark.parametrize(
    "words",
    [
        "I live in Lisbon in my dreams",
        "Ich wohne in meinen Träumen in Lissabon",
        "J'habite à Lisbonne dans mes rêves",
        "Vivo en Lisboa en mis sueños",
        "Moro em Lisboa nos meus sonhos",
        "Vivo a Lisbona nei miei sogni",
        "Ik woon in mijn dromen in Lissabon",
        "Mieszkam w Lizbonie w moich snach",
        "Rüyamda Lizbon'da yaşıyorum",
        "В моих снах я живу в Лиссабоне",
        "夢の中ではリスボンに住んでいる",
        "在梦中我住在里斯本",
        "꿈에서 리스본에 살아요",
        "सपनों में मैं लिस्बन में रहता हूँ",
        "في أحلامي أسكن في لشبونة",
        "I live in Lisbon in the game",
    ],
)
def test_in_a_dream_or_a_game(words: str):
    assert scope_of(words).unreal


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(
    ("old", "text", "words"),
    [
        ("Works at Nordwind", "Works at a bakery", "I also work at a bakery"),
        ("Uses VS Code", "Uses vim", "I use vim too"),
        ("Uses Linux", "Uses Windows at work", "I use Windows at work now"),
        ("Prefers spaces over tabs", "Prefers tabs over spaces at work", "At work I prefer tabs "
         "over spaces"),
        ("Gets up at 6", "Gets up at 9 on weekends", "I get up at 9 on weekends"),
        ("Lives in Berlin", "Lives in Lisbon this month", "I live in Lisbon this month"),
        ("Lives in Berlin", "Sister lives in Lisbon", "My sister lives in Lisbon"),
    ],
)  # fmt: skip
def test_what_may_stand_beside_it_is_added(old: str, text: str, words: str, named: bool):
    assert becomes(old, text, words, named=named) == ("applied", "")


@pytest.mark.parametrize(
    ("old", "text", "words"),
    [
        ("Lives in Berlin", "Lives in Lisbon", "This week I live in Lisbon"),
        ("Uses Linux", "Uses Windows", "I use Windows at work now"),
        ("Prefers dark mode", "Prefers dark chocolate", "I prefer dark chocolate now"),
        ("Prefers short answers", "Prefers short hair", "I prefer short hair now"),
        ("Prefiere el modo oscuro", "Prefiere el chocolate oscuro", "Ahora prefiero el chocolate "
         "oscuro"),
    ],
)  # fmt: skip
def test_what_may_be_meant_of_something_else_waits(old: str, text: str, words: str):
    assert becomes(old, text, words, named=True)[0] == "waits"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Lives in Lisbon", "I live in Lisbon in my dreams"),
        ("Lives in Lisbon", "If I moved to Lisbon, I'd be happy"),
        ("Lives in Lisbon", "What if I moved to Lisbon?"),
        ("Moved to Lisbon", "My sister moved to Lisbon"),
    ],
)
def test_what_is_not_so_is_dropped(text: str, words: str):
    assert becomes("Lives in Berlin", text, words, named=True)[0] == "dropped"


@pytest.mark.parametrize(
    ("old", "text", "words"),
    [
        ("Lives in Berlin", "Lives in Lisbon", "I live in Lisbon now"),
        ("Lives in Berlin", "Moved to Lisbon", "I moved to Lisbon this week"),
        ("Lives in Berlin", "Lives in Lisbon", "I use vim too, and I live in Lisbon now"),
        ("Prefers dark mode", "Prefers light mode", "I prefer light mode now"),
        ("Prefers tabs at work", "Prefers spaces at work", "I prefer spaces at work now"),
        ("Drinks coffee in the morning", "Drinks tea in the morning", "I drink tea in the morning "
         "now"),
        ("Uses npm", "Uses pnpm", "I switched from npm to pnpm"),
        ("Drives a Golf", "Drives a Tesla", "I drive a Tesla now"),
    ],
)  # fmt: skip
def test_what_changed_is_replaced(old: str, text: str, words: str):
    assert becomes(old, text, words, named=True) == ("applied", "m1")
