"""How far back a piece of work reaches: the turns with steps just before it (spec 0058 §1).

A false start always belongs to what was tried next. A turn that went well belongs to it too, unless
the next message plainly begins something else: two jobs are not one piece of work.
"""

from __future__ import annotations

from conch.chats.turns import Turn
from conch.guard.phrasebook import phrases_in, read_words
from conch.skills.outcome import says_it_did_not_manage
from conch.words.likeness import closeness
from conch.words.meaning import Meaning
from conch.words.prose import own_prose
from conch.words.tokens import content_tokens, shares_a_word

_SAYS_ENOUGH = 4
"""Content words from which a message can be told to be about something else."""
_RELATED = 0.3
"""Likeness (`Meaning.likeness`) from which two requests may be about one thing."""


def belongs_to(before: Turn, asked: str, meaning: Meaning | None = None) -> bool:
    """Whether the turn `before` is part of the work that the message `asked` went on with."""
    if before.outcome != "success" or says_it_did_not_manage(before.reply):
        return True
    prose = own_prose(asked).text or asked
    cues = {hit.group for hit in phrases_in("skills.span", read_words(prose))}
    if "another" in cues:
        return False
    if "goes_on" in cues or len(content_tokens(prose)) < _SAYS_ENOUGH:
        return True
    earlier = before.person.text
    if shares_a_word(prose, earlier) or closeness(prose, earlier) >= _RELATED:
        return True
    return meaning is not None and meaning.likeness(prose[:400], earlier[:400]) >= _RELATED
