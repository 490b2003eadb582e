"""Scripts written without blanks between words: Chinese, Japanese, Thai.

Korean has blanks, though endings follow a word without one.
"""

from __future__ import annotations

import re

SCRIPTS = frozenset({"Jpan", "Hans", "Hant", "Thai"})
"""Their names in ISO 15924, as a lexicon gives its own."""
LETTERS = "\u0e00-\u0e7f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Their letters, as the inside of a character class."""
UNSPACED = re.compile(f"[{LETTERS}]")
"""One of their letters."""
