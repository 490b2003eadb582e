"""Runs a command where it can reach nothing but the chat's folder, its own temp and caches.

Sealed by bubblewrap where it works. Where it does not, landlock fences in what may be read and
written where the system has it; that is no seal, so the decision asks before every command, and
says why.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from conch.assistant.hands import landlock

_TOOLS_AT_HOME = (
    ".local/bin", ".local/lib", ".local/share/uv", ".local/share/pnpm", ".cargo/bin", ".rustup",
    ".nvm", ".volta/bin", ".volta/tools", ".pyenv", ".asdf", ".deno/bin", ".bun/bin", "go/bin",
    ".gitconfig", ".config/git/config", "bin", "miniconda3", "anaconda3", ".sdkman/candidates",
)  # fmt: skip
_CACHES = (
    ".cache/pip", ".cache/uv", ".cache/go-build", ".cache/yarn", ".cache/pnpm",
    ".cache/ms-playwright", ".npm/_cacache", ".cargo/registry", "go/pkg", ".gradle/caches",
    ".m2/repository",
)  # fmt: skip
_EMPTY = (
    "/sys",
    "/tmp",
    "/var/tmp",
    "/run",
    "/mnt",
    "/media",
    "/srv",
    "/var/lib",
    "/var/spool",
    "/boot",
)
_NEEDED_IN_EMPTY = ("/sys/devices/system", "/run/systemd/resolve", "/run/resolvconf")
_SECRET_FILES = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers")
_SECRET_FOLDERS = ("/etc/ssh", "/etc/ssl/private", "/etc/sudoers.d", "/etc/wireguard")
_SECRET = {*_SECRET_FILES, *_SECRET_FOLDERS, "/etc/ssl"}
_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
    "/sys/devices/system", "/run/systemd/resolve", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
    "/proc/loadavg", "/proc/version", "/proc/filesystems", "/proc/sys",
)  # fmt: skip
"""Not all of /proc: under landlock the environment of other processes can be read there."""
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ", "NO_COLOR", "SSL_CERT_FILE")


@dataclass(frozen=True)
class Sealed:
    """What a command may see. `hidden`: folders that are empty for it, the home above all."""

    folder: Path
    hidden: tuple[Path, ...]
    user_home: Path
    network: bool


def environment(environ: dict[str, str], folder: Path) -> dict[str, str]:
    """A command's environment: no key of anybody's, and a mark that Conch began it."""
    kept = {name: environ[name] for name in _PASSED_ON if name in environ}
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        **kept,
        "HOME": environ.get("HOME", str(folder)),
        "PWD": str(folder),
        "GIT_TERMINAL_PROMPT": "0",
        "CI": "1",
        "CONCH_STARTED": "1",
    }


@cache
def can_seal() -> bool:
    """Whether bubblewrap is there and works for this user."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return False
    trial = [*_frame(bwrap, network=False), "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    try:
        return subprocess.run(trial, capture_output=True, timeout=10, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def sealed_command(command: Sequence[str], seal: Sealed) -> list[str]:
    """The command with bubblewrap around it. Call only where `can_seal()`."""
    bwrap = shutil.which("bwrap") or "bwrap"
    out = [*_frame(bwrap, network=seal.network), "--ro-bind", "/", "/", "--dev", "/dev"]
    out += ["--proc", "/proc"]
    for folder in _EMPTY:
        out += _tmpfs(folder)
    for path in _NEEDED_IN_EMPTY:
        out += ["--ro-bind-try", path, path]
    home = str(seal.user_home)
    if len(seal.user_home.parts) > 1:
        out += _tmpfs(home)
    for homes in ("/home", "/root", "/Users"):
        if homes != home and not home.startswith(f"{homes}/"):
            out += _tmpfs(homes)
    for name in _TOOLS_AT_HOME:
        out += ["--ro-bind-try", f"{home}/{name}", f"{home}/{name}"]
    for name in _CACHES:
        if Path(home, name).is_dir():
            out += ["--bind", f"{home}/{name}", f"{home}/{name}"]
    for path in _SECRET_FILES:
        if Path(path).exists():
            out += ["--ro-bind", "/dev/null", path]
    for path in (*_SECRET_FOLDERS, *map(str, seal.hidden)):
        out += _tmpfs(path)
    out += ["--bind", str(seal.folder), str(seal.folder), "--chdir", str(seal.folder)]
    return [*out, "--", *command]


def fenced_command(command: Sequence[str], seal: Sealed, temp: Path) -> list[str]:
    """The command with landlock around it where the system has it, else as it is.

    `temp` is the only temporary folder it may use.
    """
    if not landlock.version():
        return list(command)
    etc = [path for path in Path("/etc").iterdir() if str(path) not in _SECRET]
    system = [Path(name) for name in _SYSTEM]
    tools = [seal.user_home / name for name in _TOOLS_AT_HOME]
    caches = [seal.user_home / name for name in _CACHES]
    reads = [*system, *etc, *tools]
    writes = [seal.folder, temp, *map(Path, _DEVICES), *caches]
    plan = landlock.Plan(
        tuple(str(path) for path in reads if path.exists()),
        tuple(str(path) for path in writes if path.exists()),
        seal.network,
    )
    return landlock.confined_command(command, plan)


def _frame(bwrap: str, *, network: bool) -> list[str]:
    apart = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    apart += [] if network else ["--unshare-net"]
    return [bwrap, "--die-with-parent", "--new-session", *apart, "--cap-drop", "ALL"]


def _tmpfs(path: str) -> list[str]:
    there = Path(path).is_dir() and not Path(path).is_symlink()
    return ["--tmpfs", path] if there else []
