"""Who gets an answer at all: Host, Origin, the cookie, sizes, and the headers on everything."""

from datetime import timedelta

import pytest

from conch.home.errors import ConchError
from conch.web.application import routes
from conch.web.guarding import BODY_AT_MOST, Hosts
from conch.web.password import Password
from conch.web.sign_in import LINK_GOOD_FOR, TRIES_A_MINUTE

OPEN_ROUTES = {"/api/session", "/api/sign-in"}


def every_operation():
    document = routes().openapi()
    return [
        (method, path)
        for path, operations in document["paths"].items()
        for method in operations
        if path not in OPEN_ROUTES
    ]


@pytest.mark.parametrize(("method", "path"), every_operation(), ids=str)
async def test_every_route_wants_the_cookie(browser, method, path):
    async with browser.tab() as tab:
        response = await tab.request(method, path.replace("{", "").replace("}", ""), json={})
    assert response.status_code == 401
    assert response.headers["content-type"] == "application/problem+json"
    assert "conch link" in response.json()["do"]


@pytest.mark.parametrize("path", ["/", "/memory", "/sign-in?token=x", "/api/session"])
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:4317",
        "127.0.0.1.nip.io",
        "192.168.1.5:4317",
        "",
        "[::1",
        "0x7f.1",
    ],
)
async def test_another_host_name_gets_no_answer(browser, path, host):
    response = await browser.client.get(path, headers={"host": host})
    assert response.status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:4317", "localhost:4317", "[::1]:4317", "LOCALHOST"])
def test_loopback_answers_to_its_own_names(host):
    assert Hosts(loopback=True).knows(host)


def test_beyond_loopback_bare_addresses_and_this_computers_names_count():
    hosts = Hosts(loopback=False, names=("desk.local",))
    assert hosts.knows("192.168.1.5:4317")
    assert hosts.knows("desk.local:4317")
    assert not hosts.knows("rebound.example:4317")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "http://localhost:4317"},
        {"origin": "file://127.0.0.1:4317"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
    ids=str,
)
async def test_another_site_changes_and_reads_nothing(browser, headers):
    assert (await browser.client.post("/api/chats", json={}, headers=headers)).status_code == 403
    assert (await browser.client.get("/api/chats", headers=headers)).status_code == 403
    assert browser.conch.chats.heads() == []


async def test_a_link_may_lead_here_from_anywhere_and_nothing_else(browser):
    token = browser.sign_in.new_link()
    async with browser.tab() as tab:
        del tab.headers["origin"]
        image = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
        at = f"/sign-in?token={token}"
        assert (await tab.get(at, headers=image)).status_code == 403
        link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
        assert (await tab.get(at, headers=link)).status_code == 303
        assert (await tab.get("/api/chats", headers=link)).status_code == 403


async def test_a_change_must_say_which_page_it_comes_from(browser):
    del browser.client.headers["origin"]
    assert (await browser.client.post("/api/chats", json={})).status_code == 403
    assert (await browser.client.get("/api/chats")).status_code == 200
    same = {"sec-fetch-site": "same-origin"}
    assert (await browser.client.post("/api/chats", json={}, headers=same)).status_code == 201


async def test_signing_in_with_a_password_is_held_to_the_page_too(browser):
    async with browser.tab() as tab:
        del tab.headers["origin"]
        response = await tab.post("/api/sign-in", json={"password": "x"})
    assert response.status_code == 403


async def test_a_link_is_good_once(browser):
    token = browser.sign_in.new_link()
    async with browser.tab() as tab:
        first = await tab.get("/sign-in", params={"token": token})
        assert first.status_code == 303
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert (await tab.get("/api/settings")).status_code == 200
    async with browser.tab() as tab:
        second = await tab.get("/sign-in", params={"token": token})
        assert second.status_code == 403
        assert "set-cookie" not in second.headers
        assert (await tab.get("/api/session")).json() == {"signed_in": False, "by": "link"}


async def test_an_old_link_is_none(browser):
    token = browser.sign_in.new_link()
    browser.living.clock.advance(seconds=LINK_GOOD_FOR.total_seconds())
    assert browser.sign_in.by_link(token) is None


async def test_a_restart_signs_nobody_out_and_a_session_ends(browser):
    from conch.web.sign_in import SESSION_GOOD_FOR, SignIn

    session = browser.client.cookies["conch"]
    again = SignIn(browser.living.home, browser.living.clock)
    assert again.knows(session)
    browser.living.clock.advance(seconds=(SESSION_GOOD_FOR + timedelta(seconds=1)).total_seconds())
    assert not again.knows(session)


async def test_signing_out(browser):
    assert (await browser.post("/api/sign-out"))["signed_in"] is False
    assert (await browser.client.get("/api/chats")).status_code == 401


async def test_too_many_tries_are_refused_for_a_minute(browser):
    browser.sign_in.password.set("correct horse battery")
    async with browser.tab() as tab:
        for _ in range(TRIES_A_MINUTE):
            assert (await tab.post("/api/sign-in", json={"password": "guess"})).status_code == 403
        right = {"password": "correct horse battery"}
        assert (await tab.post("/api/sign-in", json=right)).status_code == 429
        for _ in range(TRIES_A_MINUTE):
            assert (await tab.get("/sign-in", params={"token": "guess"})).status_code == 403
        assert (await tab.get("/sign-in", params={"token": "guess"})).status_code == 429
        browser.living.clock.advance(seconds=61)
        assert (await tab.post("/api/sign-in", json=right)).status_code == 200
        assert (await tab.get("/api/settings")).status_code == 200


def test_a_password_is_kept_as_a_hash_and_short_ones_are_refused(browser):
    password = Password(browser.living.home)
    assert not password.fits("")
    with pytest.raises(ConchError, match="10 characters"):
        password.set("short")
    assert not password.is_set
    password.set("correct horse battery")
    assert password.fits("correct horse battery")
    assert not password.fits("correct horse batterz")
    kept = (browser.living.home.keys / "web-password.json").read_bytes()
    assert b"horse" not in kept


async def test_a_body_that_is_too_large_is_not_read(browser):
    body = {"title": "x" * (BODY_AT_MOST + 1)}
    assert (await browser.post("/api/chats", body, 413))["status"] == 413

    async def without_a_length():
        for _ in range(20):
            yield b"x" * (BODY_AT_MOST // 10)

    response = await browser.client.post("/api/chats", content=without_a_length())
    assert response.status_code == 413


@pytest.mark.parametrize("path", ["/", "/api/chats", "/api/session", "/api/nothing", "/sign-in"])
async def test_every_answer_carries_the_headers(browser, path):
    headers = (await browser.client.get(path)).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


async def test_the_app_is_served_with_its_index_for_every_address(browser, dist):
    response = await browser.client.get("/")
    assert response.status_code == 503
    assert "not built" in response.text
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<title>Conch</title>")
    (dist / "assets" / "app.js").write_text("1;" * 2_000)
    (dist.parent / "secret.txt").write_text("no")
    async with browser.tab() as tab:
        assert "Conch" in (await tab.get("/")).text
        assert "Conch" in (await tab.get("/memory/earlier")).text
        built = await tab.get("/assets/app.js")
        assert "immutable" in built.headers["cache-control"]
        assert built.headers["content-encoding"] == "gzip"
        for path in ("/assets/gone.js", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/api/nothing"):
            assert (await tab.get(path)).status_code in (401, 404), path
