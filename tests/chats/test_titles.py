"""What a chat without a title is called: its first words, without the marks of Markdown."""

import pytest

from conch.chats.heads import _title

TITLES = {
    "## Read `area`\n\n```python\ndef area(w, h):\n```\nthen test it": "Read area then test it",
    "```\nmake test\n```": "make test",
    "```python\nprint(1)": "print(1)",
    "~~~\nls\n~~~\nWhat does it do?": "What does it do?",
    "- **Milk**\n- eggs": "Milk eggs",
    "> he said no\n\nWhy?": "he said no Why?",
    "snake_case and __init__ stay": "snake_case and __init__ stay",
    "2 * 3 = 6": "2 * 3 = 6",
    "#": "#",
    "   ": "",
}


@pytest.mark.parametrize("text", TITLES)
def test_title(text):
    assert _title(text) == TITLES[text]
