"""Facts about this computer, from the steps of a real chat to the words beside the next one."""

from __future__ import annotations

import json

import pytest

from at_work import FACT, MISSING, STEPS, WORKED, ran, worked_another_way
from conch.chats.events import ChatStarted, PersonMessage, TaintMarked, ToolFinished
from conch.cli.verbs import answer
from conch.doors.bring.bring import bring
from conch.home.hosts import same_host
from conch.learning.nearby import may_be_nearby, nearby_lines
from conch.memory.memory import Memory, words_hash
from conch.words.meaning import load_meaning
from living import Living

ASKED = "How do I install requests with pip on this computer?"


def facts(living: Living) -> list[Memory]:
    return [one for one in living.conch.memories.all() if one.about == "environment"]


def beside(living: Living) -> list[str]:
    """What stands beside a message about it."""
    usable = living.conch.memories.usable()
    shown = nearby_lines(ASKED, usable, set(), load_meaning(), here=living.host)
    return [one.text for one in shown]


def another_computer(living: Living, host: str = "there") -> Living:
    """The same home, synced to another computer."""
    return Living(living.folder, host=host, clock=living.clock)


class TestItIsThePersonsOwn:
    async def test_a_look_makes_one_that_stands_beside_the_next_question(self, living):
        worked_another_way(living)
        (result,) = await living.quiet()
        (fact,) = facts(living)
        assert (fact.text, fact.usable) == (FACT, True)
        assert (fact.provenance.yours, fact.provenance.host) == (True, "here")
        assert not fact.from_outside
        assert beside(living) == [FACT]
        section = living.conch.memories.section().text
        assert FACT in section
        assert "From outside" not in section
        assert result.records[0].state == "applied"

    @pytest.mark.parametrize("works", ["python3", "python3.11", "pypy3"])
    async def test_whatever_the_program_is_called(self, living, works):
        chat = living.conch.chats.new()
        no_python = ("python a.py", 127, "bash: line 1: python: command not found\n")
        ran(living, chat, no_python, (f"{works} a.py", 0, "ok\n"))
        await living.quiet()
        assert [may_be_nearby(one, "here") for one in facts(living)] == [True]

    async def test_after_something_was_read_it_waits_and_once_kept_is_marked(self, living):
        chat = living.conch.chats.new()
        living.conch.chats.log(chat).append(TaintMarked(kind="web", label="a.example"))
        ran(living, chat, MISSING, WORKED)
        (result,) = await living.quiet()
        assert result.records[0].state == "waiting"
        living.keep(result.records[0].id)
        (fact,) = facts(living)
        assert fact.usable
        assert fact.from_outside
        assert beside(living) == []

    async def test_the_persons_own_words_take_its_place_on_the_same_computer(self, living):
        worked_another_way(living)
        await living.quiet()
        (fact,) = facts(living)
        words = "On this computer, pip isn't found; uv pip works."
        consent = living.conch.consents.mint(fact.id, words_hash(words))
        living.conch.memories.edit(fact.id, words, consent)
        (fact,) = facts(living)
        assert (fact.source, fact.provenance.host) == ("you", "here")
        assert beside(living) == [words]


