"""Stores and settings: unknown keys survive, damage is set aside and said, never guessed."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from conch.home.clock import SteppedClock
from conch.home.home import Home
from conch.home.notes import Notes
from conch.home.settings import EngineSettings, Settings, learning_note
from conch.home.store import Store

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


class Month(BaseModel):
    usd: float = 0.0


class Spend(BaseModel):
    cap: float = 1.0
    months: dict[str, Month] = Field(default_factory=dict)
    now: Month = Month()


def a_store(folder: Path, when_damaged: Spend | None = None) -> Store[Spend]:
    notes = Notes(folder / "notes.jsonl", SteppedClock(NOON))
    return Store(folder / "spend.json", Spend, notes, when_damaged)


def told(folder: Path) -> list[str]:
    return [note.text for note in Notes(folder / "notes.jsonl", SteppedClock(NOON)).recent()]


def test_without_a_file_it_is_the_empty_model(tmp_path: Path):
    assert a_store(tmp_path).load() == Spend()
    assert told(tmp_path) == []


def test_what_is_saved_loads(tmp_path: Path):
    spend = Spend(cap=2, months={"2026-12": Month(usd=0.5)})
    a_store(tmp_path).save(spend)
    assert a_store(tmp_path).load() == spend


def test_unknown_keys_survive_at_every_depth(tmp_path: Path):
    raw = {
        "cap": 2.0,
        "later": {"x": [1]},
        "months": {"2026-11": {"usd": 1.0, "told": True}, "2026-12": {"usd": 0.1}},
        "now": {"usd": 3.0, "seen": "yes"},
    }
    (tmp_path / "spend.json").write_text(json.dumps(raw))
    a_store(tmp_path).change(lambda spend: spend.model_copy(update={"cap": 5.0}))
    assert json.loads((tmp_path / "spend.json").read_text()) == raw | {"cap": 5.0}


def test_what_was_taken_out_stays_out(tmp_path: Path):
    (tmp_path / "spend.json").write_text('{"months": {"2026-11": {"usd": 1}}}')
    a_store(tmp_path).change(lambda spend: spend.model_copy(update={"months": {}}))
    assert json.loads((tmp_path / "spend.json").read_text())["months"] == {}


@pytest.mark.parametrize("damage", [b"{", b"", b"\x00\xff", b"[1]", b'"x"', b'{"cap": 1'])
def test_a_damaged_file_is_set_aside_as_it_was_and_said(tmp_path: Path, damage: bytes):
    (tmp_path / "spend.json").write_bytes(damage)
    assert a_store(tmp_path).load() == Spend()
    aside = list(tmp_path.glob("spend.json.damaged-*"))
    assert [path.read_bytes() for path in aside] == [damage]
    assert aside[0].name in told(tmp_path)[0]
    assert a_store(tmp_path).load() == Spend()
    assert len(told(tmp_path)) == 1


def test_one_field_that_cannot_be_read_takes_its_safe_value_and_the_rest_is_kept(tmp_path: Path):
    raw = {"cap": "a lot", "now": {"usd": 3}, "later": 1}
    (tmp_path / "spend.json").write_text(json.dumps(raw))
    assert a_store(tmp_path, Spend(cap=0.0)).load() == Spend(cap=0.0, now=Month(usd=3))
    aside = list(tmp_path.glob("spend.json.damaged-*"))
    assert json.loads(aside[0].read_text()) == raw
    assert "cap" in told(tmp_path)[0]
    assert json.loads((tmp_path / "spend.json").read_text())["later"] == 1
    assert a_store(tmp_path, Spend(cap=0.0)).load().cap == 0.0
    assert len(list(tmp_path.glob("spend.json.damaged-*"))) == 1


def test_settings_are_read_again_when_they_changed(tmp_path: Path):
    home, other = Home.open(tmp_path), Home.open(tmp_path)
    assert home.settings() == Settings()
    other.change_settings(lambda settings: settings.model_copy(update={"auto_memory": False}))
    assert home.settings().auto_memory is False
    home.settings().engines["x"] = EngineSettings()
    assert home.settings().engines == {}


def test_settings_of_a_later_version_survive(tmp_path: Path):
    raw = {"theme": "dark", "engines": {"anthropic": {"plan": True, "tier": 3}}}
    (tmp_path / "settings.json").write_text(json.dumps(raw))
    home = Home.open(tmp_path)
    home.change_settings(lambda settings: settings.model_copy(update={"name": "Ada"}))
    kept = json.loads((tmp_path / "settings.json").read_text())
    assert kept["theme"] == "dark"
    assert kept["engines"]["anthropic"]["tier"] == 3
    assert kept["name"] == "Ada"


@pytest.mark.parametrize("damage", ["{", '{"auto_memory": "perhaps", "name": "Ada"}'])
def test_damaged_settings_never_turn_learning_on(tmp_path: Path, damage: str):
    """A person who turned learning off must not be learned from because a file broke."""
    (tmp_path / "settings.json").write_text(damage)
    assert Home.open(tmp_path).settings().auto_memory is False
    assert Home.open(tmp_path).settings().auto_memory is False
    assert len(told(tmp_path)) == 1


def test_a_damaged_choice_in_a_file_conch_wrote_is_told_of(tmp_path: Path):
    home = Home.open(tmp_path)
    home.change_settings(lambda one: one.model_copy(update={"name": "Ada"}))
    path = tmp_path / "settings.json"
    path.write_text(path.read_text().replace("true", '"perhaps"', 1))
    settings = Home.open(tmp_path).settings()
    assert (settings.auto_memory, settings.off_by_damage, settings.name) == (False, True, "Ada")
    assert "damaged" in learning_note(settings)


def test_a_damaged_setting_beside_leaves_the_choice_alone(tmp_path: Path):
    (tmp_path / "settings.json").write_text('{"auto_memory": true, "month_budget_usd": "x"}')
    settings = Home.open(tmp_path).settings()
    assert settings.auto_memory is True
    assert settings.month_budget_usd is None
