"""A text in the person's own editor ($VISUAL, $EDITOR)."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from conch.home.errors import ConchError


def in_the_editor(text: str, file_name: str) -> str:
    """What the person's editor makes of a text. Raises ConchError when it can't be started."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "nano"
    with tempfile.TemporaryDirectory(prefix="conch-") as folder:
        file = Path(folder) / file_name
        file.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run([*shlex.split(editor), str(file)], check=False)
        except (OSError, ValueError) as error:
            why = f"“{editor}” can't be started ({error})."
            raise ConchError(why, "Nothing changed.", "Set EDITOR to one you have.") from None
        if done.returncode != 0:
            raise ConchError("The editor ended with an error.", "Nothing changed.")
        return file.read_text(encoding="utf-8", errors="replace")
