"""Dates are the person's own: of the chat, of each message, and until when something was true."""

from datetime import UTC, date, datetime, timedelta, timezone

from conch.assistant.tools import until_when
from conch.home.clock import SteppedClock
from conch.learning.changes import Said
from conch.learning.review import frame
from conch.memory.memory import Memory

EVENING = datetime(2026, 2, 1, 1, tzinfo=UTC)
CLOCK = SteppedClock(EVENING, timezone(timedelta(hours=-8)))


def test_a_message_of_the_last_evening_of_january_has_the_chats_date():
    today = CLOCK.local(CLOCK.now()).date()
    text = frame([Said(2, EVENING, "hi", "hi")], [], [], [], today, "en", CLOCK.local)
    assert '<chat date="2026-01-31"' in text
    assert '<said turn="1" date="2026-01-31"' in text
    assert today == date(2026, 1, 31)


def test_until_is_the_month_where_the_person_is():
    memory = Memory("m_1", "Lives in Berlin", "fact", "you", EVENING, EVENING, invalid_at=EVENING)
    assert until_when(memory, CLOCK.local) == "until January 2026"
