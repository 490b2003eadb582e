"""Names in a text: of people, places, products, as far as writing shows them."""

from __future__ import annotations

import re

from conch.words.fold import fold
from conch.words.tokens import UNSPACED, function_words

_UNSPACED = re.compile(f"[{UNSPACED}]")
_CAPITALISED = re.compile(r"[^\W\d_][\w'’.+#-]*[\w+#]|[^\W\d_]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{2,}")
_TITLED = re.compile(
    "([\u3400-\u4dbf\u4e00-\u9fff]{1,4})(?:さん|ちゃん|くん|様|氏|先生|老师|先生|女士|小姐)"
)
_STARTS = re.compile(r"(?:^|[.!?。！？:\n]\s*|[\"“„«(\[]\s*|[-*•]\s+)$")


def names(text: str) -> tuple[str, ...]:
    """Words of `text` written as names, in order, each once, as they stand.

    In scripts with capitals: capitalised words that do not merely start a sentence, and words
    with a capital or a digit inside (TypeScript, M4). German nouns are among them. In Chinese and
    Japanese: words before a title, and katakana. Arabic, Hindi, Korean and Thai show none.

    >>> names("Moved to Lisbon with Anna. She uses TypeScript")
    ('Lisbon', 'Anna', 'TypeScript')
    """
    found: list[str] = []
    # Chinese and Japanese write on without a blank after a Latin name.
    for match in _CAPITALISED.finditer(_UNSPACED.sub(" ", text)):
        word = match.group()
        inner = any(char.isupper() or char.isdigit() for char in word[1:])
        if not (word[0].isupper() or inner):
            continue
        starts = _STARTS.search(text[max(0, match.start() - 4) : match.start()]) is not None
        if starts and not inner:
            continue
        if fold(word) in function_words() and not (inner and len(word) > 2):
            continue
        found.append(word)
    found.extend(match.group() for match in _KATAKANA.finditer(text))
    found.extend(match.group(1) for match in _TITLED.finditer(text))
    return tuple(dict.fromkeys(found))
