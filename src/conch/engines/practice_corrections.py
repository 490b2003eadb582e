"""How the practice engine hears "no, I meant X" in fifteen languages. Pure.

Each language has what stands before the words that were meant, what may stand after them, what
sets them against the wrong ones, and a sentence a memory is written with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WHAT = r"(?P<what>[^,.;!?\n،。、，！？；]+?)"
_STOP = r"(?=\s*(?:[,.;!?\n،。、，！？；]|$))"


@dataclass(frozen=True)
class _Way:
    """One language's way: a pattern that finds the words meant, and the memory's sentence."""

    pattern: re.Pattern[str]
    memory: str


def _way(memory: str, before: str, after: str = "", against: str = "") -> _Way:
    cut = rf"(?:\s*(?:{against})[^.;!?\n。！？；]*)?" if against else ""
    end = rf"\s*(?:{after})" if after else _STOP
    lead = rf"(?:{before})\s*" if before else ""
    return _Way(re.compile(rf"{lead}{_WHAT}{cut}{end}", re.IGNORECASE), memory)


_WAYS = (
    _way(
        "Bevorzugt {}",
        r"\bich (?:meinte|wollte|hab(?:e)? gesagt|sagte)\b",
        against=r"\b(?:statt|nicht|und nicht|anstatt)\b",
    ),
    _way(
        "Préfère {}",
        r"\bje (?:voulais dire|voulais|parlais de|pensais à)\b"
        r"|\bj'(?:ai dit|avais dit)\b(?:\s+que\b)?",
        against=r"\b(?:pas|au lieu d[eu]|plutôt que)\b",
    ),
    _way(
        "Prefere {}",
        r"\b(?:eu )?(?:quis dizer|queria dizer|queria(?! decir)|referia-me a"
        r"|me referia a|eu disse|disse)\b(?:\s+que\b)?",
        against=r"\b(?:e não|não|em vez de|em lugar de|ao invés de)\b",
    ),
    _way(
        "Quiere {}",
        r"\b(?:(?:yo )?quer[ií]a decir|quise decir|quería|me refer[ií]a a"
        r"|(?:yo |ya |te |les )?dije)\b(?:\s+que\b)?",
        against=r"\b(?:y no|no|en vez de|en lugar de)\b",
    ),
    _way(
        "Preferisce {}",
        r"\b(?:intendevo|volevo dire|volevo|ho detto|avevo detto)\b(?:\s+che\b)?",
        against=r"\b(?:non|invece di|al posto di)\b",
    ),
    _way(
        "Heeft liever {}",
        r"\bik (?:bedoelde|wilde|zei)\b",
        against=r"\b(?:niet|in plaats van)\b",
    ),
    _way(
        "Woli {}",
        r"\b(?:chodziło mi o|miałe?a?m na myśli|chciałe?a?m|mówiłe?a?m o)(?!\w)",
        against=r"\b(?:nie|a nie|zamiast)\b",
    ),
    _way(
        "Предпочитает {}",
        r"\bя (?:имел[а]? в виду|хотел[а]?|говорил[а]? про|сказал[а]?)\b",
        against=r"\b(?:а не|не|вместо)\b",
    ),
    _way("{} tercih ediyor", r"\bhayır\b,?", after=r"(?:demek iste|dedim|istedim|kastet)\w*"),
    _way(
        "{}が好き",
        r"(?:(?:いや|いえ|いいえ|違います|違う)[、,。]?\s*)?(?:(?:そうじゃ|では|じゃ)な(?:くて|く)[、,]?|いや[、,])",
        after=r"(?:です|だよ|だ|と言|って言|の(?:こと|つもり))",
    ),
    _way(
        "偏好{}",
        r"我(?:说的|說的|要的|想要的|指的)?是(?:说|指|要)?|我(?:指|要)的是",
        against=r"[,，]?\s*不是",
    ),
    _way(
        "{} 선호", r"(?:아니(?:요|오)?)[,.]?", after=r"(?:말이|라고 했|이라고 했|을 말한|를 말한)"
    ),
    _way("{} पसंद है", r"मेरा मतलब", after=r"(?:था|थी|है|से था)", against=r"\s(?:न कि|नहीं)"),
    _way(
        "يفضل {}",
        r"(?:كنت )?(?:أ?قصدت?|اقصد|أردت|قلت)",
        against=r"[،,]?\s(?:وليس|ليس|بدلا من|لا)\s",
    ),
)


def meant_elsewhere(sentence: str) -> str | None:
    """The memory a correction in a language other than English gives, None when it is none.

    `sentence` is one sentence of a message that is known to be a correction.
    """
    for way in _WAYS:
        found = way.pattern.search(sentence)
        if found is not None and found["what"].strip():
            return way.memory.format(found["what"].strip())
    return None
