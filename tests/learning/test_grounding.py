"""A change rests on the person's own words, in every script (spec 0088 §4)."""

from datetime import UTC, datetime

import pytest

from conch.learning.changes import Said
from conch.learning.grounding import ANOTHER_LANGUAGE, grounded
from conch.words.prose import own_prose

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def said(*messages: str) -> tuple[Said, ...]:
    return tuple(
        Said(seq, NOON, text, own_prose(text).text) for seq, text in enumerate(messages, start=1)
    )


@pytest.mark.parametrize(
    ("words", "quote", "text"),
    [
        ("I prefer “quiet” hotels!", 'i prefer "quiet" hotels', "Prefers quiet hotels"),
        ("I don’t drink coffee", "I don't drink coffee", "Doesn't drink coffee"),
        ("I prefer cafe\u0301 au lait", "I prefer café au lait", "Prefers café au lait"),
        ("我吃素", "我吃素", "吃素"),
        ("猫派です", "猫派です", "猫派"),
        ("毎朝７時に起きます", "毎朝7時に起きます", "毎朝7時に起きる"),
        ("ฉันอยู่เชียงใหม่", "ฉันอยู่เชียงใหม่", "อยู่เชียงใหม่"),
        ("저는 부산에 살아요", "저는 부산에 살아요", "부산에 산다"),
        ("moro em Recife", "moro em Recife", "Mora em Recife"),
        ("Ankara'da yaşıyorum", "Ankara'da yaşıyorum", "Ankara'da yaşıyor"),
        ("I like tea but not coffee", "I like tea", "Likes tea"),
        ("I lived in Ghent, now I live in Delft", "now I live in Delft", "Lives in Delft"),
    ],
)
def test_words_that_were_said_ground(words: str, quote: str, text: str):
    found = grounded(quote, text, said("hello", words))
    assert (found.ok, found.seq, found.reason) == (True, 2, "")


@pytest.mark.parametrize(
    ("words", "quote", "text", "why"),
    [
        ("I like jazz", "", "Likes jazz", "It rests on no words of yours."),
        ("I like jazz", "I", "Likes jazz", "It rests on no words of yours."),
        ("I like jazz", "jazz", "Likes jazz", "It rests on no words of yours."),
        ("I concatenate it all", "cat it all", "Has a cat", "aren't in what you said"),
        ("I like jazz", "I like opera", "Likes opera", "aren't in what you said"),
        ("I do not like Berlin", "like Berlin", "Likes Berlin", "leave out"),
        ("Ich mag Berlin nicht", "Ich mag Berlin", "Mag Berlin", "leave out"),
        ("if I lived in Oslo", "I lived in Oslo", "Lives in Oslo", "supposing"),
        ("should I use Svelte?", "I use Svelte", "Uses Svelte", "asking"),
        ("I used to live in Ghent", "live in Ghent", "Lives in Ghent", "of the past"),
        ("I might move to Basel", "move to Basel", "Lives in Basel", "weren't sure"),
        ("my sister loves opera", "loves opera", "Loves opera", "somebody else"),
        ("moro em Recife", "moro em Recife", "Lives in Recife", ANOTHER_LANGUAGE),
        ("I live near the sea", "I live near the sea", "Speaks Polish", "shares no word"),
        ("I have 2 kids", "I have 2 kids", "Has 12 kids", "a number you never said"),
        ("I like tea", "I like tea", "Likes tea with Paul", "a name you never said"),
        ("I like tea", "I like tea", "Likes tea from x.example", "an address"),
        ("I like tea", "I like tea", "Likes tea <b>", "markup"),
        ("I like cats", "I like cats", "Doesn't like cats", "the opposite"),
        ("東京に住んでいます", "東京に住んでいます", "大阪に住んでいる", "names what you never"),
    ],
)
def test_words_that_do_not_carry_the_memory_are_refused(
    words: str, quote: str, text: str, why: str
):
    found = grounded(quote, text, said(words))
    assert not found.ok
    assert why in found.reason


@pytest.mark.parametrize(
    "message",
    [
        "> I prefer nano\nwhat does he mean?",
        "```\nI prefer nano\n```\nfix this",
    ],
    ids=["quoted mail", "code"],
)
def test_only_the_persons_own_prose_grounds(message: str):
    assert not grounded("I prefer nano", "Prefers nano", said(message)).ok


def test_a_quote_stitched_from_two_messages_does_not_ground():
    told = said("I prefer tea", "in the morning only")
    assert not grounded("I prefer tea in the morning", "Prefers tea in the morning", told).ok


def test_a_date_worked_out_from_next_month_is_no_strange_number():
    told = said("I'm moving house next month")
    assert grounded("I'm moving house next month", "Is moving house in January 2027", told).ok
    assert not grounded("I'm moving house next month", "Is moving house in 1999", told).ok


def test_letters_that_look_alike_and_hidden_ones_make_no_difference():
    told = said("I like gr\u0435en t\u200bea")
    assert grounded("I like green tea", "Likes green tea", told).ok


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("I love jazz", "Hates jazz"),
        ("I hate jazz", "Loves jazz"),
        ("Ich mag Hunde", "Hasst Hunde"),
        ("j'aime le jazz", "Déteste le jazz"),
        ("me gusta el jazz", "Odia el jazz"),
        ("adoro jazz", "Odeia jazz"),
        ("mi piace il jazz", "Odia il jazz"),
        ("Ik hou van jazz", "Haat jazz"),
        ("Lubię jazz", "Nienawidzi jazzu"),
        ("Kedileri severim", "Kedilerden nefret eder"),
        ("Я люблю джаз", "Ненавидит джаз"),
        ("أحب القهوة كثيرا", "يكره القهوة"),
        ("मुझे जैज़ पसंद है", "जैज़ से नफ़रत है"),
        ("犬が好きです", "犬が嫌い"),
        ("我喜欢爵士乐", "讨厌爵士乐"),
        ("고양이를 좋아해요", "고양이를 싫어함"),
    ],
)
def test_liking_is_no_ground_for_disliking(words: str, text: str):
    assert grounded(words, text, said(words)).reason == "It says the opposite of what you said."


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("I hate jazz", "Hates jazz"),
        ("I don't like jazz", "Dislikes jazz"),
        ("I love cats but hate dogs", "Hates dogs"),
        ("no me gusta el ajo", "Odia el ajo"),
        ("辛いものは好きじゃない", "辛いものが嫌い"),
        ("나는 매운 음식을 싫어해", "매운 음식을 싫어함"),
    ],
)
def test_disliking_grounds_disliking(words: str, text: str):
    assert grounded(words, text, said(words)).ok
