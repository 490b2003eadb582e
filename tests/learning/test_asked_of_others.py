"""Asking others to remember is not asking the assistant: mail, texts to translate, quotes.

What is never learned is saved only when the person asks the assistant itself (spec 0088 §4).
"""

from __future__ import annotations

import pytest

from conch.chats.events import PersonMessage, TurnCompleted
from conch.learning.asked_for import asked_for
from living import Living

TO_OTHERS = [
    ("Write a mail to Tom: please remember that I take insulin", "Takes insulin"),
    ("Write a mail to Tom:\nplease remember that I take insulin", "Takes insulin"),
    ("Tell Tom please remember that I take insulin", "Takes insulin"),
    ("Ask my wife to please remember that I take insulin", "Takes insulin"),
    ("Translate remember that I take insulin", "Takes insulin"),
    ("Quote of the day: remember that I take insulin", "Takes insulin"),
    ("Anna: remember that I take insulin", "Takes insulin"),
    ("[10:32] Anna: remember that I take insulin", "Takes insulin"),
    ("Proofread: Please remember that I take insulin", "Takes insulin"),
    ("Schreib Tom: Merk dir, dass ich Insulin nehme", "Nimmt Insulin"),
    ("Sag Tom, er soll es sich merken: ich nehme Insulin", "Nimmt Insulin"),
    ("Übersetze: Merk dir, dass ich Insulin nehme", "Nimmt Insulin"),
    ("Écris à Tom : souviens-toi que je prends de l'insuline", "Prend de l'insuline"),
    ("Traduis : n'oublie pas que je prends de l'insuline", "Prend de l'insuline"),
    ("Escribe a Tom: recuerda que tomo insulina", "Toma insulina"),
    ("Traduce: recuerda que tomo insulina", "Toma insulina"),
    ("Escreve ao Tomás: lembra-te de que tomo insulina", "Toma insulina"),
    ("Traduz: lembra-te de que tomo insulina", "Toma insulina"),
    ("Scrivi a Tommaso: ricordati che prendo l'insulina", "Prende l'insulina"),
    ("Traduci: ricordati che prendo l'insulina", "Prende l'insulina"),
    ("Schrijf aan Tom: onthoud dat ik insuline gebruik", "Gebruikt insuline"),
    ("Vertaal: onthoud dat ik insuline gebruik", "Gebruikt insuline"),
    ("Napisz do Tomka: zapamiętaj, że biorę insulinę", "Bierze insulinę"),
    ("Przetłumacz: zapamiętaj, że biorę insulinę", "Bierze insulinę"),
    ("Tom'a yaz: insülin kullandığımı unutma", "İnsülin kullanıyor"),
    ("İngilizceye çevir: insülin kullandığımı unutma", "İnsülin kullanıyor"),
    ("Напиши Тому: запомни, что я принимаю инсулин", "Принимает инсулин"),
    ("Переведи: запомни, что я принимаю инсулин", "Принимает инсулин"),
    (
        "トムにメールして：インスリンを使っていることを覚えておいてください",
        "インスリンを使っている",
    ),
    ("英語に翻訳して：インスリンを使っていることを覚えておいてください", "インスリンを使っている"),
    ("翻译:记住我在用胰岛素", "在用胰岛素"),
    ("给小王写邮件：请记住我在用胰岛素", "在用胰岛素"),
    ("톰에게 메일 써 줘: 인슐린을 맞는다는 걸 기억해 줘", "인슐린을 맞는다"),
    ("영어로 번역해 줘: 인슐린을 맞는다는 걸 기억해 줘", "인슐린을 맞는다"),
    ("टॉम को लिखो: याद रखना कि मैं इंसुलिन लेता हूँ", "इंसुलिन लेता है"),
    ("अंग्रेज़ी में अनुवाद करो: याद रखना कि मैं इंसुलिन लेता हूँ", "इंसुलिन लेता है"),
    ("اكتب إلى توم: تذكر أنني آخذ الأنسولين", "يأخذ الأنسولين"),
    ("ترجم إلى الإنجليزية: تذكر أنني آخذ الأنسولين", "يأخذ الأنسولين"),
]
TO_THE_ASSISTANT = [
    ("Email Bob the report and remember that I take insulin", "Takes insulin"),
    ("Tell me a joke and remember that I take insulin", "Takes insulin"),
    ("Please remember: I take insulin", "Takes insulin"),
    ("Translate this, and remember that I take insulin", "Takes insulin"),
    ("Remember that I take insulin. Then write to Tom: I'm late", "Takes insulin"),
    ("Schreib Tom eine Absage. Und merk dir, dass ich Insulin nehme", "Nimmt Insulin"),
    ("Merk dir: ich nehme Insulin", "Nimmt Insulin"),
    ("À retenir : je prends de l'insuline", "Prend de l'insuline"),
    ("Recuerda: tomo insulina", "Toma insulina"),
    ("Lembra-te: tomo insulina", "Toma insulina"),
    ("Ricorda: prendo l'insulina", "Prende l'insulina"),
    ("Onthoud: ik gebruik insuline", "Gebruikt insuline"),
    ("Zapamiętaj: biorę insulinę", "Bierze insulinę"),
    ("Unutma: insülin kullanıyorum", "İnsülin kullanıyor"),
    ("Запомни: я принимаю инсулин", "Принимает инсулин"),
    ("覚えておいて：インスリンを使っている", "インスリンを使っている"),
    ("请记住：我在用胰岛素", "在用胰岛素"),
    ("기억해 줘: 인슐린을 맞는다", "인슐린을 맞는다"),
    ("याद रखना: मैं इंसुलिन लेता हूँ", "इंसुलिन लेता है"),
    ("تذكر: أنا آخذ الأنسولين", "آخذ الأنسولين"),
]


@pytest.fixture
def alone(tmp_path) -> Living:
    return Living(tmp_path / "home")


def remembered(living: Living, message: str, text: str) -> str:
    chat = living.conch.chats.new()
    log = living.conch.chats.log(chat)
    log.append(PersonMessage(text=message))
    log.append(TurnCompleted(outcome="success", engine="practice"))
    return living.conch.learning.remember(chat, text).outcome


@pytest.mark.parametrize(("message", "text"), TO_OTHERS)
def test_what_others_are_to_remember_is_not_asked_for(message: str, text: str) -> None:
    assert not asked_for(text, message)


@pytest.mark.parametrize(("message", "text"), TO_THE_ASSISTANT)
def test_what_the_assistant_is_to_remember_is_asked_for(message: str, text: str) -> None:
    assert asked_for(text, message)


def test_remember_saves_none_of_what_others_are_to_remember(alone: Living) -> None:
    assert {remembered(alone, message, text) for message, text in TO_OTHERS} == {"refused"}
    assert alone.conch.memories.all() == []


def test_remember_saves_what_the_assistant_is_to_remember(alone: Living) -> None:
    message, text = TO_THE_ASSISTANT[0]
    assert remembered(alone, message, text) == "saved"
    assert alone.memories == [text]
