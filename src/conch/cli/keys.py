"""One key pressed in the terminal; a line when input is not a terminal."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable


async def one_key(allowed: str, on_other: Callable[[], None] = lambda: None) -> str:
    """Wait for one of the `allowed` keys; gives it, "" at the end of input.

    `on_other` is called at every other key. Raises KeyboardInterrupt at Ctrl-C.
    """
    if not sys.stdin.isatty():
        while line := await asyncio.to_thread(sys.stdin.readline):
            key = line.strip()[:1].lower()
            if key and key in allowed:
                return key
            on_other()
        return ""
    from prompt_toolkit.input import create_input
    from prompt_toolkit.keys import Keys

    pressed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    source = create_input()

    def read() -> None:
        for key in source.read_keys():
            if pressed.done():
                return
            if key.key in (Keys.ControlC, Keys.ControlD):
                pressed.set_exception(KeyboardInterrupt())
            elif key.data.lower() in allowed:
                pressed.set_result(key.data.lower())
            elif key.data.isprintable():
                on_other()

    with source.raw_mode(), source.attach(read):
        return await pressed
