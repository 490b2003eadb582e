"""Turns and steps read out of a log."""

from conch.chats.events import (
    AssistantMessage,
    ChatStarted,
    Event,
    PersonMessage,
    ToolFinished,
    ToolStarted,
    TurnCompleted,
)
from conch.chats.turns import turns


def numbered(*events: Event) -> list[Event]:
    return [event.model_copy(update={"seq": n + 1}) for n, event in enumerate(events)]


def started(call: str, command: str = "ls") -> ToolStarted:
    return ToolStarted(call=call, tool="bash", input={"command": command})


def finished(call: str, ok: bool = True, output: str = "") -> ToolFinished:
    return ToolFinished(call=call, ok=ok, output=output, exit=0 if ok else 1)


def test_a_turn_runs_from_the_message_to_the_end_of_the_answer():
    [turn] = turns(
        numbered(
            ChatStarted(chat="c"),
            PersonMessage(text="test it"),
            AssistantMessage(text="I will."),
            started("a", "npm test"),
            finished("a", ok=False, output="2 failed"),
            AssistantMessage(text=" "),
            AssistantMessage(text="Two fail."),
            TurnCompleted(outcome="success", engine="practice"),
        )
    )
    assert turn.person.text == "test it"
    assert turn.reply == "I will.\n\nTwo fail."
    assert turn.outcome == "success"
    assert turn.completed is not None
    assert turn.completed.engine == "practice"
    assert (turn.first_seq, turn.last_seq) == (2, 8)
    [step] = turn.steps
    assert (step.summary, step.ok, step.exit, step.output) == (
        "Run `npm test`",
        False,
        1,
        "2 failed",
    )
    assert (step.started_seq, step.finished_seq) == (4, 5)


def test_a_message_before_the_turn_ended_begins_a_turn_of_its_own():
    first, second = turns(
        numbered(
            PersonMessage(text="one"),
            started("a"),
            PersonMessage(text="two"),
            finished("a", output="of one"),
            AssistantMessage(text="both"),
            TurnCompleted(outcome="stopped"),
        )
    )
    assert (first.outcome, first.reply, first.last_seq) == (None, "", 2)
    assert first.steps[0].output == "of one"
    assert (second.outcome, second.reply, second.steps) == ("stopped", "both", ())


def test_a_step_that_never_ended_is_neither_ok_nor_failed():
    [turn] = turns(numbered(PersonMessage(text="x"), started("a"), finished("b")))
    [step] = turn.steps
    assert (step.ok, step.finished_seq) == (None, 0)


def test_calls_with_the_same_id_stay_steps_of_their_own():
    first, second = turns(
        numbered(
            PersonMessage(text="x"),
            started("a", "one"),
            finished("a", output="1"),
            started("a", "two"),
            finished("a", output="2"),
            PersonMessage(text="y"),
            started("a", "three"),
            finished("a", output="3"),
        )
    )
    assert [(step.input["command"], step.output) for step in first.steps] == [
        ("one", "1"),
        ("two", "2"),
    ]
    assert [(step.input["command"], step.output) for step in second.steps] == [("three", "3")]


def test_what_stands_before_the_first_message_belongs_to_no_turn():
    assert turns(numbered(ChatStarted(chat="c"), started("a"), AssistantMessage(text="x"))) == []
    assert turns([]) == []
