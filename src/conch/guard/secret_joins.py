"""How a value is joined to the word that names it: "is", ":", right behind it, before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from conch.guard.secret_words import Mention, folded, function_words, words_of

_TRIM = "\"'`“”„‟«»‹›「」『』‘’.,;:!?()[]{}<>…。、，！？：；（）"
_TOKEN = re.compile(r"\S{1,300}")
_SIGN = re.compile(r"[ \t]{0,3}(?:[:=：＝]{1,2}>?|->|→)\s{0,3}")
_OWN_SIGN = re.compile(r"(?:[:=：＝]{1,2}|->|=>|→|–|—|-)$")
_QUOTED = re.compile(
    r"\"(?P<a>[^\"\n]{4,120})\"|“(?P<b>[^”\n]{4,120})”|„(?P<c>[^“”\n]{4,120})[“”]"
    r"|«\s?(?P<d>[^»\n]{4,120}?)\s?»|「(?P<e>[^」\n]{3,60})」|『(?P<f>[^』\n]{3,60})』"
    r"|`(?P<g>[^`\n]{4,120})`|[‘'](?P<h>[^'’\n]{4,120})['’](?!\w)"
)
_SPACELESS = re.compile(
    r"(?P<link>[^\x00-\x7f]{0,8}?(?:は|が|って|を|是|为|為|叫|改成|换成|设成|设为|就是|：|＝)"
    r"|\s{0,2}[:=]|)\s{0,2}[「『“\"]?(?P<value>[!-~]+(?:[ -][\d]+)*|[「『][^」』\n]{3,40})"
)
_SPACELESS_BEFORE = re.compile(
    r"(?P<value>[!-~]{4,60})\s{0,2}[」』”\"]?\s{0,2}(?:が|は|是|を|作为|当)[^\x00-\x7f。！？]{0,8}$"
)
_MOST_WORDS = 8


@dataclass(frozen=True)
class Join:
    """`text[at:end]`, trimmed to `token`, and how it is joined to what names it.

    `linked`: a linking word or sign stands between; `fillers`: words between that and the value.
    `adjacent`: nothing stands between. `after_comma`: a comma or dash does. `backward`: the value
    comes first. `ends_clause`: nothing follows it. `before`: the word before the value, folded.
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

    @property
    def directly(self) -> bool:
        """Joined by a linking word or sign with nothing else between."""
        return self.linked and self.fillers == 0


def after(text: str, low: str, mention: Mention) -> Iterator[Join]:
    """Each place after `mention` where its value might stand, nearest first."""
    if mention.spaceless:
        yield from _after_spaceless(text, mention)
        return
    at = mention.end
    linked = text[mention.start : at].rstrip().endswith((":", "="))
    fillers = skipped = 0
    comma = question = False
    before = ""
    if at < len(text) and text[at] in "\"'”’»`)":
        at += 1
    sign = _SIGN.match(text, at)
    if sign and (":" in sign.group() or "=" in sign.group() or "：" in sign.group() or sign):
        at, linked = sign.end(), True
    elif low.startswith("'s ", at):
        at, linked = at + 3, True
    while skipped + fillers <= _MOST_WORDS:
        blank = re.compile(r"[ \t]{0,4}" if not linked else r"\s{0,4}").match(text, at)
        at = blank.end() if blank else at
        quoted = _QUOTED.match(text, at)
        if quoted:
            group = quoted.lastgroup or "a"
            start, end = quoted.span(group)
            yield Join(
                start, end, quoted.group(group), linked, fillers, skipped == 0, comma,
                quoted=True, ends_clause=True, before=before,
            )
        found = _TOKEN.match(text, at)
        if not found or (at > mention.end and "\n" in text[at - 1 : at] and not linked):
            return
        whole = found.group()
        lead = len(whole) - len(whole.lstrip("\"'`“„«‹「『‘([<"))
        core = whole[lead:].rstrip("\"'`”“»›」』’)]>,.;:!?…。、，").rstrip()
        word = folded(core)
        pair = f"{word} {folded(_next_word(text, found.end()))}"
        if _OWN_SIGN.match(whole):
            linked, fillers = True if whole not in "–—-" else linked, 0
            comma = comma or whole in "–—-"
        elif _is_link(word, pair) and not (linked and fillers == 0 and word not in {"is", "="}):
            linked, fillers = True, 0
            if pair in words_of("is"):
                found = _TOKEN.match(text, found.end() + 1) or found
                whole = found.group()
        else:
            start = at + lead
            yield Join(
                start, start + len(core), core, linked, fillers, skipped == 0 and not linked,
                comma, ends_clause=_clause_ends(text, low, found.end(), whole), before=before,
            )
            if linked and fillers == 0 and skipped == 0 and word in words_of("heads"):
                return
            if skipped == 0 and not linked and word in words_of("heads"):
                return
            if linked:
                fillers += 1
            else:
                skipped += 1
            comma = whole.endswith((",", "，", "、", "–", "—"))
        if whole.endswith((":", "=", "：")) and len(whole) > 1:
            linked, fillers = True, 0
        if re.search(r"[.!;…][\"'”’)]*$", whole) and not re.fullmatch(r"\w\.", whole):
            return
        if whole.endswith("?"):
            if question:
                return
            question, linked, fillers, skipped = True, False, 0, max(skipped, 1)
        before = word
        at = found.end()


