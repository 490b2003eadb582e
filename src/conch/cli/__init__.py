"""The terminal: `conch …`."""

from __future__ import annotations


def main() -> None:
    """The `conch` command."""
    import os
    import signal

    # While it is being loaded nothing has begun: a Ctrl-C leaves without a word.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from conch.cli.interrupting import watch

    watch()
    from conch.cli.commands import run

    run()
