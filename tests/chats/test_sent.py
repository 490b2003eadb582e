"""What an engine was sent comes back byte for byte, and is cut where a memory no longer holds."""

from pathlib import Path

import pytest

from conch.chats.chats import Chats
from conch.chats.sent import SentMessages, cut_sent_where_memory
from conch.home.errors import ConchError
from conch.home.home import Home

ODD = b'{"b": 1,  "a":[ ] , "text":"\\u00e9\xc3\xa9 \xe6\x9d\xb1"}'


@pytest.fixture
def chat(chats: Chats) -> str:
    return chats.new()


@pytest.fixture
def sent(home: Home, chat: str) -> SentMessages:
    """Three turns; the second and the third were sent with memories nearby."""
    sent = SentMessages(home, chat, "anthropic")
    sent.append([ODD, b"\xff\x00"], seq=2)
    sent.append([{"role": "user", "parts": ["東京"]}], seq=5, memories=["m_1", "m_2"])
    sent.append([b"last"], seq=8, memories=["m_3"])
    return sent


def test_messages_come_back_as_they_were_given(sent: SentMessages):
    read = sent.read()
    assert [message.data for message in read] == [
        ODD,
        b"\xff\x00",
        {"role": "user", "parts": ["東京"]},
        b"last",
    ]
    assert [message.seq for message in read] == [2, 2, 5, 8]
    assert [message.memories for message in read] == [(), (), ("m_1", "m_2"), ("m_3",)]


def test_each_engine_has_its_own(home: Home, chat: str, sent: SentMessages):
    assert SentMessages(home, chat, "openai").read() == []
    SentMessages(home, chat, "http://localhost:8080/../x").append([b"here"], seq=1)
    assert len(sent.read()) == 4
    files = sorted(path.name for path in (home.chats / chat / "sent").iterdir())
    assert files == ["anthropic.jsonl", "http___localhost_8080____x.jsonl"]


def test_cut_from_an_event(sent: SentMessages):
    sent.cut_from(9)
    assert len(sent.read()) == 4
    sent.cut_from(3)
    assert [message.seq for message in sent.read()] == [2, 2]
    sent.append([b"anew"], seq=5)
    assert sent.read()[-1].data == b"anew"
    sent.cut_from(0)
    assert sent.read() == []


def test_cut_where_a_memory_was_sent(sent: SentMessages):
    assert not sent.cut_where_memory("m_9")
    assert len(sent.read()) == 4
    assert sent.cut_where_memory("m_2")
    assert [message.seq for message in sent.read()] == [2, 2]
    assert not sent.cut_where_memory("m_3")


def test_cut_in_every_chat_and_engine(home: Home, chats: Chats, chat: str, sent: SentMessages):
    other = chats.new()
    SentMessages(home, other, "openai").append([b"x"], seq=2, memories=["m_3"])
    SentMessages(home, chat, "openai").append([b"y"], seq=2, memories=["m_30"])
    assert sorted(cut_sent_where_memory(home, "m_3")) == sorted([chat, other])
    assert [message.seq for message in sent.read()] == [2, 2, 5]
    assert SentMessages(home, other, "openai").read() == []
    assert len(SentMessages(home, chat, "openai").read()) == 1
    assert cut_sent_where_memory(home, "m_3") == []


def test_no_word_of_it_stands_on_disk_in_the_clear(home: Home, chat: str):
    """The log is redacted; what was sent is not, so it is sealed."""
    SentMessages(home, chat, "anthropic").append([b"my password is hunter2"], seq=2)
    for path in home.root.rglob("*"):
        assert path.is_dir() or b"hunter2" not in path.read_bytes()


def test_cut_at_every_byte_whole_turns_are_left(home: Home, chat: str, sent: SentMessages):
    path = home.chats / chat / "sent" / "anthropic.jsonl"
    data, whole = path.read_bytes(), sent.read()
    ends = [n + 1 for n, byte in enumerate(data) if byte == 0x0A]
    for cut in range(0, len(data), 7):
        path.write_bytes(data[:cut])
        left = sum(end <= cut for end in ends)
        expected = [message for message in whole if message.seq in (2, 5, 8)[:left]]
        assert sent.read() == expected
        sent.append([b"next"], seq=11)
        assert sent.read()[:-1] == expected


def test_a_damaged_turn_ends_what_is_repeated(home: Home, chat: str, sent: SentMessages):
    path = home.chats / chat / "sent" / "anthropic.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    for damage in (b"{\n", b"\xff\n", lines[1].replace(b'"sealed":"', b'"sealed":"AAAA')):
        path.write_bytes(lines[0] + damage + lines[2])
        assert [message.seq for message in sent.read()] == [2, 2]


def test_another_homes_key_opens_nothing(home: Home, chat: str, sent: SentMessages):
    (home.keys / "seal.key").unlink()
    assert SentMessages(Home.open(home.root), chat, "anthropic").read() == []


def test_it_is_the_owners_alone_and_gone_with_the_chat(
    home: Home, chats: Chats, chat: str, sent: SentMessages
):
    path: Path = home.chats / chat / "sent" / "anthropic.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    chats.delete(chat)
    with pytest.raises(ConchError, match="deleted"):
        sent.append([b"x"], seq=9)
    assert sent.read() == []


def test_clearing_forgets_all(sent: SentMessages):
    sent.clear()
    assert sent.read() == []
    sent.clear()
