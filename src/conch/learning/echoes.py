"""What a message takes up from the one before it and from the answer between them.

"csv, not json", "thursday!!" and "Kasia, not Basia" correct without a word that says so: they
repeat what the answer left out, or refuse what it brought in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rapidfuzz.distance import Indel

from conch.learning.exchange import Exchange
from conch.words.stems import stem

Clues = dict[str, float]

_REACH = 3
_ALIKE = 0.55
_FEW = 16


def echo_clues(exchange: Exchange, clues: Clues) -> None:
    """Adds the clues that lie in words shared with the answer and with the message before."""
    said, before, reply = exchange.content, exchange.content_before, exchange.content_reply
    only_reply, only_before = reply - before, before - reply
    again, taken = said & only_before, said & only_reply
    if again:
        clues["repeats what was left out"] = 1.0
        if len(again) * 2 >= len(said):
            clues["mostly what was left out"] = 1.0
    if taken:
        clues["takes up the answer"] = 1.0
    if again and taken:
        clues["both words"] = 1.0
    if said and not said & (before | reply):
        clues["all new words"] = 1.0
    if said and said <= before | reply:
        clues["no new words"] = 1.0
    if _near_a_no(exchange, only_reply):
        clues["says no to the answer's word"] = 1.0
    elif _near_a_no(exchange, before):
        clues["says no to own word"] = 1.0
    if _misheard(said, before, reply):
        clues["a word almost like the answer's"] = 1.0
    _figures(said, before, reply, clues)


def _near_a_no(exchange: Exchange, wanted: frozenset[str]) -> bool:
    """Whether one of the words stands next to a negation ("not json")."""
    if not wanted:
        return False
    words = exchange.reading.words
    for hit in exchange.reading.groups.get("frames.not", ()):
        around = words[max(0, hit.start - _REACH) : hit.end + _REACH]
        if any(stem(word) in wanted for word in around):
            return True
        if any(word[0] >= "\u3040" for word in around):
            joined = "".join(around)
            if any(one in joined for one in wanted):
                return True
    return False


def _misheard(said: frozenset[str], before: frozenset[str], reply: frozenset[str]) -> bool:
    """Whether the message has a word the answer has almost: Iris and Irish, 2024 and 2042."""
    theirs = [word for word in reply - said if len(word) > 2 or word[0] >= "\u3040"]
    ours = [word for word in said - reply if len(word) > 2 or word[0] >= "\u3040"]
    if not ours or not theirs or len(ours) > _FEW or len(theirs) > 4 * _FEW:
        return False
    for one in ours:
        for other in theirs:
            if one[0].isdigit() != other[0].isdigit():
                continue
            if one[0] >= "\u3040" and other[0] >= "\u3040":
                if len(one) == len(other) == 2 and (one[0] == other[0]) != (one[1] == other[1]):
                    return one in before
            elif one in before or len(ours) <= 2:
                if abs(len(one) - len(other)) > 2 or one.startswith(other):
                    continue
                if Indel.normalized_similarity(one, other, score_cutoff=_ALIKE) >= _ALIKE:
                    return True
    return False


def _figures(
    said: frozenset[str], before: frozenset[str], reply: frozenset[str], clues: Clues
) -> None:
    ours = {word for word in said if word[0].isdigit()}
    if not ours:
        return
    if ours - before:
        clues["a new number"] = 1.0
    theirs = {word for word in reply if word[0].isdigit()}
    if ours & before - theirs and theirs - before:
        clues["own number again"] = 1.0
    if ours & theirs - before:
        clues["the answer's number"] = 1.0


def overlap_clues(exchange: Exchange, clues: Clues) -> None:
    """Adds how the message lies over the one before it: the same frame with one thing changed."""
    ours, theirs = exchange.content, exchange.content_before
    if not ours or not theirs or exchange.own_before is None:
        return
    shared = len(ours & theirs)
    share = shared / len(ours | theirs)
    clues["shared words"] = share
    if 0 < share < 0.5:
        clues["some words shared"] = 1.0
    added, left = len(ours - theirs), len(theirs - ours)
    if shared and added <= 1 and left <= 1:
        clues["one word changed"] = 1.0
    if shared and added and not left:
        clues["only adds"] = 1.0
    if shared and left and not added:
        clues["only leaves out"] = 1.0
    if shared == 0:
        clues["shares no word"] = 1.0
    order = _common_run(exchange.own_before.first_words, exchange.own.first_words)
    if order >= 0.6:
        clues["same frame"] = 1.0
    elif order >= 0.4:
        clues["half the frame"] = 1.0


def _common_run(a: Sequence[str], b: Sequence[str]) -> float:
    """The share of the shorter text's words that stand at the same end of both."""
    if not a or not b:
        return 0.0
    shorter = min(len(a), len(b))
    start = _same_at(lambda at: a[at] == b[at], shorter)
    end = _same_at(lambda at: a[-1 - at] == b[-1 - at], shorter - start)
    return (start + end) / shorter


def _same_at(same: Callable[[int], bool], most: int) -> int:
    at = 0
    while at < most and same(at):
        at += 1
    return at
