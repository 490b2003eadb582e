"""Words of a text in whatever script it is written.

Scripts that put blanks between words give words. Chinese, Japanese, Thai, Lao, Khmer and Burmese
do not: a run of those gives its overlapping pairs of characters ("猫が好" gives 猫が, が好), and a
run of one character gives that character. A character is taken with the marks that belong to it.
"""

from __future__ import annotations

import re

from conch.words.fold import fold
from conch.words.lexicon import from_lexicons, lexicons
from conch.words.stems import same_word

UNSPACED = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
)
SOUTH_EAST = "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1780-\u17d3"
_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0971-\u0dff"
)

_PIECE = re.compile(
    rf"(?P<number>\d+(?:[.,:]\d+)*)"
    rf"|(?P<unspaced>[{UNSPACED}]+)"
    rf"|(?P<cluster>[{SOUTH_EAST}]+)"
    rf"|(?P<word>[a-z](?:\+\+|#)(?!\w)|(?:(?![{UNSPACED}{SOUTH_EAST}])(?:[^\W\d_]|[{_MARKS}]))+)"
)
_CLUSTER = re.compile(
    "[\u0e40-\u0e44\u0ec0-\u0ec4]?.[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u17b4-\u17d3]*"
)
_LETTER = "A-Za-z\u00c0-\u024f\u0370-\u04ff"
_CAPITAL = re.compile(rf"(?<![{_LETTER}\d_'’.])[{_LETTER}]+(?![{_LETTER}\d_'’])")
_LONGEST_SMALL = 12
_STARTS = re.compile(r"(?:^|[.!?。！？:\n]\s*|[\"“„«(\[]\s*|[-*•–—]\s+)$")
_NUMBERED = re.compile(r" ?\d")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_ASIDE = re.compile(
    "(?<=[\u3005\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff])[はがをにでとものへや](?![\u3041-\u3096])"
    "|(?<=[\u3005\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff])[はがをにでとものへや]"
)


def tokens(text: str) -> list[str]:
    """The words of `text`, folded, in order; numbers and negations are among them.

    >>> tokens("Doesn’t drink 2 coffees")
    ['does', 'not', 'drink', '2', 'coffees']
    """
    found: list[str] = []
    for kind, piece in pieces(spelled_out(fold(text))):
        if kind == "unspaced":
            found.extend(_pairs(piece))
        elif kind == "cluster":
            found.extend(_pairs(_CLUSTER.findall(piece)))
        else:
            found.append(piece)
    return found


def pieces(folded: str) -> list[tuple[str, str]]:
    """Each run of `folded` with its kind: `word`, `number`, `unspaced` (CJK), `cluster` (Thai)."""
    return [(found.lastgroup or "word", found.group()) for found in _PIECE.finditer(folded)]


def content_tokens(text: str) -> list[str]:
    """`tokens` without the words that only hold a sentence together (`[words] function`).

    >>> content_tokens("We use Go"), content_tokens("Go on then, I go")
    (['use', 'go'], [])
    """
    found: list[str] = []
    function, named = function_words(), names_like_small_words(text)
    for kind, piece in pieces(spelled_out(fold(text))):
        if kind == "unspaced":
            for part in _content_runs(piece):
                found.extend(_pairs(part))
        elif kind == "cluster":
            found.extend(_pairs(_CLUSTER.findall(piece)))
        elif kind == "number" or piece in named or (piece not in function and len(piece) > 1):
            found.append(piece)
    return found


def shares_a_word(a: str, b: str) -> bool:
    """Whether two texts share a word that says something, in any form of it; numbers count.

    >>> shares_a_word("I moved to Lisbon", "Lives in Lisbon"), shares_a_word("I am in", "It is on")
    (True, False)
    """
    named_a, named_b = names_like_small_words(a), names_like_small_words(b)
    # Who writes without any capitals writes "go" for Go too.
    ours = _said(a, named_a | named_b if a == a.lower() else named_a)
    theirs = _said(b, named_a | named_b if b == b.lower() else named_b)
    if ours & theirs:
        return True
    spaced = [word for word in theirs if word[0] < "\u0e00" or "\uac00" <= word[0] <= "\ud7a3"]
    return any(
        same_word(one, other)
        for one in ours
        if one[0] < "\u0e00" or "\uac00" <= one[0] <= "\ud7a3"
        for other in spaced
    )


