"""Does a memory name a thing that no word of the person's stands for? (spec 0088 §4)

Each word that says something must rest on the words: a form of one of them, another word for one
that the lexicons list, or one near it in meaning. "Lives in Berlin, felon" does not rest on "I live
in Berlin", however little one word is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache

from conch.guard.characters import canonical
from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.words.cues import Hit, is_boundary
from conch.words.fold import fold
from conch.words.language import likely_languages
from conch.words.lexicon import from_lexicons, lexicons, phrases
from conch.words.meaning import Meaning, cosines
from conch.words.same_words import same_words
from conch.words.stems import same_word, stem
from conch.words.tokens import content_tokens, function_words, names_like_small_words, tokens

_TOPIC = "learning.grounding"
IDEOGRAPHS = re.compile("[\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff]+")
UNSUPPORTED_FROM = 0.5
"""The share of the things a memory names from which they are too many that are in no word of the
person's, whatever they mean."""
NEAR_ENOUGH = 0.55
"""Cosine of one word with one of the person's from which it may stand for it. A trade, belief or
guilt put beside words of the open cases reaches it once in a hundred times."""
NEAR_ENOUGH_ALONE = 0.6
"""The same where nothing else of its part of the memory is the person's."""
NEAR_ENOUGH_AMONG_MANY = 0.45
"""The same where three quarters of the memory are."""
_AMONG_MANY = 0.25
FAR_APART = 0.35
"""Likeness in meaning below which a memory that names new things says something else."""
_NEVER_SAID = "It names what you never said."
_MORE = "It says more than you did."
_HANGUL = re.compile("[\uac00-\ud7a3]+\\Z")
_LATIN = re.compile("[a-z]+\\Z")
_VOWELS = re.compile("[aeiouyh]|(.)(?=\\1)")
_ENDS_A_VERB = re.compile(
    unicodedata.normalize("NFD", "(?:다|요|기|고|서|며|해|어|아)\\Z") + "|\u11b7\\Z"
)


def names_new_things(
    text: str, quote: str, clause: str, prose: str, meaning: Meaning | None = None
) -> str:
    """Why `text` names more than `prose`, the message it rests on, or "".

    `quote` are the words it rests on and `clause` what they are part of: only a word of theirs is
    near enough to one of the memory's to stand for it. Without `meaning` a new word may stand
    among the person's own.
    """
    prose = canonical(prose)
    around = [word for word in content_tokens(f"{quote}, {clause}") if not word[0].isdigit()]
    if IDEOGRAPHS.search(text):
        return _new_in_ideographs(text, prose, around, meaning)
    told = content_tokens(prose)
    small = names_like_small_words(text)
    told += [word for word in tokens(prose) if word in small]  # "go", where the memory has Go
    things = set(_things(text))
    new = sorted(word for word in things if not _stands_for_one(word, told, text))
    if not new:
        return ""
    if len(new) == len(things):
        return _NEVER_SAID
    if len(new) > 1 and len(new) / len(things) >= UNSUPPORTED_FROM:
        return _MORE
    alone = _alone(text, set(new))
    few = len(new) / len(things) <= _AMONG_MANY
    if meaning is None:
        return _MORE if alone else ""
    for word in new:
        least = NEAR_ENOUGH_AMONG_MANY if few else NEAR_ENOUGH
        if not _near(word, around, meaning, NEAR_ENOUGH_ALONE if word in alone else least):
            return _MORE
    if len(new) > 1 and meaning.likeness(text, quote) < FAR_APART:
        return "It says something else than you did."
    return ""


def in_words(word: str, told: Iterable[str]) -> bool:
    """Whether `told` has a form of `word`, or, for one ideograph, a run that holds it."""
    return any(same_word(word, other) or _in_run(word, other) for other in told)


def _in_run(word: str, run: str) -> bool:
    return len(word) == 1 and word in run and IDEOGRAPHS.match(word) is not None


def _hits(topic: str, text: str) -> tuple[Hit, ...]:
    """Those of the language of `text`; of any, where two words ("Prefers Go") look like another."""
    found = phrases_in(topic, read_words(text))
    return in_its_language(found, text) or found


def _things(text: str) -> list[str]:
    """The words of `text` that name something: no plain verb or noun any memory may have, no
    number, no small word."""
    words = read_words(text)
    small = _small() - names_like_small_words(text)
    plain = {
        word
        for topic, groups in _PLAIN.items()
        for hit in _hits(topic, text)
        if hit.group in groups
        for word in words[hit.start : hit.end]
    }
    return [
        word
        for word in content_tokens(text)
        if word not in plain and not word[0].isdigit() and word not in small
    ]


_PLAIN = {
    _TOPIC: frozenset(("plain_verb", "plain_noun")),
    "learning.slots": frozenset(("named", "called")),
}


