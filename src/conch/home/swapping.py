"""Putting a staged set of files in the place of those in a home: all of them, or none.

A plan is on disk before the first file moves, so that whoever opens the home next carries on what a
crash cut off. What was there is kept aside.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from conch.home.errors import Damaged
from conch.home.files import make_folder, move, read_bytes, remove, write_atomic

PLAN = "swap.json"
SWAPPED = "swapped"
"""A file in the folder aside that says: everything moved."""


class _Swap(BaseModel):
    """Which files and folders directly under the home move. `staged`, `aside`: folders there.

    `going` were there when the plan was made, `coming` were staged: with both known, what is
    already moved tells itself.
    """

    version: int = 1
    staged: str
    aside: str
    going: list[str]
    coming: list[str]


@dataclass(frozen=True)
class _Moves:
    root: Path
    staged: Path
    aside: Path
    plan: _Swap

    def forward(self) -> None:
        for name in sorted({*self.plan.going, *self.plan.coming}):
            here, new, old = self.root / name, self.staged / name, self.aside / name
            if name in self.plan.going and not _there(old):
                move(here, old)
            if name in self.plan.coming and _there(new):
                move(new, here)
            elif name in self.plan.coming and not _there(here):
                raise Damaged(
                    f"{name}, which was to be put in place, is in neither place.",
                    f"What was there before is in {self.aside.name}, and nothing was deleted.",
                    f"Put it in place by hand, then delete {PLAN} in {self.root}.",
                )
        write_atomic(self.aside / SWAPPED, b"")
        remove(self.root / PLAN)

    def back(self) -> None:
        for name in sorted({*self.plan.going, *self.plan.coming}):
            here, new, old = self.root / name, self.staged / name, self.aside / name
            if name in self.plan.coming and not _there(new):
                move(here, new)
            if name in self.plan.going and _there(old):
                move(old, here)
        remove(self.root / PLAN)


def swap(root: Path, staged: Path, aside: Path, names: Sequence[str]) -> None:
    """Put `names` as they are under `staged` in their place under `root`; what is there goes aside.

    A name that is not staged is only taken away. `staged` and `aside` are folders directly under
    `root`; `aside` is made. Raises OSError when the disk refuses; whatever ends it, everything
    is as it was.
    """
    make_folder(aside)
    plan = _Swap(
        staged=staged.name,
        aside=aside.name,
        going=[name for name in names if _there(root / name)],
        coming=[name for name in names if _there(staged / name)],
    )
    moves = _Moves(root, staged, aside, plan)
    write_atomic(root / PLAN, plan.model_dump_json().encode())
    try:
        moves.forward()
    except BaseException:
        moves.back()
        raise


def carry_on_swap(root: Path) -> bool:
    """Finish what a crash cut off; whether there was anything. Call it holding the writer lock.

    Raises Damaged when the plan can't be read or what it names is gone, OSError when the disk
    refuses; the plan then stays.
    """
    data = read_bytes(root / PLAN)
    if not data:
        return False
    try:
        plan = _Swap.model_validate_json(data)
    except ValidationError:
        raise Damaged(
            f"{PLAN} can't be read, and a restore was being carried out.",
            "What was there before is in the folder beside it, and nothing was deleted.",
            f"Look into {root}, put the folders in place, then delete {PLAN}.",
        ) from None
    _Moves(root, root / Path(plan.staged).name, root / Path(plan.aside).name, plan).forward()
    return True


def _there(path: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        path.lstat()
        return True
    return False
