"""What a step takes in from outside, told from its tool and input by code.

A page, a search or a browser is `web`; what a command fetches is a `download`; another app's
content (a tracker, mail, an MCP server) is `app`. Labels are hosts or the app's name. This
computer's own servers (localhost) are not outside.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from conch.guard.taints import Taint, TaintKind
from conch.learning.commands import Piece, pieces_of

WEB_SEARCH = "web search"

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_FETCHING = frozenset(
    [
        "fetch",
        "web_fetch",
        "webfetch",
        "fetch_url",
        "fetch_page",
        "open_url",
        "get_url",
        "http_get",
        "http_request",
        "read_url",
        "read_page",
        "web_read",
        "browse",
        "browse_page",
        "url_fetch",
        "read_web_page",
        "fetch_webpage",
        "navigate",
        "web_extract",
        "extract_page",
        "url_context",
        "scrape",
        "crawl",
        "download_file",
        "open_page",
        "read_webpage",
    ]
)
_SEARCHING = frozenset(
    [
        "web_search",
        "websearch",
        "search_web",
        "google_web_search",
        "google_search",
        "internet_search",
        "search_the_web",
        "web_search_call",
        "brave_search",
        "bing_search",
        "duckduckgo_search",
        "tavily_search",
        "exa_search",
        "web_search_preview",
        "browser_search",
    ]
)
_BROWSING = re.compile(r"(browser|puppeteer|playwright|chrome|tether|computer_use)(_|$)")
_OPENAI_WEB = frozenset({"web", "browser", "web.run", "web.search", "browser.open"})
_LOCAL_SERVERS = frozenset(
    [
        "ide",
        "conch",
        "filesystem",
        "memory",
        "sequential_thinking",
        "sequentialthinking",
        "git",
        "time",
        "shell",
        "desktop_commander",
    ]
)
_SEARCH_SERVERS = re.compile(r"brave|tavily|exa|perplexity|duckduckgo|kagi|serp|google_search")
_APPS = {
    "gmail": "Gmail",
    "google_calendar": "Google Calendar",
    "google_drive": "Google Drive",
    "gdrive": "Google Drive",
    "outlook": "Outlook",
    "slack": "Slack",
    "notion": "Notion",
    "linear": "Linear",
    "jira": "Jira",
    "confluence": "Confluence",
    "github": "GitHub",
    "gitlab": "GitLab",
    "sentry": "Sentry",
    "trello": "Trello",
    "asana": "Asana",
    "discord": "Discord",
    "telegram": "Telegram",
    "whatsapp": "WhatsApp",
    "hubspot": "HubSpot",
    "imap": "mail",
    "email": "mail",
    "mail": "mail",
}
_URL = re.compile(r"(?:https?|ftp)://[^\s\"'`<>|;)\]}\\]+", re.I)
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?=[:/]|$)", re.I)
_FILE_ENDING = re.compile(
    r"\.(?:json|txt|html?|gz|zip|tgz|tar|sh|md|ya?ml|xml|log|py|js|csv)$", re.I
)
_GIT_REMOTE = re.compile(r"[\w.-]+@([\w.-]+):")
_DOWNLOADERS = frozenset(
    [
        "curl",
        "wget",
        "wget2",
        "aria2c",
        "http",
        "https",
        "xh",
        "xhs",
        "curlie",
        "lwp-request",
        "axel",
        "yt-dlp",
        "youtube-dl",
        "gdown",
        "invoke-webrequest",
        "iwr",
        "invoke-restmethod",
        "irm",
        "start-bitstransfer",
        "certutil",
        "bitsadmin",
    ]
)
_TEXT_BROWSERS = frozenset({"lynx", "w3m", "links", "elinks"})
_FORGES = {"gh": "GitHub", "glab": "GitLab"}
_FORGE_READS = frozenset(
    [
        "view",
        "list",
        "diff",
        "status",
        "checks",
        "api",
        "search",
        "clone",
        "download",
        "checkout",
        "watch",
        "show",
        "browse",
    ]
)
_INSTALLERS = frozenset(
    [
        "pip",
        "pip3",
        "uv",
        "npm",
        "pnpm",
        "yarn",
        "bun",
        "cargo",
        "go",
        "gem",
        "brew",
        "apt",
        "apt-get",
        "dnf",
    ]
)
_INTERPRETERS = re.compile(
    r"(python[\d.]*|py|node|deno|bun|ruby|perl|php|pwsh|powershell|osascript|Rscript)$", re.I
)
_CODE_FETCHES = re.compile(
    r"requests?\.(get|post|request)|urlopen|urlretrieve|httpx|aiohttp|\bfetch\(|axios|"
    r"Net::HTTP|LWP|DownloadString|DownloadFile|file_get_contents|http\.get|https\.get",
    re.I,
)
_LONGEST = 20_000
_HERE_DOCUMENT = re.compile(r"([^\n]*)<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n.*?\n\s*\2\b", re.S)
_RUNS_IT = re.compile(
    r"(?:^|[\s|;&])(?:[\w./]*/)?(?:(?:ba|z|da)?sh|python[\d.]*|node|ruby|perl|php)(?=\s|$)"
)
_BETWEEN = re.compile(r"\$\(|[`;|&\n(){}]+|\b(?:do|then|else|if|while|in)\s")
_BEFORE = re.compile(r"\w+=\S*|sudo|env|time|nohup|command|exec|timeout|xargs|\d+\w?|!|\[+")
_OUR_OWN = re.compile(
    r"(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|::1|host\.docker\.internal)$"
)


def host_of(url: str) -> str:
    """The host of a URL (or a bare host) as a person would say it, "" when there is none."""
    try:
        host = urlsplit(url if "://" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def read_from_outside(tool: str, given: Mapping[str, Any]) -> tuple[Taint, ...]:
    """What a step of this tool with this input takes in from outside, once it has run.

    >>> read_from_outside("WebFetch", {"url": "https://www.trains.example/times"})
    (Taint(kind='web', label='trains.example'),)
    """
    server, name = _server_and_name(tool)
    if server:
        return _from_server(server, name, given)
    if tool in _OPENAI_WEB or name in _OPENAI_WEB or name in _FETCHING:
        return _pages(given, WEB_SEARCH if "search" in _words(given) else "a page")
    if name in _SEARCHING:
        return (Taint("web", WEB_SEARCH),)
    if _BROWSING.match(name):
        return _pages(given, "a browser")
    command = _command(given)
    if command:
        return downloaded_by(command)
    for app, label in _APPS.items():
        if name == app or name.startswith(f"{app}_"):
            return (Taint("app", label),)
    return ()


def downloaded_by(command: str) -> tuple[Taint, ...]:
    """What a command line takes in from outside.

    >>> downloaded_by("curl -sL https://a.example/x.sh | sh")
    (Taint(kind='download', label='a.example'),)
    >>> downloaded_by("curl http://localhost:3000/health")
    ()
    """
    found: list[Taint] = []
    pieces = pieces_of(command) or _loosely(command)
    for piece in pieces:
        found += _by_piece(piece)
    inline = any(_INTERPRETERS.match(piece.name) for piece in pieces)
    if inline and _CODE_FETCHES.search(command):
        found += _hosts("download", _URL.findall(command)) or [Taint("download", "a page")]
    return tuple(dict.fromkeys(found))


def _loosely(command: str) -> list[Piece]:
    """The programs of a command line with loops, substitutions or here-documents.

    Where the line is not plain, one program too many is better than one too few.
    """
    command = _HERE_DOCUMENT.sub(
        lambda found: found[0] if _RUNS_IT.search(found[1]) else found[1], command[:_LONGEST]
    )
    found: list[Piece] = []
    for part in _BETWEEN.split(command.replace("\\\n", " ")):
        words = [word.strip("'\"") for word in part.split()]
        while words and (_BEFORE.fullmatch(words[0]) or words[0].startswith("-")):
            words = words[1:]
        if words:
            found.append(Piece(words[0], tuple(words[1:])))
    return found


def _by_piece(piece: Piece) -> list[Taint]:
    name = piece.name.casefold().removesuffix(".exe")
    arguments = list(piece.arguments)
    verb = next((one for one in arguments if not one.startswith("-")), "")
    urls = [url for argument in arguments for url in _URL.findall(argument)]
    if name in _TEXT_BROWSERS:
        return _hosts("web", urls or _bare_hosts(arguments))
    if name in _DOWNLOADERS:
        named = urls or _bare_hosts(arguments)
        if not named and any("$" in one or "%" in one for one in arguments):
            return [Taint("download", name)]
        return _hosts("download", named)
    if name == "git" and verb in ("clone", "ls-remote", "archive"):
        return _hosts("download", urls or _GIT_REMOTE.findall(" ".join(arguments)))
    if name in _FORGES:
        read = next((one for one in arguments if one in _FORGE_READS), "")
        return [Taint("app", _FORGES[name])] if read else []
    if name in _INSTALLERS and verb in ("install", "add", "i", "get"):
        return _hosts("download", urls)
    return []


def _bare_hosts(arguments: list[str]) -> list[str]:
    return [
        one
        for one in arguments
        if (
            not one.startswith(("-", ".", "/", "~", "@"))
            and _HOST.match(one)
            and not _FILE_ENDING.search(one.split("/")[0])
        )
        or _OUR_OWN.match(host_of(one) or "-")
    ]


def _hosts(kind: TaintKind, urls: list[str]) -> list[Taint]:
    hosts = [host_of(url) for url in urls]
    return [Taint(kind, host) for host in dict.fromkeys(hosts) if host and not _OUR_OWN.match(host)]


def _pages(given: Mapping[str, Any], otherwise: str) -> tuple[Taint, ...]:
    """The hosts of the URLs in an input; `otherwise` when it names none, nothing for own ones."""
    urls = _URL.findall(_words(given))
    if not urls:
        bare = host_of(str(given.get("url") or ""))
        return (Taint("web", bare or otherwise),) if not _OUR_OWN.match(bare or "-") else ()
    return tuple(_hosts("web", urls))


def _from_server(server: str, name: str, given: Mapping[str, Any]) -> tuple[Taint, ...]:
    key = _snake(server)
    if key in _LOCAL_SERVERS:
        return ()
    if name in _FETCHING or key in ("fetch", "firecrawl"):
        return _pages(given, "a page")
    if name in _SEARCHING or _SEARCH_SERVERS.search(key):
        return (Taint("web", WEB_SEARCH),)
    if _BROWSING.match(key) or _BROWSING.match(name):
        return _pages(given, "a browser")
    return (Taint("app", app_name(server)),)


def app_name(server: str) -> str:
    """An MCP server or connector as a person would call it: "linear-server" is "Linear"."""
    key = _snake(server).removeprefix("claude_ai_").removeprefix("plugin_")
    for ending in ("_server", "_mcp_server", "_mcp"):
        key = key.removesuffix(ending)
    key = key.removeprefix("mcp_").removeprefix("server_")
    return _APPS.get(key) or key.replace("_", " ").strip() or server


def _server_and_name(tool: str) -> tuple[str, str]:
    """The MCP server a tool belongs to ("" for none), and the tool's own name in snake case."""
    parts = tool.split("__")
    if parts[0] == "mcp" and len(parts) >= 3:
        return parts[1], _snake("__".join(parts[2:]))
    if len(parts) == 2 and parts[0] and parts[1]:
        return parts[0], _snake(parts[1])
    if re.match(r"mcp_[a-z0-9-]+_[a-z]", tool):
        _, server, name = tool.split("_", 2)
        return server, _snake(name)
    return "", _snake(tool.rsplit(".", 1)[-1])


def _snake(name: str) -> str:
    return _CAMEL.sub("_", name).casefold().replace("-", "_").replace(" ", "_").replace(".", "_")


def _command(given: Mapping[str, Any]) -> str:
    """The command line of a shell step's input, under the names tools use for it."""
    for key in ("command", "cmd", "script", "commands"):
        value = given.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            return str(value[-1]) if len(value) == 3 else " ".join(map(str, value))
    return ""


def _words(given: Mapping[str, Any]) -> str:
    return " ".join(_strings(given, 0))


def _strings(value: object, depth: int) -> list[str]:
    if isinstance(value, str):
        return [value]
    if depth > 4:
        return []
    if isinstance(value, Mapping):
        return [one for inner in value.values() for one in _strings(inner, depth + 1)]
    if isinstance(value, list):
        return [one for inner in value[:50] for one in _strings(inner, depth + 1)]
    return []
