"""What stands before a colon: does it say that what follows is others' to have said or to read?

"Translate to German: …", "Reply to her: …", "Quote of the day: …", "Anna: …" hand over a text;
"To be clear: …", "Note: …", "My answer: …" only lead up to the person's own words. The cues are the
lexicons' `[words.headings]`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from conch.words.cues import Cue, Cues, Hit, cue_words, is_boundary
from conch.words.fold import fold
from conch.words.lexicon import from_lexicons, lexicons
from conch.words.phrase_sets import WORD
from conch.words.prose_cues import ProseCues
from conch.words.prose_lines import Line

_TOPIC = "words.headings"
_HANDED_OVER = ("handles", "addresses")
_CLAIMED = ("sources", "speakers")
_GROUPS = (*_HANDED_OVER, *_CLAIMED, "against", "sent_from")
_LONGEST_LEAD = 200
_LONGEST_CLAIM = 8
"""Words of a heading that names a source or a speaker; characters count half in Chinese."""
_LONGEST_SPEAKER = 60
_LOWEST_UNSPACED = "\u3041"
_COLON = re.compile(r"[:：](?:\s+|(?=[^\W\d_]))(?=\S)|：")
_DASH = re.compile(r"\s+[—–]\s+|\s-\s")
_SENTENCE_END = re.compile(
    r"(?<!\b[A-ZÀ-Þ])(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})[.!…]\s+|[?？]\s+|[。！？]"
)
"""The end of a sentence; after a short word written large it is a title's full stop ("Dr. ")."""
_HANDLE = re.compile(r"(?:@|/?u/)\w[\w.-]*|[^\W\d_]+[_\d]\w*")
_WRITTEN = re.compile(rf"{WORD.pattern}(?:['’-]{WORD.pattern})*")
_LONGEST_NAME = 3
_COLONS = frozenset(":：")
_LOOKED_BACK = 24
"""Words before something that are looked at for whom it is said to."""
_POLITE = 3
"""Words after the clause that asks which may still belong to its asking ("…, please:")."""


def material_after(text: str, start: int, end: int, cues: ProseCues) -> int | None:
    """Where material starts after a heading in the line `text[start:end]`; None when none does."""
    for sign in _ends_of_leads(text, start, min(end, start + _LONGEST_LEAD)):
        lead, rest = text[start : sign.start()], text[sign.end() : end]
        if not _says_enough(rest):
            continue
        if sign.group().strip() in ("—", "–", "-"):
            if _claims(_hits(lead, cues), lead, "sources"):
                return sign.end()
        elif is_heading(lead, cues):
            return sign.end()
    return None


def _ends_of_leads(text: str, start: int, limit: int) -> list[re.Match[str]]:
    found = [*_COLON.finditer(text, start, limit), *_DASH.finditer(text, start, limit)]
    return sorted(found, key=lambda sign: sign.start())[:4]


def _says_enough(rest: str) -> bool:
    return len(rest.split()) >= 2 or (rest[:1] >= _LOWEST_UNSPACED and len(rest) >= 4)


def speaks(line: Line, cues: ProseCues) -> bool:
    """Whether a line begins with who says the rest of it: "Anna: I live in Lisbon"."""
    colon = _COLON.search(line.text[:_LONGEST_SPEAKER])
    return colon is not None and is_speaker(line.text[: colon.start()], cues)


def is_heading(lead: str, cues: ProseCues) -> bool:
    """Whether what stands before a colon hands a text over, or names who wrote or said it."""
    sentence = _last_sentence(lead)
    if not sentence:
        return False
    hits = _hits(sentence, cues)
    words = cue_words(_spoken(sentence))
    asking = [hit for hit in hits if hit.group in _HANDED_OVER]
    if any(_still_asking(words[hit.end :], cues) for hit in asking):
        return True
    return _claims(hits, sentence, "sources") or _tells_somebody(sentence, cues)


def is_speaker(lead: str, cues: ProseCues) -> bool:
    """Whether what stands before a colon is who speaks: "Anna", "Mom", "Dr. Miller", "@anna"."""
    sentence = _last_sentence(lead)
    hits = _hits(sentence, cues)
    if _claims(hits, sentence, "speakers"):
        return True
    return bool(sentence) and not _has_against(hits) and _is_named(sentence)


def is_own_heading(lead: str, cues: ProseCues) -> bool:
    """Whether a heading only sounds like handing over: "My style", "Antworte kurz"."""
    sentence = _last_sentence(lead)
    if _has_against(_hits(sentence, cues)):
        return True
    folded = fold(sentence)
    words = WORD.findall(folded)
    if cues.self.at(folded, words) == 0 and len(words) <= 4 and words[0][0] < _LOWEST_UNSPACED:
        return cues.said.at(folded, words) is None
    return not {word for word in words if word in _answers()}.isdisjoint(words)


def sent_from(line: str) -> bool:
    """Whether a line is what a mail program adds at the end: "Sent from my iPhone"."""
    words = cue_words(line[:_LONGEST_LEAD])
    if len(words) > 2 * _LONGEST_CLAIM:
        return False
    return any(hit.group == "sent_from" for hit in _cues().find(words))


def names_the_assistant(words: Collection[str]) -> bool:
    """Whether all of these folded words name an assistant."""
    return _assistants().issuperset(words)


