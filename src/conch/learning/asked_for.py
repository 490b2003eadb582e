"""What the person asked to be remembered in this turn, in their own words.

"Remember that I am allergic to nuts", "merk dir das": only such words make the assistant's
`remember` save what is otherwise never learned (spec 0088 §4), and only for what they speak of.
The cues are the lexicons' `[asks.remember]`: after `says` and `please` stands what is meant, before
`points` it does; `against` takes back what only sounds like asking ("do you remember that …?").
`framing` are words a memory may add to what was said ("has", "the user").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from conch.guard.phrasebook import in_its_language, phrases_in, read_words
from conch.guard.values import never_typed
from conch.words.cues import Cue, Cues, Hit, cue_words, is_boundary
from conch.words.lexicon import from_lexicons, lexicons
from conch.words.negation import negated
from conch.words.prose import own_prose
from conch.words.prose_headings import handed_over
from conch.words.stems import same_word
from conch.words.tokens import SOUTH_EAST, UNSPACED, content_tokens, tokens

TOPIC = "asks.remember"
_GROUPS = ("says", "please", "points", "against", "polite")
_ENDS = frozenset(".!?…¶।؟。！？;；")
_ASKING = frozenset("?？؟")
_COLONS = frozenset(":：")
_TIGHT = re.compile(f"[{UNSPACED}{SOUTH_EAST}]")
_LONGEST = 20_000
_HANGUL = re.compile("[\uac00-\ud7a3]")
_TIGHT_AT_LEAST = 2
"""Characters that say something in a script without blanks: one alone is a particle."""
_SAID_BEFORE = 3
"""Words before a cue among which a "not" takes it back."""
_LONG_START = 8
"""Letters in common from which two words are forms of one, whatever endings follow."""
_ENDING = 3
_IN_A_WORD = re.compile(r"['’ʼ`´-]")


@dataclass(frozen=True)
class Asked:
    """What one message asks to be remembered: passages of its own prose, folded.

    `points_back`: it only points ("yes, remember that"), at what the person said before.
    """

    passages: tuple[str, ...] = ()
    points_back: bool = False


def asked_for(text: str, message: str, before: str = "") -> bool:
    """Whether the person asked for `text` to be remembered, in `message`, the turn's own.

    `before` is what they said just before it, which a bare "remember that" speaks of. Quotes, code
    and pastes in either are nobody's asking. `text` must be made of what was asked for: every word
    that says something but those it may be framed in, every number and address, and the same "not".
    """
    asked = what_is_asked(own_prose(message).text)
    passages = asked.passages
    if asked.points_back:
        passages = (*passages, own_prose(before).text)
    return bool(passages) and _made_of(text, passages)


def asks_something(message: str) -> bool:
    """Whether the person asks in `message` for anything to be remembered."""
    return what_is_asked(own_prose(message).text) != Asked()


def what_is_asked(prose: str) -> Asked:
    """What a message of the person's own prose asks to be remembered. Time is linear in it."""
    words = cue_words(prose[:_LONGEST])
    found = _cues().find(words)
    if not any(hit.group in ("says", "please", "points") for hit in found):
        return Asked()
    sentences = list(_sentences(words))
    passages: list[str] = []
    points_back = False
    for hit in _standing(found, words):
        polite = _courtesies(found, hit.language)
        place = next(n for n, (start, end) in enumerate(sentences) if start <= hit.start < end)
        start, end = sentences[place]
        if hit.group == "says" and _only_asks(words, hit, end):
            continue
        before, after = range(start, hit.start), range(hit.end, end)
        sides = (before, after) if hit.group == "points" else (after, before)
        own = next((one for side in sides if (one := _content(words, side, polite))), "")
        if own:
            passages.append(own)
        if not own or _announces(words, after):
            around = [] if own or hit.group != "points" else [range(start)]
            rest = [*around, range(end, len(words)), range(start)]
            more = next((one for side in rest if (one := _content(words, side, polite))), "")
            if more:
                passages.append(more)
            points_back = points_back or not (own or more)
    return Asked(tuple(dict.fromkeys(passages)), points_back)


def _standing(found: Sequence[Hit], words: Sequence[str]) -> list[Hit]:
    """The cues that count: none that is taken back or said to others, of overlapping ones the
    longest."""
    against = [hit for hit in found if hit.group == "against"]
    asks = [
        hit
        for hit in found
        if hit.group in ("says", "please", "points")
        and not any(_overlap(hit, other) for other in against)
        and not _denied(words, hit)
        and not handed_over(words, hit.start)
    ]
    asks.sort(key=lambda hit: (hit.start - hit.end, hit.group != "points"))
    kept: list[Hit] = []
    for hit in asks:
        if not any(_overlap(hit, other) for other in kept):
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)


def _overlap(one: Hit, other: Hit) -> bool:
    return one.start < other.end and other.start < one.end


