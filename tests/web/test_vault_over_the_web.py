"""Secrets over the web: kept, listed by name, removed, and in no answer."""

from __future__ import annotations

import pytest

VALUE = "glx-7Kd93mQpL2vR8tYbN4wZ1cF6hJ0sGaE5"


async def test_kept_listed_removed(browser):
    assert await browser.get("/api/vault") == {"secrets": []}
    kept = await browser.post("/api/vault", {"name": "deploy-key", "value": VALUE}, 201)
    assert (kept["name"], kept["variable"]) == ("deploy-key", "DEPLOY_KEY")
    page = await browser.get("/api/vault")
    assert [one["name"] for one in page["secrets"]] == ["deploy-key"]
    assert VALUE not in str(page) + str(kept)
    assert browser.living.conch.redactor.redact(f"x {VALUE}") == "x •••"
    await browser.delete("/api/vault/deploy-key", 204)
    assert await browser.get("/api/vault") == {"secrets": []}
    await browser.delete("/api/vault/deploy-key", 404)


@pytest.mark.parametrize(
    "body",
    [
        {"name": "a b", "value": VALUE},
        {"name": "path", "value": VALUE},
        {"name": "x", "value": "short"},
        {"name": "x", "value": VALUE * 1_000},
        {"name": "x", "value": VALUE, "more": 1},
        {"name": "x", "value": {"is": VALUE}},
        {"value": VALUE},
    ],
    ids=lambda body: str(body)[:40],
)
async def test_what_cannot_be_kept_is_refused_without_saying_it(browser, body):
    problem = await browser.post("/api/vault", body, 422)
    assert VALUE not in str(problem)
    assert await browser.get("/api/vault") == {"secrets": []}
