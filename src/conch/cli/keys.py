"""One key pressed in the terminal; a line when input is not a terminal."""

from __future__ import annotations

import asyncio
import sys


async def one_key(allowed: str) -> str:
    """Wait for one of the `allowed` keys; gives it, "" at the end of input.

    Raises KeyboardInterrupt at Ctrl-C.
    """
    if not sys.stdin.isatty():
        line = await asyncio.to_thread(sys.stdin.readline)
        return line.strip()[:1].lower() if line else ""
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

    with source.raw_mode(), source.attach(read):
        return await pressed
