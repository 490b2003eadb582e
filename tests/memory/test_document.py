"""A memory's file: what goes in comes out, and what a person added stays."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conch.home.home import Home
from conch.memory.document import LONGEST_FILE, Unreadable, read_document, render, without_seal
from conch.memory.memories import clean_words
from conch.memory.memory import Held, Memory, Provenance
from conch.memory.sealed import from_bytes, is_sealed, to_bytes

AT = datetime(2026, 8, 20, 9, 0, 0, 123456, tzinfo=UTC)

FULL = Memory(
    id="m_2",
    text='Says "no: never" #1 — 日本語\n\nsecond line',
    kind="preference",
    source="learning",
    created=AT,
    updated=AT,
    about="pitfall",
    chat="c_1",
    learned="look_1:0",
    waits="Learned in a chat that read a.example: ask # me",
    held=Held("refuse", ("It looks like a key.", "yes")),
    provenance=Provenance(("web:a.example",), yours=False, host="null"),
    replaces="m_1",
    replaces_hash="0" * 64,
    invalid_at=AT,
    superseded_by="m_3",
    cues=("eating out", "true", "2"),
)


def test_everything_a_memory_knows_survives_the_file(home: Home) -> None:
    assert from_bytes(to_bytes(FULL, home.seal)) == FULL


@given(
    text=st.text(min_size=1, max_size=200),
    label=st.text(max_size=40),
    cue=st.text(max_size=20),
)
def test_any_words_survive_the_file(
    tmp_path_factory: pytest.TempPathFactory, text: str, label: str, cue: str
) -> None:
    seal = Home.open(tmp_path_factory.getbasetemp() / "any").seal
    words = clean_words(text)
    memory = Memory(
        "m_1", words, "fact", "you", AT, AT, waits=label, chat=label, learned=label, cues=(cue,)
    )
    data = to_bytes(memory, seal)
    assert from_bytes(data) == memory
    assert is_sealed(data, seal)


@pytest.mark.parametrize("word", ["null", "true", "No", "1e3", "0x1f", "~", "12:30", "- a", "a: b"])
def test_a_value_that_yaml_would_read_as_something_else_stays_a_word(home: Home, word: str) -> None:
    memory = Memory("m_1", "x", "fact", "you", AT, AT, chat=word)
    assert from_bytes(to_bytes(memory, home.seal)).chat == word


def test_comments_and_unknown_keys_survive_a_rewrite(home: Home) -> None:
    by_person = (
        b"---\n# mine\nid: m_1\nkind: fact  # a fact\ntags: [home, 'two words']\n"
        b"created: 2026-08-20T09:00:00Z\nnote: |\n  two\n  lines\n---\nLives in Berlin\n"
    )
    memory = Memory("m_1", "Lives in Lisbon", "preference", "you", AT, AT)
    text = to_bytes(memory, home.seal, by_person).decode()
    assert "# mine" in text
    assert "# a fact" in text
    assert "tags: [home, 'two words']" in text
    assert "note: |\n  two\n  lines\n" in text
    assert from_bytes(text.encode()) == memory


def test_what_an_editor_leaves_is_read() -> None:
    windows = b"\xef\xbb\xbf---\r\nid: m_1\r\nkind: preference\r\n---\r\n\r\nTea.\r\nNo sugar.\r\n"
    memory = from_bytes(windows)
    assert (memory.id, memory.kind, memory.text) == ("m_1", "preference", "Tea.\nNo sugar.")


def test_a_note_without_front_matter_is_its_words() -> None:
    assert read_document(b"Ich mag Tee\n").text == "Ich mag Tee"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"---\nid: m_1\n", "no end"),
        (b"---\nid: [\n---\nx\n", "not YAML"),
        (b"---\nid: a\nid: b\n---\nx\n", "not YAML"),
        (b"---\n- a\n---\nx\n", "no list of keys"),
        (b"---\nid: m_1\n---\n\xff\xfe\n", "not UTF-8"),
        (b"---\nid: \xff\n---\nx\n", "not UTF-8"),
        (b"x" * (LONGEST_FILE + 1), "longer"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_read_says_why(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read_document(data)


def test_anchors_that_multiply_cost_nothing() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    with pytest.raises(Unreadable):
        read_document(("---\n" + "\n".join(lines) + "\n---\nx\n").encode())


def test_a_seal_covers_every_byte_but_its_own_line(home: Home) -> None:
    data = to_bytes(FULL, home.seal)
    unsealed, mark = without_seal(data)
    assert home.seal.fits(unsealed, mark)
    for place in range(len(data)):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        try:
            assert not is_sealed(changed, home.seal), place
        except Unreadable:
            continue


def test_two_seal_lines_are_no_seal(home: Home) -> None:
    data = render({"id": "m_1"}, "x")
    mark = home.seal.sign(data)
    twice = data.replace(b"---\nx", f"seal: {mark}\nseal: {mark}\n---\nx".encode())
    assert not is_sealed(twice, home.seal)
