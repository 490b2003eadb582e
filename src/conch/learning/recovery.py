"""At the start: carry through what a crash cut off, and say what was not said yet."""

from __future__ import annotations

from conch.learning.answers import carry_out
from conch.learning.apply import apply_look
from conch.learning.parts import LearningParts
from conch.learning.record import Decided


def carry_through(parts: LearningParts) -> int:
    """Finish every intent without *done*, in the journal's order; gives how many there were.

    Doing so twice changes nothing. One that cannot be carried out stays open, is said in the notes
    and is tried again at the next start.
    """
    unfinished = list(parts.record.state.unfinished.values())
    for intent in unfinished:
        try:
            if isinstance(intent, Decided):
                apply_look(parts, intent)
            else:
                carry_out(parts, intent)
        except Exception as error:
            parts.home.notes.say(
                f"Something learned could not be finished ({type(error).__name__}). "
                "It is kept in the record and tried again at the next start.",
                where=parts.home.learning.name,
            )
    return len(unfinished)
