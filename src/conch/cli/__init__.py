"""The terminal: `conch …`."""

from __future__ import annotations


def main() -> None:
    """The `conch` command."""
    from conch.cli.commands import run

    run()
