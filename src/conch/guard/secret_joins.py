"""How a value is joined to the word that names it: "is", ":", right behind it, before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from conch.guard.secret_words import Mention, folded, function_words, words_of

_OPENING = "\"'`“„«‹「『‘([<"
_CLOSING = "\"'`”“»›」』’)]>,.;:!?…。、，"
_TRIM = "\"'`“”„‟«»‹›「」『』‘’.,;:!?()[]{}<>…。、，！？：；（）"
_TOKEN = re.compile(r"\S{1,300}")
_SIGN = re.compile(r"[ \t]{0,3}(?:[:=：＝]{1,2}>?|->|→)\s{0,3}")
_OWN_SIGN = re.compile(r"(?:[:=：＝]{1,2}|->|=>|→)$")
_DASH = re.compile(r"[–—-]{1,2}")
_STOP = re.compile(r"(?<!^\w)[.!;…][\"'”’)]*$")
_PAUSE = re.compile(r"[.,;:!?…)\]。，、]$")
_FOLLOWING = re.compile(r"[ \t]{0,3}(\n|[(\[–—-]|[^\W\d_]+)")
_BLANK = re.compile(r"[ \t]{0,4}")
_BLANK_OR_LINE = re.compile(r"\s{0,4}")
_QUOTED = re.compile(
    r"\"(?P<a>[^\"\n]{4,120})\"|“(?P<b>[^”\n]{4,120})”|„(?P<c>[^“”\n]{4,120})[“”]"
    r"|«\s?(?P<d>[^»\n]{4,120}?)\s?»|「(?P<e>[^」\n]{3,60})」|『(?P<f>[^』\n]{3,60})』"
    r"|`(?P<g>[^`\n]{4,120})`|[‘'](?P<h>[^'’\n]{4,120})['’](?!\w)"
)
_SPACELESS = re.compile(
    r"(?P<link>[^\x00-\x7f]{0,8}?(?:は|が|って|を|是|为|為|叫|改成|换成|设成|设为|就是|：|＝)"
    r"|\s{0,2}[:=]|)\s{0,2}[「『“\"]?(?P<value>(?=[!-~]{0,8}[A-Za-z0-9])[!-~]+"
    r"(?:[ -][\d]+)*|[「『][^」』\n]{3,40})"
)
_SPACELESS_BEFORE = re.compile(
    r"(?P<value>[!-~]{4,60})\s{0,2}[」』”\"]?\s{0,2}(?:が|は|是|を|作为|当)[^\x00-\x7f。！？]{0,8}$"
)
_MOST_WORDS = 8
REACH = 110
"""How far from its name a value may stand, in characters."""


@dataclass(frozen=True)
class Join:
    """`text[at:end]`, trimmed to `token`, and how it is joined to what names it.

    `linked`: a linking word or sign stands between; `fillers`: words between that and the value.
    `adjacent`: nothing stands between. `after_comma`: a comma or dash does. `backward`: the value
    comes first. `ends_clause`: nothing follows it. `before`: the word before the value, folded.
    `used`: it comes first and is used "as" the thing named.
    """

    at: int
    end: int
    token: str
    linked: bool = False
    fillers: int = 0
    adjacent: bool = False
    after_comma: bool = False
    quoted: bool = False
    backward: bool = False
    ends_clause: bool = False
    before: str = ""
    used: bool = False

    @property
    def directly(self) -> bool:
        """Joined by a linking word or sign with nothing else between."""
        return self.linked and self.fillers == 0


def after(text: str, low: str, mention: Mention) -> Iterator[Join]:
    """Each place after `mention` where its value might stand, nearest first."""
    if mention.spaceless:
        yield from _after_spaceless(text, mention)
        return
    at, linked = _first_place(text, low, mention)
    fillers = skipped = 0
    comma = asked = False
    before = ""
    last = min(mention.end + REACH, mention.next_start - 1)
    while 0 <= at <= last and skipped + fillers <= _MOST_WORDS:
        blank = (_BLANK_OR_LINE if linked and not fillers else _BLANK).match(text, at)
        at = blank.end() if blank else at
        quoted = _QUOTED.match(text, at)
        if quoted and quoted.lastgroup:
            yield Join(
                *quoted.span(quoted.lastgroup),
                quoted.group(quoted.lastgroup),
                linked,
                fillers,
                adjacent=skipped == 0,
                after_comma=comma,
                quoted=True,
                ends_clause=True,
                before=before,
            )
        found = _TOKEN.match(text, at)
        if not found or text[at] == "\n" or "•" in found.group():
            return
        whole = found.group()
        lead = len(whole) - len(whole.lstrip(_OPENING))
        core = whole[lead:].rstrip(_CLOSING)
        word = low[at + lead : at + lead + len(core)]
        end = found.end()
        if _DASH.fullmatch(whole):
            comma = True
        elif _OWN_SIGN.fullmatch(whole):
            linked, fillers = True, 0
        elif not (linked and fillers == 0) and (link_end := _link_end(low, at, word, end)):
            linked, fillers, end = True, 0, link_end
        else:
            yield Join(
                at + lead,
                at + lead + len(core),
                core,
                linked,
                fillers,
                adjacent=skipped == 0 and not linked,
                after_comma=comma,
                ends_clause=_ends_clause(text, low, end, whole),
                before=before,
            )
            if skipped + fillers == 0 and word in words_of("heads"):
                return
            fillers, skipped = (fillers + 1, skipped) if linked else (fillers, skipped + 1)
            comma = whole.endswith((",", "，", "、"))
        if len(whole) > 1 and _OWN_SIGN.search(whole):
            linked, fillers = True, 0
        if _STOP.search(whole) or (asked and whole.endswith("?")):
            return
        if whole.endswith("?"):
            asked, linked, fillers, skipped = True, False, 0, max(skipped, 1)
        before = word
        at = end


def _first_place(text: str, low: str, mention: Mention) -> tuple[int, bool]:
    """Where what follows `mention` starts, and whether a sign already links it; -1 for nowhere."""
    at = mention.end
    named = text[mention.start : at].rstrip()
    linked = named.endswith((":", "=")) or low[mention.start : at].split()[-1] in words_of("is")
    if named in {"PASS:", "PASS"}:  # what a test run prints
        return -1, False
    if low.startswith("'s ", at):
        return at + 3, True
    if at < len(text) and text[at] in "\"'”’»`)":
        at += 1
    sign = _SIGN.match(text, at)
    if sign:
        return sign.end(), True
    joined = at < len(text) and text[at].isascii() and not linked
    if joined and not (text[at].isspace() or text[at] in ",?.)-\"'(#*" or text[at].isdigit()):
        return -1, False
    return at, linked


def joined_before(text: str, low: str, mention: Mention) -> Iterator[Join]:
    """The place before `mention` where its value might stand: "4821 is my PIN"."""
    window = max(0, mention.start - 90)
    if mention.spaceless:
        found = _SPACELESS_BEFORE.search(text, window, mention.start)
        if found:
            yield Join(*found.span("value"), found.group("value"), True, backward=True)
        return
    tokens = list(_TOKEN.finditer(text, window, mention.start))
    between = 0
    while len(tokens) > 1 and between <= 4:
        token = tokens.pop()
        if _STOP.search(token.group()) or "\n" in text[token.end() : token.end() + 1]:
            return
        word = folded(token.group().strip(_TRIM))
        used = word in words_of("as")
        if used or word in words_of("is"):
            told = len(tokens) > 1 and folded(tokens[-2].group().strip(_TRIM)) in words_of("use")
            join = _value_before(text, tokens, used and told)
            if re.search(r"\d", join.token) or join.linked:
                yield replace(join, used=used)
            return
        plain = word in function_words() or word in words_of("lock", "wifi", "coded")
        between += 1 if plain else 3


def _value_before(text: str, tokens: list[re.Match[str]], told: bool) -> Join:
    """The last of `tokens` as a value; digits in groups are taken together."""
    whole = tokens[-1].group()
    lead = len(whole) - len(whole.lstrip(_OPENING))
    start = tokens[-1].start() + lead
    core = whole[lead:].rstrip(_CLOSING)
    end = start + len(core)
    if core.isdigit():
        for token in reversed(tokens[:-1]):
            if not token.group().isdigit() or start - token.end() > 1:
                break
            start = token.start()
    return Join(
        start, end, text[start:end], linked=told, adjacent=True, backward=True, ends_clause=True
    )


def _after_spaceless(text: str, mention: Mention) -> Iterator[Join]:
    found = _SPACELESS.match(text, mention.end, mention.end + 80)
    if not found:
        sign = _SIGN.match(text, mention.end)
        if sign:
            token = _TOKEN.match(text, sign.end())
            if token:
                yield Join(token.start(), token.end(), token.group(), linked=True)
        return
    value = found.group("value").lstrip("「『")
    start = found.end("value") - len(value)
    value = value.rstrip("」』,.;:)")
    quoted = text[start - 1 : start] in "「『" and start > 0
    yield Join(
        start,
        start + len(value),
        value,
        linked=bool(found.group("link").strip()),
        adjacent=True,
        quoted=quoted,
        ends_clause=True,
    )


def _link_end(low: str, at: int, word: str, end: int) -> int:
    """Where a linking word, or two of them ("changed to"), ends; 0 when it is none."""
    second = _TOKEN.match(low, end + 1)
    if second and f"{word} {second.group().strip(_TRIM)}" in words_of("is"):
        return second.end()
    return end if word in words_of("is") else 0


def _ends_clause(text: str, low: str, end: int, whole: str) -> bool:
    """True when nothing of weight follows a word: punctuation, the end, "and", a bracket."""
    if _PAUSE.search(whole) or not text[end : end + 3].strip():
        return True
    following = _FOLLOWING.match(low, end, end + 30)
    if following is None:
        return text[end : end + 2].strip() not in {"=", "|", "&", "<", ">", "=="}
    if not following.group(1).isalpha():
        return True
    return following.group(1) in function_words()
