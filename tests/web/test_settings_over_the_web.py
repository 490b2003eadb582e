"""Settings, engines, health and safety over the web; and that no answer holds a secret."""

from collections import defaultdict

import pytest

from conch.chats.events import PersonMessage, TurnCompleted
from conch.web.application import routes
from wire.answers import rejected, says
from wire.server import StubServer

KEY = "sk-proj-Zq3vN8xW2rT6yU1pL5kJ9hG4fD7sA0mB"


async def test_settings_change_one_by_one_and_are_on_disk(browser):
    before = await browser.get("/api/settings")
    assert (before["learning"], before["first_run"], before["practice"]) == (True, True, True)
    after = await browser.patch("/api/settings", {"name": " Ada ", "month_budget_usd": 5})
    assert (after["name"], after["month"]["budget_usd"], after["learning"]) == ("Ada", 5.0, True)
    assert after["first_run"] is False
    after = await browser.patch("/api/settings", {"learning": False, "memory_check": "ask_more"})
    assert browser.living.home.settings().auto_memory is False
    assert browser.living.home.settings().memory_check == "ask_more"
    after = await browser.patch("/api/settings", {"month_budget_usd": None})
    assert after["month"]["budget_usd"] is None
    assert after["name"] == "Ada"


async def test_the_cap_is_shown_with_what_was_spent(browser):
    assert (await browser.get("/api/settings"))["spending"]["cap_usd"] == 1.0
    spending = (await browser.patch("/api/settings", {"learning_cap_usd": 2.5}))["spending"]
    assert (spending["cap_usd"], spending["spent_usd"], spending["paused"]) == (2.5, 0.0, False)
    assert spending["free"] is True
    assert spending["starts_again"] == "2027-01-01"
    lifted = (await browser.patch("/api/settings", {"learning_cap_usd": None}))["spending"]
    assert lifted["cap_usd"] is None


@pytest.mark.parametrize(
    "body",
    [
        {"learning_cap_usd": -1},
        {"learning_cap_usd": 1e9},
        {"learning_cap_usd": "NaN"},
        {"learning": "perhaps"},
        {"memory_check": "off"},
        {"auto_memory": False},
        {"name": "x" * 81},
    ],
    ids=str,
)
async def test_what_cannot_be_set_is_refused(browser, body):
    before = browser.living.home.settings()
    await browser.patch("/api/settings", body, 422)
    assert browser.living.home.settings() == before


async def test_engines_are_connected_checked_chosen_and_forgotten(browser):
    with StubServer() as server:
        server.otherwise = says("OK.")
        engine = await browser.post(
            "/api/engines/connect",
            {"id": "mine", "url": f"{server.root}/v1", "key": KEY, "model": "tiny"},
        )
        assert engine["id"] == "mine"
        chosen = await browser.post("/api/engines/use", {"id": "mine", "model": "tiny"})
        assert chosen["default"] is True
        assert (await browser.get("/api/settings"))["engine"] == "mine"
        changed = await browser.post(
            "/api/engines/mine/set", {"cheap_model": "tiniest", "plan": True}
        )
        assert (changed["cheapest_model"], changed["billing"]) == ("tiniest", "plan")
        checked = await browser.post("/api/engines/mine/check")
        assert checked["sentence"]
        page = await browser.get("/api/engines")
        assert {"mine", "practice"} <= {one["id"] for one in page["engines"]}
        assert any(one["needs_key"] for one in page["known"])
        await browser.delete("/api/engines/mine")
        assert (await browser.get("/api/settings"))["practice"] is True


async def test_a_connection_that_cannot_be_says_why(browser):
    problem = await browser.post("/api/engines/connect", {"id": "openai"}, 422)
    assert "needs a key" in problem["detail"]
    plain = {"id": "mine", "url": "http://models.example/v1", "key": KEY, "model": "m"}
    assert (
        "others can read it" in (await browser.post("/api/engines/connect", plain, 422))["detail"]
    )
    await browser.post("/api/engines/use", {"id": "nobody"}, 404)
    await browser.post("/api/engines/nobody/check", status=404)


@pytest.mark.parametrize(
    ("given", "says_so"),
    [
        ({"id": "anthropic", "key": "short"}, "too short"),
        ({"id": "openai", "key": "sk-ant-api03-Qx7Lm2Vb9Tz4"}, "key of Anthropic"),
        ({"id": "openai", "key": "sk-proj Qx7Lm2Vb9Tz4"}, "no spaces"),
    ],
    ids=["short", "another's", "spaces"],
)
async def test_a_key_of_the_wrong_shape_is_refused_as_in_the_terminal(browser, given, says_so):
    problem = await browser.post("/api/engines/connect", given, 422)
    assert says_so in problem["detail"]
    assert browser.conch.engines.get(given["id"]) is None


