"""An archive that is damaged, cut short or made to do harm changes nothing (issue: Care)."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import random
import tarfile
from pathlib import Path

import pytest
from pyrage import encrypt, x25519

from conch.care.archive import Manifest, decrypt_archive, unpack, write_archive
from conch.care.backups import Backups
from conch.care.restore import Restore
from conch.home.clock import SteppedClock
from conch.home.errors import ConchError
from conch.home.home import Home
from living import START

LOG = b'{"a":1}\n' * 20_000
ROOM = 1 << 40


@pytest.fixture
def home(tmp_path) -> Home:
    home = Home.open(tmp_path / "home", SteppedClock(START))
    for path, data in (("chats/c_1/log.jsonl", LOG), ("memory/m_1.md", b"Lives in Berlin\n")):
        (home.root / path).parent.mkdir(parents=True)
        (home.root / path).write_bytes(data)
    _ = home.seal
    return home


@pytest.fixture
def identity() -> x25519.Identity:
    """What opens these backups: a passphrase is made to be slow."""
    return x25519.Identity.generate()


@pytest.fixture
def backup(home: Home, identity) -> Path:
    backups = Backups(home)
    backups.set_up(recipient=str(identity.to_public()))
    return backups.make().path


def everything(home: Home) -> dict[str, bytes]:
    paths = (path for path in home.root.rglob("*") if path.is_file())
    return {str(path.relative_to(home.root)): path.read_bytes() for path in paths}


def refused(home: Home, path: Path, identity) -> None:
    """Restore it; it must be refused, with every byte of the home as it was."""
    before = everything(home)
    with pytest.raises(ConchError) as refusal, Restore(home) as restore:
        restore.look(path, identity)
    assert everything(home) == before
    assert "Nothing was changed" in str(refusal.value)


MUTATIONS = ("a byte changed", "cut short", "a piece left out", "a piece twice", "a piece of zeros")


def mutated(data: bytes, how: str, chance: random.Random) -> bytes:
    """Other bytes than `data`: mutated where something stands in them."""
    at, length = chance.randrange(len(data.rstrip(b"\0"))), chance.randrange(1, 600)
    match how:
        case "a byte changed":
            return data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1 :]
        case "cut short":
            return data[:at]
        case "a piece left out":
            return data[:at] + data[at + length :]
        case "a piece twice":
            return data[:at] + data[at : at + length] + data[at:]
        case _:
            return data[:at] + bytes(length) + data[at + length :]


def inner(path: Path) -> bytes:
    """What is encrypted in a backup."""
    with tarfile.open(path) as tar:
        member = tar.extractfile("home.tar.gz.age")
        assert member is not None
        return member.read()


@pytest.mark.parametrize("how", MUTATIONS)
def test_a_mutated_archive_changes_nothing(home, backup, identity, tmp_path, how):
    """Refused; or only what stands around what is encrypted (a date, a mode) was changed."""
    whole, chance = backup.read_bytes(), random.Random(how)
    path = tmp_path / "mutated.tar"
    before = everything(home)
    refusals = 0
    for _ in range(60):
        path.write_bytes(mutated(whole, how, chance))
        try:
            with Restore(home) as restore:
                restore.look(path, identity)
        except ConchError:
            refusals += 1
        else:
            assert inner(path) == inner(backup)
        assert everything(home) == before
    assert refusals >= 30


def sealed_up(tmp_path: Path, packed: bytes, identity: x25519.Identity) -> Path:
    """A backup that opens with the key and holds `packed` as its archive."""
    path = tmp_path / "made.tar"
    data = encrypt(packed, [identity.to_public()])
    with tarfile.open(path, "w") as tar:
        info = tarfile.TarInfo("home.tar.gz.age")
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
    return path


def packed(*members: tuple[tarfile.TarInfo, bytes], manifest: dict | None = None) -> bytes:
    """An archive of these members, with a manifest that fits them unless another is given."""
    files = {
        info.name: {
            "path": info.name,
            "size": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        for info, data in members
        if info.isreg()
    }
    says = {"version": 1, "made_at": START.isoformat(), "files": list(files.values())}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for info, data in members:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        last = json.dumps(says | (manifest or {})).encode()
        info = tarfile.TarInfo("manifest.json")
        info.size = len(last)
        tar.addfile(info, io.BytesIO(last))
    return gzip.compress(out.getvalue())


def file(name: str, data: bytes = b"x\n") -> tuple[tarfile.TarInfo, bytes]:
    return tarfile.TarInfo(name), data


def special(name: str, kind: bytes, to: str = "") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, to
    return info, b""


GOOD = file("memory/m_1.md", b"Lives in Lisbon\n")
HOSTILE = {
    "a path out of the home": [GOOD, file("../escaped")],
    "a path out of a folder": [GOOD, file("memory/../../escaped")],
    "a path from the root": [GOOD, file("/etc/escaped")],
    "a path with a dot in it": [GOOD, file("memory/./m_2.md")],
    "a path with nothing in it": [GOOD, file("memory//m_2.md")],
    "a backslash": [GOOD, file("memory\\m_2.md")],
    "a key of this home": [GOOD, file("keys/seal.key", bytes(32))],
    "a web password": [GOOD, file("keys/web-password.json", b"{}")],
    "where backups go": [GOOD, file("backup.json", b"{}")],
    "an unknown file": [GOOD, file("autorun.sh")],
    "a hidden file": [GOOD, file("memory/.m_2.md")],
    "what is derived": [GOOD, file("chats/c_1/sent/practice.jsonl")],
    "an index": [GOOD, file("index.db")],
    "a plan of moves": [GOOD, file("swap.json", b"{}")],
    "a link": [GOOD, special("memory/m_2.md", tarfile.SYMTYPE, "/etc/passwd")],
    "a link to a folder, and a file in it": [
        special("skills", tarfile.SYMTYPE, "/"),
        file("skills/s/SKILL.md"),
    ],
    "a hard link": [GOOD, special("memory/m_2.md", tarfile.LNKTYPE, "memory/m_1.md")],
    "a device": [GOOD, special("memory/m_2.md", tarfile.CHRTYPE)],
    "a pipe": [GOOD, special("memory/m_2.md", tarfile.FIFOTYPE)],
    "a folder as such": [GOOD, special("memory", tarfile.DIRTYPE)],
    "a file where a folder is": [GOOD, file("memory")],
    "a folder where a file is": [file("settings.json"), file("settings.json/x")],
}


@pytest.mark.parametrize("members", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_archive_changes_nothing(home, identity, tmp_path, members):
    refused(home, sealed_up(tmp_path, packed(*members), identity), identity)
    assert not (tmp_path / "escaped").exists()


MANIFESTS = {
    "a hash that does not fit": {
        "files": [{"path": "memory/m_1.md", "size": 16, "sha256": "0" * 64}]
    },
    "a file that is not there": {
        "files": [{"path": "memory/m_9.md", "size": 2, "sha256": "0" * 64}]
    },
    "no files": {"files": []},
    "files that are none": {"files": "all of them"},
    "no version": {"version": None},
    "a newer version": {"version": 2},
}


@pytest.mark.parametrize("manifest", MANIFESTS.values(), ids=MANIFESTS)
def test_a_manifest_that_does_not_fit_changes_nothing(home, identity, tmp_path, manifest):
    refused(home, sealed_up(tmp_path, packed(GOOD, manifest=manifest), identity), identity)


NO_ARCHIVES = {
    "nothing": b"",
    "words": b"not a tar at all" * 100,
    "an empty archive": gzip.compress(bytes(10_240)),
    "half an archive": packed(GOOD)[:60],
    "half a tar": gzip.compress(gzip.decompress(packed(GOOD))[:700]),
    "a manifest first": gzip.compress(
        gzip.decompress(packed())[:1024] + gzip.decompress(packed(GOOD))
    ),
}


@pytest.mark.parametrize("inner", NO_ARCHIVES.values(), ids=NO_ARCHIVES)
def test_what_is_no_archive_changes_nothing(home, identity, tmp_path, inner):
    refused(home, sealed_up(tmp_path, inner, identity), identity)


@pytest.mark.parametrize("outer", [b"", b"x" * 9_000, bytes(10_240)], ids=["none", "text", "zeros"])
def test_a_file_that_is_no_backup_is_refused(home, identity, tmp_path, outer):
    path = tmp_path / "made.tar"
    path.write_bytes(outer)
    refused(home, path, identity)


def test_an_archive_larger_than_the_disk_is_not_unpacked(tmp_path):
    path = tmp_path / "archive"
    path.write_bytes(packed(file("chats/c_1/log.jsonl", bytes(1 << 20))))
    with pytest.raises(ConchError, match="not enough room"):
        unpack(path, tmp_path / "out", (64 << 20) + 1000)


def test_a_good_archive_of_these_is_taken(home, identity, tmp_path):
    path = sealed_up(tmp_path, packed(GOOD), identity)
    with Restore(home) as restore:
        restore.look(path, identity)
        restore.put_in_place()
    assert b"Lisbon" in (home.memory / "m_1.md").read_bytes()


def test_of_a_path_that_comes_twice_the_last_counts(tmp_path):
    path = tmp_path / "archive"
    path.write_bytes(packed(file("memory/m_1.md", b"old\n"), file("memory/m_1.md", b"new\n")))
    unpack(path, tmp_path / "out", ROOM)
    assert (tmp_path / "out/memory/m_1.md").read_bytes() == b"new\n"


def test_what_goes_wrong_while_it_is_made_leaves_no_backup(tmp_path):
    recipient = x25519.Identity.generate().to_public()

    def fill(filling) -> Manifest:
        raise OSError("The disk went away.")

    with pytest.raises(OSError, match="went away"):
        write_archive(tmp_path / "b.tar", [recipient], b"", fill)
    assert list(tmp_path.iterdir()) == []


def test_another_key_opens_nothing(backup, tmp_path):
    with pytest.raises(ConchError, match="doesn't open"):
        decrypt_archive(backup, [x25519.Identity.generate()], tmp_path / "out")
