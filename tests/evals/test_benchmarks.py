"""The short form of the benchmarks: everything runs and is told; no time is asserted."""

from conch.evals import benchmarks
from conch.evals.side_by_side import side_by_side


def test_the_short_form_measures_every_work(tmp_path):
    page = tmp_path / "figures.md"
    benchmarks.main(["--short", str(page)])
    text = page.read_text(encoding="utf-8")
    for work in (
        "Signals of a chat",
        "Signals of one message",
        "Gate and memory",
        "Nearby for one",
    ):
        assert work in text
    assert "the figures mean nothing" in text


def test_both_ways_run_in_turn_and_equally_often():
    order: list[str] = []
    compared = side_by_side(
        "ours", "theirs", lambda: order.append("a"), lambda: order.append("b"), runs=3, warm_up=1
    )
    assert order == ["a", "b"] * 4
    assert len(compared.conch.runs) == len(compared.beside.runs) == 3


def test_the_messages_and_memories_are_all_different():
    assert len({benchmarks.asked(number) for number in range(2_000)}) > 1_200
    assert len({memory.text for memory in benchmarks.stored(2_000)}) == 2_000
