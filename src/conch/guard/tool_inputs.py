"""What the inputs of tools are called, in the tools of Conch and of other assistants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DEEPEST = 5

PATH_NAMES = (
    "file_path",
    "path",
    "filepath",
    "absolute_path",
    "notebook_path",
    "target_file",
    "relative_workspace_path",
    "filename",
    "file_name",
    "file",
    "directory",
    "dir_path",
    "dir",
    "target_directory",
    "source",
    "old_path",
    "new_path",
    "destination",
    "paths",
    "files",
    "uri",
)
"""The inputs that name a file or a folder; the likeliest first."""

URL_NAMES = ("url", "uri", "link", "href", "urls", "address", "location")
COMMAND_NAMES = ("command", "cmd", "commands", "script", "commandline", "command_line", "action")
FOLDER_NAMES = ("cwd", "workdir", "working_directory", "working_dir", "directory", "dir", "root")


def secrets_named(given: Mapping[str, Any]) -> list[str]:
    """The secrets of the vault a command asks for, by name."""
    found = strings_in(named_values(given).get("secrets"))
    return list(dict.fromkeys(name.strip() for name in found if name.strip()))


def named_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """A tool's inputs by their names in one spelling: "_Path" is "path"."""
    return {str(key).lower().lstrip("_"): value for key, value in given.items()}


def strings_in(value: Any, depth: int = 0) -> list[str]:
    """Every text in an input, however it is wrapped."""
    if isinstance(value, str):
        return [value]
    if depth >= _DEEPEST:
        return []
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in strings_in(inner, depth + 1)]
    if isinstance(value, list | tuple):
        return [text for inner in value for text in strings_in(inner, depth + 1)]
    return []
