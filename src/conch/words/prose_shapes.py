"""What a line is by its own shape: code, a log, a trace, a table, a diff, an address and so on.

Every pattern is anchored or bounded, so time stays linear in the length of a line.
"""

from __future__ import annotations

import re

from conch.words.prose_lines import SYMBOLS, Line

_CODE = re.compile(
    r"""
      (?:async\s+)?def\s+\w+\s*\( | class\s+[A-Z]\w*(?:\s*<\s*\w+)?$ | =[A-Z]{2,20}\(
    | (?:[\d*/,-]+\s){5}\S | class\s+\w+[^.!?]*[:{]$ | import\s+[\w.{*"'] (?![\w\s]*[.?!]$)
    | from\s+[\w.]+\s+import\b | (?:export\s+)?(?:const|let|var)\s+[\w{\[]+.*=
    | (?:export\s+|async\s+)*function\b.*\( | \#include\s*[<"] | \#define\s | \#!\s*/ | <\?php
    | @\w+\($ | (?:public|private|protected|static|void|func|fn|fun|impl|struct|enum|interface
        |package|using|namespace|extern|template|pub|module|require|defmodule|val|mut)\b.*[({;=:}]
    | (?:if|for|while|switch|elif|else\s+if|catch|foreach|with|except|match)\b
        .*(?:\)\s*\{?|[^\s]:|\{)$
    | (?:else|try|finally|do|begin|end|done|fi|esac|then)\s*[:{;]?$
    | return\b.*[;)\]}]$ | return\s+[\w.]+$ | [}\])>]+[;,)]*$ | [{\[(]+$
    | </?[a-zA-Z][\w:-]*(?:\s[^<>]*)?/?> | <!-- | <!DOCTYPE | <\?xml
    | (?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|CREATE\s+(?:TABLE|INDEX|VIEW)|ALTER\s+TABLE
        |DROP|WITH|FROM|WHERE|JOIN|LEFT\s+JOIN|INNER\s+JOIN|GROUP\s+BY|ORDER\s+BY|LIMIT|VALUES
        |SET|HAVING)\s+\S
    | [\w$]+(?:\.[\w$]+|\[[^\]]*\])*\s*(?:=|\+=|-=|\*=|:=|<-|\?=)\s*\S+.*[^.?!]$
    | [\w$]+(?:\.[\w$]+)+\(.*\)[;,]?$
    | (?:print|echo|console\.log|printf|println!?|puts|assert|raise|throw|yield|await|exit|sleep|cd
        |export|set|source|alias)\b\s*[("'$\-]
    | \$\w+\s*= | \\(?:begin|end|documentclass|usepackage|section|label|item|frac|alpha|sum)\b
    | [.#:\w*\[][^{};=!?]{0,80}\{$ | [\w-]+\s*:\s*[^;]{1,80};$ | (?:def|fn|fun)\s+\w+
    | \w[\w\s*&<>\[\],.:]*\s=\s.*;$ | \w.*\);$
    | \(?:?[\w.]+\)?\s*=> | \#\[\w+ | @(?:media|import|Override|property|dataclass|app)\b
    """,
    re.VERBOSE,
)
_LOG = re.compile(
    r"""
      \[?\d{4}-\d\d-\d\d[T\s_]\d\d:\d\d | \[?\d\d:\d\d:\d\d[\s.,\]] | \d{4}/\d\d/\d\d\s\d\d:\d\d
    | (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}\s\d\d:\d\d
    | \[?(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE|CRITICAL|NOTICE|SEVERE|ERREUR|FEHLER|OK|FAIL
        |FAILED|PASS|PASSED|SKIP|DONE)\b[\]:]?\s
    | \#\#\[ | \[(?:\w+:)?(?:info|warn|warning|error|debug|notice)\] | \[[A-Z]{2,10}\]\s
    | (?:npm|yarn|pnpm)\s(?:ERR!|WARN|notice|error|warn)
    | Traceback\s\( | File\s".{1,200}",\sline\s\d+
    | at\s[\w$.<>/\[\]]+\s?\( | at\s\S+:\d+:\d+ | at\s[\w.$]+\.[\w$<>]+
    | (?:[\w.$]+\.)?(?:[A-Z]\w*)?(?:Error|Exception|Warning|Fault|Interrupt)\b(?::|$|\sat\b)
    | (?:error|warning|fatal|panic|note|hint|info|debug|erro|erreur|fehler|errore)(?:\[\w+\])?\s?:\s
    | Caused\sby: | Exception\sin\sthread | \.\.\.\s\d+\s(?:more|common) | goroutine\s\d+
    | Process\sfinished | exit\s(?:status|code)\s\d | Segmentation\sfault
    | make(?:\[\d+\])?:\s | CMake\s | ld:\s | gcc:\s | E:\s | W:\s | Err:\d | Get:\d+\s | Hit:\d+\s
    | Reading\spackage | Error\sresponse\sfrom | '[^']{1,60}'\sis\snot\srecognized
    | \S+@[\w.-]+:\S*\s?[$\#]\s? | PS\s[A-Z]:\\ | [A-Z]:\\[^>]{0,120}> | (?:>>>|\.\.\.)\s\S
    | (?:In|Out)\s?\[\d*\]: | \$\s\S | \#\s(?:apt|cd|ls|sudo|systemctl|docker|cat)\b | \+\s?/\S+
    | \[\+\]\s | [✔✖✓✗✘●○]\s+\S | ={4,}.*={2,}$
    | (?:bash|zsh|sh|fish|ls|cat|cd|rm|cp|mv|mkdir|python3?|node|git|docker|ssh|curl|grep|tar|chmod
        |java|go|[\w-]+\.(?:sh|py|exe)):\s\S
    | \d{1,5}\s\|\s | \|\s+[-=^~] | -->\s\S
    | On\sbranch\s\S+$ | Your\sbranch\sis | Changes\s(?:not\sstaged|to\sbe) | nothing\sto\scommit
    | Author:\s | (?:modified|new\sfile|deleted|renamed):\s
    | Untracked\sfiles | commit\s[0-9a-f]{7,}
    | \d{1,3}(?:\.\d{1,3}){3}\s\S | [\w./\\-]+\.\w{1,5}:\d+(?::\d+)?(?::|\s|$) | [\w./-]+:\d+:\d+
    | \^+$ | ~*\^+~*$ | main\.\w+\(\) | \[\d+\.\d+\]\s | <\d+>\w | 0x[0-9a-f]{4,} | sudo\s\S
    | (?:git|docker|kubectl|npm|pip|cargo|apt|brew|systemctl|ssh|curl|wget)\s[\w-]+\s-{1,2}\w
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
    | [A-Z][A-Z0-9_]{2,40}=\S* | \[[\w .:"-]{1,40}\]$ | [a-z_][\w.-]{1,40}\s*=\s*["'\[{\d]
    | [a-z][a-z0-9_-]{0,30}:\s\S
    """,
    re.VERBOSE,
)
_TABLE = re.compile(r"\|.*\||[+|][-=+|:\s]{3,}$|[┌├└│┼═║╔╚]|[^\t]+\t[^\t]+")
ARROW = re.compile(r"\d\d:\d\d(?::\d\d)?[,.]\d{1,3}\s*-->")
_CLAUSE = re.compile(
    r"(?:§+\s?\d|\d{1,2}\.\d{1,2}\.?\s+\S|(?:Art(?:icle|ikel|ículo|igo)?\.?|Clause)\s\d)"
)
_MATHS = re.compile(r"[=≤≥≈<>]|\^|\\frac")
_BLOCK = re.compile(r"\{[^{}]{0,200}[:;=][^{}]{0,200}\}")
_HEADING = re.compile(r"#{1,6}\s\S|={3,}$|(?:INT|EXT)\.\s")
_DASHED = re.compile(r"[—–―]\s?\S|--\s?[A-ZÀ-Þ¿¡]")
_TAGGED = re.compile(r"\[[^\]\d\s][^\]]{0,14}\]\s\S|【[^】]{1,14}】")
_ACTION = re.compile(r"\*[^\s*][^*]{2,80}\*(?!\*)")
_ADDRESS = re.compile(
    r"(?:[-*•]\s)?(?:(?:https?://|www\.|[a-z]+://)\S+"
    r"|(?:~|\.{0,2}/|[A-Z]:\\)[\w.@/\\~-]{3,}|\S+@\S+\.\w+)$"
)


def shape_of(line: Line) -> tuple[str, str]:
    text = line.text
    if ARROW.match(text):
        return "subtitle", ""
    if text[0] == "@" and text.startswith("@@ "):
        return "diff", ""
    if _LOG.match(text):
        return ("", "log") if line.natural and not _sure_log(text) else ("log", "")
    if text.startswith(("diff --git", "--- a/", "+++ b/", "index ")):
        return "diff", ""
    if _TAGGED.match(text):
        return "notice", ""
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
    symbols = len(SYMBOLS.findall(text))
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
