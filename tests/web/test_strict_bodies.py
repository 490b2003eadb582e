"""The OpenAPI is the contract: every body refuses what it doesn't know, every answer is typed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from conch.web.application import routes

DOCUMENT = routes().openapi()
OPERATIONS = [
    (method, path, operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
]
BODIES = [
    (path, method, operation["requestBody"]["content"]["application/json"]["schema"])
    for method, path, operation in OPERATIONS
    if "requestBody" in operation
]


def resolved(schema):
    name = schema.get("$ref", "").rpartition("/")[2]
    return DOCUMENT["components"]["schemas"][name] if name else schema


def objects_in(schema, seen):
    """Every object schema a body is made of."""
    schema = resolved(schema)
    if id(schema) in seen:
        return
    seen.add(id(schema))
    if schema.get("type") == "object":
        yield schema
    parts = [*schema.get("properties", {}).values(), schema.get("items")]
    for key in ("anyOf", "oneOf", "allOf"):
        parts += schema.get(key, [])
    for part in parts:
        if isinstance(part, dict):
            yield from objects_in(part, seen)


@pytest.mark.parametrize(("path", "method", "schema"), BODIES, ids=lambda value: str(value)[:60])
def test_every_body_refuses_unknown_keys_at_every_depth(path, method, schema):
    found = list(objects_in(schema, set()))
    assert found
    assert all(one["additionalProperties"] is False for one in found)


@pytest.mark.parametrize(("path", "method", "schema"), BODIES, ids=lambda value: str(value)[:60])
async def test_a_body_with_an_unknown_key_or_no_json_is_a_problem(browser, path, method, schema):
    where = path.replace("{", "").replace("}", "")
    body = dict.fromkeys(resolved(schema).get("required", [])) | {"surprise": 1}
    for sent in ({"json": body}, {"content": b"{not json"}, {"content": b'"\\ud800"'}):
        response = await browser.client.request(
            method, where, headers={"content-type": "application/json"}, **sent
        )
        assert response.status_code == 422, response.text
        assert response.headers["content-type"] == "application/problem+json"
        assert response.json()["fields"]


@pytest.mark.parametrize(("path", "method", "schema"), BODIES, ids=lambda value: str(value)[:60])
async def test_half_a_character_breaks_nothing(browser, path, method, schema):
    chat = await browser.new_chat()
    parts = {"chat": chat, "memory": "m", "engine": "practice", "offer": "o"}
    where = path.format(**parts, source="own", name="n")
    texts = [
        key
        for key, one in resolved(schema).get("properties", {}).items()
        if "string" in str(one) and "enum" not in str(one) and key != "files"
    ]
    sent = json.dumps(dict.fromkeys(texts, "half \ud800 of one"))
    response = await browser.client.request(
        method, where, content=sent, headers={"content-type": "application/json"}
    )
    assert response.status_code < 500, response.text
    await browser.get("/api/settings")
    await browser.get("/api/chats")
    await browser.get(f"/api/chats/{chat}")
    await browser.get("/api/memory")


@pytest.mark.parametrize(
    ("method", "path", "operation"), OPERATIONS, ids=lambda value: str(value)[:60]
)
def test_every_answer_is_typed_and_every_error_a_problem(method, path, operation):
    for status in ("4XX", "5XX"):
        content = operation["responses"][status]["content"]
        assert list(content) == ["application/problem+json"]
        assert resolved(content["application/problem+json"]["schema"])["title"] == "Problem"
    good = next(operation["responses"][one] for one in operation["responses"] if one[0] == "2")
    content = good.get("content", {})
    plain = {"/api/memory/export", "/api/chats/{chat}/files/{name}"}
    streams = "text/event-stream" in content
    if path not in plain and not streams and "204" not in operation["responses"]:
        assert "$ref" in content["application/json"]["schema"], path


def test_names_are_unique_and_the_browser_app_has_the_document_as_it_is_now():
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(names)) == len(names)
    command = [sys.executable, "-m", "conch.web.openapi"]
    printed = subprocess.run(command, capture_output=True, check=True).stdout
    kept = Path(__file__).parents[2] / "ui" / "openapi.json"
    assert printed == kept.read_bytes(), "python -m conch.web.openapi > ui/openapi.json"


def test_the_terminal_starts_without_the_gateway():
    code = (
        "import sys, conch.cli.commands as c\n"
        "for name in c._COMMAND_MODULES: __import__(f'conch.cli.{name}')\n"
        "print([m for m in sys.modules if m.startswith(('conch.web', 'fastapi', 'uvicorn'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
