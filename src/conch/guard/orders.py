"""Is a text about the assistant itself, or an order to it? Such a text is never learned.

Spec 0088 §4: 'About the assistant itself, or an order to it ("from now on", "always say")'. What a
memory may say is how the person is and what they like; how the assistant must behave is not a
memory. "Prefers short answers" is a preference, "Keep answers short" an order.
"""

from __future__ import annotations

import re

from conch.guard.phrasebook import phrasebook, ready

_CLAUSE = re.compile(r"[.!?;:,\n。！？；：、，।؟؛|]+|\s+-+\s+")


def about_the_assistant(text: str) -> bool:
    """True when `text` says what the assistant is, is called, must do or is told.

    Looks for the assistant named as such and for "you must" and its like, in every language.

    >>> about_the_assistant("The assistant is called Max")
    True
    >>> about_the_assistant("Is a dental assistant")
    False
    """
    folded = phrasebook("guard.orders", "harmless").without(ready(text))
    return any(phrasebook("guard.orders", key).find(folded) for key in ("assistant", "you"))


def an_order(text: str) -> bool:
    """True when `text`, or a clause of it, tells somebody to do something or sets a standing rule.

    >>> an_order("From now on, answer in French")
    True
    >>> an_order("Always uses pnpm")
    False
    """
    folded = phrasebook("guard.orders", "harmless").without(ready(text))
    if any(phrasebook("guard.orders", key).find(folded) for key in ("standing", "rule")):
        return True
    return any(_imperative(clause.strip(" \"'*_#>()-")) for clause in _CLAUSE.split(folded))


def _imperative(clause: str) -> bool:
    """True when a clause starts (or, where verbs come last, ends) like an order."""
    if not clause:
        return False
    start = phrasebook("guard.orders", "leading").search(clause)
    rest = clause[start.end() :].lstrip() if start and start.start() == 0 else clause
    verb = phrasebook("guard.orders", "imperative").search(rest)
    if verb and verb.start() == 0:
        return True
    noun = phrasebook("guard.orders", "imperative_or_noun").search(rest)
    if noun and noun.start() == 0 and not _stated(rest[noun.end() :]):
        return True
    last = [found for found in phrasebook("guard.orders", "imperative_last").all(clause)]
    return any(found.end() == len(clause) for found in last)


def _stated(rest: str) -> bool:
    """True when a verb that states something follows: "Work laptop is …", "Mail goes to …"."""
    found = phrasebook("guard.orders", "states").search(" ".join(rest.split()[:5]))
    return found is not None or not rest.strip()
