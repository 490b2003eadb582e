"""A language is added by a TOML file and a case file alone: shown with one that does not exist."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from conch.evals.kinds import run_cases
from conch.words.language import likely_language
from conch.words.lexicon import lexicons, lexicons_beside, phrases
from conch.words.likeness import same
from conch.words.negation import negated
from conch.words.numbers import numbers
from conch.words.prose import own_prose

ZUNTISH = """
language = "qz"
name = "Zuntish"
script = "Latn"

[words]
function = ["zu", "vla", "omp", "irr", "kel", "zib"]
negation = ["nerp"]
numbers = ["2 dvi", "3 trint", "20 dvintig"]
common = ["brool", "habbit", "miffle"]

[words.prose]
headers = ["ab", "an", "drob"]
said = ["zegrit"]
closing = ["mit groot"]
asks = ["kanst"]
text_work = ["verzunt"]

[words.same]
leave_out = ["vla", "zu"]
alike = ["habbit | woonit"]
around = []
instead = ["statsen"]
binds = ["omp", "nerp"]

[words.opposites]
pairs = ["miffle | grolle"]

[signals.correction]
no = ["^nerp"]
meant = ["zu meentig"]
against = ["nerp prob"]

[signals.thanks]
thank = ["dankst"]

[durable]
always = ["zib altig"]
first = ["zib"]
"""
CASES = {
    "signals": [
        {
            "id": "qz-1",
            "lang": "qz",
            "turns": [
                {"role": "user", "text": "miffle omp brool"},
                {"role": "assistant", "text": "brool omp kel"},
                {"role": "user", "text": "nerp, zu meentig vla irr"},
            ],
            "labels": ["correction"],
        },
        {
            "id": "qz-2",
            "lang": "qz",
            "turns": [
                {"role": "user", "text": "miffle omp brool"},
                {"role": "assistant", "text": "brool omp kel"},
                {"role": "user", "text": "dankst"},
            ],
            "labels": ["thanks"],
        },
    ],
    "identity": [
        {
            "id": "qz-1",
            "lang": "qz",
            "a": "Habbit omp Bree",
            "b": "woonit omp Bree",
            "want": "same",
        },
        {
            "id": "qz-2",
            "lang": "qz",
            "a": "Miffle nerp brool omp zib",
            "b": "Miffle brool omp zib",
            "want": "different",
        },
    ],
    "prose": [
        {
            "id": "qz-1",
            "lang": "qz",
            "text": "kanst zu brool?\n\nAb: Irr\nDrob: kel\n\nzib altig brool omp vla.",
            "own": [[0, 15]],
        }
    ],
}


@pytest.fixture
def zuntish(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "qz.toml").write_text(ZUNTISH, encoding="utf-8")
    with lexicons_beside(tmp_path):
        yield tmp_path


@pytest.mark.usefixtures("zuntish")
def test_it_is_known_as_soon_as_its_file_is_there() -> None:
    assert "qz" in {lexicon.code for lexicon in lexicons()}
    assert lexicons()[0].code == "en"
    assert phrases("signals.correction", "no")["qz"] == ("^nerp",)
    assert likely_language("vla brool omp irr") == "qz"
    assert numbers("vla dvi brool omp irr, dvintig trint kel") == ("2", "23")
    assert negated("zib miffle nerp vla brool")
    assert not negated("zib miffle vla brool")


@pytest.mark.usefixtures("zuntish")
def test_its_ways_of_saying_one_thing() -> None:
    assert same("Habbit omp Bree", "woonit omp vla Bree")
    assert not same("Habbit omp Bree", "habbit nerp omp Bree")


@pytest.mark.usefixtures("zuntish")
def test_its_mail_and_speech_are_not_the_persons_own() -> None:
    assert own_prose('kel zegrit: "zib altig brool vla"').text == "kel zegrit:"


@pytest.mark.parametrize("kind", CASES)
def test_its_cases_are_answered_right(zuntish: Path, kind: str) -> None:
    file = zuntish / f"{kind}.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in CASES[kind]), encoding="utf-8")
    report = run_cases(kind, file)
    assert [outcome.id for outcome in report.outcomes if not outcome.right] == []


@pytest.mark.parametrize("kind", CASES)
def test_without_its_file_its_cases_are_not(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"{kind}.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in CASES[kind]), encoding="utf-8")
    report = run_cases(kind, file)
    assert [outcome.id for outcome in report.outcomes if not outcome.right] != []


def test_afterwards_it_is_gone(tmp_path: Path) -> None:
    (tmp_path / "qz.toml").write_text(ZUNTISH, encoding="utf-8")
    with lexicons_beside(tmp_path):
        assert likely_language("vla brool omp irr") == "qz"
    assert "qz" not in {lexicon.code for lexicon in lexicons()}
    assert likely_language("vla brool omp irr") != "qz"
