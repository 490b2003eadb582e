"""Setting backups up, the one a day, what stays, and what a moment's backup holds."""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pyrage import x25519

from conch.care.archive import decrypt_archive, unpack
from conch.care.backups import Backups, made_passphrase
from conch.care.powers import Power, Standing, powers
from conch.care.schedule import to_clear
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from conch.home.settings import EngineSettings, Settings
from living import START

KEY = x25519.Identity.generate()
RECIPIENT = str(KEY.to_public())
SSH = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsKLqeplhpW+uObz5dvMgjz1OxfM/XXUB+VHtZ6isGN me@here"


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock(START)


@pytest.fixture
def home(tmp_path, clock) -> Home:
    home = Home.open(tmp_path / "home", clock)
    home.memory.mkdir()
    (home.memory / "m_1.md").write_text("Lives in Berlin\n")
    return home


def unpacked(path: Path, to: Path) -> Path:
    packed = to.with_suffix(".packed")
    decrypt_archive(path, [KEY], packed)
    unpack(packed, to, 1 << 40)
    return to


@pytest.mark.parametrize(
    "chosen",
    [
        {"passphrase": "short"},
        {"passphrase": ""},
        {"recipient": "age1nothing"},
        {"recipient": str(KEY)},
        {"recipient": "ssh-ed25519 AAAA"},
        {"recipient": RECIPIENT, "folder": "INSIDE"},
        {"recipient": RECIPIENT, "folder": "/proc/backups"},
    ],
    ids=["short", "none", "no key", "a private key", "half a key", "inside", "nowhere"],
)
def test_what_would_lose_or_open_every_backup_is_not_set_up(home, chosen):
    if chosen.get("folder") == "INSIDE":
        chosen = chosen | {"folder": str(home.root / "mine")}
    with pytest.raises(ConchError, match="Nothing was set up"):
        Backups(home).set_up(**chosen)
    assert not Backups(home).is_set_up


def test_without_a_set_up_none_is_made_and_it_says_what_to_do(home):
    with pytest.raises(ConchError, match="conch backup setup"):
        Backups(home).make()


@pytest.mark.parametrize("recipient", [RECIPIENT, SSH], ids=["age", "ssh"])
def test_a_key_of_the_persons_own_may_be_used(home, tmp_path, recipient):
    backups = Backups(home)
    backups.set_up(recipient=recipient, folder=str(tmp_path / "usb"))
    made = backups.make()
    assert made.path.parent == tmp_path / "usb"
    assert made.path.stat().st_mode & 0o077 == 0
    assert b"Berlin" not in made.path.read_bytes()


def test_a_key_that_is_gone_is_said(home):
    backups = Backups(home)
    backups.set_up(passphrase="correct horse")
    (home.keys / "backup-key.age").unlink()
    with pytest.raises(ConchError, match="is gone"):
        backups.make()


def test_made_passphrases_are_long_and_never_the_same():
    made = {made_passphrase() for _ in range(100)}
    assert len(made) == 100
    assert all(len(one) == 29 for one in made)


def test_what_changes_while_it_is_copied_is_in_it_as_at_one_moment(home, tmp_path, monkeypatch):
    """Of a pair of files that change together, both are new or both old."""
    for number in range(40):
        (home.memory / f"m_{number}.md").write_text("old")
    changes = iter(range(12))

    def add_file(filling, path, source, of=Backups):
        nonlocal before
        if next(changes, None) is not None:
            for name in ("m_0.md", "m_39.md"):
                (home.memory / name).write_text(f"new {datetime.now(UTC).timestamp()}")
            (home.memory / "m_5.md").unlink(missing_ok=True)
        before(filling, path, source)

    from conch.care import archive

    before = archive.Filling.add_file
    monkeypatch.setattr(archive.Filling, "add_file", add_file)
    backups = Backups(home)
    backups.set_up(recipient=RECIPIENT)
    out = unpacked(backups.make().path, tmp_path / "out")
    first, last = ((out / "memory" / name).read_text() for name in ("m_0.md", "m_39.md"))
    assert first == (home.memory / "m_0.md").read_text()
    assert last == (home.memory / "m_39.md").read_text()


