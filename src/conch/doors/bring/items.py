"""The conversations of a JSON file one at a time, without the file ever being in memory whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from conch.doors.bring.brought import Aside

LARGEST_ITEM = 20_000_000
"""Values in one conversation, about: a larger one is left out."""

CUT_OFF = "the rest of a JSON file (cut off or damaged)"
TOO_LARGE = "a conversation that is too large"
_STARTS = frozenset({"start_map", "start_array"})
_ENDS = frozenset({"end_map", "end_array"})


def items(
    file: IO[bytes], aside: Aside, keys: tuple[str, ...] = (), largest: int = LARGEST_ITEM
) -> Iterator[Any]:
    """The conversations of a file: the items of its array, or of the array under one of `keys`.

    A file that is one JSON object with none of `keys` is one item. What stands after a damaged
    place is set aside.
    """
    import ijson

    try:
        yield from _items(ijson.basic_parse(file, use_float=True), aside, keys, largest)
    except (ijson.JSONError, ValueError, RecursionError, OverflowError):
        # ijson's errors for text that is no UTF-8 and numbers out of range are ValueErrors.
        aside.add(CUT_OFF)


def _items(
    events: Iterator[tuple[str, Any]], aside: Aside, keys: tuple[str, ...], largest: int
) -> Iterator[Any]:
    event, _ = next(events, ("", None))
    if event == "start_array":
        yield from _array(events, aside, largest)
        return
    if event != "start_map":
        return
    whole: dict[str, Any] = {}
    for event, key in events:
        if event == "end_map":
            break
        event, value = next(events, ("", None))
        if key in keys and event == "start_array":
            yield from _array(events, aside, largest)
        else:
            whole[key] = _value(event, value, events, largest, [0])
    if whole and not (keys and not (set(whole) - set(keys))):
        yield whole


def _array(events: Iterator[tuple[str, Any]], aside: Aside, largest: int) -> Iterator[Any]:
    for event, value in events:
        if event == "end_array":
            return
        count = [0]
        item = _value(event, value, events, largest, count)
        if count[0] > largest:
            aside.add(TOO_LARGE)
        else:
            yield item


def _value(
    event: str, value: Any, events: Iterator[tuple[str, Any]], largest: int, count: list[int]
) -> Any:
    """The value that begins with `event`; past `largest` values it is read over, not kept."""
    if event not in _STARTS:
        return value
    root: Any = {} if event == "start_map" else []
    stack: list[Any] = [root]
    key = ""
    keys: list[str] = []
    for event, value in events:
        count[0] += 1
        if event == "map_key":
            key = value
            continue
        if event in _ENDS:
            stack.pop()
            key = keys.pop() if keys else ""
            if not stack:
                return root
            continue
        if count[0] > largest:
            new: Any = None
            if event in _STARTS:
                stack.append({} if event == "start_map" else [])
                keys.append(key)
            continue
        new = value if event not in _STARTS else {} if event == "start_map" else []
        inside = stack[-1]
        if isinstance(inside, dict):
            inside[key] = new
        else:
            inside.append(new)
        if event in _STARTS:
            stack.append(new)
            keys.append(key)
    return root
