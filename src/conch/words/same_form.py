"""The form two sentences are compared in: everything that does not matter taken out.

What is kept, in order: what is said, how many, what is denied, names, times, directions. See
`[words.same]` in the lexicons for what is evened out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from conch.words.fold import fold
from conch.words.numbers import in_digits, numbers
from conch.words.same_words import INSTEAD, PREFERS, Phrase, SameWords
from conch.words.tokens import spelled_out

_CLOCK = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:[:.h](?P<minutes>[0-5]\d))?\s?(?P<half>[ap]\.?m\b\.?)"
    r"|\b(?P<hour24>[01]?\d|2[0-4])(?::(?P<minutes24>[0-5]\d))(?::00)?\b(?!\s?[ap]\.?m)"
    r"|\b(?P<hourh>[01]?\d|2[0-4])\s?(?:h(?![^\W\d_])|heures?\b|horas?\b)\s?(?P<minutesh>[0-5]\d)?\b"
    r"|\b(?P<uhr>[01]?\d|2[0-4])(?:[:.](?P<uhrm>[0-5]\d))?\s?uhr\b"
)
_SYMBOLS = {
    "%": " percent ",
    "&": " and ",
    "°c": " celsius ",
    "€": " eur ",
    "$": " usd ",
    "£": " gbp ",
}
_SYMBOL = re.compile("|".join(map(re.escape, _SYMBOLS)))
_UNITS = re.compile(r"(?<=\d)(?=(?:km|kg|g|m|cm|mm|ml|l|min|mb|gb|tb|h)\b)")
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|dell|nell|all|sull|un|quest)'")
_HYPHENED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_PART = re.compile(r"[,;]|[^,;]+")
VERBAL = "¬"
"""Before a negation made of two words around a verb: it never sets one thing against another."""
_TO_IT = re.compile(r"([يتنا]\w{2,})(?:ها|هم)\Z")
_KEPT = re.compile(r"[^\W_]|[\u0900-\u0963\u0300-\u036f]")


@dataclass(frozen=True)
class SameForm:
    """A sentence evened out.

    `core`: its words in order, negations bound to what they deny. `floats`: when it holds ("every
    monday"), free of order. `plural` and `counted`: places of `core` that are plural, or that
    follow "a". `comma`, `object`: whether it had a comma, a pronoun standing for what was named.
    """

    core: Phrase
    floats: tuple[str, ...]
    plural: frozenset[int]
    counted: frozenset[int]
    comma: bool
    object: bool
    one_clause: bool
    text: str
    cases: frozenset[tuple[str, int]] = frozenset()
    """Words whose article shows their case (German "den"), with which."""


def same_form(text: str, words: SameWords) -> SameForm:
    """The form of `text` in the language of `words`."""
    folded = _evened(spelled_out(fold(text)), words)
    if words.unspaced:
        return _unspaced(folded, text, words)
    tokens: list[str] = []
    for part in _PART.findall(folded):
        tokens.extend([","] if part in ",;" else in_digits(part, words.code))
    to_it = words.code == "ar" and any(_TO_IT.match(token) for token in tokens)
    if to_it:
        tokens = [_TO_IT.sub(r"\1", token) for token in tokens]
    cases = frozenset(
        (word, words.cases[article]) for article, word in pairwise(tokens) if article in words.cases
    )
    tokens = _unframed(_around(tokens, words), words)
    tokens, seen_object, counted = _phrased(tokens, words)
    if tokens[1:2] == [","] and tuple(tokens[0].split("_")) in words.floats:
        del tokens[1]
    simple = not any(
        token == "," or token in words.both or token in words.clauses for token in tokens
    )
    comma = "," in tokens
    one_clause = not any(token in words.both or token in words.clauses for token in tokens)
    if words.particles:
        one_clause = not any(joins in f"{folded} " for joins in words.clauses)
    tokens = _preferred(tokens, words)
    tokens = _who_prefers(_contrast(tokens, words), words)
    tokens, floats = _floated(tokens, words) if simple else (tokens, ())
    tokens = [token for token in _listed(tokens, words) if token != ","]
    core, plural, after_a = _singular(_denied(tokens, words), counted, words)
    return SameForm(
        core, floats, plural, after_a, comma, seen_object or to_it, one_clause, text, cases
    )


def _evened(folded: str, words: SameWords) -> str:
    folded = _CLOCK.sub(_clock, folded)
    folded = _SYMBOL.sub(lambda found: _SYMBOLS[found.group()], folded)
    folded = _UNITS.sub(" ", folded)
    if words.code in ("fr", "it"):
        folded = _ELISION.sub(lambda found: found.group()[:-1] + " ", folded)
    return _HYPHENED.sub(_joined, folded.replace("'", ""))


def _joined(found: re.Match[str]) -> str:
    """ "e-mail" as "email", but "twenty-one" as two words."""
    word = found.group()
    return word.replace("-", " ") if numbers(word) else word.replace("-", "")


def _clock(found: re.Match[str]) -> str:
    """A time of day as hh:mm: "7 pm", "19h", "19 Uhr" and "19:00" are one."""
    hour = found["hour"] or found["hour24"] or found["hourh"] or found["uhr"]
    minutes = found["minutes"] or found["minutes24"] or found["minutesh"] or found["uhrm"] or "00"
    value = int(hour)
    if found["half"]:
        value = value % 12 + (12 if found["half"].startswith("p") else 0)
    return f" {value}:{minutes} "


def _around(tokens: list[str], words: SameWords) -> list[str]:
    """ "ne … pas" becomes one "pas" where "ne" stood, and so on."""
    place = 0
    while place < len(tokens):
        for later, result in words.around.get(tokens[place], ()):
            end = min(len(tokens), place + 8)
            at = next(
                (
                    at
                    for at in range(place + 1, end)
                    if tuple(tokens[at : at + len(later)]) == later
                ),
                None,
            )
            if at is not None:
                between = tokens[place + 1 : at]
                tokens = [
                    *tokens[:place],
                    VERBAL + "_".join(result),
                    *between,
                    *tokens[at + len(later) :],
                ]
                break
        place += 1
    return tokens


def _unframed(tokens: list[str], words: SameWords) -> list[str]:
    """ "nach Linz gezogen" as "wohnt in Linz": words around a few others, put before them."""
    for place, token in enumerate(tokens):
        for later, result in words.framed.get(token, ()):
            for at in range(place + 2, min(len(tokens), place + 5)):
                if tuple(tokens[at : at + len(later)]) == later:
                    rest = tokens[at + len(later) :]
                    return [*tokens[:place], *result, *tokens[place + 1 : at], *rest]
    return tokens


def _phrased(tokens: list[str], words: SameWords) -> tuple[list[str], bool, set[int]]:
    """Ways of saying one thing made one; words that never matter left out."""
    found: list[str] = []
    seen_object = False
    for _ in range(2):  # a phrase may only show once its words are evened out
        found = []
        place = 0
        while place < len(tokens):
            for size in _sizes(tokens, place, words):
                phrase = tuple(tokens[place : place + size])
                if phrase in words.phrases:
                    stands = words.phrases[phrase]
                    found.extend(stands if stands != phrase or size == 1 else ["_".join(stands)])
                    place += size
                    break
            else:
                found.append(tokens[place])
                place += 1
        tokens = found
    counted: set[int] = set()
    kept: list[str] = []
    if sum(token in words.subjects for token in tokens) == 1:
        tokens = [token for token in tokens if token not in words.subjects]
    if tokens and tokens[0] in words.first:
        tokens = tokens[1:]
    place = 0
    while place < len(tokens):
        for size in _sizes(tokens, place, words):
            phrase = _flat(tokens[place : place + size])
            if phrase in words.leave_out:
                if phrase[0] in ("a", "an"):
                    counted.add(len(kept))
                seen_object = seen_object or (
                    place > 0 and phrase[0] in words.objects and size == 1
                )
                place += size
                break
        else:
            if tokens[place] in words.objects and place:
                seen_object = True
            else:
                kept.append(tokens[place])
            place += 1
    return kept, seen_object, counted


def _sizes(tokens: list[str], place: int, words: SameWords) -> range:
    """The lengths a phrase that starts at `place` may have, longest first."""
    if tokens[place].split("_", 1)[0] not in words.starts:
        return range(0)
    return range(min(words.longest, len(tokens) - place), 0, -1)


def _flat(tokens: list[str]) -> Phrase:
    return tuple(part for token in tokens for part in token.split("_"))


def _preferred(tokens: list[str], words: SameWords) -> list[str]:
    """ "prefers X to Y", "prefers X over Y", "likes X better than Y": one way to say it."""
    for verbs, than in ((words.prefer, words.prefer_to), *words.likes_more):
        start = next((place for place, token in enumerate(tokens) if token in verbs), None)
        if start is None:
            continue
        for place in range(start + 2, len(tokens)):
            for size in (3, 2, 1):
                if place + size < len(tokens) and _flat(tokens[place : place + size]) in than:
                    verb = tokens[start] if verbs is words.prefer else PREFERS
                    before = [*tokens[:start], verb, *tokens[start + 1 : place]]
                    return [*before, INSTEAD, *tokens[place + size :]]
    return tokens


def _who_prefers(tokens: list[str], words: SameWords) -> list[str]:
    """The verb of "prefers X, not Y" the same as that of "likes X better than Y"."""
    if INSTEAD not in tokens:
        return tokens
    place = next((at for at, token in enumerate(tokens) if token in words.prefer), len(tokens))
    if place > tokens.index(INSTEAD):
        return tokens
    return [*tokens[:place], PREFERS, *tokens[place + 1 :]]


def _contrast(tokens: list[str], words: SameWords) -> list[str]:
    """ "not X but Y", "Y, not X", "Y rather than X" all as Y ⊖ X."""
    for place, token in enumerate(tokens):
        if token in words.negation and place:
            after = range(place + 2, len(tokens))
            at = next((at for at in after if (tokens[at],) in words.but), None)
            if at is not None and tokens[place - 1] not in words.both:
                denied = [word for word in tokens[place + 1 : at] if word != ","]
                rest = tokens[at + 1 :]
                return [*tokens[:place], *rest, INSTEAD, *denied]
    found: list[str] = []
    place = 0
    while place < len(tokens):
        for size in _sizes(tokens, place, words):
            phrase = _flat(tokens[place : place + size])
            bare = len(phrase) == 1 and phrase[0] in words.negation
            if (
                phrase in words.instead
                and place
                and (not bare or tokens[place - 1] == "," or _before_noun(tokens, place, words))
            ):
                if found and found[-1] == ",":
                    found.pop()
                found.append(INSTEAD)
                place += size
                break
        else:
            found.append(tokens[place])
            place += 1
    return found


def _before_noun(tokens: list[str], place: int, words: SameWords) -> bool:
    """Arabic "لا" between two nouns sets one against the other; before a verb it denies it."""
    if words.code != "ar" or place < 2 or place + 1 >= len(tokens):
        return False
    return tokens[place + 1].startswith(("ال", "ب")) or tokens[place + 1][0] not in "يتنا"


def _floated(tokens: list[str], words: SameWords) -> tuple[list[str], tuple[str, ...]]:
    floats = tuple(token for token in tokens if tuple(token.split("_")) in words.floats)
    if len(floats) != 1:
        return tokens, ()
    return [token for token in tokens if tuple(token.split("_")) not in words.floats], floats


def _listed(tokens: list[str], words: SameWords) -> list[str]:
    """ "German and French": a plain list of single words after the first word, put in order."""
    for place in range(2, len(tokens) - 1):
        if tokens[place] not in words.both:
            continue
        first = place - 1
        while first > 2 and tokens[first - 1] == ",":
            first -= 2
        before = tokens[first - 1] if first else ""
        ends = place + 2 == len(tokens)
        if ends and (first == 1 or before in words.binds):
            items = [*tokens[first:place], tokens[place + 1]]
            items = sorted(item for item in items if item != ",")
            spaced = [part for item in items for part in (item, tokens[place])][:-1]
            return [*tokens[:first], *spaced, *tokens[place + 2 :]]
    return tokens


def _denied(tokens: list[str], words: SameWords) -> list[str]:
    """A negation together with the word it denies: it may not move from one to another."""
    found: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place].removeprefix(VERBAL)
        negates = token.split("_")[0] in words.negation or token != tokens[place]
        if token in words.after_verb and token == tokens[place] and found:
            found[-1] = f"{token}+{found[-1]}"
            place += 1
            continue
        if negates and place + 1 < len(tokens):
            found.append(f"{token}+{tokens[place + 1]}")
            place += 2
            continue
        found.append(token)
        place += 1
    return found


def _singular(
    tokens: list[str], counted: set[int], words: SameWords
) -> tuple[Phrase, frozenset[int], frozenset[int]]:
    """English words without the -s of plurals and of "she prefers"; which ones had it."""
    if words.code != "en":
        return tuple(tokens), frozenset(), frozenset()
    core: list[str] = []
    plural: set[int] = set()
    for place, token in enumerate(tokens):
        bare = token
        if len(token) > 3 and token.endswith("s") and not token.endswith(("ss", "us", "is")):
            bare = token[:-3] + "y" if token.endswith("ies") and len(token) > 4 else token[:-1]
        if bare != token:
            plural.add(place)
        core.append(bare)
    return tuple(core), frozenset(plural), frozenset(counted)


def _unspaced(folded: str, text: str, words: SameWords) -> SameForm:
    """Chinese and Japanese: phrases evened out in the running text, then its characters.

    Japanese keeps each particle with what it marks, so that only marked parts can change places.
    """
    comma = "," in folded or "、" in folded or any(joins in folded for joins in words.clauses)
    for written, stands in words.replaced:
        folded = folded.replace(written, stands)
    parts = [part for part in in_digits(folded, words.code) if _KEPT.search(part)]
    running = "".join(parts)
    for ending in words.ends:
        if running.endswith(ending) and len(running) > len(ending) + 1:
            running = running[: -len(ending)]
            break
    floats = tuple(phrase for (phrase,) in words.floats if phrase in running)
    if len(floats) == 1 and not comma:
        running = running.replace(floats[0], "", 1)
    else:
        floats = ()
    core = tuple(running)
    if words.particles:
        marked = re.compile("(?<=.)(" + "|".join(map(re.escape, words.particles)) + ")")
        core = tuple(part for part in marked.sub("\\1\0", running).split("\0") if part)
    return SameForm(core, floats, frozenset(), frozenset(), comma, False, not comma, text)
