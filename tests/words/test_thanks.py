"""Thanks: what thanks and praise are, and what only looks like them."""

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from conch.evals.kinds import run_cases
from conch.evals.scoring import scores_of
from conch.words.thanks import thanks

CASES = Path(__file__).parents[1] / "cases"

THANKS = {
    "thanks": ["thx", "ok thanks", "Thank you for your help", "danke dir!", "merci beaucoup"],
    "praise": ["spot on", "nice work", "you are amazing", "c'est parfait", "太棒了", "와 최고예요"],
    "it works": [
        "it finally works",
        "no errors now, thanks",
        "The tests pass now. Cheers",
        "funziona tutto, grazie",
        "deu certo, obrigado!",
        "hat geklappt, danke!",
    ],
    "then the next task": [
        "spot on. now do march",
        "thank you, now translate it into Dutch",
        "Awesome. Next, please rename the folder",
        "thanks can you also do the second sheet",
        "Super, danke. Kannst du das auch für Mai machen?",
        "ありがとう。3月分も同じようにできますか？",
    ],
    "good after all": [
        "It took a while but it works now, thanks",
        "it was still broken this morning, works now though. thank you",
    ],
    "scripts of their own": [
        "本当にありがとうございました",
        "शुक्रिया",
        "bahut badhiya yaar, thanks",
        "большое спасибо за помощь",
        "شكرا جزيلا على المساعدة",
    ],
}
NO_THANKS = {
    "no problem, thanks": ["no problem, thanks", "no worries, thank you", "kein Problem, danke"],
    "an answer": [
        "no thanks",
        "yes go ahead, thanks",
        "yes please thanks",
        "nie, dzięki",
        "不用了，谢谢",
    ],
    "a complaint after it": [
        "thanks but the totals are still off",
        "Thanks. It still doesn't start though",
        "danke, aber das Bild fehlt immer noch",
        "merci mais ce n'est pas ça",
        "谢谢，但是文件还是打不开",
        "고마운데 파일이 아직 안 열려",
    ],
    "sarcasm": [
        "oh great, another error",
        "thanks for nothing",
        "wow thanks, now the whole page is blank",
        "great job breaking the build",
        "na super, jetzt ist alles weg",
        "太好了，现在全没了",
    ],
    "in advance": ["thanks in advance", "danke schon mal im Voraus", "desde já obrigado"],
    "a courtesy of a request": [
        "can you shorten it a bit? thanks",
        "Now do the same for April, thanks",
        "kannst du es kürzer machen? danke",
        "¿puedes acortarlo? gracias",
    ],
    "a question": ["it works?", "does that look good to you?", "is it perfect?", "¿ya funciona?"],
    "about thanks": [
        "add a thank you page after checkout",
        "how should I thank my mentor",
        "écris un mot de remerciement",
    ],
    "praise asked for": [
        "make it look great on mobile please",
        "I want a beautiful dark theme",
        "What would be a great name for a bakery",
    ],
    "hypothetical": ["if it works we ship on friday", "when it works, let me know"],
    "only going on": ["nice. shorten the last paragraph", "good, and the linter?"],
    "nothing": ["", "   ", "?", "👻", "show git status"],
}


def _rows(table: dict[str, list[str]]) -> list[ParameterSet]:
    return [
        pytest.param(text, id=f"{kind}: {text}") for kind, some in table.items() for text in some
    ]


@pytest.mark.parametrize("text", _rows(THANKS))
def test_are_thanks(text: str) -> None:
    assert thanks(text)


@pytest.mark.parametrize("text", _rows(NO_THANKS))
def test_are_no_thanks(text: str) -> None:
    assert not thanks(text)


@pytest.mark.parametrize(
    ("file", "english", "others"),
    [
        ("signals.jsonl", 0.96, 0.97),
        ("signals_own.jsonl", 0.93, 0.93),
        ("thanks_durable.jsonl", 0.94, 0.96),
    ],
)
def test_labelled_messages(file: str, english: float, others: float) -> None:
    outcomes = run_cases("signals", CASES / file).outcomes
    in_english = scores_of(one for one in outcomes if one.lang == "en")["thanks"]
    elsewhere = scores_of(one for one in outcomes if one.lang != "en")["thanks"]
    assert in_english.f1 >= english
    assert elsewhere.f1 >= others
