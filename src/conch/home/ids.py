"""Ids that sort by when they were made."""

from __future__ import annotations

import uuid_utils

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id(prefix: str) -> str:
    """A new id, `prefix` + "_" + 26 characters; ids made later sort after ids made before.

    The characters are those of a UUIDv7 in base 32, without i, l, o and u, lower case: safe in a
    file name, a URL and on a terminal.
    """
    value = uuid_utils.uuid7().int
    digits: list[str] = []
    for _ in range(26):
        digits.append(_DIGITS[value & 31])
        value >>= 5
    return f"{prefix}_{''.join(reversed(digits))}"
