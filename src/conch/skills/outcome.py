"""What a reply says came of the work: did it manage, or say that it didn't (spec 0058 §1)."""

from __future__ import annotations

from functools import lru_cache

from conch.guard.phrasebook import phrases_in, read_words
from conch.words.cues import Hit, is_boundary

_START, _END = 500, 250
_ENDS = frozenset(".!?…¶।؟。！？;；")


@lru_cache(maxsize=512)
def says_it_did_not_manage(reply: str) -> bool:
    """Whether a reply says that the work was not managed, in any of the fifteen languages.

    A reply that opens with what was done and then mentions something that failed on the way did
    manage; "done, but I couldn't …" did not. "Couldn't find any errors" never counts.

    >>> says_it_did_not_manage("I wasn't able to finish the comparison.")
    True
    >>> says_it_did_not_manage("Finished. The old script failed on spaces, so the new one quotes.")
    False
    """
    whole = reply if len(reply) <= _START + _END else f"{reply[:_START]}\n{reply[-_END:]}"
    words = read_words(whole)
    hits = phrases_in("skills.outcome", words, with_harmless=True)
    harmless = [hit for hit in hits if hit.group == "harmless"]
    failed = [
        hit
        for hit in hits
        if hit.group == "not_managed"
        # "I couldn't" of "I couldn't find any errors" lies half outside of it.
        and not any(hit.start < one.end and one.start < hit.end for one in harmless)
    ]
    if not failed:
        return False
    managed = [hit for hit in hits if hit.group == "managed"]
    return any(_stands(hit, managed, hits, words) for hit in failed)


def _stands(failed: Hit, managed: list[Hit], hits: tuple[Hit, ...], words: tuple[str, ...]) -> bool:
    """Whether a failure is what came of it: nothing done before it, or a "but" in between."""
    before = [hit for hit in managed if hit.end <= failed.start]
    if not before:
        after = [hit for hit in managed if hit.start >= failed.end]
        turned = [hit for hit in hits if hit.group == "but" and hit.start >= failed.end]
        mended = [one for one in after if any(turn.end <= one.start for turn in turned)]
        return not mended
    last = before[-1]
    return any(
        hit.group == "but" and last.start <= hit.start and hit.end <= failed.end for hit in hits
    ) or _same_clause(last, failed, words)


def _same_clause(one: Hit, other: Hit, words: tuple[str, ...]) -> bool:
    """ "I have not managed" reads as both: then it is the failure that counts."""
    return not any(is_boundary(word) for word in words[one.start : other.end])