def _denied(words: Sequence[str], hit: Hit) -> bool:
    """Whether a "not" stands right before the cue, in its clause."""
    at = hit.start
    while at > 0 and hit.start - at < _SAID_BEFORE and not is_boundary(words[at - 1]):
        at -= 1
    return any(word in _negations().get(hit.language, ()) for word in words[at : hit.start])


def _only_asks(words: Sequence[str], hit: Hit, end: int) -> bool:
    """Whether the cue's clause is what a question mark asks: "Lembra que moro no Porto?"."""
    at = hit.end
    while at < end and not is_boundary(words[at]):
        at += 1
    return at < end and words[at] in _ASKING


def _announces(words: Sequence[str], after: range) -> bool:
    """Whether the sentence ends in a colon: what is meant stands on the lines after it."""
    said = [words[at] for at in after if words[at] not in _ENDS]
    return bool(said) and said[-1] in _COLONS


def _content(words: Sequence[str], places: range, polite: frozenset[int]) -> str:
    """The words at `places`, "" where nothing but courtesies is said in them."""
    left = [words[at] for at in places if at not in polite and not is_boundary(words[at])]
    if all(_TIGHT.match(word) for word in left) and len(left) < _TIGHT_AT_LEAST:
        return ""
    return _joined([words[at] for at in places]) if content_tokens(_joined(left)) else ""


def _joined(words: Sequence[str]) -> str:
    """Words as a text: with blanks, but for scripts that have none."""
    out = ""
    for word in words:
        tight = out and _TIGHT.match(out[-1]) and _TIGHT.match(word)
        out += word if tight or not out else f" {word}"
    return out


def _sentences(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for at, word in enumerate(words):
        if word in _ENDS:
            yield start, at + 1
            start = at + 1
    if start < len(words):
        yield start, len(words)


def _courtesies(found: Sequence[Hit], language: str) -> frozenset[int]:
    """Where the language's words stand that only make asking polite."""
    polite = [hit for hit in found if hit.group == "polite" and hit.language == language]
    return frozenset(at for hit in polite for at in range(hit.start, hit.end))


def _made_of(text: str, passages: Sequence[str]) -> bool:
    """Whether `text` says no more than the passages do."""
    wanted = list(dict.fromkeys(content_tokens(text)))
    if not wanted or never_typed(text, passages):
        return False
    said = {word for passage in passages for word in (*tokens(passage), *content_tokens(passage))}
    numbers = {word for word in tokens(text) if word[0].isdigit()}
    if not numbers <= said:
        return False
    theirs = said | _written_as_one(text, said)
    if not any(_among(word, theirs) for word in wanted):
        return False
    theirs |= _framing(text)
    if not all(_among(word, theirs) for word in wanted):
        return False
    nearest = max(passages, key=lambda one: len(set(wanted).intersection(content_tokens(one))))
    return negated(text) == negated(nearest)


def _among(word: str, said: set[str]) -> bool:
    """Whether a word was said, whatever its ending; a pair of signs also when each of them was."""
    if word in said or any(same_word(word, other) for other in said):
        return True
    if _TIGHT.match(word):
        return all(any(sign in other for other in said) for sign in word)
    if _HANGUL.match(word):
        return len(word) > 1 and any(other.startswith(word) for other in said)
    return any(_one_begins_the_other(word, other) for other in said)


def _one_begins_the_other(a: str, b: str) -> bool:
    """Whether two words are one but for a short ending ("earn", "earns"), or long ones begin alike
    whatever endings follow each other."""
    short, long = sorted((a, b), key=len)
    if len(short) > _LONG_START:
        return long.startswith(short[:_LONG_START])
    return len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= _ENDING


def _framing(text: str) -> set[str]:
    """The words of `text` any memory may be framed in, in its own language."""
    words = read_words(text)
    hits = (
        *(hit for hit in phrases_in("learning.grounding", words) if hit.group == "plain_verb"),
        *(hit for hit in phrases_in(TOPIC, words) if hit.group == "framing"),
    )
    return {
        piece
        for hit in in_its_language(hits, text)
        for word in words[hit.start : hit.end]
        for piece in (word, *tokens(word))
    }


def _written_as_one(text: str, said: set[str]) -> set[str]:
    """The words of `text` that were said with what is tied to them: "l'enfance"."""
    return {
        word
        for part in text.split()
        if _IN_A_WORD.search(part) and said.issuperset(tokens(_IN_A_WORD.sub("", part)))
        for word in tokens(part)
    }


@from_lexicons
def _cues() -> Cues:
    return Cues(
        Cue(group, lexicon.code, phrase)
        for lexicon in lexicons()
        for group in _GROUPS
        for phrase in lexicon.phrases(TOPIC, group)
    )


@from_lexicons
def _negations() -> dict[str, frozenset[str]]:
    """Each language's words that say no, as one word each."""
    return {
        lexicon.code: frozenset(
            word
            for phrase in lexicon.phrases("words", "negation")
            for word in cue_words(phrase)
            if not phrase.startswith("-")
        )
        for lexicon in lexicons()
    }
