"""Values that reach out of a text: addresses, links, numbers of phones, accounts and wallets.

A memory with a value that the person never typed may have been written by a page, however
harmless it sounds: "prefers invoices to be sent to billing@…".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from conch.guard.seen import seen

ValueKind = Literal["mail", "link", "iban", "wallet", "handle", "phone", "number"]

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[^\W\d_]{2,24}(?![\w-])")
_LINK = re.compile(r"(?:[a-z][a-z0-9+.-]{1,12}://|www\.)[^\s<>\"'`“”«»]{3,400}", re.IGNORECASE)
_HOST = re.compile(
    r"(?<![\w@./-])(?:[\w-]{1,63}\.){1,4}(?:com|org|net|io|dev|app|ai|co|me|info|biz|edu|gov|eu|de|fr|"
    r"es|it|nl|pl|pt|ru|cn|jp|kr|in|br|uk|us|ch|at|be|se|no|dk|fi|tr|xyz|site|online|shop|store|tech|"
    r"cloud|page|link|example|test|invalid|local|onion)(?![\w-])(?:/[^\s<>\"'`]{0,200})?",
    re.IGNORECASE,
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{1,4}){2,8}(?![A-Za-z0-9])")
_WALLET = re.compile(
    r"(?<!\w)(?:0x[0-9a-fA-F]{40}|bc1[a-z0-9]{25,60}|[13][1-9A-HJ-NP-Za-km-z]{25,34}"
    r"|T[1-9A-HJ-NP-Za-km-z]{33}|ltc1[a-z0-9]{25,60}|[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93})(?!\w)"
)
_HANDLE = re.compile(r"(?<![\w@./])@[A-Za-z_][\w.]{2,30}(?!@)")
_NUMBER = re.compile(r"(?<![\w.,:])\+?\(?\d(?:[ ()./-]{0,2}\d){6,18}(?![\w])")
_DATE = re.compile(
    r"(?:19|20)\d\d[-./ ]\d{1,2}[-./ ]\d{1,2}.{0,9}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d.{0,9}"
    r"|(?:19|20)\d\d ?[-–/] ?(?:19|20)\d\d"
)


@dataclass(frozen=True)
class Value:
    """A value as it stands in a text (`shown`), and as two of them are compared (`plain`)."""

    kind: ValueKind
    shown: str
    plain: str


def values_in(text: str) -> tuple[Value, ...]:
    """The values of `text` that reach something outside it, in order of their kinds."""
    text = seen(text).text
    found: list[Value] = []
    rest = text
    kinds: tuple[tuple[ValueKind, re.Pattern[str]], ...] = (
        ("link", _LINK),
        ("mail", _MAIL),
        ("link", _HOST),
        ("iban", _IBAN),
        ("wallet", _WALLET),
        ("handle", _HANDLE),
        ("number", _NUMBER),
    )
    for kind, pattern in kinds:
        for match in pattern.finditer(rest):
            value = _value(kind, match.group())
            if value:
                found.append(value)
                blank = " " * len(match.group())
                rest = rest[: match.start()] + blank + rest[match.end() :]
    return tuple(dict.fromkeys(found))


def never_typed(text: str, typed: Iterable[str]) -> tuple[Value, ...]:
    """The values of `text` that stand in none of the texts `typed`.

    A link counts as typed when its host was and it leads no deeper; a phone number with or without
    its country's code is the same.
    """
    wanted = values_in(text)
    if not wanted:
        return ()
    known = [value for said in typed for value in values_in(said)]
    return tuple(value for value in wanted if not any(_same(value, one) for one in known))


def _value(kind: ValueKind, shown: str) -> Value | None:
    shown = shown.rstrip(".,;:!?)]}'\"…")
    if kind == "link":
        plain = re.sub(r"^[a-z][a-z0-9+.-]{1,12}://", "", shown.lower())
        plain = plain.removeprefix("www.").rstrip("/")
        return Value("link", shown, plain)
    if kind == "iban":
        compact = re.sub(r"[ -]", "", shown)
        return Value("iban", shown, compact) if _is_iban(compact) else None
    if kind == "number":
        digits = re.sub(r"\D", "", shown)
        if not 7 <= len(digits) <= 19 or _DATE.fullmatch(shown):
            return None
        return Value("phone" if shown.startswith("+") else "number", shown, digits)
    return Value(kind, shown, shown if kind == "wallet" else shown.lower())


def _same(value: Value, known: Value) -> bool:
    if value.kind == "link" and known.kind == "link":
        return value.plain == known.plain or known.plain.startswith(value.plain + "/")
    if {value.kind, known.kind} <= {"phone", "number"}:
        short, long = sorted((value.plain, known.plain), key=len)
        return short == long or (len(short) >= 7 and long.endswith(short.lstrip("0")))
    if value.kind == "link" and known.kind == "mail":
        return value.plain == known.plain.partition("@")[2]
    return value.kind == known.kind and value.plain == known.plain


def _is_iban(compact: str) -> bool:
    if not 15 <= len(compact) <= 34:
        return False
    moved = compact[4:] + compact[:4]
    digits = "".join(str(int(character, 36)) for character in moved)
    return int(digits) % 97 == 1 or compact[2:4] == "00"