def names_like_small_words(text: str) -> frozenset[str]:
    """Names of `text` that look like small words once folded: Go, R, C, Will, May, It.

    A capital that no sentence start, title or shouting asks for makes one, and so does "Go 1.22".
    "I" and polite pronouns, always written large, are none.
    """
    function, (always, short) = function_words(), _written()
    found: set[str] = set()
    for capital in _CAPITAL.finditer(text):
        written = capital.group()
        if not written[0].isupper() or len(written) > _LONGEST_SMALL:
            continue
        word = written.lower() if written.isascii() else fold(written)
        if (len(word) > 1 and word not in function) or word in always:
            continue
        if written.isupper() and len(written) > 1:
            if written in short and not text.isupper():
                found.add(word)
            continue
        starts = _STARTS.search(text[max(0, capital.start() - 4) : capital.start()])
        if _NUMBERED.match(text, capital.end()) or not (starts or _in_a_title(text, capital)):
            found.add(word)
    return frozenset(found)


def _in_a_title(text: str, word: re.Match[str]) -> bool:
    """Whether the words on both sides are large too ("Lord Of The Rings")."""
    before = re.search(r"(\w+) $", text[max(0, word.start() - 40) : word.start()])
    after = re.match(r" (\w+)", text[word.end() : word.end() + 40])
    return bool(before and after and before[1][0].isupper() and after[1][0].isupper())


@from_lexicons
def _written() -> tuple[frozenset[str], frozenset[str]]:
    """Small words large wherever they stand (folded), and those that in capitals are a name."""
    large, short = set[str](), set[str]()
    for lexicon in lexicons():
        large.update(map(fold, lexicon.phrases("words", "written_large")))
        short.update(lexicon.phrases("words", "written_in_capitals"))
    return frozenset(large), frozenset(short)


def _said(text: str, named: frozenset[str]) -> set[str]:
    """What a text shares by: its content words, and for Thai and its like runs of three."""
    found: set[str] = set()
    function = function_words()
    for kind, piece in pieces(spelled_out(fold(text))):
        if kind == "unspaced":
            for part in _content_runs(piece):
                found.update(_pairs(part))
                found.update(letter for letter in part if letter >= "\u3400" and len(part) <= 2)
        elif kind == "cluster":
            letters = _CLUSTER.findall(piece)
            found.update("".join(letters[at : at + 3]) for at in range(max(1, len(letters) - 2)))
        elif kind == "number" or piece in named or (piece not in function and len(piece) > 1):
            found.add(piece)
    return found


def _pairs(letters: str | list[str]) -> list[str]:
    if len(letters) < 2:
        return ["".join(letters)]
    return ["".join(letters[at : at + 2]) for at in range(len(letters) - 1)]


def _content_runs(run: str) -> list[str]:
    japanese, chinese = _unspaced_function_words()
    if _KANA.search(run):
        run = japanese.sub(" ", run) if japanese else run
        run = _ASIDE.sub(" ", run)
    elif chinese:
        run = chinese.sub(" ", run)
    return run.split()


@from_lexicons
def function_words() -> frozenset[str]:
    """The folded function words of every language, together."""
    return frozenset(
        fold(word) for lexicon in lexicons() for word in lexicon.phrases("words", "function")
    )


@from_lexicons
def _unspaced_function_words() -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    return _any_of("Jpan", 2), _any_of("Hans", 1)


def _any_of(script: str, least: int) -> re.Pattern[str] | None:
    """The function words of the languages of a script, of at least that many characters."""
    words = [
        fold(word)
        for lexicon in lexicons()
        if lexicon.script == script
        for word in lexicon.phrases("words", "function")
    ]
    words = sorted((word for word in words if len(word) >= least), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words))) if words else None


@from_lexicons
def _contractions() -> tuple[re.Pattern[str] | None, dict[str, str]]:
    """`[words] contractions`: "won't = will not", and endings as "-n't = not"."""
    whole: dict[str, str] = {}
    for lexicon in lexicons():
        for line in lexicon.phrases("words", "contractions"):
            short, _, full = line.partition("=")
            if "'" in short:
                whole[fold(short)] = fold(full)
    if not whole:
        return None, whole
    longest = sorted(whole, key=len, reverse=True)
    parts = [
        rf"(?<=\w){re.escape(short[1:])}\b" if short.startswith("-") else rf"\b{re.escape(short)}\b"
        for short in longest
    ]
    return re.compile("|".join(parts)), whole


def spelled_out(folded: str) -> str:
    """Folded text with contractions taken apart: "don't" becomes "do not"."""
    if "'" not in folded:
        return folded
    pattern, whole = _contractions()
    if pattern is None:
        return folded

    def full(found: re.Match[str]) -> str:
        short = found.group()
        return whole[short] if short in whole else " " + whole["-" + short]

    return pattern.sub(full, folded)
