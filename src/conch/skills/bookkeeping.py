"""Which tools are Conch's own bookkeeping: no step of anybody's work (spec 0058 §1)."""

from __future__ import annotations

import re

_NAMES = frozenset(
    """
    remember recall forget use_skill skill load_skill save_memory memory_save search_memory
    memory_search forget_memory bio todo todos to_do to_do_list todo_list todo_write todo_read
    todowrite todoread write_todos read_todos update_plan plan report_result suggest_memory
    exit_plan_mode set_title
    """.split()  # noqa: SIM905 - a list of names reads better than a column of quotes
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OTHER = re.compile(r"[\W_]+")


def is_bookkeeping(tool: str) -> bool:
    """Whether a tool keeps Conch's own books: memory, a skill taken up, a to-do list.

    >>> is_bookkeeping("TodoWrite"), is_bookkeeping("run")
    (True, False)
    """
    last = re.split(r"__|\.|:", tool)[-1]
    name = _OTHER.sub("_", _CAMEL.sub("_", last).lower()).strip("_")
    return name in _NAMES or name.replace("_", "") in _NAMES
