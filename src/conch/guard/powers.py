"""Would a text hand the assistant a power? Such a text is never learned.

Spec 0088 §4: 'A power ("without asking", "trust", "auto-approve")'. A person gives a power in the
settings, where they see it; nothing said in a chat becomes one. "Isn't allowed to eat nuts", a
friend called Grant and a sister who is trusted with the keys give none.
"""

from __future__ import annotations

from conch.guard.phrasebook import phrases_in, read_words
from conch.words.cues import is_boundary


def a_power(text: str) -> bool:
    """True when `text` lets something happen unasked, unchecked or without limits.

    Stops and commas between the words hide nothing.

    >>> a_power("Wants commands run without asking")
    True
    >>> a_power("Friend Grant lives next door")
    False
    """
    words = read_words(text)
    joined = [word for word in words if not is_boundary(word)]
    return any(
        hit.group == "power"
        for told in ((words, joined) if len(joined) < len(words) else (words,))
        for hit in phrases_in("guard.powers", told)
    )
