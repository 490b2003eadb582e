"""Light stems: a word without the ending that only says number, case, person or tense.

Cruder than a stemmer of one language, since the language of a short text is often unknown. Good
for "is it the same word?"; never shown and never stored.
"""

from __future__ import annotations

import re
from functools import lru_cache


def _endings(listed: str) -> tuple[str, ...]:
    return tuple(sorted(listed.split(), key=len, reverse=True))


_LATIN = _endings(
    "ingly edly ings ing ungen ung ies ied ed es s ly ern er em en et e n a o i as os is "
    "ando endo iendo ado ido ada ida ados idos amente mente ment ements ement ation ations "
    "ar ir ez ons ent ait aient ais ow ami ach om ego emu ych ymi y u"
)
_CYRILLIC = _endings(
    "ами ями ого его ому ему ыми ими ов ев ах ях ам ям ом ем ой ей ая яя ое ее ые ие ыи ии ую юю "
    "ать ять ить еть ет ит ут ют ат ят ешь ишь им ла ло ли л у ю а я о е ы и ь"
)
_ARABIC_BEFORE = _endings("وال بال كال فال لل ال و ب ل ف ك س")
_ARABIC_AFTER = _endings("هما كما نا ها هم كم ات ون ين ان ية ة ه ي ك ت")
_HANGUL = _endings(
    "으로부터 에서부터 에서는 이라고 라고 으로는 으로 에서 에게 한테 까지 부터 처럼 보다 마다 조차 "
    "이랑 하고 이나 은 는 이 가 을 를 에 의 로 와 과 도 만 랑 나 "
    "합니다 습니다 입니다 이다 이에요 이야 임 했습니다 한다 해요 "
    "했어요 하는 하지 하고 한다고 어요 아요 에요 예요 다 요"
)
_DEVANAGARI = _endings("ियों ियाँ ियां ाओं ताओं ों ें ीं ाँ ां ता ती ते ना नी ने ा ी े ो ि ु ू")

_IS_LATIN = re.compile(r"[a-z]+\Z")
_IS_CYRILLIC = re.compile("[\u0400-\u04ff]+\\Z")
_IS_ARABIC = re.compile("[\u0600-\u06ff]+\\Z")
_IS_HANGUL = re.compile("[\uac00-\ud7a3]+\\Z")
_IS_DEVANAGARI = re.compile("[\u0900-\u097f]+\\Z")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of one folded word; words of other scripts, and numbers, come back as they are.

    >>> [stem(word) for word in ("lives", "living", "lived")]
    ['liv', 'liv', 'liv']
    """
    if _IS_LATIN.match(word):
        return _cut(word, _LATIN, 3)
    if _IS_CYRILLIC.match(word):
        return _cut(word, _CYRILLIC, 3)
    if _IS_HANGUL.match(word):
        return _cut(word, _HANGUL, 1)
    if _IS_DEVANAGARI.match(word):
        return _cut(word, _DEVANAGARI, 2)
    if _IS_ARABIC.match(word):
        return _arabic(word)
    return word


def _cut(word: str, endings: tuple[str, ...], least: int) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)]
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] in "bdgklmnprt":
        word = word[:-1]
    return word


def _arabic(word: str) -> str:
    for before in _ARABIC_BEFORE:
        if word.startswith(before) and len(word) - len(before) >= 3:
            word = word[len(before) :]
            break
    for after in _ARABIC_AFTER:
        if word.endswith(after) and len(word) - len(after) >= 3:
            word = word[: -len(after)]
            break
    if len(word) > 3 and word[0] in "يتنا":
        word = word[1:]
    return word


def same_word(a: str, b: str) -> bool:
    """Whether two folded words are forms of one word: equal stems, or one long common start.

    >>> same_word("preferred", "prefers"), same_word("kitten", "kitchen")
    (True, False)
    """
    if a == b or stem(a) == stem(b):
        return True
    if not a.isalpha() or not b.isalpha():
        return False
    shorter, longer = sorted((a, b), key=len)
    start = 0
    for one, other in zip(shorter, longer, strict=False):
        if one != other:
            break
        start += 1
    return start >= 5 and len(shorter) - start <= 3 and len(longer) - start <= 5
