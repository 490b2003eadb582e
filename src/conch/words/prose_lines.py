"""What a line of a message is, by its shape: code, log, table, chat, list of prices and so on.

Shapes are told one line at a time, then settled among neighbours: what only might be code is code
beside code. Every pattern is anchored or bounded, so time stays linear in the message's length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from conch.words.phrase_sets import WORD
from conch.words.fold import fold
from conch.words.tokens import function_words

LOOKED_AT = 400
"""Characters of a line that are looked at."""

_CODE = re.compile(
    r"""
      (?:async\s+)?def\s+\w+\s*\( | class\s+[A-Z]\w*(?:\s*<\s*\w+)?$ | =[A-Z]{2,20}\(
    | (?:[\d*/,-]+\s){5}\S | class\s+\w+[^.!?]*[:{]$ | import\s+[\w.{*"'] (?![\w\s]*[.?!]$)
    | from\s+[\w.]+\s+import\b | (?:export\s+)?(?:const|let|var)\s+[\w{\[]+.*=
    | (?:export\s+|async\s+)*function\b.*\( | \#include\s*[<"] | \#define\s | \#!\s*/ | <\?php | @\w+\($
    | (?:public|private|protected|static|void|func|fn|fun|impl|struct|enum|interface|package|using|
        namespace|extern|template|pub|module|require|defmodule|val|mut)\b.*[({;=:}]
    | (?:if|for|while|switch|elif|else\s+if|catch|foreach|with|except|match)\b.*(?:\)\s*\{?|[^\s]:|\{)$
    | (?:else|try|finally|do|begin|end|done|fi|esac|then)\s*[:{;]?$ | return\b.*[;)\]}]$ | return\s+[\w.]+$
    | [}\])>]+[;,)]*$ | [{\[(]+$ | </?[a-zA-Z][\w:-]*(?:\s[^<>]*)?/?> | <!-- | <!DOCTYPE | <\?xml
    | (?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|CREATE\s+(?:TABLE|INDEX|VIEW)|ALTER\s+TABLE|DROP|WITH)\s+\S.*
    | (?:FROM|WHERE|JOIN|LEFT\s+JOIN|INNER\s+JOIN|GROUP\s+BY|ORDER\s+BY|LIMIT|VALUES|SET|HAVING)\s+\S+.*
    | [\w$]+(?:\.[\w$]+|\[[^\]]*\])*\s*(?:=|\+=|-=|\*=|:=|<-|\?=)\s*\S+.*[^.?!]$
    | [\w$]+(?:\.[\w$]+)+\(.*\)[;,]?$ | (?:print|echo|console\.log|printf|println!?|puts|assert|raise|throw|
        yield|await|exit|sleep|cd|export|set|source|alias)\b\s*[("'$\-].*
    | \$\w+\s*= | \\(?:begin|end|documentclass|usepackage|section|label|item|frac|alpha|sum)\b
    | [.#:\w*\[][^{};=!?]{0,80}\{$ | [\w-]+\s*:\s*[^;]{1,80};$ | (?:def|fn|fun)\s+\w+
    | \(?:?[\w.]+\)?\s*=>.* | \#\[\w+ | @(?:media|import|Override|property|dataclass|app)\b
    """,
    re.VERBOSE,
)
_LOG = re.compile(
    r"""
      \[?\d{4}-\d\d-\d\d[T\s_]\d\d:\d\d | \[?\d\d:\d\d:\d\d[\s.,\]] | \d{4}/\d\d/\d\d\s\d\d:\d\d
    | (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}\s\d\d:\d\d
    | \[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE|CRITICAL|NOTICE|SEVERE|ERREUR|FEHLER|OK|FAIL|FAILED|PASS|
        PASSED|SKIP|DONE)\b[\]:]?\s | \[(?:\w+:)?(?:info|warn|warning|error|debug|notice)\]
    | (?:npm|yarn|pnpm)\s(?:ERR!|WARN|notice|error|warn) | Traceback\s\( | File\s".{1,200}",\sline\s\d+
    | at\s[\w$.<>/\[\]]+\s?\( | at\s\S+:\d+:\d+ | at\s[\w.$]+\.[\w$<>]+
    | (?:[\w.$]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Fault|Interrupt)\b(?::|$|\sat\b)
    | (?:error|warning|fatal|panic|note|hint|info|debug|erro|erreur|fehler|errore)(?:\[\w+\])?\s?:\s
    | Caused\sby: | Exception\sin\sthread | \.\.\.\s\d+\s(?:more|common) | goroutine\s\d+ | Process\sfinished
    | exit\s(?:status|code)\s\d | Segmentation\sfault | make(?:\[\d+\])?:\s | CMake\s | ld:\s | gcc:\s
    | E:\s | W:\s | Err:\d | Get:\d+\s | Hit:\d+\s | Reading\spackage | Error\sresponse\sfrom
    | \S+@[\w.-]+:\S*\s?[$\#]\s? | PS\s[A-Z]:\\ | [A-Z]:\\[^>]{0,120}> | (?:>>>|\.\.\.)\s\S | (?:In|Out)\s?\[\d*\]:
    | \$\s\S | \#\s(?:apt|cd|ls|sudo|systemctl|docker|cat)\b | \+\s?/\S+ | \[\+\]\s | [✔✖✓✗✘●○]\s+\S | ={4,}.*={2,}$
    | (?:bash|zsh|sh|fish|ls|cat|cd|rm|cp|mv|mkdir|python3?|node|git|docker|ssh|curl|grep|tar|chmod|java
        |go|[\w-]+\.(?:sh|py|exe)):\s\S | \d{1,5}\s\|\s | \|\s+[-=^~] | -->\s\S | \[[A-Z]{2,10}\]\s
    | On\sbranch\s\S+$ | Your\sbranch\sis | Changes\s(?:not\sstaged|to\sbe) | nothing\sto\scommit
    | (?:modified|new\sfile|deleted|renamed):\s | Untracked\sfiles | commit\s[0-9a-f]{7,} | Author:\s
    | '[^']{1,60}'\sis\snot\srecognized
    | \d{1,3}(?:\.\d{1,3}){3}\s\S | [\w./\\-]+\.\w{1,5}:\d+(?::\d+)?(?::|\s|$)
    | [\w./-]+:\d+:\d+ | \^+$ | ~*\^+~*$ | main\.\w+\(\) | \[\d+\.\d+\]\s | <\d+>\w | 0x[0-9a-f]{4,}
    | sudo\s\S | (?:git|docker|kubectl|npm|pip|cargo|apt|brew|systemctl|ssh|curl|wget)\s[\w-]+\s-{1,2}\w
    """,
    re.VERBOSE,
)
_DIFF = re.compile(
    r"@@\s|diff --git|index [0-9a-f]{6,}|(?:---|\+\+\+)\s\S|[+-](?![+\-\s—])\S|[+-]\s{2,}\S"
)
_SIGNED = re.compile(r"[+-]\s\S.*[=(){}\[\];<>]")
_KEYS = re.compile(
    r"""
      "[^"]{1,60}"\s*:\s* | '[^']{1,60}'\s*:\s*\S | [\w.-]{1,40}:\s*[|>]?$ | -\s[\w-]{1,30}:\s\S
    | [A-Z][A-Z0-9_]{2,40}=\S* | \[[\w .:"-]{1,40}\]$ | [a-z_][\w.-]{1,40}\s*=\s*["'\[{\d] | [a-z][a-z0-9_-]{0,30}:\s\S
    """,
    re.VERBOSE,
)
_TABLE = re.compile(r"\|.*\||[+|][-=+|:\s]{3,}$|[┌├└│┼═║╔╚]|[^\t]+\t[^\t]+")
_SUBTITLE = re.compile(r"\d\d:\d\d:\d\d[,.]\d{1,3}\s*-->|\d{1,5}$")
_ARROW = re.compile(r"\d\d:\d\d(?::\d\d)?[,.]\d{1,3}\s*-->")
_CLAUSE = re.compile(
    r"(?:§+\s?\d|\d{1,2}\.\d{1,2}\.?\s+\S|(?:Art(?:icle|ikel|ículo|igo)?\.?|Clause)\s\d)"
)
_MATHS = re.compile(r"[=≤≥≈<>]|\^|\\frac")
_BLOCK = re.compile(r"\{[^{}]{0,200}[:;=][^{}]{0,200}\}")
_SCORE = re.compile(r"\b\d{1,3}\s?[-–:]\s?\d{1,3}\b")
_HEADING = re.compile(r"#{1,6}\s\S|={3,}$|(?:INT|EXT)\.\s")
_DASHED = re.compile(r"[—–―]\s?\S|--\s?[A-ZÀ-Þ¿¡]")
_ACTION = re.compile(r"\*[^\s*][^*]{2,80}\*(?!\*)")
_ADDRESS = re.compile(
    r"(?:https?://|www\.|[a-z]+://)\S+$|(?:~|\.{0,2}/|[A-Z]:\\)[\w.@/\\~-]{3,}$|\S+@\S+\.\w+$"
)
_NUMERIC = re.compile(r"[€$£¥₹]\s?\d|\d+(?:[.,:]\d+)+|\d")
_PRICE_END = re.compile(
    r"(?:[€$£¥₹]\s?)?\d+(?:[.,]\d{1,2})?\s?(?:[€$£¥₹元円원]|EUR|USD|Euro|块|元|kr|zł)?\.?$"
)
_COUNTED = re.compile(r"\d+(?:[.,/]\d+)?\s[^\W\d_]+(?:\s[^\W\d_]+){0,2}$")
_COSTS = re.compile(r"\s[€$£¥]?\s?\d+[.,]\d\d(?:\s?[€$£])?$")
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b|\b\d{4}\b")
_QUANTITY = re.compile(
    r"[-*•]?\s?\d+(?:[.,/]\d+)?\s?(?:g|kg|ml|cl|dl|l|tl|el|tbsp|tsp|cups?|oz|lb|%|pcs)\b"
)
_SYMBOLS = re.compile(r"[{}\[\]()<>=;/\\|_*&^%$#@~`+]")
_CAPS = re.compile(r"[A-ZÀ-ÞА-Я][A-ZÀ-ÞА-Я0-9 .'()/&-]{1,40}$")
_SPEAKER = re.compile(
    r"""(?:\[?\(?(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?\s)?\d{1,2}[:.]\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?\]?\)?\s*(?:[-–]\s)?)?
        (?P<name>@?[^\W\d_][\w .'’()-]{0,24}?)(?:,?\s\(?\d{1,2}[:.]\d\d\)?)?\s?[:：]\s*(?=\S)""",
    re.VERBOSE,
)
_STAMPED = re.compile(
    r"\[?\(?(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4},?\s)?\d{1,2}[:.]\d\d(?::\d\d)?\s?(?:[AaPp][Mm])?\]?\)?\s(?:[-–]\s)?\S"
)
_NAME_TIME = re.compile(
    r"[^\W\d_][\w .'-]{0,24}\s+(?:\d{1,2}:\d\d\s?(?:[AaPp][Mm])?|\d{1,2}/\d{1,2}/\d{2,4}.{0,12})$"
)

MACHINE = frozenset({"code", "log", "diff", "keys", "table", "heading"})


@dataclass
class Line:
    """A line of a message, or a piece of one: where it is, what it says, what it is.

    `kind` is empty while it may be the person's own, else the name of a shape.
    """

    start: int
    end: int
    text: str
    folded: str
    words: list[str]
    indent: int = 0
    after_blank: bool = False
    kind: str = ""
    maybe: str = ""

    @property
    def natural(self) -> bool:
        """Whether it reads like a sentence: small words among few words, no symbols of code."""
        if not self.words:
            return False
        small = function_words()
        held = sum(word in small and len(word) > 1 for word in self.words)
        if held < 2 and (len(self.words) > 4 or any(char.isdigit() for char in self.text)):
            return False
        return held * 6 >= len(self.words) and len(_SYMBOLS.findall(self.text)) * 12 <= len(
            self.text
        )


_BREAK = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")


def lines_of(text: str, most: int | None = None) -> list[Line]:
    """The lines of `text` that are not blank; past `most`, only the first two thirds and the last."""
    spans: list[tuple[int, int, bool]] = []
    at = 0
    blank = False
    for raw in _BREAK.split(text):
        start, at = at, at + len(raw)
        if at < len(text):
            at += 2 if text.startswith("\r\n", at) else 1
        if not raw or raw.isspace():
            blank = True
            continue
        spans.append((start, start + len(raw), blank))
        blank = False
    if most is not None and len(spans) > most:
        spans[most * 2 // 3 : -most // 3] = []
    return [_line(text, start, end, blank) for start, end, blank in spans]


def _line(text: str, start: int, end: int, after_blank: bool) -> Line:
    raw = text[start:end]
    indent = len(raw) - len(raw.lstrip())
    depth = len(raw[:indent].expandtabs(4))
    bare = raw.strip()
    head = bare[:LOOKED_AT]
    folded = fold(head)
    first = start + indent
    words = WORD.findall(folded)
    return Line(first, first + len(bare), head, folded, words, depth, after_blank)


def shape(lines: list[Line]) -> None:
    """Gives each line the kind its shape shows, and then its neighbours'."""
    for line in lines:
        if not line.kind:
            line.kind, line.maybe = _shape_of(line)
    _delimited(lines)
    _listed(lines)
    _chat(lines)
    _capitals(lines)
    _settle(lines)


def _shape_of(line: Line) -> tuple[str, str]:
    text = line.text
    if _ARROW.match(text):
        return "subtitle", ""
    if text[0] == "@" and text.startswith("@@ "):
        return "diff", ""
    if _LOG.match(text):
        return ("", "log") if line.natural and not _sure_log(text) else ("log", "")
    if text.startswith(("diff --git", "--- a/", "+++ b/", "index ")):
        return "diff", ""
    if _ACTION.match(text):
        return "acted", ""
    if _HEADING.match(text):
        return "heading", ""
    if _CLAUSE.match(text):
        return "clause", ""
    if _DASHED.match(text):
        return "spoken", ""
    if _CODE.match(text):
        return ("", "code") if line.natural else ("code", "")
    if _MATHS.search(text) and not line.natural and _is_maths(line):
        return "code", ""
    if _TABLE.match(text) and (text.count("|") >= 2 or "\t" in text or text[0] in "┌├└│═║╔╚+"):
        return "table", ""
    if _ADDRESS.match(text):
        return "address", ""
    if _KEYS.match(text):
        return "", "keys"
    if _DIFF.match(text) or (_SIGNED.match(text) and not line.natural):
        return "", "diff"
    block = _BLOCK.search(text)
    if block and len(text[: block.start()].split()) + len(text[block.end() :].split()) <= 3:
        return "code", ""
    symbols = len(_SYMBOLS.findall(text))
    if symbols >= 4 and symbols * 5 >= len(text):
        return "code", ""
    if text.startswith(("//", "/*", "*/", "# ", "--", ";;", "* ")):
        return "", "code"
    if line.indent >= 2 and not line.natural:
        return "", "code"
    return "", ""


def _is_maths(line: Line) -> bool:
    """Few words of three letters or more, several operators and numbers."""
    long = sum(len(word) > 2 and word.isalpha() for word in line.words)
    return long <= 1 and len(re.findall(r"[-+=*/^()≤≥<>\d]", line.text)) >= 5


def _sure_log(text: str) -> bool:
    """A log line may read like a sentence when it starts with a time, a level or a prompt."""
    return not text.startswith(("at ", "error ", "sudo ", "git ", "exit ", "note"))


_SEPARATORS = (",", ";")


def _delimited(lines: list[Line]) -> None:
    """Two or more neighbours with the same number of separators and short fields are a table."""
    for separator in _SEPARATORS:
        run: list[Line] = []
        many = 0
        for line in [*lines, None]:
            count = line.text.count(separator) if line and not line.kind else 0
            short = count > 0 and line is not None and _short_fields(line.text, separator)
            if line is not None and short and (count == many or not run):
                run.append(line)
                many = count
                continue
            if len(run) >= 2 and (many >= 2 or len(run) >= 3):
                for one in run:
                    one.kind = "table"
            run = [line] if line is not None and short else []
            many = count
    return


def _short_fields(text: str, separator: str) -> bool:
    fields = text.split(separator)
    if separator + " " in text:
        return False
    return all(len(field.split()) <= 4 for field in fields) and not text.endswith(("?", "!"))


def _listed(lines: list[Line]) -> None:
    """Neighbours that are names with prices, times or amounts are a menu, a timetable, a recipe."""
    run: list[Line] = []
    for line in [*lines, None]:
        if line is not None and not line.kind and _is_listed(line):
            run.append(line)
            continue
        if len(run) >= 2:
            for one in run:
                one.kind = "listed"
        run = []
    _alike(lines)
    names = [line for line in lines if not line.kind and _is_name(line)]
    if len(names) >= 3:
        for line in names:
            line.kind = "listed"
    for line, follows in zip(lines, lines[1:], strict=False):
        if not line.kind and follows.kind == "listed" and is_label(line):
            line.kind = "listed"


def _alike(lines: list[Line]) -> None:
    """Three or more neighbours with a number in the same place and no small words."""
    run: list[Line] = []
    place: int | None = None
    for line in [*lines, None]:
        at = _number_place(line) if line is not None and not line.kind else None
        if at is not None and (at == place or not run):
            run.append(line) if line is not None else None
            place = at
            continue
        if len(run) >= 3:
            for one in run:
                one.kind = "listed"
        run = [line] if line is not None and at is not None else []
        place = at


def _number_place(line: Line) -> int | None:
    words = line.text.split()
    if not 2 <= len(words) <= 6 or line.natural or line.text[-1] in ".?!,":
        return None
    return next((at for at, word in enumerate(words) if word[0].isdigit()), None)


def _is_name(line: Line) -> bool:
    """A line of two or three words that are all written large, and nothing else."""
    words = line.text.split()
    return 2 <= len(words) <= 3 and all(word[0].isupper() and word.isalpha() for word in words)


def is_label(line: Line) -> bool:
    """Whether a line names what comes below it: "Ingredients", "About the role"."""
    return (
        1 <= len(line.words) <= 4
        and not line.text[0].islower()
        and line.text[-1] not in ".,;!?…。？！"
    )


def _is_listed(line: Line) -> bool:
    text = line.text
    if text.endswith(("?", "!", ";")) or len(line.words) > 14 or not _NUMERIC.search(text):
        return False
    if _QUANTITY.match(text.lower()) and len(line.words) <= 7 and "," not in text.rstrip(","):
        return True
    if re.match(r"[-*•]\s|\d+[.)]\s", text):
        return False
    if _COUNTED.match(text):
        return True
    if _SCORE.search(text) and len(line.words) <= 7 and not line.natural:
        return True
    if _COSTS.search(text) and len(line.words) <= 9 and not text[0].islower():
        return True
    small = function_words()
    held = sum(word in small and not word.isdigit() and len(word) > 1 for word in line.words)
    if _PRICE_END.search(text) and held <= max(1, len(line.words) // 4) and len(line.words) >= 2:
        return True
    return len(_TIME.findall(text)) >= 2 and held <= 1


def _chat(lines: list[Line]) -> None:
    """Lines that start with who speaks, when at least two do so and a name comes back."""
    from conch.words.prose_cues import SPEAKERS

    named: dict[int, str] = {}
    stamped: set[int] = set()
    for place, line in enumerate(lines):
        if line.kind and line.kind not in ("log", "listed", "table"):
            continue
        found = None if _NAME_TIME.match(line.text) else _SPEAKER.match(line.text)
        if found and len(found.group("name").split()) <= 3:
            named[place] = fold(found.group("name"))
            if found.group()[0].isdigit() or found.group()[0] in "[(":
                stamped.add(place)
        elif _STAMPED.match(line.text) and line.kind != "log" or _NAME_TIME.match(line.text):
            stamped.add(place)
    counts: dict[str, int] = {}
    for name in named.values():
        counts[name] = counts.get(name, 0) + 1
    speakers = SPEAKERS()
    known = {name for name in counts if name[0] == "@" or speakers.opens(name, WORD.findall(name))}
    talk = {
        place
        for place, name in named.items()
        if place in stamped or ((counts[name] > 1 or name in known) and len(named) >= 2)
    }
    if len(talk) >= 2 or len(stamped) >= 2:
        talk |= {place for place in named if place - 1 in talk or place + 1 in talk}
        talk |= stamped if len(stamped) >= 2 else set()
    if len(talk) < 2:
        return
    for place in talk:
        lines[place].kind = "chat"
        follows = place + 1
        only_named = place in stamped and place not in named and len(lines[place].words) <= 5
        if only_named and follows < len(lines) and follows not in talk:
            lines[follows].kind = "chat"


def _capitals(lines: list[Line]) -> None:
    """A script: names in capitals on lines of their own, each before what is said."""
    named = [
        place
        for place, line in enumerate(lines)
        if not line.kind and len(line.words) <= 4 and _CAPS.match(line.text) and len(line.text) > 2
    ]
    if len(named) < 2:
        return
    for place in named:
        lines[place].kind = "script"
        if place + 1 < len(lines) and not lines[place + 1].kind:
            lines[place + 1].kind = "script"


def _settle(lines: list[Line]) -> None:
    """What might be of a shape is, beside a line that is or beside another that might be."""
    for place, line in enumerate(lines):
        if line.kind or not line.maybe:
            continue
        before = lines[place - 1] if place else None
        after = lines[place + 1] if place + 1 < len(lines) else None
        for other in (before, after):
            if other and (
                other.kind in MACHINE
                or (other.maybe == line.maybe and other.kind in ("", line.maybe))
            ):
                if line.natural and other.kind != line.maybe and not other.maybe:
                    continue
                line.kind = line.maybe
                break
    for place in range(1, len(lines) - 1):
        line = lines[place]
        if line.kind:
            continue
        before, after = lines[place - 1].kind, lines[place + 1].kind
        between = before in MACHINE and after in MACHINE
        if between and (line.indent >= 2 or not line.natural or before == after == "keys"):
            line.kind = before
    for place, line in enumerate(lines):
        follows = lines[place + 1].kind if place + 1 < len(lines) else ""
        before = lines[place - 1].kind if place else ""
        if not line.kind and line.text.isdigit() and follows == "subtitle":
            line.kind = "subtitle"
        if not line.kind and place and _ARROW.match(lines[place - 1].text):
            line.kind = "subtitle"
        if not line.kind and before in ("code", "log") and line.indent >= 2:
            line.kind = before
        if not line.kind and before == "log" and lines[place - 1].text.endswith(","):
            line.kind = "log"
