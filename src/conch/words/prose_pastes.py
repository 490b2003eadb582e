"""Pasted text that no shape shows: told by what announces it, what it sounds like, what follows.

Each line that is still open is weighed for being the person's own and for being pasted; the
cheapest reading of the whole message is then found with a price on every change between the two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from conch.words.prose_cues import ProseCues
from conch.words.prose_headings import is_heading
from conch.words.prose_lines import Line
from conch.words.prose_mail import closes, greets
from conch.words.prose_runs import is_label

_ENDS = re.compile(r"[.!…。！]['\"”»」’)]*$")
_ASKS = re.compile(r"[?？؟]['\"”»」’)]*$")
_SENTENCES = re.compile(r"[.!…]\s+(?=\S)|。")
_COLON_QUOTE = re.compile(r"[:：]\s*[\"“„«「『]")
_BULLET = re.compile(r"(?:[-*•·]|\d{1,2}[.)]|[a-z]\))\s")
_LABELLED = re.compile(r"[^\W\d_]\w{2,20}(?: \w{1,15})?[:：]\s\S")
_QUOTE_STARTS = ('"', "“", "„", "«", "»", "「", "『", "‘", "'")


@dataclass(frozen=True)
class Weights:
    """What each sign is worth; above 0 speaks for the person's own words."""

    own: float = 0.1
    asks_first: float = 1.6
    asks: float = 0.2
    question: float = 0.6
    text_work: float = 1.8
    lower: float = 1.5
    lower_alone: float = 0.5
    formal: float = -1.5
    formal_before_loose: float = -2.0
    says_i: float = 0.8
    announcing: float = 1.5
    last: float = -0.2
    last_says_i: float = 0.8
    greets: float = -2.5
    closes: float = -3.0
    closes_alone: float = -0.5
    bullet: float = 0.0
    verse: float = -2.2
    # Prices of a change.
    into: float = 4.5
    into_at_start: float = 1.6
    into_before_work: float = -2.0
    announced: float = -2.5
    handed_over: float = -5.0
    announced_by_work: float = -1.5
    announced_weakly: float = -1.0
    colon: float = 3.0
    after_question: float = 2.5
    after_lower: float = 2.0
    label: float = -1.0
    after_shape: float = 0.8
    after_heading: float = -0.5
    out: float = 0.6
    out_at_blank: float = 0.5


WEIGHTS = Weights()
_NEVER = 100.0
_LONGEST_HEADING = 200


@dataclass
class _Signs:
    asks: int | None
    work: int | None
    names_text: bool
    colon: bool
    said: bool
    points: bool
    points_at: bool
    heading: bool
    question: bool
    asked: bool
    lower: bool
    upper: bool
    formal: bool


def pastes(lines: list[Line], cues: ProseCues) -> None:
    """Gives lines read as pasted the kind `pasted`."""
    if len(lines) < 2 or not any(not line.kind for line in lines):
        return
    signs = [_signs(line, cues) for line in lines]
    own_signs = [sign for line, sign in zip(lines, signs, strict=True) if not line.kind]
    mixed = any(sign.lower for sign in own_signs) and any(sign.upper for sign in own_signs)
    loose = own_signs[-1]
    mixed_end = mixed and (loose.lower or not (loose.formal or loose.question))
    verse = _verse(lines, cues)
    weights = WEIGHTS
    own = [0.0]
    pasted = [_start_price(lines, signs, weights)]
    came: list[tuple[bool, bool]] = []
    for place, line in enumerate(lines):
        if place:
            into, out = _prices(lines, signs, place, cues, weights)
            came.append((pasted[-1] + out < own[-1], own[-1] + into < pasted[-1]))
            own.append(min(own[-1], pasted[-1] + out))
            pasted.append(min(pasted[-1], own[-2] + into))
        if line.kind:
            # A shape is neither: what follows it starts anew.
            own[-1] = min(own[-1], pasted[-1])
            pasted[-1] = own[-1] + _NEVER
            continue
        followed = place + 1 < len(lines)
        weight = _weight(
            line, signs[place], mixed, verse[place], followed, mixed_end, cues, weights
        )
        if line.sure:
            weight = _NEVER
        own[-1] += max(0.0, -weight)
        pasted[-1] += max(0.0, weight)
    is_pasted = pasted[-1] < own[-1]
    for place in range(len(lines) - 1, -1, -1):
        if is_pasted and not lines[place].kind:
            lines[place].kind = "pasted"
        if place:
            from_pasted, from_own = came[place - 1]
            if lines[place].kind and lines[place].kind != "pasted":
                is_pasted = pasted[place - 1] < own[place - 1]
            elif is_pasted:
                is_pasted = not from_own
            else:
                is_pasted = from_pasted


