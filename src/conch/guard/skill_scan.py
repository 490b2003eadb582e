"""The scan of a skill: danger, caution or clean, over one text or a whole folder (spec 0058 §2).

A skill tells an assistant what to do with a person's powers, so more counts here than in a memory:
what it says (hiding, sending off, obeying a page, in fifteen languages) and what it runs, read as
a shell would read it: continued lines joined, quotes inside words taken out, variables put in, and
what is encoded decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import tomli

from conch.guard.characters import encoded_blobs
from conch.guard.decoded import decoded_parts
from conch.guard.phrasebook import phrases_in, read_words
from conch.guard.powers import a_power
from conch.guard.scan import Level, ScanFinding, scan_text
from conch.guard.secret_words import folded
from conch.guard.seen import seen
from conch.words.cues import Hit

Verdict = Literal["danger", "caution", "clean"]

MOST_FILES = 200
LARGEST_FILE = 256 * 1024
_PROGRAM_STARTS = (b"\x7fELF", b"MZ", b"\xfe\xed\xfa", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_SENTENCES = re.compile(r"[^.!?\n。！？।؟;；]+(?:[.!?;](?=\S)[^.!?\n。！？।؟;；]+)*")
_CONTINUED = re.compile(r"[\\`^]\r?\n\s*")
_ASSIGNED = re.compile(
    r"(?m)(?:^|[;&`\s])(?:export\s+|set\s+"
    r"|\$)?([A-Za-z_]\w{0,30})\s?=\s?(['\"]?)([^\s'\";`]{1,200})\2"
)
_USED = re.compile(r"\$\{?([A-Za-z_]\w{0,30})\}?|%([A-Za-z_]\w{0,30})%")
_SPLIT_WORD = re.compile(r"(?<=\w)(?:''|\"\"|\\(?=[a-z]))(?=\w)")
_QUOTED_LETTERS = re.compile(r"(?<![\w\s'\"])?(?<=\w)(['\"])(\w{1,3})\1(?=\w)")
_NEAR, _BESIDE = 8, 1
_VERB_LAST = frozenset(("ja", "ko", "hi", "tr"))
_IFS = re.compile(r"\$\{?IFS\}?(?:\$\d)?")


@dataclass(frozen=True)
class FolderFinding:
    """One finding in a skill's folder; `line` counts from 1 (0: the file as a whole)."""

    level: Level
    code: str
    sentence: str
    file: str
    line: int


@dataclass(frozen=True)
class SkillScan:
    """What a scan came to, gravest findings first."""

    verdict: Verdict
    findings: tuple[FolderFinding, ...]


def scan_skill_text(text: str) -> list[ScanFinding]:
    """What in a skill's text is dangerous (never in an ordinary skill) or worth a warning.

    Everything `scan_text` finds, and what only matters in a skill. A finding in what the text comes
    to once it is joined or decoded spans the whole text.
    """
    found = scan_text(text) + _by_rule(text) + _by_words(text)
    whole = {(one.level, one.code) for one in found}
    for other in _as_run(text):
        for one in (*_by_rule(other), *(one for one in scan_text(other) if one.code != "hidden")):
            if (one.level, one.code) not in whole:
                whole.add((one.level, one.code))
                found.append(ScanFinding(one.level, one.code, one.sentence, 0, len(text)))
    return sorted(found, key=lambda one: (one.level != "danger", one.start, one.end, one.code))


def verdict_of(findings: list[ScanFinding] | tuple[FolderFinding, ...]) -> Verdict:
    """danger if any finding is dangerous, caution if there is any, else clean."""
    levels = {one.level for one in findings}
    return "danger" if "danger" in levels else "caution" if levels else "clean"


def scan_skill(folder: Mapping[str, bytes], left_out: int = 0) -> SkillScan:
    """Scan a skill's files (path in the folder to its bytes); `left_out` could not be read.

    Programs are danger; more than 200 files, one over 256 KB, or one left out is a caution.
    """
    found: list[FolderFinding] = []
    for name in sorted(folder)[:MOST_FILES]:
        found += _in_file(name, folder[name])
    if len(folder) > MOST_FILES or left_out:
        sentence = "It has files that were not read: too many, links, or not readable."
        found.append(FolderFinding("warning", "unread", sentence, "", 0))
    order = {"danger": 0, "warning": 1}
    findings = tuple(sorted(found, key=lambda one: (order[one.level], one.file, one.line)))
    return SkillScan(verdict_of(findings), findings)


