"""Values that reach out of a text, and which of them the person never typed."""

from __future__ import annotations

import pytest

from conch.guard.values import never_typed, values_in


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Mail is Tom.Fisher@Example.org.", [("mail", "tom.fisher@example.org")]),
        ("Site is https://www.Trains.example/offer/", [("link", "trains.example/offer")]),
        ("Reads news.example daily", [("link", "news.example")]),
        ("IBAN DE89 3704 0044 0532 0130 00", [("iban", "DE89370400440532013000")]),
        ("Phone +44 7700 900123", [("phone", "447700900123")]),
        ("Account 12345678", [("number", "12345678")]),
        ("Is @night_owl there", [("handle", "@night_owl")]),
        (
            "Wallet 0x52908400098527886E0F7030069857D2E4169EE7",
            [("wallet", "0x52908400098527886E0F7030069857D2E4169EE7")],
        ),
        ("Uses pаypal.example", [("link", "paypal.example")]),
        ("Born 1986-02-14, has 2 kids, runs Python 3.11.4, wakes at 06:45", []),
        ("Moved on 14.02.1986; worked there 2009-2015", []),
        ("Likes e.g. jazz, i.e. Coltrane", []),
    ],
)
def test_values(text: str, values: list[tuple[str, str]]) -> None:
    assert [(value.kind, value.plain) for value in values_in(text)] == values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("E-mail is tom@example.org", "write me at TOM@example.org"),
        ("Phone is 07700 900123", "call +44 7700 900123"),
        ("Blog is example.org", "my blog is https://www.example.org/"),
        ("Host is example.org", "tom@example.org is my mail"),
        ("Docs at example.org", "see https://example.org/docs/page"),
        ("IBAN is DE89370400440532013000", "iban DE89 3704 0044 0532 0130 00 please"),
    ],
)
def test_what_was_typed_counts_however_it_was_written(text: str, said: str) -> None:
    assert never_typed(text, [said]) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Mail is tom@example.org", "my mail is tom@example.com"),
        ("Mail is om@example.org", "my mail is tom@example.org"),
        ("Offer at example.org/offer?x=1", "my site is example.org"),
        ("Phone is 0900123", "call +44 7700 9001234"),
        ("IBAN is DE02120300000000202051", "iban DE89 3704 0044 0532 0130 00"),
    ],
)
def test_what_only_looks_alike_was_not_typed(text: str, said: str) -> None:
    assert len(never_typed(text, [said])) == 1