@from_lexicons
def _small() -> frozenset[str]:
    """Words that say no or set one thing against another."""
    found = function_words()
    for topic, key in (("words", "negation"), ("words.same", "instead"), ("words.same", "binds")):
        for listed in phrases(topic, key).values():
            found |= {fold(phrase) for phrase in listed if " " not in phrase}
    return found


def _stands_for_one(word: str, told: Sequence[str], text: str) -> bool:
    if in_words(word, told) or any(_another_form(word, other) for other in told):
        return True
    ways = _ways_to_say(text).get(stem(word))
    return ways is not None and any(not ways.isdisjoint((stem(other),)) for other in told)


def _another_form(word: str, other: str) -> bool:
    """Whether two short words are forms of one, as verbs are: "neem" and "neemt", "nehme" and
    "nimmt", "마셔요" and "마신다"."""
    if _HANGUL.match(word) and _HANGUL.match(other):
        one, two = (unicodedata.normalize("NFD", each) for each in (word, other))
        verbs = all(_ENDS_A_VERB.search(each) for each in (one, two))
        return _shared(one, two) >= (2 if verbs else 4)
    if word[0] != other[0]:
        return False
    start = _shared(word, other)
    if start >= 3 and len(word) - start <= 3 and len(other) - start <= 3:
        return True
    if not (_LATIN.match(word) and _LATIN.match(other)):
        return False
    bare, theirs = (_VOWELS.sub("", each).rstrip("t") for each in (word, other))
    return len(bare) >= 2 and bare == theirs


def _shared(one: str, two: str) -> int:
    """How many characters both start with."""
    count = 0
    for ours, theirs in zip(one, two, strict=False):
        if ours != theirs:
            break
        count += 1
    return count


@lru_cache(maxsize=1024)
def _languages(text: str) -> tuple[str, ...]:
    return likely_languages(text) or ("en",)


def _ways_to_say(text: str) -> dict[str, frozenset[str]]:
    """For each stem the stems that may stand for it in the languages of `text`."""
    found: dict[str, frozenset[str]] = {}
    by_language = _alike()
    for code in _languages(text):
        for word, ways in by_language.get(code, {}).items():
            found[word] = found.get(word, frozenset()) | ways
    return found


@from_lexicons
def _alike() -> dict[str, dict[str, frozenset[str]]]:
    """Single words that the lexicons list as ways to say one thing."""
    return {
        lexicon.code: _alike_of(
            [
                *lexicon.phrases("words.same", "alike"),
                *lexicon.phrases("learning.rewording", "ways"),
            ]
        )
        for lexicon in lexicons()
    }


def _alike_of(lines: Iterable[str]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in lines:
        ways = [fold(way).strip() for way in line.split("|")]
        stems = frozenset(stem(way) for way in ways if " " not in way and "'" not in way)
        for one in stems if len(stems) > 1 else ():
            found[one] = found.get(one, frozenset()) | stems
    return found


def _alone(text: str, new: Set[str]) -> frozenset[str]:
    """Words of `new` in a part of `text` that holds no thing but new ones, and no number."""
    found: set[str] = set()
    for part in _parts(text):
        things = set(_things(part))
        if things and things <= new and not any(map(str.isdigit, part)):
            found |= things
    return frozenset(found)


def _parts(text: str) -> Iterator[str]:
    """The clauses and listed things of `text`."""
    ands = {word for code in _languages(text) for word in same_words(code).both}
    part: list[str] = []
    for word in read_words(text):
        if is_boundary(word) or word in ands:
            yield " ".join(part)
            part = []
        else:
            part.append(word)
    yield " ".join(part)


def _near(word: str, told: Sequence[str], meaning: Meaning | None, least: float) -> bool:
    if meaning is None or not told:
        return False
    rows = meaning.encode([word, *told])
    return float(cosines(rows[1:], rows[0]).max()) >= least


def _new_in_ideographs(
    text: str, prose: str, around: Sequence[str], meaning: Meaning | None
) -> str:
    """The same for Chinese and Japanese: things are runs of characters the person wrote."""
    plain = [
        "".join(read_words(text)[hit.start : hit.end])
        for hit in _hits(_TOPIC, text)
        if hit.group in ("plain_verb", "plain_noun")
    ]
    folded, told = fold(text), set(fold(prose))
    for phrase in sorted(plain, key=len, reverse=True):
        folded = folded.replace(phrase, " ")
    runs = IDEOGRAPHS.findall(folded)
    parts = re.split(f"[{re.escape(''.join(told))}]", " ".join(runs))
    new = [piece for part in parts for piece in part.split() if len(piece) > 1]
    if sum(map(len, new)) * 2 >= sum(map(len, runs)) > 0:
        return _NEVER_SAID
    return _MORE if any(not _near(one, around, meaning, NEAR_ENOUGH) for one in new) else ""
