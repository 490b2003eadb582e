"""What was so once is not learned as being so, and nothing is put beside what was said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from conch.guard.check import CheckContext
from conch.learning.changes import Add, Said, Situation
from conch.learning.judge import judge
from conch.words.meaning import load_meaning

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)

ONCE = [
    ("I lived in Lisbon", "Lives in Lisbon"),
    ("I was vegetarian", "Is vegetarian"),
    ("Ich wohnte in Lissabon", "Wohnt in Lissabon"),
    ("Ich war Vegetarier", "Ist Vegetarier"),
    ("Yo vivía en Lisboa", "Vive en Lisboa"),
    ("Viví en Lisboa", "Vive en Lisboa"),
    ("Era vegetariano", "Es vegetariano"),
    ("J'habitais à Lyon", "Habite à Lyon"),
    ("J'étais végétarien", "Est végétarien"),
    ("Eu morava em Lisboa", "Mora em Lisboa"),
    ("Vivevo a Lisbona", "Vive a Lisbona"),
    ("Ik woonde in Lissabon", "Woont in Lissabon"),
    ("Mieszkałem w Lizbonie", "Mieszka w Lizbonie"),
    ("Eskiden vegandım", "Vegan"),
    ("Lizbon'da yaşıyordum", "Lizbon'da yaşıyor"),
    ("Я жил в Лиссабоне", "Живёт в Лиссабоне"),
    ("リスボンに住んでいました", "リスボンに住んでいる"),
    ("Vimを使っていました", "Vimを使う"),
    ("我以前住在里斯本", "住在里斯本"),
    ("리스본에 살았어요", "리스본에 산다"),
    ("मैं लिस्बन में रहता था", "लिस्बन में रहता है"),
    ("كنت أعيش في لشبونة", "يعيش في لشبونة"),
]

MORE = [
    ("I live in Berlin and want short answers", "Lives in Berlin, works as baker"),
    ("I want short answers", "Wants short answers, is gay"),
    ("I live in Berlin", "Lives in Berlin, felon"),
    ("I live in Berlin", "Lives in Berlin, communist"),
    ("Ich wohne in Berlin", "Wohnt in Berlin, Bäcker"),
    ("Vivo en Berlín", "Vive en Berlín, comunista"),
    ("J'habite à Berlin", "Habite à Berlin, boulanger"),
    ("Я живу в Берлине", "Живёт в Берлине, пекарь"),
    ("ベルリンに住んでいます", "ベルリンに住んでいて、パン屋"),
    ("我住在柏林", "住在柏林，是面包师"),
]

SAID = [
    ("I've lived in Berlin since 2019", "Has lived in Berlin since 2019"),
    ("I moved to Lisbon", "Lives in Lisbon"),
    ("I've switched to pnpm", "Uses pnpm"),
    ("J'ai déménagé à Lyon", "Habite à Lyon"),
    ("Me mudé a Lisboa", "Vive en Lisboa"),
    ("Ich bin nach Köln umgezogen", "Wohnt in Köln"),
    ("Mi sono trasferito a Roma", "Vive a Roma"),
    ("Przeprowadziłem się do Krakowa", "Mieszka w Krakowie"),
    ("Я переехал в Москву", "Живёт в Москве"),
    ("I lived in Lisbon", "Lived in Lisbon"),
    ("Keep answers short please, I prefer that", "Prefers short answers"),
    ("I use Vim", "Uses Vim"),
    ("no, I meant Go", "Prefers Go"),
    ("I always use tabs", "Prefers tabs"),
    ("I use metric and 24h time", "Uses metric units and 24-hour time"),
    ("Ich nutze immer Tabs", "Nutzt immer Tabs"),
    ("Uso siempre pnpm", "Usa siempre pnpm"),
    ("Ben İstanbul'da yaşıyorum", "İstanbul'da yaşıyor"),
    ("Я живу в Берлине", "Живёт в Берлине"),
    ("нет, я имел в виду TypeScript", "Предпочитает TypeScript"),
    ("私は東京に住んでいます", "東京に住んでいる"),
    ("我住在柏林", "住在柏林"),
    ("저는 서울에 살아요", "서울에 산다"),
    ("मैं दिल्ली में रहता हूँ", "दिल्ली में रहता है"),
    ("नहीं, मेरा मतलब TypeScript था", "TypeScript पसंद है"),
    ("أعيش في القاهرة", "يعيش في القاهرة"),
]


def verdict(words: str, memory: str) -> str:
    situation = Situation((Said(1, NOON, words, words),))
    change = Add(memory, words, "fact")
    return judge(change, situation, CheckContext("learning"), load_meaning()).decision.verdict


@pytest.mark.parametrize(("words", "memory"), ONCE)
def test_what_was_so_once_is_not_learned_as_being_so(words: str, memory: str) -> None:
    assert verdict(words, memory) == "dropped"


@pytest.mark.parametrize(("words", "memory"), MORE)
def test_nothing_is_put_beside_what_was_said(words: str, memory: str) -> None:
    assert verdict(words, memory) == "dropped"


@pytest.mark.parametrize(("words", "memory"), SAID)
def test_what_was_said_of_now_is_learned(words: str, memory: str) -> None:
    assert verdict(words, memory) == "applied"
