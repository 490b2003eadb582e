"""Secrets given away by what stands beside them: a name in code, a header, a link's user part."""

from __future__ import annotations

import base64
import re
from functools import cache

from conch.guard.findings import Finding
from conch.guard.key_secrets import is_placeholder, key_table

_LINK_USER = re.compile(r"[^\s:/@\"'<>]{0,80}:(?P<secret>[^\s/\"'<>;]{2,200})@(?=[\w\[])")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,20}$")
_HEADER = re.compile(
    r"(?i:authorization\"?'?\s{0,3}[:=]\s{0,3}[\"']?(?:bearer|basic|token|digest|apikey)"
    r"|(?<![\w-])(?:bearer|basic))\s{1,3}(?P<secret>[\w.~+/-]{10,2000}={0,2})"
)
_CURL_USER = re.compile(
    r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user|--proxy-user)[\s=]{0,2}(?P<q>[\"']?)"
    r"(?P<user>[^\s:\"'<>$\[{]{1,80}):(?P<secret>[^\s\"']{2,200})(?P=q)(?=\s|$|[\"'])"
)
_TOOL_OPTION = re.compile(
    r"\b(?:mysql\w{0,8}|mariadb\w{0,8}|sshpass|7z\w?|zip|unzip|unrar|redis-cli|mongo\w{0,8})\b"
    r"[^\n|;]{0,120}?\s-(?:p|P|a)(?P<q>\s?[\"']?)(?P<secret>[^\s\"'-][^\s\"']{4,60})"
)
_OPTION = re.compile(
    r"(?<![\w-])--?(?:password|passwd|pass|token|api-?key|secret|access-token|auth-token)"
    r"[\s=]{1,2}(?P<q>[\"']?)(?P<secret>[^\s\"']{4,300})(?P=q)"
)
_GIVEN = re.compile(r"(?:=>|:=|[:=>|]{1,3})[\s\"'`=,>|:]{0,6}")
_GIVEN_OR_COMMA = re.compile(r"(?:=>|:=|[:=>|,]{1,3})[\s\"'`=,>|:]{0,6}")
_VALUE = re.compile(r"(?!\d{1,4}[-./]\d)[\w.=+/~!@$%^&*?#-]{6,300}")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,60}[\s\"'`\]?)]{0,5}$")
_NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SET_TO = re.compile(
    r"\b(?P<name>[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,60})\s(?:to|is|as|auf|à|a|en|на|=)\s"
    r"[\"'`]?(?P<secret>[\w.=+/~!@$%^&*?#-]{8,300})"
)


def assigned_secrets(text: str) -> list[Finding]:
    """Values in `text` that their surroundings call a secret; kinds "key:<how>".

    `api_key = "…"`, `DB_PASSWORD: …`, `Authorization: Bearer …`, `curl -u name:…`, `--token …`,
    `postgres://user:…@host`, a vendor's name with an "=" and a random-looking value.
    """
    low = text.lower()
    found = _link_users(text) if "@" in text else []
    for kind, hint, pattern in (
        ("header", ("bearer", "basic", "authorization"), _HEADER),
        ("curl_user", ("curl",), _CURL_USER),
        ("option", (" -p", " -a"), _TOOL_OPTION),
        ("option", ("-pass", "-token", "-api", "-secret", "-access", "-auth"), _OPTION),
    ):
        if any(word in low for word in hint):
            for match in pattern.finditer(text):
                secret = match.group("secret")
                if not is_placeholder(secret) and not _plain_word(secret, kind):
                    found.append(Finding(*match.span("secret"), f"key:{kind}"))
    vendors = any(vendor in low for vendor in key_table()["vendors"])
    taken = 0
    for sign in (_GIVEN_OR_COMMA if vendors else _GIVEN).finditer(text):
        value = _VALUE.match(text, sign.end())
        if not value or sign.start() < taken or not re.search(r"\d|[A-Z]", value.group()):
            continue
        line = text[max(0, sign.start() - 64) : sign.start()].rpartition("\n")[2]
        name = _NAME.search(line)
        if not name:
            continue
        near = line[: name.start()]
        if text[value.end() : value.end() + 1] in {"(", "["}:
            continue
        kind = _named(name.group(), value.group(), near, sign.group().strip("\"' `"))
        if kind:
            found.append(Finding(*value.span(), kind))
            taken = value.end()
    if "_" in text:
        for match in _SET_TO.finditer(text):
            kind = _named(match.group("name"), match.group("secret"), "", sign="=")
            if kind:
                found.append(Finding(*match.span("secret"), kind))
    return found


