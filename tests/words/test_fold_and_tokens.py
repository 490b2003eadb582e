from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conch.words.fold import fold, strip_marks
from conch.words.stems import same_word, stem
from conch.words.tokens import content_tokens, shares_a_word, tokens


@pytest.mark.parametrize(
    ("typed", "folded"),
    [
        pytest.param("  Don’t  ", "don't", id="apostrophes and blanks"),
        pytest.param("don´t", "don't", id="an accent as apostrophe"),
        pytest.param("“Café” – naïve", '"cafe" - naive', id="accents, quotes, dashes"),
        pytest.param("STRASSE Straße", "strasse strasse", id="sharp s"),
        pytest.param("İzmir ıssız", "izmir issiz", id="Turkish i"),
        pytest.param("Ёлка й", "елка и", id="Cyrillic marks"),
        pytest.param("ﬁne ｆｕｌｌ", "fine full", id="ligatures and width"),
        pytest.param("a\u200bb\u202ec\u2066d", "abcd", id="invisible characters"),
        pytest.param("أُحِبُّ القهوةـ", "احب القهوة", id="Arabic vowels and alefs"),
        pytest.param("१२३ ٤٥", "123 45", id="digits of other scripts"),
        pytest.param("が ガ", "が ガ", id="Japanese voicing stays"),
        pytest.param("ที่", "ที่", id="Thai tones stay"),
        pytest.param("मैं", "मैं", id="Devanagari vowels stay"),
        pytest.param("a\ud800b", "ab", id="lone surrogates"),
    ],
)
def test_fold(typed: str, folded: str) -> None:
    assert fold(typed) == folded


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(text)
    assert fold(once) == once


@given(st.text(alphabet=string.printable))
def test_folding_plain_text_is_lowering_and_blanks(text: str) -> None:
    assert fold(text) == " ".join(text.lower().replace("`", "'").split())


def test_strip_marks_keeps_case() -> None:
    assert strip_marks("Éva Łódź") == "Eva Łodz"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("Doesn't eat 2 eggs", ["does", "not", "eat", "2", "eggs"], id="contractions"),
        pytest.param("can't, won't", ["can", "not", "will", "not"], id="irregular ones"),
        pytest.param("l'été à Nice", ["l", "ete", "a", "nice"], id="elision"),
        pytest.param("C++ and C#", ["c++", "and", "c#"], id="names with signs"),
        pytest.param("at 7:30, 3.5 km", ["at", "7:30", "3.5", "km"], id="numbers"),
        pytest.param("猫が好き", ["猫が", "が好", "好き"], id="Japanese pairs"),
        pytest.param("猫 2匹", ["猫", "2", "匹"], id="a lone character"),
        pytest.param("我不吃肉", ["我不", "不吃", "吃肉"], id="Chinese pairs"),
        pytest.param("मुझे चाय नहीं", ["मुझे", "चाय", "नहीं"], id="Hindi words stay whole"),
        pytest.param("가지 않아요", ["가지", "않아요"], id="Korean words"),
    ],
)
def test_tokens(text: str, words: list[str]) -> None:
    assert tokens(text) == words


def test_thai_characters_keep_their_marks() -> None:
    assert all(not word.startswith(("\u0e34", "\u0e48")) for word in tokens("กินข้าวที่บ้าน"))


def test_content_leaves_small_words_out_and_keeps_numbers() -> None:
    assert content_tokens("I have the 3 cats of my sister") == ["3", "cats", "sister"]
    assert content_tokens("Ich bin in der Stadt") == ["stadt"]


@pytest.mark.parametrize(
    ("a", "b", "shared"),
    [
        pytest.param("I moved to Lisbon", "Lives in Lisbon", True, id="a place"),
        pytest.param("I am in it", "It is in the", False, id="small words only"),
        pytest.param("preferring tabs", "Prefers tabs", True, id="word forms"),
        pytest.param("I've got 2", "has 2", True, id="a number"),
        pytest.param("Ich hasse Termine", "Mag keinen Termin", True, id="German forms"),
        pytest.param("猫を飼っている", "猫が好き", True, id="one character in Japanese"),
        pytest.param("私は医者です", "東京に住んでいます", False, id="Japanese, nothing shared"),
        pytest.param("ฉันชอบกินข้าวผัด", "ชอบข้าวผัด", True, id="Thai"),
        pytest.param("ฉันทำงานที่ธนาคาร", "ชอบดูหนัง", False, id="Thai, nothing shared"),
        pytest.param("부산에 살아요", "부산에서 일한다", True, id="Korean particles"),
        pytest.param("أسكن في طنجة", "يعيش في طنجة", True, id="Arabic"),
        pytest.param("", "anything", False, id="nothing"),
    ],
)
def test_shares_a_word(a: str, b: str, shared: bool) -> None:
    assert shares_a_word(a, b) is shared
    assert shares_a_word(b, a) is shared


def test_stems_join_forms_of_a_word() -> None:
    assert stem("lives") == stem("lived") == stem("living")
    assert same_word("preferred", "prefers")
    assert not same_word("kitten", "kitchen")
    assert not same_word("2", "3")


@given(st.text(max_size=60))
def test_any_text_has_tokens_that_are_in_its_folded_form(text: str) -> None:
    for word in content_tokens(text):
        assert word
