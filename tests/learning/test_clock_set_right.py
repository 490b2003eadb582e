"""A clock that was wrong for a while keeps no chat from being read (spec 0088 §1)."""

from __future__ import annotations


async def test_a_try_of_a_clock_that_ran_ahead_counts_no_more(living):
    living.clock.advance(days=365)
    chat = await living.say("Please review-fail.", "No, I meant TypeScript.")
    (failed,) = await living.quiet()
    assert failed.outcome == "no_answer"
    living.clock.advance(days=-365)
    await living.say("No, I meant Rust.", chat=chat)
    assert [one.chat for one in await living.quiet()] == [chat]


async def test_a_clock_set_back_a_little_opens_no_second_try_within_the_hour(living):
    await living.say("Please review-fail.", "No, I meant TypeScript.")
    (failed,) = await living.quiet()
    assert failed.outcome == "no_answer"
    living.clock.advance(minutes=-40)
    assert await living.quiet(minutes=20) == []
