"""The system prompt: who the assistant is, then what it knows about the person.

It stays the same from turn to turn while the memories do, so that a provider's prompt cache holds;
what changes with every message goes beside the message (spec 0088 §7).
"""

from __future__ import annotations

from importlib.resources import files

from conch.home.settings import Settings

LEAN_WINDOW = 16_384
"""Tokens. A model with this window or less gets the lean prompt (issue: "16K and less")."""


def is_lean(window: int) -> bool:
    """Whether a model with a window of so many tokens gets the lean prompt and fewer tools."""
    return window <= LEAN_WINDOW


def prompt_text(name: str) -> str:
    """One of the room's prompt texts."""
    return files("conch.assistant").joinpath(f"prompts/{name}.txt").read_text(encoding="utf-8")


def system_prompt(settings: Settings, memory_section: str, *, lean: bool) -> str:
    """The whole system prompt; `memory_section` is the memory room's own text, "" for none."""
    parts = [prompt_text("lean" if lean else "system").strip()]
    if settings.name:
        parts.append(f"The person's name is {settings.name}.")
    if memory_section:
        parts.append(memory_section)
    return "\n\n".join(parts)


def with_nearby(nearby: str, words: str) -> str:
    """The person's words as they are sent: the nearby block just before them, when there is one."""
    return f"{nearby}\n\n{words}" if nearby else words
