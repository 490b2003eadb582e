"""What could be taken for another name, and what could not."""

from __future__ import annotations

import pytest

from conch.guard.near_names import could_be_taken_for, shape

NEAR = [
    ("paypal", "рауpаl", "Cyrillic letters"),
    ("paypal", "PayPaI", "a capital i for an l"),
    ("google-docs", "g00gle-docs", "zeros"),
    ("modern", "modem", "rn and m"),
    ("Mara Lund", "mara_lund", "marks and case"),
    ("deploy-web", "deploy-wed", "one letter changed"),
    ("deploy-web", "depoly-web", "two swapped"),
    ("weekly-report", "weekley-reports", "two slips in a long one"),
    ("résumé-check", "resume-check", "accents"),
    ("ｔｉｄｙ", "tidy", "full-width letters"),
    ("Ольга", "Олъга", "one letter in another script"),
]
APART = [
    ("send", "mend", "short names"),
    ("deploy-web", "deploy-app", "another word"),
    ("report-may", "report-june", "another month"),
    ("Ana", "Anna Berg", "another person"),
    ("", "", "nothing"),
    ("日本語", "中国語", "other characters"),
]


@pytest.mark.parametrize(("one", "other", "why"), NEAR, ids=[row[2] for row in NEAR])
def test_near(one, other, why):
    assert could_be_taken_for(one, other)
    assert could_be_taken_for(other, one)


@pytest.mark.parametrize(("one", "other", "why"), APART, ids=[row[2] for row in APART])
def test_apart(one, other, why):
    assert not could_be_taken_for(one, other)


@pytest.mark.parametrize("name", ["Mara Lund", "Раураl", "日本語", "", "\ud800"])
def test_a_shape_of_anything(name):
    assert isinstance(shape(name), str)
