"""What learning may spend (spec 0088 §8): the cap, the month, and what is counted as dear."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from conch.chats.events import Usage
from conch.engines.connection import Connection
from conch.engines.practice import PracticeEngine
from conch.engines.prices import (
    DEAR_INPUT_USD,
    DEAR_OUTPUT_USD,
    price,
    price_per_million,
    worst_price,
)
from conch.engines.provider_engine import ProviderEngine
from conch.engines.providers import providers
from conch.engines.spend import DEFAULT_CAP_USD, LearningSpend
from conch.engines.usage import UsageLedger
from conch.home.clock import SteppedClock
from conch.home.home import Home

DECEMBER = datetime(2026, 12, 10, tzinfo=UTC)
JANUARY = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.open(tmp_path / "home", SteppedClock(DECEMBER))


def engine(model: str = "claude-haiku-5-5", priced_as: str = "anthropic", plan: bool = False):
    connection = Connection(
        "one", "One", "openai", "https://one.example/v1", model, model, "k", priced_as, plan
    )
    return ProviderEngine(connection, lambda engine, headers: None)


def test_default_is_one_dollar_a_month(home):
    spend = LearningSpend(home)
    assert spend.cap == DEFAULT_CAP_USD == 1.0
    assert spend.spent(DECEMBER) == 0.0
    assert spend.allows(1.0, DECEMBER)
    assert not spend.allows(1.01, DECEMBER)


def test_pauses_at_the_cap_and_goes_on_on_the_first(home):
    spend = LearningSpend(home)
    spend.add(0.6, 0.9, DECEMBER)
    assert not spend.paused(DECEMBER)
    spend.add(0.4, 0.9, DECEMBER)
    assert spend.paused(DECEMBER)
    assert not spend.allows(0.0, DECEMBER)
    assert spend.allows(0.5, JANUARY)
    assert spend.spent(JANUARY) == 0.0


def test_survives_a_restart_and_keeps_other_keys(home):
    home.learning_spend_file.write_text('{"told": "2026-11", "months": {"2026-12": 0.25}}')
    LearningSpend(home).add(0.25, 1, DECEMBER)
    assert LearningSpend(home).spent(DECEMBER) == 0.5
    assert json.loads(home.learning_spend_file.read_text())["told"] == "2026-11"


def test_a_cost_nobody_knows_counts_as_the_worst(home):
    spend = LearningSpend(home)
    spend.add(None, 0.07, DECEMBER)
    assert spend.spent(DECEMBER) == pytest.approx(0.07)


def test_a_clock_set_back_opens_no_earlier_month(home):
    spend = LearningSpend(home)
    spend.add(1.0, 1.0, DECEMBER)
    november = datetime(2026, 11, 28, tzinfo=UTC)
    assert spend.paused(november)
    assert not spend.allows(0.01, november)
    spend.add(0.1, 0.1, november)
    assert spend.spent(DECEMBER) == pytest.approx(1.1)


def test_setting_the_cap_anew_forgets_a_month_a_wrong_clock_made(home):
    spend = LearningSpend(home)
    spend.add(1.0, 1.0, datetime(2031, 5, 1, tzinfo=UTC))
    assert spend.paused(DECEMBER)
    spend.set_cap(2.0)
    assert spend.allows(1.5, DECEMBER)


@pytest.mark.parametrize(("cap", "allowed"), [(0.0, False), (5.0, True), (None, True)])
def test_the_person_sets_the_cap(home, cap, allowed):
    spend = LearningSpend(home)
    spend.add(2.0, 2.0, DECEMBER)
    spend.set_cap(cap)
    assert spend.cap == cap
    assert spend.allows(1.0, DECEMBER) is allowed


@pytest.mark.parametrize("cap", [-1.0, float("nan")])
def test_a_cap_below_nothing_is_refused(home, cap):
    with pytest.raises(ValueError, match="zero"):
        LearningSpend(home).set_cap(cap)


@pytest.mark.parametrize("damage", ["{", "[]", '{"months": "much"}', "\x00\x00"])
def test_a_damaged_file_does_not_open_the_purse_again(home, damage):
    UsageLedger(home).add(engine(), "claude-haiku-5-5", Usage(input_tokens=9), 0.8, "learning")
    UsageLedger(home).add(engine(), "claude-haiku-5-5", Usage(input_tokens=9), 5.0, "chat")
    home.learning_spend_file.write_text(damage)
    spend = LearningSpend(home)
    assert spend.cap == 1.0
    assert spend.spent(DECEMBER) == pytest.approx(0.8)
    assert not spend.allows(0.3, DECEMBER)
    assert home.notes.recent()


def test_a_cap_that_cannot_be_read_is_the_default_and_keeps_the_months(home):
    home.learning_spend_file.write_text('{"limit": "x", "months": {"2026-12": 0.9}}')
    spend = LearningSpend(home)
    assert spend.cap == 1.0
    assert spend.spent(DECEMBER) == pytest.approx(0.9)


def test_thirteen_months_are_kept(home):
    spend = LearningSpend(home)
    for number in range(20):
        spend.add(0.1, 0.1, datetime(2026 + number // 12, number % 12 + 1, 5, tzinfo=UTC))
    assert len(json.loads(home.learning_spend_file.read_text())["months"]) == 13


def test_price_of_a_known_model_and_its_cache():
    full = price(engine(), "claude-sonnet-5-5", Usage(input_tokens=1_000_000, output_tokens=0))
    read = price(
        engine(), "claude-sonnet-5-5", Usage(input_tokens=1_000_000, cache_read_tokens=1_000_000)
    )
    assert full
    assert read
    assert read < full


@pytest.mark.parametrize(
    ("one", "model"),
    [(engine(), "claude-of-tomorrow"), (engine(priced_as=""), "qwen"), (engine(), "gpt-6-luna")],
    ids=["unknown model", "unlisted provider", "another provider's model"],
)
def test_an_unknown_price_is_said_and_counted_as_dear(one, model):
    assert price(one, model, Usage(input_tokens=1000, output_tokens=10)) is None
    assert price_per_million(one, model) is None
    worst = worst_price(one, model, 8_000, 1_500)
    assert worst >= (8_000 * DEAR_INPUT_USD + 1_500 * DEAR_OUTPUT_USD) / 1e6


def test_a_plan_and_this_computer_cost_nothing():
    taken = Usage(input_tokens=5_000_000, output_tokens=100_000)
    for one in (engine(plan=True), PracticeEngine()):
        assert price(one, "", taken) == 0.0
        assert worst_price(one, "", 10_000, 1_500) == 0.0
        assert price_per_million(one, "x") == (0.0, 0.0)


@pytest.mark.parametrize("row", [row for row in providers().values() if row.priced_as])
def test_the_table_names_models_of_the_price_list_and_the_cheaper_one_reviews(row):
    one = engine(priced_as=row.priced_as)
    default = price_per_million(one, row.default_model)
    cheap = price_per_million(one, row.cheapest_model)
    assert default
    assert cheap
    assert sum(cheap) < sum(default)


def test_the_ledger_sums_a_month_by_purpose(home):
    ledger = UsageLedger(home)
    one = engine()
    ledger.add(one, "m", Usage(input_tokens=10, output_tokens=5), 0.25, "learning", "c_1")
    ledger.add(one, "m", Usage(input_tokens=30, output_tokens=5), 0.5, "chat", "c_1")
    ledger.add(one, "m", Usage(), 0.0, "chat")
    assert ledger.month(DECEMBER) == {
        "answers": 2,
        "input_tokens": 40,
        "output_tokens": 10,
        "usd": 0.75,
        "unknown": 0,
    }
    assert ledger.month_usd(DECEMBER, "learning") == 0.25
    assert ledger.month_usd(JANUARY) == 0.0
    assert UsageLedger(home).month_usd(DECEMBER) == 0.75


def test_the_ledger_counts_an_unknown_price_as_dear_and_says_how_many(home):
    ledger = UsageLedger(home)
    ledger.add(engine(priced_as=""), "m", Usage(input_tokens=1000, output_tokens=100), None, "chat")
    ledger.add(engine(priced_as=""), "m", Usage(), None, "learning", worst=0.09)
    month = ledger.month(DECEMBER)
    assert month["unknown"] == 2
    assert month["usd"] == pytest.approx(0.015 + 0.09)


def test_a_torn_or_strange_line_loses_no_other(home):
    ledger = UsageLedger(home)
    ledger.add(engine(), "m", Usage(input_tokens=1), 0.1, "chat")
    with home.usage_file.open("ab") as file:
        file.write(
            b'null\n[]\n{"at": 7}\n{"at": "2026-12-01T00:00:00+00:00", "usd": {}}\n{"at": "20'
        )
    ledger.add(engine(), "m", Usage(input_tokens=1), 0.2, "chat")
    assert ledger.month_usd(DECEMBER) == pytest.approx(0.3)
    assert UsageLedger(home).month_usd(DECEMBER) == pytest.approx(0.3)