def _signs(line: Line, cues: ProseCues) -> _Signs:
    asks = cues.asks.at(line.folded, line.words)
    # An item of a list of wishes ("- short answers") asks for no work on a text.
    item = _BULLET.match(line.text) is not None
    work = None if item else cues.text_work.at(line.folded, line.words)
    said = cues.said.last(line.folded, line.words)
    colon = line.text.rstrip().endswith((":", "："))
    bare = _BULLET.sub("", line.text, count=1).lstrip("\"'“”„«»「『¿¡([—–-*• ")
    first = bare[:1]
    # English writes "I" large even where nothing else is.
    loose_i = line.words[:1] == ["i"] and line.text[-1] not in ".,;!…"
    lower = first.islower() or loose_i
    upper = (first.isupper() or first.isdigit()) and not loose_i
    if first.isalpha() and not (lower or upper):
        # Scripts without capitals: a full stop stands for writing with care.
        upper = _ENDS.search(line.text) is not None
        lower = not upper and len(line.text) > 4 and _ASKS.search(line.text) is None
    question = _ASKS.search(line.text) is not None
    asked = question or "? " in line.text or "？" in line.text
    formal = upper and _ENDS.search(line.text) is not None
    points = colon and cues.points.last(line.folded, line.words) == 0
    points_at = cues.points.at(line.folded, line.words) is not None
    names_text = cues.texts.at(line.folded, line.words) is not None
    return _Signs(
        asks,
        work,
        names_text,
        colon,
        said is not None,
        points,
        points_at,
        colon and len(line.text) <= _LONGEST_HEADING and is_heading(line.text.rstrip(" :："), cues),
        question,
        asked,
        lower,
        upper,
        formal,
    )


def announces(line: Line, sign: _Signs, cues: ProseCues) -> float:
    """How surely a line says that somebody's text follows: 2 surely, 1 maybe, 0 not."""
    own_rules = cues.self.at(line.folded, line.words[:3]) is not None
    if sign.heading:
        return 2
    if sign.colon:
        if sign.work is not None or sign.said or sign.points:
            return 2
        if sign.names_text:
            return 1 if own_rules and not _of_own_text(line, cues) else 2
        return 1.5 if sign.asks is not None and sign.asks <= 1 and not own_rules else 0
    if sign.work is not None and len(line.words) <= 18:
        return 1.5
    asks_for = sign.asked or (sign.asks is not None and sign.asks <= 1)
    if sign.points_at and (asks_for or sign.names_text) and len(line.words) <= 18:
        return 1.5
    if sign.points_at and len(line.words) <= 12:
        return 1
    if sign.names_text and (sign.question or (sign.asks is not None and len(line.words) <= 14)):
        return 1
    return 0


def _of_own_text(line: Line, cues: ProseCues) -> bool:
    """ "My draft", not "my rules for the newsletter"."""
    place = cues.self.at(line.folded, line.words)
    if place is None or place == 9:
        return True
    after = line.words[place + 1 : place + 3]
    return cues.texts.at(" ".join(after), after) is not None


def _start_price(lines: list[Line], signs: list[_Signs], weights: Weights) -> float:
    last = max((place for place, line in enumerate(lines) if not line.kind), default=0)
    sign = signs[last]
    if not last:
        return weights.into_at_start
    if sign.work is not None:
        return weights.into_before_work
    return weights.into_at_start - (1.0 if sign.names_text else 0.0)


