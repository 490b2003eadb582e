"""Two of one closed kind are close in meaning and never the same thing."""

import pytest

from conch.words.kinds import another_of_its_kind

OTHERS = [
    ("The team meets on Tuesdays", "The team meets on Thursdays"),
    ("Das Team trifft sich dienstags", "Das Team trifft sich donnerstags"),
    ("Siostra mieszka w Rzymie", "Brat mieszka w Rzymie"),
    ("Родители приезжают в мае", "Родители приезжают в июне"),
    ("チームの会議は火曜日", "チームの会議は木曜日"),
    ("팀 회의는 화요일이다", "팀 회의는 목요일이다"),
    ("晚上跑步", "早上跑步"),
]
ALIKE = [
    ("Her mum lives in Rome", "Her mother lives in Rome"),
    ("Läuft abends", "Läuft am Abend"),
    ("每周二开会", "星期二开会"),
    ("Prefers short answers", "Wants brief answers"),
]


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_another(one: str, other: str) -> None:
    assert another_of_its_kind(one, other)
    assert not another_of_its_kind(one, one)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_the_same_or_no_kind(one: str, other: str) -> None:
    assert not another_of_its_kind(one, other)
