"""Verbs about learning: looking now, what was learned and why, the person's answers."""

from __future__ import annotations

from typing import Any

from conch.app import Conch
from conch.cli.verbs.table import Items, Verb, flag, record_item, text, the_chat, the_record
from conch.engines.practice import PRACTICE
from conch.home.errors import ConchError
from conch.learning.outcomes import IN_PLAIN_WORDS, LookResult
from conch.learning.whereabouts import OTHERWISE, otherwise, where_memories_are
from conch.memory.shown import shown


async def learn(conch: Conch, args: dict[str, Any]) -> Items:
    """Look now: at one chat, or at every one that has words past where the last look stopped."""
    given = text(args, "chat", "")
    if given:
        yield _look_item(conch, await conch.learning.look(the_chat(conch, given).id, "asked"))
        return
    for chat in conch.learning.unread():
        yield _look_item(conch, await conch.learning.look(chat, "asked"))


async def learn_brought(conch: Conch, args: dict[str, Any]) -> Items:
    """Look at chats that were brought in, newest first, by the engine named or a local model.

    Without `yes` only the count and the worst price are given.
    """
    named = text(args, "engine", "")
    chosen = conch.engines.get(named) if named else None
    engine = chosen or conch.engines.local()
    if engine is None:
        others = [one.id for one in conch.engines.connected() if one.id != PRACTICE]
        name = f"Name one that is connected ({', '.join(others)})" if others else "Connect one"
        how = "conch learn --brought --engine NAME" if others else "conch connect NAME"
        raise ConchError(
            f"The engine “{named}” isn't connected, and no model runs on this computer."
            if named
            else "No model runs on this computer to read them.",
            "Nothing was read.",
            f"{name}: {how}. Or try it with the scripted one: "
            "conch learn --brought --engine practice",
        )
    plan = conch.learning.brought(engine)
    yield {
        "type": "brought",
        "chats": len(plan.chats),
        "brought_in": sum(1 for head in conch.chats.heads() if head.origin == "imported"),
        "worst_usd": plan.worst_usd,
        "engine": engine.name,
        "model": engine.cheapest_model,
        "instead_of": named if chosen is None else "",
    }
    if not flag(args, "yes"):
        return
    for chat in plan.chats:
        result = await conch.learning.look(chat, "asked", by=engine)
        yield _look_item(conch, result)
        if result.outcome in ("cap", "budget", "plan_room"):
            return


def _look_item(conch: Conch, result: LookResult) -> dict[str, Any]:
    head = conch.chats.find(result.chat)
    return {
        "type": "look",
        "chat": result.chat,
        "title": head.title if head else "",
        "outcome": result.outcome,
        "in_plain_words": IN_PLAIN_WORDS[result.outcome],
        "learned": [record.model_dump(mode="json") for record in result.records],
        "dropped": [dropped.model_dump() for dropped in result.dropped],
        "seen_again": len(result.seen_again),
        "known": [_known(conch, memory) for memory in result.seen_again],
        "asked": result.asked,
        "engine": result.engine,
        "model": result.model,
        "cost_usd": result.cost_usd,
    }


def _known(conch: Conch, memory_id: str) -> dict[str, str]:
    """A memory that said the same already: its words now, or what became of it since."""
    memory = conch.memories.get(memory_id)
    earlier = [one for one in conch.memories.earlier() if one.id == memory_id]
    records = conch.parts.record.state.records.values()
    record = next((one for one in reversed(records) if one.memory == memory_id), None)
    otherwise = OTHERWISE["live" if memory else "earlier" if earlier else None]
    if record is not None:
        otherwise = _GONE.get(record.state, otherwise)
    there = [memory] if memory else earlier
    text = shown(there[0]).text if there else record.text if record else ""
    return {"memory": memory_id, "text": text, "otherwise": otherwise}


_GONE = {"undone": "taken back since", "forgotten": "forgotten since"}


