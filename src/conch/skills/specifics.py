"""What belongs to one time only: paths, addresses, ids, dates, amounts, people (spec 0058 §2).

A draft that repeats them replays what was done instead of saying how it is done. Copies that were
altered a little count: another case, `~` for a home folder, " at " for @, a part of a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from conch.guard.seen import seen
from conch.guard.values import values_in
from conch.words.fold import fold

SpecificKind = Literal["path", "address", "mail", "number", "id", "date", "amount", "person"]

_PATH = re.compile(
    r"(?<![\w/.:~-])(?:~|[A-Za-z]:|\$HOME|\$\{HOME\}|%USERPROFILE%)?"
    r"(?:[/\\][\w.@+~% -]{0,60}?[\w.@+~%-]){1,12}(?![\w])"
)
_SYSTEM = re.compile(
    r"/(?:etc|usr|bin|sbin|dev|proc|sys|opt|var|lib|system|library|applications|tmp|private)(?:/"
    r"|$)|/(?:\w|\w{1,12})$"
)
_USER = re.compile(
    r"^(?:/home/[^/]+|/users/[^/]+|/root|[a-z]:/users/[^/]+|\$home|\$\{home\}|%userprofile%)(?=/|$)"
)
_IP = re.compile(
    r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5})?(?![\w.])"
    r"|(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}(?![\w:])|\blocalhost:\d{2,5}\b"
)
_HOST = re.compile(
    r"(?<![\w@./-])(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,18}(?![\w-])(?:/[^\s\"'`<>)]{0,200})?", re.I
)
_FILE_ENDS = frozenset(
    [
        "md",
        "txt",
        "py",
        "js",
        "ts",
        "tsx",
        "jsx",
        "json",
        "toml",
        "yaml",
        "yml",
        "csv",
        "tsv",
        "html",
        "htm",
        "css",
        "scss",
        "sh",
        "bash",
        "zsh",
        "rs",
        "go",
        "java",
        "kt",
        "c",
        "h",
        "cc",
        "cpp",
        "hpp",
        "rb",
        "php",
        "pl",
        "lua",
        "sql",
        "db",
        "sqlite",
        "log",
        "pdf",
        "doc",
        "docx",
        "xls",
        "xlsx",
        "ppt",
        "pptx",
        "odt",
        "png",
        "jpg",
        "jpeg",
        "gif",
        "svg",
        "webp",
        "mp3",
        "mp4",
        "mov",
        "wav",
        "zip",
        "tar",
        "gz",
        "tgz",
        "xz",
        "bz2",
        "rar",
        "lock",
        "ini",
        "cfg",
        "conf",
        "env",
        "xml",
        "ipynb",
        "tex",
        "bib",
        "ics",
        "vcf",
        "eml",
        "srt",
        "vtt",
        "bak",
        "orig",
        "patch",
        "diff",
        "service",
        "timer",
        "plist",
        "tscn",
        "gd",
        "blend",
        "stl",
        "gcode",
        "dart",
        "swift",
        "vue",
        "svelte",
        "ejs",
        "map",
        "min",
        "d",
        "example",
        "psd",
        "ai",
        "epub",
        "r",
        "m",
        "jl",
        "ex",
        "exs",
        "erl",
        "hs",
        "scala",
        "gradle",
        "cmake",
        "mk",
        "make",
        "dockerfile",
        "keep",
        "ndjson",
        "jsonl",
        "parquet",
    ]
)
_ID = re.compile(
    r"(?<![\w-])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}|[A-Z][A-Z0-9]{1,9}-\d{2,8}"
    r"|(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]{2,20}[-_][A-Za-z0-9_-]{6,40}|#\d{3,9}|\d{5,19}"
    r"|(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{9,40})(?![\w-])"
)
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|januar|februar|marz|mai|juni|juli|okt"
    r"|dez|janv|fevr|"
    r"mars|avr|juin|juil|aout|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre"
    r"|octubre|noviembre|"
    r"diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro"
    r"|fevereiro|"
    r"marco|maio|junho|julho|setembro|outubro|dezembro|maart|mei|styczn|lut|kwiet|maj|czerw|lip"
    r"|sierp|wrze|"
    r"pazdz|listop|grud|ocak|subat|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik"
    r"|январ|феврал|"
    r"март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр|जनवरी|फरवरी|मार्च|अप्रैल|मई"
    r"|जून|जुलाई|अगस्त|"
    r"يناير|فبراير|مارس|ابريل|مايو|يونيو|يوليو|اغسطس|سبتمبر|اكتوبر|نوفمبر|ديسمبر)\w{0,8}"
)
_DATE = re.compile(
    rf"(?<!\d)(?:19|20)\d\d[-./年]\s?\d{{1,2}}[-./月]\s?\d{{1,2}}(?!\d)"
    rf"|(?<![\d.])\d{{1,2}}[./-]\d{{1,2}}[./-](?:19|20)?\d\d(?![\d.])"
    rf"|(?<!\d)\d{{1,2}}(?:st|nd|rd|th|\.|º|er)?\s(?:de\s|of\s|d')?{_MONTH}"
    rf"|\b{_MONTH}\s\d{{1,2}}(?!\d|%|\s?x)(?:st|nd|rd|th)?"
    r"|\d{1,2}月\d{1,2}[日号]|\d{1,2}월\s?\d{1,2}일|(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])"
)
_AMOUNT = re.compile(
    r"(?:[$€£¥₹₽₩]|\b(?:usd|eur|gbp|chf|jpy|pln|rub|inr)\s?)\s?\d[\d.,' ]{0,14}\d?"
    r"|\d[\d.,']{0,14}\s?(?:[$€£¥₹₽₩]|\b(?:usd|eur|"
    r"euros?|dollars?|gbp|pounds|chf|zl|zlotych|rub|рублей|руб|円|元|원|रुपये|ريال|lira|tl)\b)"
)
_TITLED = re.compile(
    r"\b(?:dr|mr|mrs|ms|prof|sir|madam|herr|frau|mme|mlle|monsieur|madame|maitre|sr|sra|srta"
    r"|dona|don|senhor|senhora|signor|signora|"
    r"sig|dott|avv|meneer|mevrouw|dhr|mevr|pan|pani|г-н|г-жа|господин"
    r"|госпожа)\.?\s(?:[A-ZÀ-ÞА-Я][\w'’-]{1,24})"
    r"|(?:[A-ZÀ-ÞА-Я][\wа-я'’-]{1,24})\s(?:bey|hanım|hanim)\b"
    r"|[\u3041-\u30ff\u4e00-\u9fff]{1,6}(?:さん|様|氏|先生|老师|女士)|[가-힣]{2,4}(?:씨|님)(?![가-힣])",
    re.I,
)
_FULL_NAME = re.compile(
    r"(?<![\w.])[A-ZÀ-Þ][a-zà-ÿ]{1,16}(?:['’-][A-Z][a-zà-ÿ]+)?\s(?:(?:van|von|de|da|di|del|der"
    r"|la)\s){0,2}[A-ZÀ-Þ][a-zà-ÿ]{1,18}(?![\w.])"
)


@dataclass(frozen=True)
class Specific:
    """One specific as it stands (`shown`), and as two of them are compared (`plain`)."""

    kind: SpecificKind
    shown: str
    plain: str


def specifics_in(text: str) -> tuple[Specific, ...]:
    """The specifics of a text, each once."""
    return tuple(dict.fromkeys(_read(_spelled_out(seen(text).text))))


def _read(rest: str) -> list[Specific]:
    found = [Specific("address", m.group(), m.group()) for m in _IP.finditer(rest.casefold())]
    rest = _IP.sub(" ", rest)
    for value in values_in(rest):
        kind = {"link": "address", "mail": "mail"}.get(value.kind, "number")
        if kind == "address" and not _is_address(value.plain):
            continue
        found.append(Specific(kind, value.shown, value.plain))  # type: ignore[arg-type]
        rest = rest.replace(value.shown, " ")
    found += list(_paths(rest))
    low = rest.casefold()
    found += [
        Specific("address", m.group(), m.group().rstrip("/").removeprefix("www."))
        for m in _HOST.finditer(low)
        if _is_address(m.group())
    ]
    plain = fold(rest)
    found += [Specific("date", m.group(), _date(m.group())) for m in _DATE.finditer(plain)]
    without = _DATE.sub(" ", plain)
    found += [Specific("amount", m.group(), _digits(m.group())) for m in _AMOUNT.finditer(without)]
    found += [
        Specific("id", m.group(), m.group().casefold())
        for m in _ID.finditer(_DATE.sub(" ", rest))
        if _is_id(m.group())
    ]
    for pattern in (_TITLED, _FULL_NAME):
        found += [Specific("person", m.group(), fold(m.group())) for m in pattern.finditer(rest)]
    return found


def replayed(draft: str, steps: Iterable[str], said: Iterable[str]) -> tuple[Specific, ...]:
    """The specifics of `steps` that the person never typed and `draft` repeats, each told once."""
    used = [one for text in steps for one in specifics_in(text)]
    typed = " \n ".join(said)
    typed_too = {(one.kind, one.plain) for one in specifics_in(typed)}
    typed_folded = fold(typed)
    ours = [*specifics_in(draft), *_mails_in_words(draft)]
    low = fold(_spelled_out(draft))
    found: dict[str, Specific] = {}
    for one in used:
        if (one.kind, one.plain) in typed_too or fold(one.shown) in typed_folded:
            continue
        if any(_same(one, other) for other in ours) or _stands_in(one, low):
            found.setdefault(one.plain, one)
    kept = list(found.values())
    return tuple(
        one
        for one in kept
        if not any(one is not other and one.plain in other.plain for other in kept)
    )


def _mails_in_words(text: str) -> Iterator[Specific]:
    """ "ana at fares dot example": what may be an address in words."""
    for m in _AT.finditer(_spelled_out(seen(text).text)):
        yield Specific("mail", m.group(), f"{m[1]}@{m[2]}".lower())


def _stands_in(one: Specific, low: str) -> bool:
    if one.kind in ("date", "amount"):
        return False
    shown = fold(one.shown)
    return len(shown) >= 4 and re.search(rf"(?<!\w){re.escape(shown)}(?!\w)", low) is not None


def _same(one: Specific, other: Specific) -> bool:
    if one.kind == "path" and other.kind == "path":
        short, long = sorted((one.plain, other.plain), key=len)
        return short == long or (short.count("/") >= 2 and long.startswith(short + "/"))
    if one.kind == "address" and other.kind == "address":
        return one.plain == other.plain or one.plain.split("/")[0] == other.plain.split("/")[0]
    return one.kind == other.kind and one.plain == other.plain


def _paths(text: str) -> Iterator[Specific]:
    for match in _PATH.finditer(text):
        shown = match.group().strip()
        plain = _USER.sub("~", unquote(shown).replace("\\", "/").casefold()).rstrip("/.,")
        if plain.count("/") >= 1 and len(plain) >= 5 and not _SYSTEM.match(plain):
            yield Specific("path", shown, plain)


def path_of(folder: str) -> str:
    """A folder as paths are compared; "" for one that is no specific."""
    return next((one.plain for one in _paths(folder)), "")


def _is_address(found: str) -> bool:
    """Whether what has dots in it is a host, not a file's name or a version."""
    host, _, rest = found.removeprefix("www.").partition("/")
    end = host.rpartition(".")[2].casefold()
    if found.startswith("www.") or rest:
        return "." in host
    return end not in _FILE_ENDS or (end == "example" and not host.startswith((".", "env.")))


