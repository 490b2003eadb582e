"""Durable words: what is true of the person in the next chat too, and what only looks so."""

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from conch.evals.kinds import run_cases
from conch.evals.scoring import scores_of
from conch.learning.durable import durable, durable_clues
from conch.words.cue_reading import read_cues

CASES = Path(__file__).parents[1] / "cases"
NEUTRAL = "The report covers revenue and cost across regions. "

DURABLE = {
    "spec 2": ["I always sit by the window", "I never eat meat", "I prefer tabs", "call me Jo"],
    "beside a question": [
        "I live in Berlin. What is the weather like?",
        "I'm vegan, what can I cook with leeks?",
        "我住在杭州。天气怎么样？",
        "J'habite à Nantes. Quel temps fait-il ?",
    ],
    "by the way": [
        "By the way, I live in Berlin",
        "Übrigens bin ich Veganer",
        "a proposito, sono vegetariana",
        "Thanks! By the way I only have an induction stove",
    ],
    "plain statements": [
        "I have two cats",
        "we use pnpm here",
        "I'm 41",
        "I still use a Nokia from 2009",
        "My English isn't great, keep it simple",
        "I prefer café au lait",
    ],
    "the family": [
        "My wife is vegan",
        "my partner's name is Samira and she hates surprises",
        "mia moglie è allergica alle noci",
        "मेरी पत्नी का नाम रेखा है",
    ],
    "a pronoun in the verb": [
        "vivo en Valencia",
        "mieszkam we Wrocławiu",
        "Ankara'da yaşıyorum",
        "고양이 두 마리를 키워요",
        "大阪に住んでいます",
        "أعيش في عمان",
        "main delhi me rehta hoon",
    ],
    "somebody else beside it": ["My mum lives with us", "My boss is called Ruth"],
}
NOT_DURABLE = {
    "a question": [
        "What do most people in Norway prefer for breakfast",
        "do I always need to restart after an update?",
        "My sister lives in Berlin??",
        "Does my landlord live in the building?",
    ],
    "trouble": [
        "I always get this error when I run npm ci",
        "My laptop always freezes when I open Zoom",
        "der Server ist immer langsam",
        "у меня всегда вылетает игра на этом уровне",
    ],
    "for now": [
        "I prefer the second one",
        "I'd rather go with B for this chapter",
        "i work late today",
    ],
    "a wish": ["I want to live in a house someday, draw one", "I need to call my mother"],
    "hypothetical": [
        "If I lived in Tokyo, what would my commute be",
        "Suppose I prefer red, which would you pick",
        "假如我住在北京，上班要多久？",
        "si viviera en Tokio, ¿cuánto pagaría?",
    ],
    "role-play": [
        "pretend I'm your landlord. I live upstairs and I hate noise",
        "act as my customer: you live in Leeds and you hate waiting",
        "In my novel I live on a ship and I never sleep",
    ],
    "words about": [
        "Translate: I work in a hospital and I have two cats",
        "what does I live for this mean in latin",
    ],
    "somebody else's": [
        "my boss always wants the report in PDF, how do I export it",
        "my partner wants to know if the museum is open",
        "My friend prefers Android",
        "mein Kollege trinkt nur Tee, was schenke ich ihm",
        "同僚は紅茶が好きです",
    ],
    "cue-like words of tasks": [
        "the live server is down",
        "never mind",
        "the function never returns",
        "call me a taxi",
        "ask my wife if she is free tonight",
        "We should always validate input",
    ],
    "what one has before one": [
        "I have a csv with two columns. Sum the second one.",
        "We have an error in production",
        "I updated the file",
    ],
    "nothing": ["", "   ", "?!", "hi"],
}


def _rows(table: dict[str, list[str]]) -> list[ParameterSet]:
    return [
        pytest.param(text, id=f"{kind}: {text}") for kind, some in table.items() for text in some
    ]


@pytest.mark.parametrize("text", _rows(DURABLE))
def test_is_durable(text: str) -> None:
    assert durable(text)


@pytest.mark.parametrize("text", _rows(NOT_DURABLE))
def test_is_not_durable(text: str) -> None:
    assert not durable(text)


@pytest.mark.parametrize(
    "text",
    [
        "I prefer tea. " + NEUTRAL * 70,
        NEUTRAL * 300 + "I prefer tea.",
        NEUTRAL * 35 + "I prefer tea. " + NEUTRAL * 35,
    ],
    ids=["at the start", "at the end", "in the middle"],
)
def test_one_durable_sentence_of_a_long_message_is_enough(text: str) -> None:
    assert durable(text)


def test_a_pronoun_in_one_sentence_and_a_cue_in_another_do_not_add_up() -> None:
    assert not durable("I ran the job. The scheduler always picks the oldest task. Show it to me.")


def test_the_clues_say_why() -> None:
    clues = durable_clues(read_cues("Show the log. I live in Oslo."))
    assert "lives" not in clues[0]
    assert clues[1]["lives"] == 1.0


@pytest.mark.parametrize(
    ("file", "english", "others"),
    [
        ("signals.jsonl", 0.96, 0.97),
        ("signals_own.jsonl", 0.93, 0.93),
        ("thanks_durable.jsonl", 0.97, 0.97),
    ],
)
def test_labelled_messages(file: str, english: float, others: float) -> None:
    outcomes = run_cases("signals", CASES / file).outcomes
    in_english = scores_of(one for one in outcomes if one.lang == "en")["durable"]
    elsewhere = scores_of(one for one in outcomes if one.lang != "en")["durable"]
    assert in_english.f1 >= english
    assert elsewhere.f1 >= others


@pytest.mark.parametrize("file", ["signals.jsonl", "signals_own.jsonl", "thanks_durable.jsonl"])
def test_hardly_a_message_that_says_nothing_is_taken_for_durable_or_thanks(file: str) -> None:
    none = [one for one in run_cases("signals", CASES / file).outcomes if one.want == ("none",)]
    taken = [one for one in none if {"durable", "thanks"} & set(one.got) - set(one.optional)]
    assert len(taken) <= 0.02 * len(none)