class TestWhereItRan:
    def test_a_chat_that_begins_here_says_so(self, living):
        chat = living.conch.chats.new(folder="/somewhere")
        first = living.conch.chats.log(chat).events()[0]
        assert isinstance(first, ChatStarted)
        assert (first.host, first.folder) == ("here", "/somewhere")

    async def test_one_of_another_computer_makes_none(self, living):
        worked_another_way(living, host="there")
        await living.quiet()
        assert facts(living) == []

    async def test_nor_does_one_whose_folder_is_not_on_this_computer(self, living, tmp_path):
        worked_another_way(living, folder=str(tmp_path / "gone"))
        await living.quiet()
        assert facts(living) == []

    async def test_one_whose_folder_is_here_does(self, living, tmp_path):
        worked_another_way(living, folder=str(tmp_path))
        await living.quiet()
        assert len(facts(living)) == 1

    async def test_a_chat_carried_on_here_shows_what_ran_here_and_no_more(self, living):
        chat = living.conch.chats.new(host="there")
        ran(living, chat, MISSING)
        ran(living, chat, WORKED, host="here")
        await living.quiet()
        assert facts(living) == []
        ran(living, chat, MISSING, WORKED, host="here")
        await living.quiet()
        assert [one.provenance.host for one in facts(living)] == ["here"]

    async def test_a_turn_says_when_it_runs_on_another_computer_than_its_chat_began_on(
        self, living
    ):
        chat = await living.say("Hello.")
        other = another_computer(living)
        await other.say("Hello again.", chat=chat)
        events = other.conch.chats.log(chat).events()
        said = [one for one in events if isinstance(one, PersonMessage)]
        assert [one.host for one in said] == ["", "there"]

    @pytest.mark.parametrize(
        ("started", "made"),
        [
            ({"host": "here"}, True),
            ({"host": "HERE.local"}, True),
            ({"host": "there"}, False),
            ({"host": "here", "folder": "/no/such/folder/of/ours"}, False),
            ({"host": "here", "folder": "C:\\Users\\ana\\shop"}, False),
            ({"folder": "/no/such/folder/of/ours"}, False),
            ({}, False),
        ],
        ids=lambda value: str(value),
    )
    async def test_a_chat_brought_in(self, living, tmp_path, started, made):
        told = [
            {"role": "chat", "id": "x", "at": "2026-11-30T09:00:00Z", **started},
            {"role": "person", "text": "Install requests."},
        ]
        for number, (command, exit, output) in enumerate((MISSING, WORKED)):
            step = {"id": str(number), "tool": "bash", "input": {"command": command}}
            told.append({"role": "step", **step, "output": output, "exit": exit, "ok": exit == 0})
        told.append({"role": "assistant", "text": "Done."})
        file = tmp_path / "chat.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in told))
        conch = living.conch
        bring(file, conch.chats, tmp_path / "ledger", living.home.notes, here="here")
        (head,) = conch.chats.heads()
        events = conch.chats.log(head.id).events()
        steps = [one for one in events if isinstance(one, ToolFinished)]
        assert len(steps) == 2
        result = await conch.learning.look(head.id, by=conch.engines.default())
        assert [record.text for record in result.records] == ([FACT] if made else [])
        for record in result.records:
            living.keep(record.id)
        assert [one.source for one in facts(living)] == (["import"] if made else [])
        assert beside(living) == []

    async def test_what_is_done_here_in_a_brought_chat_counts_and_what_was_brought_does_not(
        self, living
    ):
        chat = living.conch.chats.new(origin="imported", host="there", brought_from="x")
        ran(living, chat, MISSING, door="claude-code")
        ran(living, chat, WORKED)
        await living.quiet()
        assert facts(living) == []
        ran(living, chat, MISSING, WORKED)
        await living.quiet()
        (fact,) = facts(living)
        assert (fact.source, fact.usable) == ("learning", True)
        assert beside(living) == [FACT]


class TestASyncedHome:
    async def test_a_fact_of_one_computer_is_not_given_on_another(self, living):
        worked_another_way(living)
        await living.quiet()
        other = another_computer(living)
        assert beside(other) == []
        assert FACT not in other.conch.memories.section("", 6_000, other.host).text
        assert beside(another_computer(living, "here.lan")) == [FACT]

    async def test_the_other_learns_its_own_and_each_has_its_own(self, living):
        worked_another_way(living)
        await living.quiet()
        other = another_computer(living)
        worked_another_way(other)
        await other.quiet()
        assert sorted(one.provenance.host for one in facts(other)) == ["here", "there"]
        assert all(one.usable for one in facts(other))
        assert beside(other) == [FACT]
        assert beside(another_computer(living, "here")) == [FACT]

    async def test_what_works_the_other_way_round_there_contradicts_nothing(self, living):
        worked_another_way(living)
        await living.quiet()
        other = another_computer(living)
        chat = other.conch.chats.new()
        no_python3 = ("python3 -m pip install x", 127, "bash: python3: command not found\n")
        ran(other, chat, no_python3, ("python -m pip install x", 0, "Successfully installed\n"))
        await other.quiet()
        assert len(facts(other)) == 2
        assert other.conch.memories.earlier() == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ana-mac", "Ana-Mac.local", True),
        ("ana-mac.lan", "ana-mac.fritz.box", True),
        ("web", "web.shop.example", True),
        ("web.shop.example", "web.bank.example", False),
        ("here", "there", False),
        ("", "here", False),
        ("", "", True),
    ],
)
def test_names_of_one_computer(one, other, same):
    assert same_host(one, other) is same
    assert same_host(other, one) is same


class TestWhyShowsBothSteps:
    async def test_in_the_record_and_the_verb(self, living):
        worked_another_way(living)
        (result,) = await living.quiet()
        steps = [(one.summary, one.ok) for one in result.records[0].steps]
        assert steps == [(STEPS[0], False), (STEPS[1], True)]
        living.start()
        (item,) = [one async for one in answer(living.conch, "why", {"reference": "1"})]
        assert item["steps"] == [
            {"summary": STEPS[0], "ok": False},
            {"summary": STEPS[1], "ok": True},
        ]

    async def test_a_secret_in_a_step_is_hidden(self, living):
        chat = living.conch.chats.new()
        key = "sk-ant-api03-" + "Zq7Lm2Xw9Rt4" * 7
        asks = f"install requests -i https://x:{key}@pip.example"
        ran(
            living,
            chat,
            (f"pip {asks}", 127, MISSING[2]),
            (f"python3 -m pip {asks}", 0, WORKED[2]),
        )
        (result,) = await living.quiet()
        assert len(result.records[0].steps) == 2
        journal = (living.home.learning / "record.jsonl").read_text("utf-8")
        assert key not in journal
