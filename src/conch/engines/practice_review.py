"""How the practice engine reviews: from the review's own frame, by a handful of phrases. Pure.

"no, I meant X", in any of fifteen languages, becomes a preference; "I moved to X" replaces the
memory it makes untrue; "I always …", "never …", "I prefer …" are added; "X fails; Y works" and
"X only works with Y" are lessons; "review-fail" fails, "review-garble" answers no JSON.
"""

from __future__ import annotations

import json
import re
from typing import Any

from conch.engines.engine import EngineFailed
from conch.engines.practice_corrections import meant_elsewhere

_SAID = re.compile(r"<said(?P<marks>[^>]*)>(?P<words>.*?)</said>", re.DOTALL)
_MEMORY = re.compile(r"^\[(?P<id>[^\]\s]+)\] \((?P<kind>\w+)\) (?P<text>.+)$", re.MULTILINE)
_AT_MOST = 5

_WHERE = r"(?P<what>[^,.;!?\n]+?)"
_END = r"(?=\s*(?:[,.;!?\n]|now\b|$))"
_MEANT = re.compile(
    r"\bI (?:meant|said|asked for|wanted) (?P<what>[^,.;!?\n]+?)(?:, not [^.;!?\n]+| not "
    r"[^.;!?\n]+)?(?=[,.;!?\n]|$)",
    re.IGNORECASE,
)
_HOME = re.compile(
    r"\bI(?:'ve|'m| have| am)? (?:just |now )?(?:moved|live|living) (?:to|in) "
    rf"{_WHERE}{_END}",
    re.IGNORECASE,
)
_JOB = re.compile(
    r"\bI(?:'ve| have)? (?:just |now )?(?:work (?:at|for)|started at|joined) "
    rf"(?P<what>[A-Z][^,.;!?\n]*?){_END}"
)
_ALWAYS = re.compile(
    r"(?:^|[,;:]\s*|\b(?:I|please|and) )(?P<ever>always|never|usually) "
    r"(?P<verb>[a-z]+)(?P<rest>[^.;!?\n]*)",
    re.IGNORECASE,
)
_PREFER = re.compile(
    r"\bI(?:'d| would)? (?:really )?(?P<verb>prefer|rather|like|love|hate)\b(?P<rest>[^.;!?\n]+)",
    re.IGNORECASE,
)
_LESSON = re.compile(
    r"^(?:(?:no|actually|sorry|argh)[,!]? )*"
    r"(?P<what>(?!(?:it|this|that|these|those|they|he|she|we|I|you|your)\b)\w[^;,:]{1,80}? (?:"
    r"(?:fails?|breaks?|(?:doesn't|don't|won't|never) works?)\b[^;,]{0,80}[;,] "
    r"[^;,]{1,60} works\b[^;,]{0,60}"
    r"|only (?:works?|builds?|pass(?:es)?|runs?|starts?) (?:with|when|if|after|once|on) [^;]{2,80}"
    r"))",
    re.IGNORECASE,
)
_LIVES = re.compile(r"\b(?:lives? in|moved to|based in|home is)\b", re.IGNORECASE)
_WORKS = re.compile(r"\b(?:works? (?:at|for)|employed)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n。！？]+[.!?。！？]?")


def is_review(words: str) -> bool:
    """Whether these words are the review's frame."""
    return "<memories>" in words and words.lstrip().startswith("<chat")


def review(words: str) -> str:
    """The review's answer as JSON. Raises EngineFailed when the chat asks for it."""
    if "review-fail" in words:
        raise EngineFailed("no_answer", "The practice engine fails here, as its script says.")
    if "review-garble" in words:
        return "I would rather tell you a story than answer in JSON."
    memories = [found.groupdict() for found in _MEMORY.finditer(words)]
    changes: list[dict[str, Any]] = []
    for said in _SAID.finditer(words):
        corrected = "correction" in said["marks"]
        for found in _SENTENCE.finditer(said["words"].replace("’", "'")):
            # The quote is taken from the frame itself, curly apostrophes included.
            quote = said["words"][found.start() : found.end()].strip()
            change = _change(found[0].strip(), quote, corrected, memories)
            if change is not None:
                changes.append(change)
    return json.dumps({"changes": changes[:_AT_MOST]}, ensure_ascii=False)


def _change(
    sentence: str, quote: str, corrected: bool, memories: list[dict[str, str]]
) -> dict[str, Any] | None:
    if moved := _HOME.search(sentence):
        return _now_true(f"Lives in {moved['what'].strip()}", quote, _LIVES, memories)
    if job := _JOB.search(sentence):
        return _now_true(f"Works at {job['what'].strip()}", quote, _WORKS, memories)
    if meant := _MEANT.search(sentence):
        return _add(f"Prefers {meant['what'].strip()}", quote) if corrected else None
    if lesson := _LESSON.match(sentence):
        text = lesson["what"].rstrip(" .")
        return {**_add(text[:1].upper() + text[1:], quote), "kind": "fact", "about": "pitfall"}
    if corrected and (memory := meant_elsewhere(sentence)):
        return _add(memory, quote)
    if always := _ALWAYS.search(sentence):
        verb = _third(always["verb"])
        return _add(f"{always['ever'].capitalize()} {verb}{always['rest'].rstrip()}", quote)
    if prefer := _PREFER.search(sentence):
        verb = (
            "Would rather"
            if prefer["verb"].lower() == "rather"
            else _third(prefer["verb"]).capitalize()
        )
        return _add(f"{verb}{prefer['rest'].rstrip()}", quote)
    return None


def _add(text: str, quote: str) -> dict[str, Any]:
    return {"op": "add", "kind": "preference", "text": text, "quote": quote}


def _now_true(
    text: str, quote: str, about: re.Pattern[str], memories: list[dict[str, str]]
) -> dict[str, Any]:
    """A replacement of the shown memory that is about the same, else a new fact."""
    for memory in memories:
        if about.search(memory["text"]) and memory["text"].rstrip(".") != text:
            return {
                "op": "supersede",
                "id": memory["id"],
                "kind": "fact",
                "text": text,
                "why": "They said what is true now.",
                "quote": quote,
            }
    return {"op": "add", "kind": "fact", "text": text, "quote": quote}


def _third(verb: str) -> str:
    verb = verb.lower()
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"
