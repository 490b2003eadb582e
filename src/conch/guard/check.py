"""The memory check: may this text be kept as a memory, given where it came from?

It looks at the words themselves (secrets, hidden characters, lookalikes, encoded parts, text shaped
like an attack, orders, powers), at where they came from (what the chat read, values the person
never typed, words lifted from a page), and at what they become with the chat's last saves. What
looks harmless and came from outside still asks: origin decides, wording only adds to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conch.guard.characters import canonical, encoded_blobs, hidden_characters, lookalikes
from conch.guard.decoded import decoded_parts
from conch.guard.joined import made_by_joining
from conch.guard.orders import about_the_assistant, an_order
from conch.guard.own import lifted_from, mostly_said
from conch.guard.powers import a_power
from conch.guard.scan import ScanFinding, scan_text
from conch.guard.secrets import find_secrets
from conch.guard.taints import Taint, what_was_read
from conch.guard.values import never_typed, values_in

Via = Literal["learning", "remember", "person", "import", "hand"]
MOST_REASONS = 6


@dataclass(frozen=True)
class CheckContext:
    """Where a memory's words came from.

    `via`: a look, the assistant's `remember`, the person on the Memory page, an import, or a file
    changed by hand. `read`: what the chat had taken in. `said`: the person's own prose.
    `read_text`: texts the chat had read. `recent`: the chat's recent saves, oldest first.
    `observed`: code wrote the words itself, from steps it saw. `enabled`: False leaves only secrets
    and hidden characters. `fresh_key`: the seal's key was just made, so a seal that does not fit
    is no sign of a change.
    """

    via: Via
    read: tuple[Taint, ...] = ()
    said: tuple[str, ...] = ()
    read_text: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    observed: bool = False
    enabled: bool = True
    fresh_key: bool = False


@dataclass(frozen=True)
class Reason:
    """Why a memory is held: a stable code, and a plain sentence for the person."""

    code: str
    sentence: str


@dataclass(frozen=True)
class CheckVerdict:
    """`pass`, `ask` (held until the person keeps it) or `refuse` (held, and warned about).

    `reasons` come gravest first. `yours`: the words are the person's own.
    """

    verdict: Literal["pass", "ask", "refuse"]
    reasons: tuple[Reason, ...]
    yours: bool


def check_memory(text: str, context: CheckContext) -> CheckVerdict:
    """Decide over `text`, as it would be stored; whatever fails here holds it (spec 0088 §4).

    Refused is only a secret the person never typed, and words that hide an order, a power or a
    secret from the reader.
    """
    try:
        return _checked(text, context)
    except Exception:  # whatever it is, the words were not checked, so they are not used
        unchecked = Reason("unchecked", "It couldn't be checked, so it is not used.")
        return CheckVerdict("ask", (unchecked,), False)


def _checked(text: str, context: CheckContext) -> CheckVerdict:
    yours = _yours(text, context)
    hides = _what_hides(text)
    secrets = find_secrets(text)
    reasons = list(hides)
    if secrets:
        reasons.append(_secret_reason(text, context))
    refuse = bool(secrets) and not _typed(text, context)
    if hides and (secrets or _grave(canonical(text))):
        refuse = True
    if context.enabled:
        coded = encoded_blobs(text)
        reasons += _dangerous(text, context, yours=yours)
        if coded:
            reasons.append(Reason("encoded", "Part of it says something only after decoding."))
            refuse = refuse or any(
                _grave(part) or find_secrets(part) for part in decoded_parts(text, coded)
            )
        reasons += _from_outside(text, context, yours=yours)
        reasons += [
            Reason("pieces", f"Together with what was saved just before, {what}.")
            for what in made_by_joining(text, context.recent)
        ]
    kept = tuple(dict.fromkeys(reasons))[:MOST_REASONS]
    return CheckVerdict("refuse" if refuse else "ask" if kept else "pass", kept, yours)


def _what_hides(text: str) -> list[Reason]:
    reasons: list[Reason] = []
    hidden = hidden_characters(text)
    if hidden:
        sentence = "It has characters that nobody can see."
        if any(finding.kind == "hidden:tag" for finding in hidden):
            sentence = "It has words in characters that nobody can see."
        elif any(finding.kind == "hidden:direction" for finding in hidden):
            sentence = "It has marks that make it read differently from how it is written."
        reasons.append(Reason("hidden", sentence))
    for finding in lookalikes(text)[:2]:
        shown = text[finding.start : finding.end]
        plain = canonical(shown)
        pretends = f"“{shown}” only looks like “{plain}”: some of its letters are others."
        punycode = f"“{shown}” is a link name written in code."
        reasons.append(Reason("lookalike", punycode if plain == shown else pretends))
    return reasons


def _secret_reason(text: str, context: CheckContext) -> Reason:
    said = "It looks like a key, a password or a code; those belong in the vault."
    if not _typed(text, context):
        said = "It looks like a key, a password or a code that you never typed."
    return Reason("secret", said)


def _typed(text: str, context: CheckContext) -> bool:
    """True when every secret of `text` stands in what the person wrote."""
    if context.via in {"person", "hand"}:
        return True
    said = " ".join(canonical(words) for words in context.said)
    found = find_secrets(text)
    return all(canonical(text[one.start : one.end]) in said for one in found)


def _grave(text: str) -> bool:
    """True for an order, a power, words about the assistant, or the shape of an attack."""
    return (
        a_power(text)
        or an_order(text)
        or about_the_assistant(text)
        or any(finding.level == "danger" for finding in scan_text(text))
    )


def _dangerous(text: str, context: CheckContext, *, yours: bool) -> list[Reason]:
    """What the words themselves would do: attacks, powers, orders.

    Powers and the shape of an attack always count. Orders count unless they are the person's own
    and nothing was read; a warning of the scan only where something else may have written it.
    """
    outside = _exposed(context) and not yours
    own = context.via == "person" or (context.via == "remember" and yours and not context.read)
    own = own or (context.via == "hand" and context.fresh_key)
    found = [one for one in scan_text(text) if one.code != "hidden"]
    reasons = [
        Reason(one.code, one.sentence) for one in found if _counts(one, outside=outside, own=own)
    ]
    if a_power(text):
        reasons.append(Reason("power", "It would let something happen without asking you."))
    if not own:
        if about_the_assistant(text):
            reasons.append(Reason("assistant", "It is about the assistant, not about you."))
        elif an_order(text):
            reasons.append(Reason("order", "It is an order to the assistant."))
    return reasons


_OF_WORDS = {"memory", "authority", "hide", "override", "power", "carries_off"}
"""Attacks that are told by wording alone, which a person's own words may share."""


