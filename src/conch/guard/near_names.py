"""Whether a name could be taken for another one: by letters that look alike, or one slip away.

Used for who signed a skill and what a skill is called, where taking one for the other hands over
trust. Deciding only: what is near is told to the person, never decided for them.
"""

from __future__ import annotations

import unicodedata

from conch.guard.lookalikes import as_latin

_DRAWN_ALIKE = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("nn", "m"))
_SAME_SHAPE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b", "3": "e"})
_ONE_SLIP_FROM, _TWO_SLIPS_FROM = 5, 12


def shape(name: str) -> str:
    """A name as the eye takes it: without case, accents, blanks and marks, lookalikes folded.

    >>> shape("Раураl"), shape("g00gle-Inc")
    ('paypal', 'googlelnc')
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    plain = unicodedata.normalize("NFKD", as_latin(plain))
    letters = "".join(char for char in plain if char.isalnum()).translate(_SAME_SHAPE)
    for drawn, alike in _DRAWN_ALIKE:
        letters = letters.replace(drawn, alike)
    return letters


def could_be_taken_for(name: str, other: str) -> bool:
    """Whether `name` looks like `other`, the very same name included.

    One slip (a letter left out, added, changed or swapped) counts from five letters on, two from
    twelve: short names are too often one letter apart.

    >>> could_be_taken_for("tidy-note", "tidy-notes"), could_be_taken_for("send", "mend")
    (True, False)
    """
    from rapidfuzz.distance import OSA

    one, two = shape(name), shape(other)
    if not one or not two:
        return False
    if one == two:
        return True
    shorter = min(len(one), len(two))
    allowed = 2 if shorter >= _TWO_SLIPS_FROM else 1 if shorter >= _ONE_SLIP_FROM else 0
    return OSA.distance(one, two, score_cutoff=allowed) <= allowed