async def test_what_does_not_answer_is_not_connected_and_what_stood_goes_on(browser):
    with StubServer() as server:
        server.otherwise = says("OK.")
        given = {"id": "mine", "url": server.url, "key": KEY, "model": "tiny"}
        await browser.post("/api/engines/connect", given)
        server.otherwise = rejected()
        other = given | {"key": "sk-other-000000000000"}
        problem = await browser.post("/api/engines/connect", other, 422)
        assert "was not connected" in problem["detail"]
        assert browser.conch.engines.get("mine").connection.key == KEY
        await browser.post("/api/engines/connect", other | {"check": False})
        assert browser.conch.engines.get("mine").connection.key == other["key"]


async def test_a_model_that_thinks_first_passes_the_check_and_is_counted(browser):
    with StubServer() as server:
        server.otherwise = says("", finish="length", output_tokens=200)
        connected = {"id": "openai", "key": "sk-proj-Zq3vN8xW2rT6yU1p", "url": server.url}
        await browser.post("/api/engines/connect", connected | {"check": False})
        checked = await browser.post("/api/engines/openai/check")
    assert checked["ok"] is True
    month = browser.conch.parts.usage.month(browser.living.clock.now(), "check")
    assert (month["answers"], month["output_tokens"]) == (1, 200)


async def test_the_practice_engine_answers_a_check(browser):
    checked = await browser.post("/api/engines/practice/check")
    assert checked["ok"] is True


async def test_a_cap_of_nothing_pauses_only_what_costs(browser):
    await browser.patch("/api/settings", {"learning_cap_usd": 0})
    assert (await browser.get("/api/settings"))["spending"]["paused"] is False
    await browser.learn_typescript()
    assert browser.living.memories == ["Prefers TypeScript"]
    key = {"id": "openai", "key": "sk-proj-Zq3vN8xW2rT6yU1p", "check": False}
    await browser.post("/api/engines/connect", key)
    await browser.post("/api/engines/use", {"id": "openai"})
    assert (await browser.get("/api/settings"))["spending"]["paused"] is True
    assert (await browser.get("/api/learning"))["paused"]["reason"] == "cap"
    (check,) = [one for one in (await browser.get("/api/health"))["checks"] if not one["ok"]]
    assert (check["id"], check["code"]) == ("learning", "cap")


async def test_what_it_may_do_unasked_is_a_setting(browser):
    assert (await browser.get("/api/settings"))["mode"] == "ask"
    changed = await browser.patch("/api/settings", {"mode": "full_trust"})
    assert (changed["mode"], browser.conch.home.settings().mode) == ("full_trust", "full_trust")
    await browser.patch("/api/settings", {"mode": "anything"}, 422)


async def test_health_has_the_checks_there_are(browser):
    health = await browser.get("/api/health")
    checks = {one["id"]: one for one in health["checks"]}
    assert checks["home"]["ok"]
    assert "practice engine" in checks["engine"]["sentence"]
    assert checks["learning"]["ok"]
    await browser.patch("/api/settings", {"learning": False})
    browser.living.home.notes.say("Something was mended.")
    health = await browser.get("/api/health")
    (learning,) = [one for one in health["checks"] if one["id"] == "learning"]
    assert learning["ok"] is False
    assert learning["sentence"] == "Learning is off."
    assert health["notes"][0]["text"] == "Something was mended."


async def test_health_says_how_many_chats_wait_for_an_engine_that_may_read_them(browser):
    conch = browser.conch
    chat = conch.chats.new()
    log = conch.chats.log(chat)
    log.append(PersonMessage(text="I always want short answers."))
    log.append(TurnCompleted(outcome="success", engine="gone"))
    assert (await conch.learning.look(chat)).outcome == "no_model"
    health = await browser.get("/api/health")
    (learning,) = [one for one in health["checks"] if one["id"] == "learning"]
    assert (learning["ok"], learning["code"], learning["count"]) == (False, "no_model", 1)
    assert learning["sentence"].startswith("1 chat waits: No engine that saw these words")


async def test_safety_switches_say_what_off_means(browser):
    switches = (await browser.get("/api/safety"))["switches"]
    assert {one["id"] for one in switches} == {"memory_check", "learning"}
    assert all(one["off_means"] for one in switches)


async def test_no_answer_holds_a_key_a_session_or_a_seal(browser):
    with StubServer() as server:
        server.otherwise = says("OK.")
        body = {"id": "mine", "url": f"{server.root}/v1", "key": KEY, "model": "tiny"}
        await browser.post("/api/engines/connect", body)
    browser.sign_in.password.set("correct horse battery")
    chat = await browser.learn_typescript_with_practice()
    browser.conch.chats.log(chat).append(PersonMessage(text=f"my key is {KEY}"))
    (item,) = (await browser.get("/api/learning"))["items"]
    secrets = [
        KEY,
        browser.client.cookies["conch"],
        "correct horse",
        (browser.living.home.keys / "seal.key").read_bytes().decode("latin-1"),
    ]
    names = defaultdict(lambda: "x")
    names |= {"chat": chat, "record": item["record"], "memory": item["memory"]}
    for path, operations in routes().openapi()["paths"].items():
        if "get" not in operations or path == "/api/events":
            continue
        response = await browser.client.get(path.format_map(names))
        text = response.content.decode("latin-1")
        assert not [secret for secret in secrets if secret in text], path