def _in_file(name: str, data: bytes) -> Iterator[FolderFinding]:
    if data.startswith(_PROGRAM_STARTS):
        yield FolderFinding("danger", "program", "It brings a program along.", name, 0)
        return
    if len(data) > LARGEST_FILE:
        yield FolderFinding("warning", "unread", "It is too large to be read.", name, 0)
        data = data[:LARGEST_FILE]
    if b"\0" in data[:4096]:
        return
    text = data.decode("utf-8", "replace")
    for one in scan_skill_text(text):
        line = text.count("\n", 0, one.start) + 1
        yield FolderFinding(one.level, one.code, one.sentence, name, line)


def _by_rule(text: str) -> list[ScanFinding]:
    shown = seen(text)
    low = folded(shown.text)
    found: list[ScanFinding] = []
    for level, code, sentence, hints, pattern in _rules():
        if any(hint in low for hint in hints):
            match = pattern.search(low)
            if match:
                place = shown.finding(*match.span(), code)
                found.append(ScanFinding(level, code, sentence, place.start, place.end))
    return found


def _by_words(text: str) -> list[ScanFinding]:
    """What its sentences tell an assistant to do, in any of the languages."""
    found: list[ScanFinding] = []
    for match in _SENTENCES.finditer(text):
        sentence = match.group()
        words = read_words(sentence)
        if not words:
            continue
        hits = phrases_in("guard.skills", words)
        for code, said in _said(hits, sentence):
            found.append(ScanFinding("danger", code, said, *match.span()))
    return found


def _said(hits: tuple[Hit, ...], sentence: str) -> Iterator[tuple[str, str]]:
    has = {hit.group for hit in hits}
    if "hide" in has:
        yield "hide", "It wants something kept from the person."
    nots = [hit for hit in hits if hit.group == "nots"]
    if any(not _denied(hit, nots) for hit in hits if hit.group == "orders"):
        yield "obeys", "It makes an assistant obey what it reads, or take a yes for given."
    if any(_taken(hit, hits, nots, ("take", "send")) for hit in hits if hit.group == "keys"):
        yield "carries_off", "It collects or sends keys, passwords or the like."
    if any(_taken(hit, hits, nots, ("send",)) for hit in hits if hit.group == "words"):
        yield "carries_off", "It sends what was said or is kept here."
    if a_power(sentence) and not _forbids(nots, sentence):
        yield "power", "It takes away a question the person would be asked."


def _taken(what: Hit, hits: tuple[Hit, ...], nots: list[Hit], groups: tuple[str, ...]) -> bool:
    """Whether a verb of `groups` is about `what`: near it, before it where verbs come first."""
    for verb in hits:
        if verb.group not in groups or _denied(verb, nots) or _denied(what, nots):
            continue
        before = 0 <= what.start - verb.end <= _NEAR
        after = 0 <= verb.start - what.end <= _NEAR
        if before or (after and (verb.group == "send" or verb.language in _VERB_LAST)):
            return True
    return False


def _denied(hit: Hit, nots: list[Hit]) -> bool:
    """Whether a "never" or "not" opens the sentence or stands right beside a word."""
    for one in nots:
        if one.start == 0 or 0 <= hit.start - one.end <= _BESIDE:
            return True
        if one.language in _VERB_LAST and 0 <= one.start - hit.end <= _NEAR:
            return True
    return False


def _forbids(nots: list[Hit], sentence: str) -> bool:
    """ "Don't use what allows everything": a power, and the step says not to. "Don't ask" isn't."""
    opening = [hit for hit in nots if hit.start == 0]
    return bool(opening) and a_power(" ".join(read_words(sentence)[opening[0].end :]))


def _as_run(text: str) -> Iterator[str]:
    """The text as a shell reads it, and each encoded part of it decoded."""
    joined = _IFS.sub(" ", _CONTINUED.sub(" ", text))
    plain = _QUOTED_LETTERS.sub(r"\2", _SPLIT_WORD.sub("", joined))
    values = {name: value for name, _, value in _ASSIGNED.findall(plain)}
    if values:
        plain = _USED.sub(lambda one: values.get(one[1] or one[2], one[0]), plain)
    if plain != text:
        yield plain
    yield from decoded_parts(text, encoded_blobs(text))


@cache
def _rules() -> tuple[tuple[Level, str, str, tuple[str, ...], re.Pattern[str]], ...]:
    text = files("conch.guard").joinpath("skill_rules.toml").read_text(encoding="utf-8")
    return tuple(
        (level, code, sentence, tuple(hints.split("|")), re.compile(pattern))
        for level, code, sentence, hints, pattern in tomli.loads(text)["rules"]
    )
