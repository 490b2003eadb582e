"""Places no step may touch, and places that need a person's word, by their real paths.

Paths come resolved (links followed); here they are compared so that case and spelling don't matter.
"""

from __future__ import annotations

import posixpath
import unicodedata
from dataclasses import dataclass

_SYSTEM = ("/proc", "/sys", "/dev")
_HARMLESS = {"/dev/null"}
_KEYS = {
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".mozilla", ".netrc",
    ".git-credentials", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".vault-token", ".claude",
    ".codex", ".hermes", ".openclaw", ".electrum", ".bitcoin", ".ethereum", ".terraform.d",
    "gcloud", "google-chrome", "chromium", "bravesoftware", "keyrings", "keychains", "1password",
    "bitwarden", "shadow", "gshadow", "sudoers", "sudoers.d", "id_rsa", "id_ed25519", "id_ecdsa",
    ".env",
}  # fmt: skip
_RUN_BY_THEMSELVES = {
    ".git", ".envrc", ".vscode", ".idea", ".husky", ".github", ".gitlab-ci.yml", ".gitmodules",
    ".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".zprofile", ".login", "crontab",
    "cron.d", "autostart", "launchagents", "launchdaemons", "authorized_keys",
    ".pre-commit-config.yaml", "sitecustomize.py", "usercustomize.py", ".npmrc",
    ".mcp.json", ".claude", ".cursor",
}  # fmt: skip


@dataclass(frozen=True)
class Places:
    """Where things are, as real paths: Conch's `home`, and the chat's work `folder`."""

    home: str
    folder: str


def inside(path: str, folder: str) -> bool:
    """Whether a real path is `folder` or lies in it, however either is spelled."""
    one, other = _folded(path), _folded(folder)
    return bool(other) and (one == other or one.startswith(other.rstrip("/") + "/"))


def why_protected(path: str, places: Places) -> str:
    """Why no step may touch this path, "" when it may. A folder above the home is no different."""
    if inside(path, places.folder):
        return ""
    if inside(path, places.home):
        return "It is Conch's own: its memory, settings, keys and chats are out of reach."
    folded = _folded(path)
    if folded not in _HARMLESS and any(inside(folded, one) for one in _SYSTEM):
        return "It is no ordinary file."
    return ""


def holds_keys(path: str) -> bool:
    """Whether keys, passwords or other secrets usually lie there."""
    parts = _folded(path).split("/")
    return any(part in _KEYS or part.startswith((".env.", "id_")) for part in parts) or parts[
        -1
    ].endswith((".pem", ".key", ".kdbx", ".p12", ".pfx", ".keystore", ".jks"))


def runs_by_itself(path: str) -> bool:
    """Whether what is written there may run later without anybody starting it."""
    return any(part in _RUN_BY_THEMSELVES for part in _folded(path).split("/"))


def _folded(path: str) -> str:
    plain = unicodedata.normalize("NFKC", path.replace("\\", "/")).casefold()
    return posixpath.normpath(plain) if plain else ""