def _is_id(found: str) -> bool:
    if re.fullmatch(r"\d{5,}", found.lstrip("#")):
        return not re.fullmatch(r"[1-9]0+", found)
    return any(char.isdigit() for char in found) and not re.fullmatch(r"[a-z]{1,12}\d{1,3}", found)


def _date(found: str) -> str:
    return " ".join(sorted(re.findall(r"\d+|[^\W\d_]{3,}", found)))


def _digits(found: str) -> str:
    return re.sub(r"\D", "", found)


def _spelled_out(text: str) -> str:
    """ "practice at quist dot example", "quist[.]example" and "hxxp" as they are meant."""
    text = re.sub(r"\s?[\[({]\s?(?:\.|dot)\s?[\])}]\s?", ".", text, flags=re.I)
    text = re.sub(r"\s?[\[({]\s?(?:@|at)\s?[\])}]\s?", "@", text, flags=re.I)
    text = re.sub(r"\bhxxp(s?)://", r"http\1://", text, flags=re.I)
    return re.sub(r"\b([\w-]{2,40}) dot ([a-z]{2,12})\b", r"\1.\2", text, flags=re.IGNORECASE)


_AT = re.compile(
    r"(?<![\w@])([\w.+-]{1,40}) (?:at|@) ((?:[\w-]{2,40}\.){1,4}[a-z]{2,12})\b", re.IGNORECASE
)