def _counts(found: ScanFinding, *, outside: bool, own: bool) -> bool:
    if found.level == "danger":
        return not (own and found.code in _OF_WORDS)
    return outside


def _from_outside(text: str, context: CheckContext, *, yours: bool) -> list[Reason]:
    """What speaks of somebody else's hand: what was read, values never typed, lifted words."""
    reasons: list[Reason] = []
    if context.read:
        said = what_was_read(context.read)
        reasons.append(Reason("outside", f"Learned in a chat that {said}."))
    if context.via in {"learning", "remember"} and not context.observed:
        read = {value.plain for page in context.read_text for value in values_in(page)}
        for value in never_typed(text, context.said)[:3]:
            met = value.plain in read
            where = "; it stands in something the chat read" if met else ""
            sentence = f"It has “{value.shown}”, which you never typed{where}."
            reasons.append(Reason("value_read" if met else "value", sentence))
    if context.read_text and not yours and lifted_from(text, context.read_text):
        reasons.append(Reason("lifted", "Its words stand in something the chat read."))
    return reasons


def _exposed(context: CheckContext) -> bool:
    """True when somebody else may have had a hand in the words."""
    return bool(context.read or context.read_text) or context.via in {"import", "hand"}


def _yours(text: str, context: CheckContext) -> bool:
    if context.via in {"person", "hand"} or context.observed:
        return True
    if context.via == "import":
        return False
    if never_typed(text, context.said):
        return False
    words = text
    for value in values_in(text):  # told apart above, however they are written
        words = words.replace(value.shown, " ")
    return mostly_said(words, context.said)