def _prices(
    lines: list[Line], signs: list[_Signs], place: int, cues: ProseCues, weights: Weights
) -> tuple[float, float]:
    """What it costs to go from own to pasted, and back, between this line and the one before."""
    before, line = lines[place - 1], lines[place]
    out = weights.out_at_blank if line.after_blank else weights.out
    if before.kind:
        if before.kind == "heading":
            return weights.after_heading, 0.0
        return weights.after_shape - (
            1.0 if is_label(line) or _LABELLED.match(line.text) else 0.0
        ), 0.0
    sure = announces(before, signs[place - 1], cues)
    if signs[place - 1].heading:
        return weights.handed_over, out
    if sure >= 2:
        return weights.announced, out
    if sure > 0:
        price = weights.announced_by_work if sure > 1 else weights.announced_weakly
        return price - (0.5 if line.after_blank else 0.0), out
    if before.text.endswith(","):
        out += 2.0
    into = weights.colon if signs[place - 1].colon else weights.into
    if place == 1 and signs[0].asked:
        into = weights.after_question
        if signs[0].lower and all(sign.upper for sign in signs[1:]):
            into = weights.after_lower
    if line.text.startswith(_QUOTE_STARTS):
        into -= 1.0
    return into, out


def _weight(
    line: Line,
    sign: _Signs,
    mixed: bool,
    verse: bool,
    followed: bool,
    mixed_end: bool,
    cues: ProseCues,
    weights: Weights,
) -> float:
    weight = weights.own
    if sign.asks is not None:
        weight += weights.asks_first if sign.asks <= 1 else weights.asks
    if sign.question:
        weight += weights.question
    if sign.work is not None:
        weight += weights.text_work
    if sign.lower:
        weight += weights.lower if mixed else weights.lower_alone
    if (sign.colon and announces(line, sign, cues)) or _COLON_QUOTE.search(line.text):
        weight += weights.announcing
    if sign.formal and mixed and not sign.question:
        formal = weights.formal_before_loose if mixed_end and followed else weights.formal
        weight += formal * (1 + len(_SENTENCES.findall(line.text)) / 2)
        if cues.self.at(line.folded, line.words) is not None:
            weight += weights.says_i
    if not followed:
        weight += weights.last
        if cues.self.at(line.folded, line.words) is not None:
            weight += weights.last_says_i
    if len(line.words) > 1 and greets(line):
        weight += weights.greets
    if closes(line):
        weight += weights.closes if followed and len(line.words) > 1 else weights.closes_alone
    if _BULLET.match(line.text):
        weight += weights.bullet
    if verse:
        weight += weights.verse
    if followed and mixed_end and (is_label(line) or (sign.upper and _LABELLED.match(line.text))):
        weight += weights.label
    return weight


def _verse(lines: list[Line], cues: ProseCues) -> list[bool]:
    """Which lines are verse: three or more short neighbours, most of them not ending a sentence."""
    found = [False] * len(lines)
    run: list[int] = []
    for place, line in enumerate([*lines, None]):
        if line is not None and not line.kind and _is_verse_line(line, cues):
            run.append(place)
            continue
        _mark_verse(lines, run, found)
        run = []
    return found


def _mark_verse(lines: list[Line], run: list[int], found: list[bool]) -> None:
    if len(run) < 2:
        return
    ends = [lines[place].folded.rstrip(" ,.;:!?-\"'") for place in run]
    rhymes = len(run) - len({end[-2:] for end in ends})
    lower = sum(lines[place].text[:1].islower() for place in run)
    if lower and (rhymes < 2 or lines[run[0]].text[:1].islower()):
        return
    open_ends = sum(_ENDS.search(lines[place].text) is None for place in run)
    if (len(run) >= 3 and rhymes >= 1 and open_ends * 3 >= len(run)) or (
        len(run) >= 4 and open_ends * 3 >= len(run) * 2
    ):
        for place in run:
            found[place] = True


def _is_verse_line(line: Line, cues: ProseCues) -> bool:
    text = line.text
    if not 2 <= len(line.words) <= 11 and not 5 <= len(text) <= 22:
        return False
    if _BULLET.match(text) or any(char.isdigit() for char in text) or ":" in text:
        return False
    if ". " in text or _ASKS.search(text) is not None:
        return False
    asks = cues.asks.at(line.folded, line.words)
    return asks is None or asks > 0
