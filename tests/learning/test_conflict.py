"""What a new statement replaces, and what it leaves alone."""

from datetime import UTC, datetime

import pytest

from conch.learning.conflict import conflicting, replacing, which_it_replaces
from conch.memory.memory import Memory

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def memories(*texts: str) -> list[Memory]:
    return [Memory(f"m{at}", text, "fact", "learning", NOON, NOON) for at, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Lives in Lisbon", "Lives in Berlin"),
        ("Moved to Lisbon in March", "Lives in Berlin"),
        ("Wohnt jetzt in Linz", "Wohnt in Graz"),
        ("Habite à Lille", "Habite à Nantes"),
        ("大阪に住んでいる", "札幌に住んでいる"),
        ("住在上海", "住在成都"),
        ("Живёт в Омске", "Живёт в Казани"),
        ("Works at Helio Labs", "Works at Nordwind"),
        ("Has three kids", "Has two kids"),
        ("Doesn't eat fish", "Eats fish"),
        ("Dog is called Max", "Dog is called Rex"),
        ("Sister lives in Rome", "Sister lives in Bari"),
        ("Standup is at 10:00", "Standup is at 9:45"),
        ("Prefers spaces over tabs", "Prefers tabs over spaces"),
    ],
)
def test_both_cannot_be_true(new: str, old: str):
    found = conflicting(new, memories("Likes tea", old))
    assert found is not None
    assert found.text == old


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Likes tea", "Likes coffee"),
        ("Sister lives in Lisbon", "Lives in Berlin"),
        ("Has a cat called Pixel", "Has a dog called Rex"),
        ("Lives in Berlin with Ann", "Lives in Berlin"),
        ("Also works at a bakery", "Works at Nordwind"),
        ("Speaks Polish", "Speaks German"),
        ("Used to live in Lisbon", "Lives in Berlin"),
        ("Wants to live in Lisbon", "Lives in Berlin"),
        ("Prefers dark mode", "Prefers tabs over spaces"),
        ("Has a meeting with Jo", "Has a meeting with Ann"),
        ("Cat is called Rex", "Dog is called Bruno"),
        ("Runs on Mondays", "Swims on Tuesdays"),
        ("Works at night", "Works at Nordwind"),
    ],
)
def test_both_may_be_true(new: str, old: str):
    assert conflicting(new, memories(old)) is None


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Yoga class is on Thursdays", "Goes to yoga on Mondays", True),
        ("Eats meat again", "Is vegetarian", True),
        ("Writes Go", "Partner is called Samira", False),
        ("Prefers pnpm", "Is allergic to nuts", False),
        ("Prefers pnpm", "Prefers dark mode", False),
    ],
)
def test_a_correction_replaces_what_is_about_the_same_thing(a: str, b: str, same: bool):
    assert (replacing(a, b, corrected=True) == "yes") is same


def test_of_many_memories_the_one_it_is_about_is_found():
    known = memories(
        "Lives in Berlin", "Partner is called Sam", "Uses Jenkins for deploys", "Likes tea"
    )
    for new, old in (
        ("Moved to Lisbon", "Lives in Berlin"),
        ("Switched deploys from Jenkins to Fly", "Uses Jenkins for deploys"),
    ):
        found = which_it_replaces(new, known)
        assert found is not None
        assert found.text == old


def test_a_statement_about_something_else_replaces_nothing():
    known = memories("Lives in Berlin", "Partner is called Sam", "Uses Jenkins for deploys")
    assert which_it_replaces("Collects stamps from Malta", known) is None
    assert which_it_replaces("Collects stamps from Malta", []) is None