def _link_users(text: str) -> list[Finding]:
    """Passwords in links: `postgres://user:…@host`."""
    found: list[Finding] = []
    at = text.find("://")
    while at >= 0:
        user = _LINK_USER.match(text, at + 3)
        if user and _SCHEME.search(text[max(0, at - 22) : at]):
            secret = user.group("secret")
            if not is_placeholder(secret) and not _plain_word(secret, "link_user"):
                found.append(Finding(*user.span("secret"), "key:link_user"))
        at = text.find("://", at + 3)
    return found


def looks_random(value: str) -> bool:
    """True when letters and digits alternate as they do in keys, not in words, dates or versions.

    >>> looks_random("kmrhl99flpmsm6"), looks_random("jonas_1987_berlin")
    (True, False)
    """
    switches = 0
    last = ""
    for character in value:
        kind = "d" if character.isdigit() else "U" if character.isupper() else "l"
        if not character.isalnum():
            last = ""
            continue
        if last and kind != last and not (last == "U" and kind == "l"):
            switches += 1
        last = kind
    digits = sum(character.isdigit() for character in value)
    return switches >= 3 and digits >= 2 and len(set(value)) >= 7


def harmless_names() -> frozenset[str]:
    """Words that make a key or token no secret: "public", "csrf", "cache"."""
    return _names()["harmless"]


def _decoded(secret: str) -> str:
    """`secret` out of base64, or "" when it does not say anything then."""
    try:
        return base64.b64decode(secret + "=" * (-len(secret) % 4), validate=True).decode("ascii")
    except ValueError:
        return ""


def _plain_word(secret: str, kind: str) -> bool:
    if kind == "link_user":
        return secret.lower() in {"password", "pass", "pw", "pwd", "secret", "passwort", "token"}
    if kind == "header" and ":" in _decoded(secret):
        return False
    if kind == "curl_user":
        return secret.lower() in {"pass", "password", "yyy"}
    return not re.search(r"\d", secret) or not re.search(r"[A-Za-z]", secret)


def _named(name: str, secret: str, near: str, sign: str) -> str:
    """The kind of secret that `name = secret` is, or "".

    `near` is what stands before the name, `sign` what joins the two.
    """
    secret = secret.rstrip(".,;")
    parts = [part.lower() for part in _NAME_PARTS.findall(name)]
    table = _names()
    if is_placeholder(secret) or not parts:
        return ""
    last = parts[-1] if not parts[-1].isdigit() or len(parts) == 1 else parts[-2]
    before = parts[-2] if len(parts) > 1 else ""
    if sign != "," and last in table["secret"] and before not in table["harmless"]:
        if re.search(r"^\.|[()\[\]]|^[a-z]+([A-Z][a-z]+)+$|^\d+$|\.\w{2,4}$|://", secret):
            return ""
        if last in {"password", "passwd", "pwd", "pass", "passphrase"}:
            mixed = re.search(r"\d|[!@#$%^&*+~?]", secret)
            return "key:password" if mixed and len(secret) >= 6 else ""
        if looks_random(secret) and len(secret) >= 12:
            return f"key:{last}"
        if len(secret) >= 20 and re.search(r"[A-Z].*[a-z]|[a-z].*[A-Z]", secret):
            words = len(secret) >= 3.5 * len(_NAME_PARTS.findall(secret))
            return f"key:{last}" if not words and not re.search(r"\W", secret) else ""
        return ""
    vendor = None if near.endswith(":") else _vendors().search(near + name)
    if vendor and "=" in sign and re.fullmatch(r"\d{15,20}", secret):
        return f"key:{vendor.group().lower()}"
    if last in table["harmless"] or not looks_random(secret) or not 14 <= len(secret) <= 200:
        return ""
    if vendor:
        return f"key:{vendor.group().lower()}"
    mixed = re.search(r"[a-z]", secret) and re.search(r"[A-Z]", secret)
    hinted = re.search(r"auth(?!or)|secret|token|passw|credential|api_?key", name.lower())
    harmless = table["harmless"].intersection(parts)
    return "key:token" if hinted and mixed and len(secret) >= 32 and not harmless else ""


@cache
def _names() -> dict[str, frozenset[str]]:
    table = key_table()
    return {
        "secret": frozenset(table["secret_names"]),
        "harmless": frozenset(table["harmless_before"]),
    }


@cache
def _vendors() -> re.Pattern[str]:
    """The vendors' names as people and code write them: okta, Okta, OKTA, never "rookTable"."""
    names = key_table()["vendors"]
    return re.compile("|".join(form for n in names for form in (n, n.title(), n.upper())))