def handed_over(words: Sequence[str], at: int) -> bool:
    """Whether what begins at `at` in `words` (`cue_words`) is handed to others by the words before.

    "Tell Tom please remember …", "translate: remember …"; not "email Tom and remember …".
    """
    if words[at] in _thens():
        return False
    begins = max(0, at - _LOOKED_BACK)
    before = words[begins:at]
    ends = [hit.end for hit in _without_against(_cues().find(before)) if hit.group in _HANDED_OVER]
    ends += [
        place + 1
        for place, word in enumerate(before)
        if place and word in _given() and before[place - 1] in _tells()
    ]
    return any(_leads_on(before[end:]) for end in ends)


def _leads_on(between: Sequence[str]) -> bool:
    """Whether words after a handing over lead on to what is handed over: no new task begins."""
    if between and between[-1] in _COLONS:
        between = between[:-1]
    return len(between) <= _POLITE and not any(
        is_boundary(word) or word in _thens() for word in between
    )


def _last_sentence(lead: str) -> str:
    ends = [found.end() for found in _SENTENCE_END.finditer(lead)]
    return (lead[ends[-1] :] if ends else lead).strip(" \t¿¡*_#>-–—•")


def _spoken(sentence: str) -> str:
    """Without the full stops of titles, which part no clauses: "Dr. Miller"."""
    return sentence.replace(".", " ")


def _hits(lead: str, cues: ProseCues) -> list[Hit]:
    """The cues of a heading; one of a single word only where the message is in its language."""
    words = cue_words(_spoken(lead))
    codes = cues.codes
    found = [
        hit
        for hit in _cues().find(words)
        if hit.end - hit.start > 1
        or not codes
        or hit.language in (*codes, "en")
        or words[hit.start][0] >= "\u0250"
    ]
    return _without_against(found)


def _without_against(hits: list[Hit]) -> list[Hit]:
    against = [hit for hit in hits if hit.group == "against"]
    return [
        hit
        for hit in hits
        if hit.group == "against"
        or not any(hit.start < other.end and other.start < hit.end for other in against)
    ]


def _has_against(hits: Sequence[Hit]) -> bool:
    return any(hit.group == "against" for hit in hits)


def _still_asking(after: Sequence[str], cues: ProseCues) -> bool:
    """Whether nothing new is said between the words that hand over and the colon."""
    clause_ends = next((at for at, word in enumerate(after) if is_boundary(word)), len(after))
    rest = [word for word in after[clause_ends:] if not is_boundary(word)]
    if not rest:
        return True
    return len(rest) <= _POLITE and cues.asks.at(" ".join(rest), rest) == 0


def _claims(hits: Sequence[Hit], lead: str, group: str) -> bool:
    words = [word for word in cue_words(lead) if not is_boundary(word)]
    weight = sum(0.5 if word[0] >= _LOWEST_UNSPACED else 1 for word in words)
    return weight <= _LONGEST_CLAIM and any(hit.group == group for hit in hits)


def _tells_somebody(sentence: str, cues: ProseCues) -> bool:
    """ "Tell Bob", "Schreib Tom": a verb of telling, and a name after it."""
    written = [found.group() for found in _WRITTEN.finditer(sentence)]
    folded = [fold(word) for word in written]
    for place, name in enumerate(written[1:], 1):
        if not name[0].isupper() or len(name) < 2:
            continue
        one, two = folded[place - 1], " ".join(folded[max(0, place - 2) : place])
        for verb in (one, two):
            codes = _tells().get(verb, frozenset())
            if codes and (not cues.codes or codes.intersection((*cues.codes, "en"))):
                return True
    return False


def _is_named(sentence: str) -> bool:
    """A name by itself: "Anna", "Anna Kowalska", "@anna", "u/anna"."""
    if _HANDLE.fullmatch(sentence):
        return True
    written = [found.group() for found in _WRITTEN.finditer(sentence)]
    if not 1 <= len(written) <= _LONGEST_NAME or len("".join(written)) < len(sentence) - 4:
        return False
    if any(word[0].islower() for word in written):
        return False
    return fold(written[0]) in _given()


def is_given_name(word: str) -> bool:
    """Whether a word is one of the given names the lexicons list."""
    return fold(word) in _given()


@from_lexicons
def _cues() -> Cues:
    return Cues(
        Cue(group, lexicon.code, phrase)
        for lexicon in lexicons()
        for group in _GROUPS
        for phrase in lexicon.phrases(_TOPIC, group)
    )


@from_lexicons
def _given() -> frozenset[str]:
    return _words_under("given")


@from_lexicons
def _assistants() -> frozenset[str]:
    return _words_under("assistants")


@from_lexicons
def _answers() -> frozenset[str]:
    return _words_under("answers")


@from_lexicons
def _thens() -> frozenset[str]:
    return frozenset(word for phrase in _words_under("then") for word in cue_words(phrase))


def _words_under(key: str) -> frozenset[str]:
    return frozenset(
        fold(phrase) for lexicon in lexicons() for phrase in lexicon.phrases(_TOPIC, key)
    )


@from_lexicons
def _tells() -> dict[str, frozenset[str]]:
    """The verbs of telling, each with the languages that have it."""
    found: dict[str, frozenset[str]] = {}
    for lexicon in lexicons():
        for phrase in lexicon.phrases(_TOPIC, "tells"):
            verb = fold(phrase)
            found[verb] = found.get(verb, frozenset()) | {lexicon.code}
    return found
