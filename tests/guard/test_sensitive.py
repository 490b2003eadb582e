"""Health and money are never learned, in whatever words (spec 0088 §4)."""

import json
from pathlib import Path

import pytest

from conch.guard.sensitive import by_words, sensitive_topic
from conch.words.meaning import WordsOnly, load_meaning

CASES = Path(__file__).parents[1] / "cases" / "sensitive.jsonl"


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Takes sertraline every morning", "health"),
        ("Is a type 1 diabetic", "health"),
        ("Had chemotherapy in spring", "health"),
        ("Hat Depressionen", "health"),
        ("Est diabétique", "health"),
        ("Toma pastillas para la ansiedad", "health"),
        ("Heeft astma", "health"),
        ("Choruje na cukrzycę", "health"),
        ("Migreni var", "health"),
        ("У неё астма", "health"),
        ("うつ病の薬を飲んでいる", "health"),
        ("有高血压", "health"),
        ("당뇨가 있다", "health"),
        ("अस्थमा है", "health"),
        ("عنده السكري", "health"),
        ("Owes 14 thousand on the car", "money"),
        ("Mortgage is 1,100 a month", "money"),
        ("Charges 85 an hour", "money"),
        ("Verdient 4200 brutto", "money"),
        ("Salaire de 2400 euros", "money"),
        ("Ganha 5 mil por mês", "money"),
        ("年収は600万円", "money"),
        ("月薪两万", "money"),
        ("راتبه خمسة آلاف", "money"),
        ("Tаkes sertrаline", "health"),
        ("每天吃降压药", "health"),
        ("Ik slik altijd mijn pillen", "health"),
        ("Injects 20 units before dinner", "health"),
        ("Carries an EpiPen", "health"),
        ("Goes to AA meetings", "health"),
        ("My period is late", "health"),
        ("Prefers 50mg over 100mg", "health"),
        ("18 an hour at the café", "money"),
        ("Bekommt 17 die Stunde im Lager", "money"),
    ],
)
def test_by_words(text: str, topic: str):
    assert by_words(text) == topic


@pytest.mark.parametrize(
    "text",
    [
        "Is a Doctor Who fan",
        "Collects loan words from Turkish",
        "Works for a library that lends tools",
        "Works as a loan officer in a small town",
        "Translates papers on cancer research",
        "Works at a hospital",
        "Isn't allowed to eat nuts",
        "Is allergic to cats",
        "Is vegetarian",
        "Can't eat gluten",
        "Uses a password manager",
        "Camps on the bank of the river Wye",
        "Favourite board game is Operation",
        "Likes healthy recipes with beans",
        "Aime le pain au chocolat",
        "Uses AA batteries in the keyboard",
        "Favourite period is the Baroque",
        "Collects my period drama DVDs",
        "Reads 20 pages an hour",
        "Injects dependencies with Guice",
        "Teaches chemistry at a secondary school",
        "Plays in a band called Placebo Effect Tribute",
    ],
)
def test_what_only_sounds_alike_passes_both_looks(text: str):
    assert sensitive_topic(text, load_meaning()) is None


def sentences() -> list[dict]:
    return [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]


def test_by_meaning_where_no_word_of_a_list_is_said():
    """Most of what says it in other words is stopped, and most ordinary sentences are not."""
    meaning = load_meaning()
    asked = [row for row in sentences() if row["want"] != "none"]
    plain = [row for row in sentences() if row["want"] == "none"]
    stopped = sum(sensitive_topic(row["text"], meaning) is not None for row in asked)
    kept = sum(sensitive_topic(row["text"], meaning) is None for row in plain)
    assert stopped >= 0.9 * len(asked)
    assert kept >= 0.9 * len(plain)


def test_another_encoder_is_not_asked():
    assert sensitive_topic("Feels empty and cries most days", WordsOnly()) is None
