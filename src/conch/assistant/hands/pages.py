"""Fetches a page and gives its readable text: limited in size and time, and public only.

Every address is looked up first and the connection made to exactly what was looked up, again after
each redirect, so that no page can lead into this computer or its network.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit, urlunsplit

from conch.home.errors import ConchError

if TYPE_CHECKING:
    import httpx2

LONGEST_TEXT = 40_000
"""Characters of a page the model is given."""
MOST_BYTES = 4_000_000
TIMEOUT_SECONDS = 25.0
_MOST_REDIRECTS = 5
_PORTS = {"http": {80, 8080, None}, "https": {443, 8443, None}}
_BLANK_LINES = re.compile(r"\n\s*\n\s*\n+")
_BLOCKS = {
    "p", "div", "section", "article", "li", "ul", "ol", "tr", "table", "br", "h1", "h2", "h3", "h4",
    "h5", "h6", "pre", "blockquote", "dt", "dd", "header", "footer", "main", "figcaption", "option",
}  # fmt: skip
_UNREAD = {"script", "style", "noscript", "template", "svg", "nav", "iframe", "head"}

LookUp = Callable[[str, int], Awaitable[list[str]]]


@dataclass(frozen=True)
class Page:
    """A page as text. `hosts`: every host that was asked on the way, in order."""

    title: str
    text: str
    url: str
    hosts: tuple[str, ...]


async def look_up(host: str, port: int) -> list[str]:
    """Every address of a host."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(one[4][0]) for one in found]


async def fetch(
    url: str, *, lookup: LookUp = look_up, transport: httpx2.AsyncBaseTransport | None = None
) -> Page:
    """The page at `url`. Raises ConchError when it can't be had, is private or is no text."""
    import httpx2

    hosts: list[str] = []
    try:
        async with (
            asyncio.timeout(TIMEOUT_SECONDS),
            httpx2.AsyncClient(
                transport=transport, timeout=TIMEOUT_SECONDS, trust_env=False
            ) as client,
        ):
            for _ in range(_MOST_REDIRECTS + 1):
                pinned, host = await _pinned(url, lookup)
                hosts.append(host)
                request = client.build_request(
                    "GET",
                    pinned,
                    headers={
                        "Host": urlsplit(url).netloc.rsplit("@", 1)[-1],
                        "User-Agent": "Conch (a personal assistant)",
                        "Accept": "text/html,text/plain,application/json;q=0.9,*/*;q=0.1",
                    },
                    extensions={"sni_hostname": host},
                )
                response = await client.send(request, stream=True)
                try:
                    if response.is_redirect and (to := response.headers.get("location")):
                        url = urljoin(url, to)
                        continue
                    if response.status_code >= 400:
                        raise _failed(f"{host} answered {response.status_code}.")
                    kind = response.headers.get("content-type", "").lower()
                    body = await _body(response)
                finally:
                    await response.aclose()
                title, text = _readable(body, kind)
                return Page(title, text[:LONGEST_TEXT], url, tuple(dict.fromkeys(hosts)))
    except TimeoutError:
        raise _failed(f"{urlsplit(url).hostname} took too long.") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError) as error:
        raise _failed(f"It couldn't be reached ({type(error).__name__}).") from None
    raise _failed("It led from page to page without end.")


async def _pinned(url: str, lookup: LookUp) -> tuple[str, str]:
    """The address with its host replaced by a public number, and the host."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        raise _failed("That is no address.") from None
    if parts.scheme not in _PORTS or not host:
        raise _failed("Only http and https pages can be fetched.")
    if port not in _PORTS[parts.scheme]:
        raise _failed("Pages are only fetched from the usual ports.")
    numbers = await lookup(host, port or (443 if parts.scheme == "https" else 80))
    if not numbers or not all(is_public(number) for number in numbers):
        raise _failed(f"{host} is on this computer or its own network.")
    number = f"[{numbers[0]}]" if ":" in numbers[0] else numbers[0]
    netloc = f"{number}:{port}" if port else number
    return urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, "")), host


def is_public(number: str) -> bool:
    """Whether an IP address is one of the open internet, also when it is wrapped in another."""
    try:
        address = ipaddress.ip_address(number.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is None and address.teredo:
            inner = address.teredo[1]
        if inner is not None:
            return is_public(str(inner))
    return address.is_global and not address.is_multicast


async def _body(response: httpx2.Response) -> bytes:
    out = bytearray()
    async for chunk in response.aiter_bytes():
        out += chunk
        if len(out) > MOST_BYTES:
            del out[MOST_BYTES:]
            break
    return bytes(out)


def _readable(body: bytes, kind: str) -> tuple[str, str]:
    charset = re.search(r"charset=[\"']?([\w-]+)", kind)
    encoding = charset[1] if charset else "utf-8"
    if "html" in kind or body.lstrip()[:15].lower().startswith((b"<!doctype", b"<html")):
        return _of_html(body, encoding if charset else "")
    if not kind.startswith("text/") and "json" not in kind and "xml" not in kind:
        raise _failed("It is no page of text.")
    return "", _decoded(body, encoding)


def _decoded(body: bytes, encoding: str) -> str:
    try:
        return body.decode(encoding, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def _of_html(body: bytes, encoding: str) -> tuple[str, str]:
    """Title and text of a page: its article where one is found, else all of its text."""
    import lxml.html
    from lxml.etree import ParserError
    from readability import Document

    text = _decoded(body, encoding or "utf-8")
    try:
        tree = lxml.html.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except (ParserError, ValueError):
        raise _failed("The page is empty.") from None
    whole = _text_of(tree)
    found = tree.find(".//title")
    title = " ".join((found.text_content() if found is not None else "").split())
    if len(whole) > LONGEST_TEXT // 4:
        try:
            article = _text_of(lxml.html.fromstring(Document(text).summary()))
        except Exception:  # It is only a better cut of the same text.
            article = ""
        if len(article) > len(whole) // 4:
            whole = article
    return title, whole


def _text_of(element: object) -> str:
    out: list[str] = []

    def take(node: object) -> None:
        tag = getattr(node, "tag", None)
        if not isinstance(tag, str) or tag in _UNREAD:
            return
        if tag in _BLOCKS:
            out.append("\n")
        out.append(getattr(node, "text", None) or "")
        for child in node:  # type: ignore[attr-defined]
            take(child)
            out.append(child.tail or "")
        out.append("\n" if tag in _BLOCKS else " " if tag in ("td", "th") else "")

    take(element)
    lines = [" ".join(line.split()) for line in "".join(out).split("\n")]
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def _failed(what: str) -> ConchError:
    return ConchError(f"The page wasn't fetched. {what}")
