"""Does a memory take what the person set aside? "Coffee rather than tea" is no ground for tea
(spec 0088 §4: the words are the only evidence, and they say which of two things was meant).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.words.cues import Hit, is_boundary
from conch.words.fold import fold
from conch.words.lexicon import from_lexicons, phrases
from conch.words.negation import negated
from conch.words.numbers import in_digits
from conch.words.stems import same_word
from conch.words.tokens import function_words

_TOPIC = "learning.opposites"
_ENDS_WITHIN = 6
"""Words after a mark that may still be what was set aside."""
_BEFORE = 2
_BEFORE_UNSPACED = 5
"""The same for words that stand before their mark ("kahve yerine")."""
_DENIED_WITHIN = 3
_UNSPACED = re.compile("[\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile("[\u3041-\u3096]")
_ELIDED = re.compile(
    r"(?<!\w)([ldjnsmtc]|qu|un|dell|all|nell|sull|dall|quell)['’](?=\w)", re.IGNORECASE
)
_LEAST_BARE = 3
"""Letters of a word that is compared without its ending; a shorter one keeps it."""
_TURNED = (("before", "after"),)


@dataclass(frozen=True)
class _Parted:
    """The words that are wanted and those that are set aside; no mark at all when `marks` is 0."""

    wanted: frozenset[str]
    refused: frozenset[str]
    marks: int


def takes_what_was_refused(text: str, sentence: str) -> bool:
    """True when `text` holds something that `sentence` sets aside, and does not set it aside too.

    >>> takes_what_was_refused("Prefers tea", "I prefer coffee to tea")
    True
    >>> takes_what_was_refused("Prefers coffee to tea", "I prefer coffee to tea")
    False
    """
    text, sentence = (_ELIDED.sub(r"\1 ", one) for one in (text, sentence))
    told = _parted(sentence)
    if not told.marks:
        return _order_turned(text, sentence) or _for_made_against(text, sentence)
    ours = _parted(text)
    only_refused = frozenset(word for word in told.refused if not _among(word, told.wanted))
    only_wanted = frozenset(word for word in told.wanted if not _among(word, told.refused))
    taken = [word for word in ours.wanted if _among(word, only_refused)]
    if ours.marks:
        left = [word for word in ours.refused if _among(word, only_wanted)]
        kept = [word for word in ours.refused if _among(word, only_refused)]
        return bool((taken and not kept) or (left and not kept))
    return bool(taken) and not negated(text) and not _dislikes(text)


def _order_turned(text: str, sentence: str) -> bool:
    """ "Before" made "after" with the same things on both sides, or the sides changed."""
    for marks in _TURNED:
        said, ours = _around(sentence, marks), _around(text, marks)
        if said is None or ours is None:
            continue
        same = _overlap(said[1], ours[1]) + _overlap(said[2], ours[2])
        crossed = _overlap(said[1], ours[2]) + _overlap(said[2], ours[1])
        if same == crossed:
            continue
        if (said[0] == ours[0]) != (same > crossed):
            return True
    return False


def _dislikes(text: str) -> bool:
    hits = in_its_language(phrases_in("learning.grounding", read_words(text)), text)
    return any(hit.group == "dislikes" for hit in hits)


def _for_made_against(text: str, sentence: str) -> bool:
    ours, said = ({hit.group for hit in _hits(one, read_words(one))} for one in (text, sentence))
    return "opposed" in ours and "favours" in said and not negated(sentence)


def _around(text: str, marks: Sequence[str]) -> tuple[str, list[str], list[str]] | None:
    words = read_words(text)
    found = [hit for hit in _hits(text, words) if hit.group in marks]
    if len({hit.group for hit in found}) != 1 or len({hit.start for hit in found}) != 1:
        return None
    hit = found[0]
    return hit.group, _weighty(words[: hit.start]), _weighty(words[hit.end :])


def _overlap(some: Iterable[str], others: Sequence[str]) -> int:
    return sum(_among(word, others) for word in some)


def _parted(text: str) -> _Parted:
    words = read_words(text)
    hits = _hits(text, words)
    denied = [hit for hit in hits if hit.group == "denies"]
    refused: set[int] = set()
    marks = 0
    for hit in hits:
        if hit.group not in ("refused_after", "refused_before") or _denied(hit, denied):
            continue
        if hit.start == 0 and any((no.start, no.end) == (0, hit.end) for no in denied):
            continue  # "No me gusta…" denies; it sets nothing against anything
        ends = [one for one in hits if one.group == "ends" and one.language == hit.language]
        if _counts(words, hit) or any(_inside(one, hit) for one in ends):
            continue
        ahead = hit.group == "refused_after"
        span = _after(words, hit, ends) if ahead else _ahead_of(words, hit)
        if span:
            marks += 1
            refused.update(span)
    compared = _compared(words)
    marks += bool(compared)
    refused |= compared.keys()
    wanted = [word for at, word in enumerate(words) if at not in refused]
    aside = [compared.get(at, words[at]) for at in sorted(refused)]
    return _Parted(frozenset(_weighty(wanted)), frozenset(_weighty(aside)), marks)


def _compared(words: Sequence[str]) -> dict[int, str]:
    """The places of words that an ending of theirs sets aside ("커피보다", "kahveden çok"), each
    with the word as it is without it."""
    joined = " ".join(words)
    pattern = _endings()
    found: dict[int, str] = {}
    for one in pattern.finditer(joined) if pattern else ():
        at = joined.count(" ", 0, one.start())
        if not one.group()[0].isdigit():
            found[at] = one.group(1) if len(one.group(1)) >= _LEAST_BARE else words[at]
    return found


@from_lexicons
def _endings() -> re.Pattern[str] | None:
    """`[learning.opposites] refused_ending`: an ending, with the word behind it or without."""
    endings = {fold(one) for some in phrases(_TOPIC, "refused_ending").values() for one in some}
    if not endings:
        return None
    either = "|".join(map(re.escape, sorted(endings, key=len, reverse=True)))
    return re.compile(rf"(?<!\S)([^\W_]{{1,24}}?)(?:{either})(?!\S)")


def _hits(text: str, words: Sequence[str]) -> tuple[Hit, ...]:
    return in_its_language(phrases_in(_TOPIC, words), text)


def _denied(hit: Hit, denied: Sequence[Hit]) -> bool:
    """ "I can't do without", "never avoids": what a "not" turns back is not set aside."""
    return any(0 <= hit.start - no.end < _DENIED_WITHIN for no in denied)


def _counts(words: Sequence[str], hit: Hit) -> bool:
    """ "Over 10 years", "more than 3": no number before it, so nothing is set against it."""
    follows = words[hit.end] if hit.end < len(words) else ""
    return follows[:1].isdigit() and not any(word[:1].isdigit() for word in words[: hit.start])


def _inside(inner: Hit, outer: Hit) -> bool:
    return outer.start < inner.start and inner.end < outer.end


def _after(words: Sequence[str], hit: Hit, ends: Sequence[Hit]) -> range:
    end = hit.end
    stops = {one.start for one in ends}
    while end < min(len(words), hit.end + _ENDS_WITHIN):
        if is_boundary(words[end]) or (end in stops and end > hit.end):
            break
        end += 1
    return range(hit.end, end)


def _ahead_of(words: Sequence[str], hit: Hit) -> range:
    start, found = hit.start, 0
    while start > 0 and not is_boundary(words[start - 1]):
        word = words[start - 1]
        tight = _UNSPACED.match(word) is not None
        if _KANA.match(word) or found >= (_BEFORE_UNSPACED if tight else _BEFORE):
            break
        start -= 1
        found += _weighs(word)
        if not tight and found:
            break
    return range(start, hit.start)


def _weighty(words: Iterable[str]) -> list[str]:
    kept = [word for word in words if _weighs(word)]
    spelled = {word: [word] if _UNSPACED.match(word) else in_digits(word) for word in kept}
    return [spelled[word][0] if len(spelled[word]) == 1 else word for word in kept]


def _weighs(word: str) -> bool:
    if is_boundary(word):
        return False
    if len(word) == 1:
        return word.isdigit() or _UNSPACED.match(word) is not None
    return word not in function_words()


def _among(word: str, others: Iterable[str]) -> bool:
    return any(word == other or (len(word) > 1 and same_word(word, other)) for other in others)
