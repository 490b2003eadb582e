"""Would a text hand the assistant a power? Such a text is never learned.

Spec 0088 §4: 'A power ("without asking", "trust", "auto-approve")'. A person gives a power in the
settings, where they see it; nothing said in a chat becomes one. "Isn't allowed to eat nuts", a
friend called Grant and a sister who is trusted with the keys give none.
"""

from __future__ import annotations

from conch.guard.phrasebook import phrasebook, ready


def a_power(text: str) -> bool:
    """True when `text` lets something happen unasked, unchecked or without limits.

    >>> a_power("Wants commands run without asking")
    True
    >>> a_power("Friend Grant lives next door")
    False
    """
    folded = phrasebook("guard.powers", "harmless").without(ready(text))
    return phrasebook("guard.powers", "power").find(folded) is not None
