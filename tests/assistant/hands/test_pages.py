"""Pages: readable text, limits, and no way into this computer or its network."""

from __future__ import annotations

import httpx2
import pytest

from conch.assistant.hands.pages import LONGEST_TEXT, MOST_BYTES, fetch, is_public
from conch.chats.events import TaintMarked
from conch.home.errors import ConchError

PUBLIC = "93.184.215.14"
ADDRESSES = {"a.example": [PUBLIC], "b.example": [PUBLIC], "inside.example": ["10.0.0.7"],
             "mixed.example": [PUBLIC, "127.0.0.1"], "nowhere.example": []}  # fmt: skip


async def lookup(host, port):
    return ADDRESSES.get(host, [host])


def serving(pages):
    """`pages`: host and path to what is answered. The hosts asked are in `asked`."""
    asked = []

    def answer(request):
        key = f"{request.headers['host']}{request.url.path}"
        asked.append((key, request.url.host))
        return pages[key]

    return httpx2.MockTransport(answer), asked


def html(body, **more):
    return httpx2.Response(200, headers={"content-type": "text/html"}, text=body, **more)


def to(url):
    return httpx2.Response(302, headers={"location": url})


async def test_a_page_is_its_readable_text():
    body = """<html><head><title>Times &amp; fares</title><script>steal()</script></head>
    <body><nav>Menu</nav><h1>Trains</h1><p>To <b>Lyon</b> at 8:00.</p>
    <table><tr><td>9:00</td><td>40 EUR</td></tr></table><style>p{}</style></body></html>"""
    transport, asked = serving({"a.example/times": html(body)})
    page = await fetch("https://a.example/times?day=3", lookup=lookup, transport=transport)
    assert page.title == "Times & fares"
    assert page.text.split("\n") == ["Trains", "", "To Lyon at 8:00.", "", "9:00 40 EUR"]
    assert asked == [("a.example/times", PUBLIC)]


async def test_the_connection_goes_to_what_was_looked_up():
    transport, asked = serving({"a.example/": html("<p>x</p>")})
    await fetch("http://a.example", lookup=lookup, transport=transport)
    assert asked[0][1] == PUBLIC


REFUSED = [
    "http://inside.example/", "http://mixed.example/", "http://nowhere.example/",
    "http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest/meta-data/",
    "http://0.0.0.0/", "http://192.168.1.1/", "http://[::ffff:127.0.0.1]/", "http://[fe80::1]/",
    "http://100.64.0.1/", "http://[64:ff9b::7f00:1]/", "http://[2002:7f00:1::]/", "http://2130706433/",
    "http://0x7f.1/", "http://224.0.0.1/", "http://[fd00::1]/", "ftp://a.example/",
    "file:///etc/passwd", "http://a.example:22/", "http://", "javascript:x", "http://[bad/",
]  # fmt: skip


@pytest.mark.parametrize("url", REFUSED)
async def test_refused(url):
    transport, asked = serving({})
    with pytest.raises(ConchError, match="wasn't fetched"):
        await fetch(url, lookup=lookup, transport=transport)
    assert asked == []


@pytest.mark.parametrize("url", REFUSED[:18])
async def test_refused_after_a_redirect(url):
    transport, asked = serving({"a.example/": to(url)})
    with pytest.raises(ConchError, match="wasn't fetched"):
        await fetch("http://a.example/", lookup=lookup, transport=transport)
    assert [key for key, _ in asked] == ["a.example/"]


async def test_every_host_on_the_way_is_told():
    transport, _ = serving(
        {"a.example/": to("https://b.example/x"), "b.example/x": html("<p>x</p>")}
    )
    page = await fetch("http://a.example/", lookup=lookup, transport=transport)
    assert page.hosts == ("a.example", "b.example")


async def test_a_page_without_end_and_one_that_is_no_text_are_refused():
    transport, _ = serving(
        {
            "a.example/": to("http://a.example/"),
            "a.example/zip": httpx2.Response(
                200, headers={"content-type": "application/zip"}, content=b"PK"
            ),
            "a.example/no": httpx2.Response(404),
        }
    )
    for path, what in (("", "without end"), ("zip", "no page of text"), ("no", "answered 404")):
        with pytest.raises(ConchError, match=what):
            await fetch(f"http://a.example/{path}", lookup=lookup, transport=transport)


async def test_a_page_is_cut_to_what_may_be_read():
    body = "<p>" + "word " * (MOST_BYTES // 4)
    transport, _ = serving({"a.example/": html(body)})
    page = await fetch("http://a.example/", lookup=lookup, transport=transport)
    assert len(page.text) <= LONGEST_TEXT


async def test_what_was_fetched_marks_the_chat(worker):
    worker.conch.hands.transport, _ = serving({"a.example/": html("<p>hello</p>")})
    took = await worker.does(("fetch_page", {"url": "http://a.example/"}))
    assert took.told == ["hello"]
    events = worker.conch.chats.log(worker.chat).events()
    (taint,) = [one for one in events if isinstance(one, TaintMarked)]
    assert (taint.kind, taint.label) == ("web", "a.example")


@pytest.mark.parametrize("number", ["8.8.8.8", "2606:4700::1111"])
def test_public(number):
    assert is_public(number)
