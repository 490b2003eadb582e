"""A correction said in any of the fifteen languages is learned, in the words of that language."""

import pytest

from conch.engines.practice_corrections import meant_elsewhere

SAID = {
    "en": ("Write me a script.", "no, I meant Go", "Prefers Go"),
    "de": ("Schreib mir ein Skript.", "nein, ich meinte Tabs statt Leerzeichen", "Bevorzugt Tabs"),
    "fr": ("Écris-moi un script.", "non, je voulais dire TypeScript", "Préfère TypeScript"),
    "es": ("Hazme un script.", "no, quería decir TypeScript", "Quiere TypeScript"),
    "pt": ("Escreve-me um script.", "não, eu quis dizer TypeScript", "Prefere TypeScript"),
    "it": ("Scrivimi uno script.", "no, intendevo TypeScript", "Preferisce TypeScript"),
    "nl": (
        "Schrijf een script.",
        "nee, ik bedoelde TypeScript",
        "Heeft liever TypeScript",
    ),
    "pl": ("Napisz skrypt.", "nie, chodziło mi o TypeScript", "Woli TypeScript"),
    "tr": ("Bana bir betik yaz.", "hayır, TypeScript demek istedim", "TypeScript tercih ediyor"),
    "ru": ("Напиши скрипт.", "нет, я имел в виду TypeScript", "Предпочитает TypeScript"),
    "ja": ("スクリプトを書いて。", "いや、そうじゃなくてTypeScriptです", "TypeScriptが好き"),
    "zh": ("写一个脚本。", "不,我是说TypeScript", "偏好TypeScript"),
    "ko": ("스크립트 써줘.", "아니, TypeScript 말이야", "TypeScript 선호"),
    "hi": ("एक स्क्रिप्ट लिखो।", "नहीं, मेरा मतलब TypeScript था", "TypeScript पसंद है"),
    "ar": ("اكتب لي سكربت.", "لا، قصدت TypeScript", "يفضل TypeScript"),
}


@pytest.mark.parametrize("code", SAID)
async def test_a_correction_is_learned_in_its_own_language(living, code):
    asked, corrected, memory = SAID[code]
    await living.say(asked, corrected)
    await living.quiet()
    assert living.memories == [memory]


@pytest.mark.parametrize(
    ("sentence", "memory"),
    [
        ("não, eu queria dizer Python", "Prefere Python"),
        ("não, eu disse que Python", "Prefere Python"),
        ("no, quería decir Python", "Quiere Python"),
        ("no, queria decir Python", "Quiere Python"),
        ("no, dije que Python", "Quiere Python"),
        ("no, quería Python, no Ruby", "Quiere Python"),
        ("non, j'ai dit que Python", "Préfère Python"),
        ("no, ho detto che Python", "Preferisce Python"),
    ],
)
def test_neighbouring_languages_are_told_apart_and_that_is_no_part_of_it(sentence, memory):
    assert meant_elsewhere(sentence) == memory
