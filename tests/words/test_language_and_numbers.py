from __future__ import annotations

import pytest

from conch.words.language import likely_language, likely_languages
from conch.words.names import names
from conch.words.negation import negated
from conch.words.numbers import numbers
from conch.words.opposites import opposed


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no, I meant the other one", "en"),
        ("Ich wohne jetzt in Köln", "de"),
        ("je préfère le thé", "fr"),
        ("no, quería decir el otro", "es"),
        ("não, eu quis dizer o outro", "pt"),
        ("abito a Siena con mia moglie", "it"),
        ("nee, ik bedoelde de andere", "nl"),
        ("nie, chodziło mi o drugi", "pl"),
        ("hayır, onu demek istemedim", "tr"),
        ("нет, я имел в виду другой", "ru"),
        ("札幌に住んでいる", "ja"),
        ("我不吃肉", "zh"),
        ("부산에 살아요", "ko"),
        ("मुझे चाय पसंद है", "hi"),
        ("أسكن في طنجة", "ar"),
        ("ฉันชอบกินข้าวผัด", "th"),
        ("de la гор", None),
        ("12:30 ???", None),
        ("", None),
    ],
)
def test_likely_language(text: str, code: str | None) -> None:
    if text == "de la гор":
        assert likely_language(text) in (None, "fr", "es")
    else:
        assert likely_language(text) == code


def test_no_language_is_named_when_several_fit_equally() -> None:
    assert likely_language("zzz qqq") is None
    assert likely_languages("zzz qqq") == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("twenty-one cats and 3 dogs", ("21", "3")),
        ("two hundred and five pages", ("205",)),
        ("1,000 fish, 1.000 Fische", ("1000", "1000")),
        ("3,5 km or 3.5 km", ("3.5", "3.5")),
        ("einundzwanzig Katzen sind nett", ("21",)),
        ("il a quatre-vingt-dix ans", ("90",)),
        ("tiene veintidós gatos", ("22",)),
        ("tem dois gatos", ("2",)),
        ("ha ventotto anni", ("28",)),
        ("ma dwóch synów", ("2",)),
        ("у неё тридцать пять книг", ("35",)),
        ("三十二个苹果", ("32",)),
        ("二〇二六年", ("2026",)),
        ("猫を二匹飼う", ("2",)),
        ("고양이 두 마리", ("2",)),
        ("दो बिल्लियाँ", ("2",)),
        ("ثلاثة أولاد", ("3",)),
        ("no numbers here", ()),
        ("一般", ()),
    ],
)
def test_numbers(text: str, found: tuple[str, ...]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "I don't eat meat",
        "dont like it",
        "No dairy",
        "works without sugar",
        "isst kein Fleisch",
        "ne mange jamais le soir",
        "nunca bebo café",
        "não gosto disso",
        "non mi piace",
        "eet geen vlees",
        "nie lubię oliwek",
        "kahve içmiyorum ben",
        "не люблю оливки",
        "肉を食べない",
        "お酒は飲みません",
        "不吃肉",
        "고기를 안 먹어요",
        "먹지 않아요",
        "मांस नहीं खाता",
        "لا أحب القهوة",
    ],
)
def test_negated(text: str) -> None:
    assert negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "I eat meat",
        "no problem, I eat everything",
        "Moro no Porto com a minha mãe",
        "isst gern Fleisch",
        "mange le soir avec plaisir",
        "bebo café con leche",
        "肉を食べる",
        "時間が少ない",
        "非常喜欢",
        "特别好",
        "안녕하세요",
        "люблю оливки",
    ],
)
def test_not_negated(text: str) -> None:
    assert not negated(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Moved to Lisbon with Anna. She uses TypeScript", ("Lisbon", "Anna", "TypeScript")),
        ("Uses an M4 and GPT-5", ("M4", "GPT-5")),
        ("the cat sleeps", ()),
        ("Likes tea", ()),
        ("田中さんとトヨタで働く", ("トヨタ", "田中")),
        ("李老师教数学", ("李",)),
    ],
)
def test_names(text: str, found: tuple[str, ...]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    ("a", "b", "opposite"),
    [
        ("Likes olives", "Hates olives", True),
        ("Likes olives", "Loves olives", False),
        ("Mag Oliven", "Hasst Oliven", True),
        ("海が好き", "海が嫌い", True),
        ("Wants short answers", "Wants long answers", True),
        ("Likes long hikes and short mails", "Likes long hikes", False),
    ],
)
def test_opposed(a: str, b: str, opposite: bool) -> None:
    assert opposed(a, b) is opposite
    assert opposed(b, a) is opposite