def joined_before(text: str, low: str, mention: Mention) -> Iterator[Join]:
    """The place before `mention` where its value might stand: "4821 is my PIN"."""
    window = max(0, mention.start - 90)
    if mention.spaceless:
        found = _SPACELESS_BEFORE.search(text, window, mention.start)
        if found:
            yield Join(*found.span("value"), found.group("value"), True, backward=True)
        return
    tokens = list(_TOKEN.finditer(text, window, mention.start))
    small = 0
    while tokens and small <= 5:
        token = tokens.pop()
        word = folded(token.group().strip(_TRIM))
        if re.search(r"[.!?;]$|\n", text[token.start() : mention.start].rstrip()) and small == 0:
            if re.search(r"[.!?;]$", token.group()):
                return
        used_as = word in words_of("as")
        if (used_as or word in words_of("is")) and tokens and not word.isascii() | bool(word):
            pass
        if used_as or word in words_of("is"):
            if not tokens:
                return
            value = tokens[-1]
            lead = len(value.group()) - len(value.group().lstrip("\"'`“„«‹「『‘([<"))
            core = value.group()[lead:].rstrip("\"'`”“»›」』’)]>,.;:!?…")
            start = value.start() + lead
            if text[window:start].rstrip()[-1:].isdigit() and core.isdigit() and len(tokens) > 1:
                start = tokens[-2].start()
                core = text[start : value.end()].rstrip(".,;:!?)")
            told = len(tokens) > 1 and folded(tokens[-2].group().strip(_TRIM)) in words_of("use")
            if re.search(r"\d", core) or (used_as and told):
                yield Join(
                    start, start + len(core), core, linked=used_as and told, backward=True,
                    ends_clause=True, adjacent=True,
                )
            return
        if word not in function_words() and word not in words_of("lock", "wifi", "coded"):
            small += 2
        small += 1


def _after_spaceless(text: str, mention: Mention) -> Iterator[Join]:
    found = _SPACELESS.match(text, mention.end, mention.end + 80)
    if not found:
        return
    value = found.group("value").lstrip("「『")
    start = found.end("value") - len(value)
    value = value.rstrip("」』,.;:)")
    quoted = text[start - 1 : start] in "「『" and start > 0
    yield Join(
        start, start + len(value), value, linked=bool(found.group("link").strip()),
        adjacent=True, quoted=quoted, ends_clause=True,
    )


def _is_link(word: str, pair: str) -> bool:
    return word in words_of("is") or pair in words_of("is")


def _next_word(text: str, at: int) -> str:
    following = _TOKEN.match(text, at + 1)
    return following.group().strip(_TRIM) if following else ""


def _clause_ends(text: str, low: str, end: int, whole: str) -> bool:
    """True when nothing of weight follows a word: punctuation, the end, "and", a bracket."""
    if re.search(r"[.,;:!?…)\]。，、]$", whole) or not text[end : end + 3].strip():
        return True
    following = re.match(r"[ \t]{0,3}(\n|[(\[–—-]|[^\W\d_]+)", low[end : end + 30])
    return following is None or not following.group(1).isalpha() or (
        following.group(1) in function_words()
    )
