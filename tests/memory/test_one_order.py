"""One order for recall, the prompt's section, nearby and the terminal; only the floor differs."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy
import pytest

from conch.learning.nearby import nearby_lines
from conch.memory.memory import Memory
from conch.memory.ranking import asks, fit_scores, only_answers
from conch.memory.search_index import SearchIndex
from conch.words.meaning import WordsOnly, load_meaning

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "searched.jsonl").read_text(encoding="utf-8").splitlines()
]
AT = datetime(2026, 12, 1, tzinfo=UTC)
MESSAGES = [
    *(row["question"] for row in ROWS[::5] if "question" in row),
    "What shall we eat on Saturday?",
    "Which laptop would suit me?",
    "Wie soll ich nach Rom reisen?",
    "今夜は何を食べようかな",
    "Volvo",
]


@pytest.fixture(scope="module")
def index() -> SearchIndex:
    found = SearchIndex(None, load_meaning())
    found.set(
        Memory(f"m_{at}", row["text"], "preference", "you", AT, AT)
        for at, row in enumerate(row for row in ROWS if "text" in row)
    )
    while found.encode_some(64):
        pass
    return found


@pytest.mark.skipif(isinstance(load_meaning(), WordsOnly), reason="the encoder has no wheel here")
@pytest.mark.parametrize("message", MESSAGES)
def test_what_both_find_stands_in_the_same_order(index, message):
    near = index.near(message, lambda memory: True, 1_000)
    assert near is not None
    nearest = [one.memory.id for one in near[1]]
    recalled = [hit.memory.id for hit in index.search(message, 1_000)]
    assert recalled == [one for one in nearest if one in set(recalled)]
    listed = [hit.memory.id for hit in index.search(message, 1_000, listed=True)]
    assert listed == [one for one in nearest if one in set(listed)]
    everything = [one.memory for one in near[1]]
    lines = [one.id for one in nearby_lines(message, everything, set(), index=index)]
    assert lines == [one for one in nearest if one in set(lines)]


def test_what_is_not_encoded_yet_keeps_nothing_encoded_out(index):
    first, second = (Memory(f"m_{n}", text, "preference", "you", AT, AT) for n, text in NEW)
    young = SearchIndex(None, load_meaning())
    young.set([first, second])
    young.encode_some(1)
    found = young.near("Which tea in the morning?", lambda memory: True, 8)
    if found is not None:
        assert found[1]


NEW = ((1, "Prefers green tea"), (2, "Prefers black tea in the morning"))


@pytest.mark.parametrize(
    ("calls", "closest", "share"),
    [(-3.0, 0.2, 1.0), (3.0, 0.2, 0.0), (0.4, 0.2, 0.5), (3.0, 0.6, 1.0)],
    ids=["stands alone", "calls for what matters", "between", "speaks of what is known"],
)
def test_the_text_itself_says_what_weighs(calls, closest, share):
    assert asks(calls, numpy.array([0.1, closest, numpy.nan])) == pytest.approx(share)


def test_scores_below_zero_keep_their_order_and_stay_answers():
    scores = fit_scores(numpy.zeros(3), numpy.zeros(3), numpy.array([-0.3, -0.1, 0.2]), 3.0)
    best = only_answers(scores, numpy.array([True, True, True]))
    assert best[2] > best[1] > best[0] > 0
    assert only_answers(scores, numpy.array([False, True, True]))[0] == 0
