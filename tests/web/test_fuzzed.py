"""The gateway against its own OpenAPI: made-up requests, none of which may break it."""

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from conch.web.application import routes
from gateway_process import serving

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
STREAMS = ("/api/events", "/turn", "/retry", "/stream")


def test_no_made_up_request_breaks_it_and_every_answer_fits_its_schema(tmp_path):
    schema = schemathesis.openapi.from_dict(routes().openapi())
    checked = 0
    with serving(tmp_path / "home") as served:
        schema.config.update(base_url=served.address)
        headers = {
            "origin": served.address,
            "cookie": "; ".join(f"{one.name}={one.value}" for one in served.client.cookies.jar),
        }
        made = [served.client.post("/api/chats", json={}).json()["id"]]
        for result in schema.get_all_operations():
            operation = result.ok()  # pyright: ignore[reportAttributeAccessIssue]
            if operation.path.endswith(STREAMS) or operation.path == "/api/sign-out":
                continue
            checked += 1
            _try(operation, headers, made)
        assert served.client.get("/api/health").status_code == 200
    assert checked > 30


def _try(operation, headers, made):
    @settings(
        max_examples=20,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(case=operation.as_strategy())
    def one(case):
        if "chat" in case.path_parameters:
            case.path_parameters["chat"] = made[0]
        response = case.call(headers=headers)
        case.validate_response(response, checks=CHECKS)

    one()