def test_what_goes_while_it_is_copied_is_not_in_it(home, tmp_path, monkeypatch):
    from conch.care import archive

    going = home.memory / "m_2.md"
    going.write_text("Forgotten meanwhile\n")
    before = archive.Filling.add_file

    def add_file(filling, path, source):
        before(filling, path, source)
        going.unlink(missing_ok=True) if path.name == "m_2.md" else None

    monkeypatch.setattr(archive.Filling, "add_file", add_file)
    backups = Backups(home)
    backups.set_up(recipient=RECIPIENT)
    made = backups.make()
    out = unpacked(made.path, tmp_path / "out")
    assert [path.name for path in (out / "memory").iterdir()] == ["m_1.md"]
    assert made.files == 1


def test_a_file_no_archive_can_hold_is_left_out_and_named(home, tmp_path):
    work = home.root / "work" / "c_1"
    work.mkdir(parents=True)
    (work / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    (work / "fine.txt").write_text("x")
    (work / "pipe").symlink_to("/etc/hostname")
    backups = Backups(home)
    backups.set_up(recipient=RECIPIENT)
    made = backups.make()
    assert made.left_out == ("work/c_1/caf?.txt",)
    out = unpacked(made.path, tmp_path / "out")
    assert [path.name for path in (out / "work/c_1").iterdir()] == ["fine.txt"]


def test_a_file_the_disk_refuses_is_left_out_and_named(home, monkeypatch):
    bad = home.memory / "m_2.md"
    bad.write_text("on a bad block")
    opens = Path.open

    def refused(path, *args, **more):
        if path == bad:
            raise OSError(5, "Input/output error", str(path))
        return opens(path, *args, **more)

    monkeypatch.setattr(Path, "open", refused)
    backups = Backups(home)
    backups.set_up(recipient=RECIPIENT)
    made = backups.make()
    assert (made.files, made.left_out) == (1, ("memory/m_2.md",))


def test_two_homes_in_one_folder_clear_only_their_own(home, tmp_path, clock):
    other = Home.open(tmp_path / "other", clock)
    folder = str(tmp_path / "nas")
    both = [Backups(one) for one in (home, other)]
    for backups in both:
        backups.set_up(recipient=RECIPIENT, folder=folder)
    first = both[0].make()
    for _ in range(40):
        clock.advance(days=1)
        both[1].make()
    assert first.path.exists()
    assert {one.home for one in both[0].all()} == {one._store.load().home for one in both}


def test_two_at_once_are_made_one_after_the_other(home, clock):
    backups = Backups(home)
    backups.set_up(recipient=RECIPIENT)
    with ThreadPoolExecutor() as pool:
        made = [one.result() for one in [pool.submit(backups.make) for _ in range(4)]]
    assert all(one.path.exists() for one in made)


def test_a_home_that_never_stands_still_is_not_backed_up_wrongly(home, monkeypatch):
    from conch.care import backups as module

    count = iter(range(10_000))
    real = module._stamps

    def stamps(root, left_out):
        (home.memory / "m_1.md").write_text(f"{next(count)}")
        return real(root, left_out)

    monkeypatch.setattr(module, "_stamps", stamps)
    backups = Backups(home)
    backups.set_up(recipient=RECIPIENT)
    with pytest.raises(ConchError, match="changed all the time"):
        backups.make()
    assert backups.all() == []


async def days(clock: SteppedClock, backups: Backups, count: int, hours: int = 5) -> None:
    for _ in range(count * 24 // hours):
        await backups._make_when_due()
        clock.advance(hours=hours)


async def test_one_a_day_is_made_and_old_ones_are_cleared(home, clock):
    backups = Backups(home)
    backups.set_up(recipient=RECIPIENT)
    await days(clock, backups, 90)
    made = [one.made_at for one in backups.all()]
    assert made == sorted(made, reverse=True)
    assert 7 < len(made) <= 7 + 4 + 4
    assert made[-1] == START


async def test_none_is_made_before_a_set_up(home, clock):
    backups = Backups(home)
    await days(clock, backups, 3)
    assert backups.all() == []


async def test_one_that_fails_is_said_once_and_tried_the_next_day(home, clock, tmp_path):
    backups = Backups(home)
    folder = tmp_path / "usb"
    backups.set_up(recipient=RECIPIENT, folder=str(folder))
    folder.rmdir()
    await days(clock, backups, 1)
    (note,) = home.notes.recent()
    assert note.text.startswith("Today's backup could not be made. The folder ")
    assert not folder.exists()
    folder.mkdir()
    await days(clock, backups, 1)
    assert len(backups.all()) == 1


def until_there(backups: Backups) -> None:
    while not backups.all():
        time.sleep(0.02)


async def test_it_runs_until_it_is_stopped(home):
    backups = Backups(home)
    backups.set_up(recipient=RECIPIENT)
    running = asyncio.create_task(backups.run())
    async with asyncio.timeout(30):
        await asyncio.to_thread(until_there, backups)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def test_of_a_year_of_days_seven_days_four_weeks_and_six_months_stay():
    days = [START + timedelta(days=n) for n in range(365)]
    gone = set(to_clear(days, days[-1]))
    stay = [day for day in days if day not in gone]
    assert stay[-7:] == days[-7:]
    assert 14 <= len(stay) <= 7 + 4 + 6
    ages = [(days[-1] - day).days for day in stay]
    assert max(ages) > 150
    assert sum(7 <= age <= 28 for age in ages) >= 3


def test_what_stays_stays_from_day_to_day():
    kept: list[datetime] = []
    for n in range(400):
        now = START + timedelta(days=n)
        kept.append(now)
        gone = set(to_clear(kept, now))
        kept = [one for one in kept if one not in gone]
        assert len(kept) <= 18
    ages = [(START + timedelta(days=399) - one).days for one in kept]
    assert any(20 < age <= 31 for age in ages)
    assert any(120 < age <= 190 for age in ages)


def test_many_of_one_day_do_not_push_out_those_of_other_days():
    days = [START + timedelta(days=n) for n in range(7)]
    today = [days[-1] + timedelta(minutes=n) for n in range(1, 30)]
    assert to_clear([*days, *today], today[-1]) == []
    later = today[-1] + timedelta(days=2)
    # The first of a week stays, and the last of the day.
    assert to_clear([*days, *today], later) == today[:-1]


def test_one_of_the_future_is_never_cleared():
    future = START + timedelta(days=400)
    days = [START + timedelta(days=n) for n in range(50)]
    assert future not in to_clear([*days, future], days[-1])


USUAL = Standing()
POWERS = {
    "nothing beyond a new home": (Standing(), []),
    "a cap above the default": (Standing(cap=5.0), ["Learning may spend $5.00 a month."]),
    "no cap": (Standing(cap=None), ["Learning may spend without a cap."]),
    "a cap below the default": (Standing(cap=0.5), []),
    "files without asking": (
        Standing(settings=Settings(mode="accept_edits")),
        ["Files are changed without asking."],
    ),
    "everything without asking": (
        Standing(settings=Settings(mode="full_trust")),
        ["Files are changed and commands run without asking."],
    ),
    "a month budget": (
        Standing(settings=Settings(month_budget_usd=50)),
        ["Chats may spend $50.00 a month."],
    ),
    "a server of one's own": (
        Standing(settings=Settings(engines={"mine": EngineSettings(url="http://10.0.0.9/v1")})),
        ["The engine mine is reached at http://10.0.0.9/v1."],
    ),
    "a plan": (
        Standing(settings=Settings(engines={"openai": EngineSettings(plan=True)})),
        ["What openai answers counts as paid by a plan."],
    ),
    "a skill that is on": (
        Standing(skills={"Weekly report": "Run git"}),
        ["The skill Weekly report is on. It may: Run git"],
    ),
    "a signer": (
        Standing(signers={"abcdefghijklmnop": "Ada"}),
        ["Skills signed by Ada (abcdefghijkl…) are trusted."],
    ),
}


@pytest.mark.parametrize(("then", "said"), POWERS.values(), ids=POWERS)
def test_a_power(then, said):
    assert powers(then, USUAL) == [Power(one) for one in said]
    assert powers(then, then) == [Power(one, as_now=True) for one in said]


def test_what_a_person_has_turned_off_is_named_when_it_would_come_back():
    off = Standing(settings=Settings(auto_memory=False, month_budget_usd=5), cap=0.5)
    assert [power.said for power in powers(Standing(), off)] == [
        "Learn from your chats is on.",
        "There is no month budget.",
    ]
