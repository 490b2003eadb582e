"""How a skill is called: the house style of titles and descriptions (spec 0058 §2)."""

from __future__ import annotations

import re
import unicodedata

_WIDE = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_STEP = re.compile(
    r"^\s{0,8}(?:\d{1,3}[.)．、:]|[-*•‣–]|[①-⑳]|[一二三四五六七八九十]{1,3}[、.．]|[٠-٩०-९]{1,3}[.)]"
    r"|第[一二三四五六七八九十\d]{1,3}步|step\s\d{1,3}\b|#{2,4}\s)",
    re.I,
)
_REFUSES = re.compile(
    r"\bas an ai\b|\bi(?:'m| am) (?:sorry|unable|an ai)\b|\bi (?:can(?:no|')?t|won't|cannot)\b"
    r"|^(?:sorry|untitled|n/?a|none|null|skill|title)\b"
    r"|^(?:new|my) skill$|^(?:ich kann|es tut mir|désolé|je ne peux|lo siento|desculpe"
    r"|mi dispiace|извините|申し訳|抱歉|죄송)",
    re.I,
)
TITLE_WORDS, TITLE_LENGTH = 5, 40
DESCRIPTION_LENGTH = 160
_SHORTEST_INSTRUCTIONS, _LONGEST_INSTRUCTIONS = 60, 8_000


def weight(text: str) -> int:
    """How much a text says, in Latin letters: one of a script without blanks counts for three."""
    return sum(3 if _WIDE.match(char) else 1 for char in text)


def title_of(raw: str) -> str | None:
    """A title as it would be kept; None when the house style rejects it."""
    first = next((line for line in raw.splitlines() if line.strip()), "")
    title = " ".join(first.strip(" \t#*_`\"'“”«»").split()).rstrip(".!,;:。！，")
    letters = sum(unicodedata.category(char)[0] in "LN" for char in title)
    if not 2 <= letters <= len(title) <= TITLE_LENGTH or len(title.split()) > TITLE_WORDS:
        return None
    if _REFUSES.search(title) or title.endswith(("?", "？", "؟")):
        return None
    return title


def description_of(raw: str) -> str | None:
    """A description as it would be kept: whole sentences, a full stop; None when rejected."""
    text = " ".join(raw.strip(" \t\"'“”").split())
    if weight(text) < 12 or _REFUSES.search(text):
        return None
    if len(text) > DESCRIPTION_LENGTH:
        ends = [m.end() for m in re.finditer(r"[.!?。！？।](?=\s|$|[^\x00-\x7f])", text)]
        fit = [end for end in ends if 12 <= end <= DESCRIPTION_LENGTH]
        if not fit:
            return None
        text = text[: fit[-1]]
    if text[-1] not in ".!?…。！？।":
        wide = _WIDE.match(text[-1]) and not "\uac00" <= text[-1] <= "\ud7a3"
        text += "。" if wide and not "\u0e00" <= text[-1] <= "\u0e7f" else "."
    return text if len(text) <= DESCRIPTION_LENGTH + 1 else None


def steps_in(instructions: str) -> int:
    """How many steps instructions have: the lines of their lists."""
    return sum(_STEP.match(line) is not None for line in instructions.splitlines())


def instructions_of(raw: str) -> str | None:
    """Instructions as they would be kept; None for too little, too much or fewer than two steps."""
    text = raw.strip()
    if weight(text) < _SHORTEST_INSTRUCTIONS or len(text) > _LONGEST_INSTRUCTIONS:
        return None
    return text if steps_in(text) >= 2 else None
