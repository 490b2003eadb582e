"""What a reader cannot see in a text: hidden characters and encoded blobs; and the text as seen.

Joiners that a script needs (Persian, Indic), those inside emoji, direction marks in right-to-left
text and variation selectors after the signs they belong to are ordinary and never found.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata

from conch.guard.findings import Finding, merged
from conch.guard.lookalikes import fold_lookalikes, lookalikes

__all__ = ["canonical", "encoded_blobs", "hidden_characters", "lookalikes", "without_hidden"]

_SUSPECT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_FLAG_TAGS = re.compile(
    "\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    "|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
_MARK_PILE = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{4,}")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_JOINING = re.compile(
    "[\u0600-\u07ff\u0840-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]"
)
_SPACELESS = re.compile("[\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff\u1950-\u19ff]")
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_EMOJI = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff#*0-9\ufe0f\u20e3]"
)
_LATIN = re.compile("[A-Za-z]")


def hidden_characters(text: str) -> list[Finding]:
    """Characters that show nothing: zero-width, tags, direction overrides, controls, mark piles.

    Kinds: "hidden:tag", "hidden:direction", "hidden:zero-width", "hidden:control",
    "hidden:selector", "hidden:marks".
    """
    if text.isascii() and text.isprintable():
        return []
    flags = [match.span() for match in _FLAG_TAGS.finditer(text)]
    found: list[Finding] = []
    right_to_left = _RIGHT_TO_LEFT.search(text) is not None
    for run in _SUSPECT.finditer(text):
        if any(start <= run.start() < end for start, end in flags):
            continue
        for at in range(run.start(), run.end()):
            if not _ordinary(text, at, right_to_left):
                found.append(Finding(at, at + 1, f"hidden:{_kind(text[at])}"))
    found += [Finding(m.start() + 1, m.end(), "hidden:marks") for m in _MARK_PILE.finditer(text)]
    return _runs(found)


def without_hidden(text: str) -> str:
    """`text` without its hidden characters; ordinary joiners stay."""
    parts: list[str] = []
    last = 0
    for finding in hidden_characters(text):
        parts.append(text[last : finding.start])
        last = finding.end
    parts.append(text[last:])
    return "".join(parts)


def canonical(text: str) -> str:
    """The text as a reader takes it in, for deciding over it; never for storing it.

    Hidden characters are out, compatibility forms are folded (NFKC), letters that stand in for
    Latin ones are Latin, whitespace is single spaces.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    seen = without_hidden(unicodedata.normalize("NFKC", without_hidden(text)))
    return " ".join(fold_lookalikes(seen).split())


def _ordinary(text: str, at: int, right_to_left: bool) -> bool:
    character = text[at]
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    if character == "\u200d":
        if _EMOJI.match(before) and _EMOJI.match(after):
            return True
        return _JOINING.match(before) is not None
    if character == "\u200c":
        return _JOINING.match(before) is not None
    if character == "\u200b":
        return bool(_SPACELESS.match(before) or _SPACELESS.match(after))
    if character in "\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069":
        return right_to_left and not (_LATIN.match(before) and _LATIN.match(after))
    if character in "\ufe0e\ufe0f":
        return _EMOJI.match(before) is not None and before not in "\ufe0e\ufe0f"
    if "\ufe00" <= character <= "\ufe0d" or "\U000e0100" <= character <= "\U000e01ef":
        return bool(_IDEOGRAPH.match(before)) or unicodedata.category(before or "a") == "Sm"
    if "\u180b" <= character <= "\u180f":
        return "\u1820" <= before <= "\u18aa"
    if character in "\u17b4\u17b5":
        return "\u1780" <= before <= "\u17dd"
    if character == "\u2800":
        return "\u2801" <= before <= "\u28ff" or "\u2801" <= after <= "\u28ff"
    if character == "\ufeff":
        return at == 0
    return character in "\x0b\x0c"


def _kind(character: str) -> str:
    if "\U000e0000" <= character <= "\U000e007f":
        return "tag"
    if character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069":
        return "direction"
    if "\ufe00" <= character <= "\ufe0f" or character >= "\U000e0080":
        return "selector"
    return "control" if unicodedata.category(character) == "Cc" else "zero-width"


def _runs(found: list[Finding]) -> list[Finding]:
    """Neighbours of one kind joined into one finding."""
    joined: list[Finding] = []
    for finding in sorted(found):
        if joined and joined[-1].end == finding.start and joined[-1].kind == finding.kind:
            joined[-1] = Finding(joined[-1].start, finding.end, finding.kind)
        else:
            joined.append(finding)
    return joined


_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,}={0,2}(?![A-Za-z0-9+/_-])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-fA-F]{2}){16,}(?![0-9A-Za-z])")
_ESCAPES = re.compile(
    r"(?:\\x[0-9a-fA-F]{2}){4,}|(?:\\u\{?[0-9a-fA-F]{4,6}\}?){4,}|(?:&#x?[0-9a-fA-F]{1,6};){4,}"
    r"|(?:%[2-7][0-9a-fA-F]){5,}|(?<![01])(?:[01]{8}[ ,]?){5,}(?![01])|(?:\\[0-3][0-7]{2}){4,}"
)
_DATA_URI = re.compile(r"data:[a-z]+/[a-z0-9.+-]+[^\s,]{0,40},[^\s)\"'>]{8,}", re.IGNORECASE)
_HASH_LENGTHS = {32, 40, 56, 64, 96, 128}


def encoded_blobs(text: str) -> list[Finding]:
    """Stretches that say something only after decoding: base64, hexadecimal, escapes, data links.

    Commit and file hashes, UUIDs, ordinary links and long names are not found. Kinds:
    "encoded:base64", "encoded:hex", "encoded:escapes", "encoded:data".
    """
    found = [Finding(m.start(), m.end(), "encoded:data") for m in _DATA_URI.finditer(text)]
    found += [Finding(m.start(), m.end(), "encoded:escapes") for m in _ESCAPES.finditer(text)]
    for match in _HEX.finditer(text):
        digits = match.group().removeprefix("0x")
        if _says_something(bytes.fromhex(digits)) or (
            len(digits) >= 48 and len(digits) not in _HASH_LENGTHS
        ):
            found.append(Finding(match.start(), match.end(), "encoded:hex"))
    for match in _BASE64.finditer(text):
        if _is_base64(match.group()):
            found.append(Finding(match.start(), match.end(), "encoded:base64"))
    return merged(found)


def _is_base64(run: str) -> bool:
    if re.fullmatch(r"[0-9a-fA-F-]+|[a-z_-]+|[A-Z_-]+|\d+", run):
        return False
    core = run.rstrip("=").replace("-", "+").replace("_", "/")
    if len(core) % 4 == 1:
        return False
    try:
        raw = base64.b64decode(core + "=" * (-len(core) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False
    if _says_something(raw):
        return True
    mixed = all(re.search(kind, run) for kind in (r"[a-z]", r"[A-Z]", r"\d"))
    return len(core) >= 40 and mixed and run.count("/") + run.count("-") <= len(run) // 12


def _says_something(raw: bytes) -> bool:
    """True when the bytes read as text: printable, mostly letters and spaces."""
    try:
        decoded = raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if not decoded.isprintable() and not decoded.replace("\n", " ").isprintable():
        return False
    letters = sum(character.isalpha() or character.isspace() for character in decoded)
    return len(decoded) >= 12 and letters >= 0.7 * len(decoded)