async def learned(conch: Conch, args: dict[str, Any]) -> Items:
    """Everything that was learned, newest first; with `waiting` only what waits for the person."""
    waiting = flag(args, "waiting")
    chat = text(args, "chat", "")
    where = where_memories_are(conch.parts)
    for number, record in enumerate(conch.learning.records(), start=1):
        if waiting and record.state != "waiting":
            continue
        if chat and record.chat != chat:
            continue
        memory = conch.memories.get(record.memory)
        yield {
            **record_item(record),
            "number": number,
            "otherwise": otherwise(record, where),
            "words_now": shown(memory).text if memory else "",
            "words_hash": shown(memory).words_hash if memory else "",
        }


async def why(conch: Conch, args: dict[str, Any]) -> Items:
    """Why something was learned; for a chat, why things were or weren't."""
    reference = text(args, "reference", "1")
    try:
        record = the_record(conch, reference)
    except ConchError:
        if not reference or reference.isdecimal():
            raise
        head = the_chat(conch, reference)
        for item in _why_chat(conch, head.id, head.title):
            yield item
        return
    memory = conch.memories.get(record.memory)
    yield {
        **record_item(record),
        "otherwise": otherwise(record, where_memories_are(conch.parts)),
        "words_now": shown(memory).text if memory else "",
    }


def _why_chat(conch: Conch, chat: str, title: str) -> list[dict[str, Any]]:
    state = conch.parts.record.state
    items: list[dict[str, Any]] = [{"type": "chat", "chat": chat, "title": title}]
    for decided in state.looks.get(chat, []):
        items += [record_item(state.records[record.id]) for record in decided.records]
        items += [{"type": "dropped", **dropped.model_dump()} for dropped in decided.dropped]
        if decided.seen_again:
            known = [_known(conch, memory) for memory in decided.seen_again]
            items.append({"type": "seen_again", "count": len(known), "known": known})
    last = state.tried.get(chat)
    why = last.reason if last else state.moved.get(chat, "")
    if not why and len(items) == 1 and chat in state.looks:
        why = "nothing_to_learn"
    elif not why and len(items) == 1:
        why = conch.learning.why_not_looked_at(chat)
    if why:
        items.append({"type": "outcome", "outcome": why, "in_plain_words": IN_PLAIN_WORDS[why]})
    return items


async def undo(conch: Conch, args: dict[str, Any]) -> Items:
    """Take back what is named; the newest that is in use when none is."""
    if "reference" in args:
        record = the_record(conch, text(args, "reference"))
    else:
        in_use = [one for one in conch.learning.records() if one.state in ("applied", "kept")]
        if not in_use:
            raise ConchError("There is nothing to take back.", "Nothing changed.")
        record = in_use[0]
    done = conch.learning.undo(record.id)
    yield {**record_item(done.record), "note": done.note}


async def forget(conch: Conch, args: dict[str, Any]) -> Items:
    done = conch.learning.forget(the_record(conch, text(args, "reference")).id)
    yield {**record_item(done.record), "note": done.note}


async def keep(conch: Conch, args: dict[str, Any]) -> Items:
    """Keep something that waits, for exactly the words the person saw (`words_hash`)."""
    record = the_record(conch, text(args, "reference"))
    consent = conch.consents.mint(record.memory, text(args, "words_hash"))
    done = conch.learning.keep(record.id, consent)
    yield {**record_item(done.record), "note": done.note}


async def never_list(conch: Conch, args: dict[str, Any]) -> Items:
    for number, item in enumerate(conch.parts.never.items(), start=1):
        yield {
            "type": "never",
            "number": number,
            "id": item.id,
            "text": item.text,
            "at": item.at.isoformat(),
            "came_from": item.came_from,
        }


async def never_remove(conch: Conch, args: dict[str, Any]) -> Items:
    reference = text(args, "reference")
    items = list(conch.parts.never.items())
    number = int(reference) if reference.isdecimal() else 0
    found = [item for at, item in enumerate(items, start=1) if item.id == reference or at == number]
    if not found:
        raise ConchError(
            f"There is no such entry “{reference}”.", "Nothing changed.", "conch never list"
        )
    conch.parts.never.remove(found[0].id)
    yield {"type": "never", "id": found[0].id, "text": found[0].text}


VERBS: dict[str, Verb] = {
    "learn": learn,
    "learn.brought": learn_brought,
    "learned": learned,
    "why": why,
    "undo": undo,
    "forget": forget,
    "keep": keep,
    "never.list": never_list,
    "never.remove": never_remove,
}
