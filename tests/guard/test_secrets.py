"""Secrets: one detector for the gate, the check, drafts, logs and exports (issue 4, point 5)."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from conch.guard.key_secrets import is_placeholder, key_shaped
from conch.guard.secrets import find_secrets, has_secret
from conch.words.lexicon import lexicons, lexicons_beside

CASES = Path(__file__).parents[1] / "cases" / "secrets.jsonl"


def _rows() -> list[dict[str, object]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def test_the_labelled_cases_reach_the_bars() -> None:
    right: Counter[tuple[object, bool]] = Counter()
    for row in _rows():
        right[row["label"], has_secret(str(row["text"])) == bool(row["label"])] += 1
    secrets, plain = right[1, True] + right[1, False], right[0, True] + right[0, False]
    assert secrets + plain >= 150
    assert right[1, True] >= 0.95 * secrets
    assert right[0, False] <= 0.01 * plain


def test_every_language_has_secrets_of_its_own_and_plain_talk_in_the_cases() -> None:
    seen = {(row["lang"], row["label"]) for row in _rows()}
    assert {(lexicon.code, 1) for lexicon in lexicons()} <= seen
    assert {(lexicon.code, 0) for lexicon in lexicons()} <= seen


@pytest.mark.parametrize(
    ("text", "kind", "secret"),
    [
        ("the sudo password is Marble-Otter42, ok?", "chat:password", "Marble-Otter42"),
        ("my pin is 4821 for the alarm", "chat:code", "4821"),
        ("the one-time code they texted me is 739204", "chat:code", "739204"),
        ("door code: 4 8 2 1", "chat:code", "4 8 2 1"),
        ("password for the mail kestrel99", "chat:password", "kestrel99"),
        ("hasło do poczty pustulka99!", "chat:password", "pustulka99"),
        ("contraseña del correo halcon2031!", "chat:password", "halcon2031"),
        ("the pin is four eight two one", "chat:code", "four eight two one"),
        ("Login is anna / Vs&x&Z135", "chat:password", "Vs&x&Z135"),
        (
            "my seed phrase is apple river stone cloud tiger lemon chair honey wolf paper sugar",
            "chat:phrase",
            "apple river stone cloud tiger lemon chair honey wolf paper sugar",
        ),
        ("zip it with the passphrase 'seven cold herons juggle'", "chat:password", "seven cold"),
        ("guest wifi is Sunny_5G, key: mossypebbles99", "chat:password", "mossypebbles99"),
        ("para entrar al portal marca 0429 y la campanita", "chat:code", "0429"),
        ("here's the card 4111 1111 1111 3113, exp 04/29", "chat:card", "4111 1111 1111 3113"),
        ("cvv 881", "chat:code", "881"),
        ("mein Passwort ist Regenschirm77", "chat:password", "Regenschirm77"),
        ("パスワードはhimawari88です", "chat:password", "himawari88"),
        ("密码是xiangrikui88", "chat:password", "xiangrikui88"),
        ("мой пароль Podsolnuh88", "chat:password", "Podsolnuh88"),
        ("postgres://app:w@RLk2qUy84dri1@db.local:5432/app", "key:link_user", "w@RLk2qUy84dri1"),
        ("use Larch!Pine7 as the password for the zip", "chat:password", "Larch!Pine7"),
        ("518204 is your Google verification code", "chat:code", "518204"),
        ("changed the password to Popcorn%Night3", "chat:password", "Popcorn%Night3"),
        (
            "Logs in with velvet anchor copper lantern",
            "chat:phrase",
            "velvet anchor copper lantern",
        ),
        ("I use walrus7 everywhere", "chat:password", "walrus7"),
        ("my password is w a l r u s 7", "chat:password", "w a l r u s 7"),
        ("password spelled w-a-l-r-u-s-7", "chat:password", "w-a-l-r-u-s-7"),
        ("the safe's code is 32 left, 14 right", "chat:code", "32 left, 14 right"),
        ("passphrase correct horse battery staple", "chat:phrase", "correct horse"),
        ("pw for the zip: tulip garden 44", "chat:password", "tulip garden 44"),
        ("我的密码是velvet anchor copper lantern", "chat:password", "velvet anchor"),
        ("门禁密码是四八二一", "chat:code", "四八二一"),
        ("비밀번호는 사팔이일이야", "chat:code", "사팔이일"),
        ("I want the code to be my birthday, 0312", "chat:code", "0312"),
        ("DB_PASSWORD='x8!kQ2pLm0vR'", "key:password", "x8!kQ2pLm0vR"),
    ],
)
def test_what_is_secret_and_where_it_stands(text: str, kind: str, secret: str) -> None:
    found = find_secrets(text)
    assert [one.kind for one in found] == [kind]
    assert text[found[0].start : found[0].end].startswith(secret)


@pytest.mark.parametrize(
    ("text", "shaped"),
    [
        ("Deploys the api-gateway-v1beta1 service", False),
        ("Runs test_payments_v1beta1", False),
        ("Branch is secret_santa_2k24", False),
        ("Envoy loads ext_authz_v2alpha1", False),
        ("Imports re_export_k8s8_map", False),
        ("Stores it in the key-value-store-v2alpha1", False),
        ("Uses glpat- tokens", False),
        ("Key is sk-ant-1234567890", True),
        ("Pushes with ghp_abcdefghij12", True),
        ("Key is glpat-xx7ab9xxxx", True),
    ],
)
def test_a_start_people_write_in_names_needs_a_whole_key(text: str, shaped: bool) -> None:
    assert key_shaped(text) is shaped


@pytest.mark.parametrize(
    "text",
    [
        "which password manager do you like?",
        "I always forget my password, remind me how to reset it",
        "the password is too short",
        "I changed the password for my mail in 2024",
        "Password manager for Windows 11",
        "the commit is e30ab68092e811acc2bb719bd933ce77ab1128d9",
        "the UUID was 2df4cd5b-bdf4-4bba-d185-bdcfd81677ac",
        "order number 15048520 hasn't arrived",
        "call me on +44 7700 900123",
        "my IBAN is DE89 3704 0044 0532 0130 00",
        "my e-mail is tom.fisher@example.org",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
        "version 3.11.4 broke my build",
        "I use Python3 everywhere",
        "passphrase protects encrypted backup drives",
        "password tips: length over 12",
        "uses Log4j for everything",
        "I sign in with Touch ID",
        "logs in with company Google account credentials",
        "the building has 12 left and 14 right seats",
        "我的密码每三四个月换一次",
        "I wrote the code on my birthday, 12 March",
        "my PIN board is full of recipes",
        "translate 'forgot your password?' into Welsh",
        "docs say to set OPENAI_API_KEY=sk-... before running",
        "the code is 300 lines long",
        "the key to good bread is time",
        "la clé de voûte du chapitre, c'est la lettre",
        "mein Passwort ist falsch",
        "パスワードは必要です",
        "password: Annotated[str, typer.Option(hide_input=True)]",
        '{"type": "user", "timestamp": "2025-06-14T11:00:00Z", "parentUuid": null}',
        "--- PASS: TestSaveChanges_EmptyBaseCommit_Recovery (0.05s)",
    ],
)
def test_ordinary_talk_holds_no_secret(text: str) -> None:
    assert find_secrets(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Ｐａｓｓｗｏｒｄ is tulip-92",
        "the pass\u200bword is tulip-92",
        "the pаsswоrd is tulip-92",  # Cyrillic letters
        "sk-ant-api03-\u200bqRlwmlw0uMOLLk6e8qOpu04lsguNo4r7vJQnQ1aWlBiSIx0QA27f",
    ],
)
def test_a_disguise_hides_no_secret(text: str) -> None:
    assert has_secret(text)


def test_places_are_those_of_the_text_as_given() -> None:
    text = "cafe\u0301 \u200bＰＩＮ is 48\u200b21, ok"
    found = find_secrets(text)
    assert [text[one.start : one.end] for one in found] == ["48\u200b21"]


def test_findings_are_in_order_and_do_not_overlap() -> None:
    text = "user pi, password raspberry1! and AKIAQ7ZP3WXN5TLM2RDU, pin 4821. " * 20
    found = find_secrets(text)
    assert len(found) >= 60
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize("value", ["xxxxxxxxxxxxxxxx", "<your key>", "${TOKEN}", "****", "%s"])
def test_what_stands_for_a_secret_is_none(value: str) -> None:
    assert is_placeholder(value)
    assert not has_secret(f"api_key = {value}")


def test_a_language_of_ones_own_is_read_at_once(tmp_path: Path) -> None:
    text = "mu parool on Kuusepuu77"
    assert not has_secret("mu parool: rohelinekuusk")
    (tmp_path / "et.toml").write_text(
        'language = "et"\nname = "Eesti"\nscript = "Latn"\n'
        '[guard.secrets]\npassword = ["parool"]\nis = ["on"]\n',
        encoding="utf-8",
    )
    with lexicons_beside(tmp_path):
        assert [one.kind for one in find_secrets(text)] == ["chat:password"]
        assert has_secret("mu parool: rohelinekuusk")
    assert not has_secret("mu parool: rohelinekuusk")


@pytest.mark.parametrize(
    "piece",
    [
        "key=",
        "pin ",
        "password '",
        "sk-",
        "a@b.",
        "e\u0301",
        "a\u200b",
        "密码是",
        "://a:",
        "1 ",
        "eyJ",
    ],
)
def test_a_long_hostile_text_ends(piece: str) -> None:
    find_secrets(piece * (60_000 // len(piece)))
