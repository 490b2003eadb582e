"""What the encoded parts of a text say once they are decoded."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterable
from urllib.parse import unquote

from conch.guard.findings import Finding

_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})|\\u\{?([0-9a-fA-F]{4,6})\}?|\\([0-3][0-7]{2})")


def decoded_parts(text: str, coded: Iterable[Finding]) -> tuple[str, ...]:
    """The decoded text of each encoded finding that decodes to text; others are left out."""
    parts = (_decoded(text[one.start : one.end], one.kind) for one in coded)
    return tuple(part for part in parts if part)


def _decoded(part: str, kind: str) -> str:
    try:
        if kind == "encoded:data":
            head, _, body = part.partition(",")
            return _from_base64(body) if ";base64" in head else unquote(body)
        if kind == "encoded:base64":
            return _from_base64(part)
        if kind == "encoded:hex":
            return bytes.fromhex(part.removeprefix("0x")).decode("utf-8")
        return _from_escapes(part)
    except (ValueError, binascii.Error, OverflowError):
        return ""


def _from_base64(part: str) -> str:
    core = part.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(core + "=" * (-len(core) % 4)).decode("utf-8")


def _from_escapes(part: str) -> str:
    if re.fullmatch(r"[01 ,]+", part):
        return bytes(int(bits, 2) for bits in re.findall(r"[01]{8}", part)).decode("utf-8")
    plain = html.unescape(unquote(part))

    def letter(match: re.Match[str]) -> str:
        two, four, octal = match.groups()
        return chr(int(octal, 8)) if octal else chr(int(two or four, 16))

    return _ESCAPE.sub(letter, plain)
