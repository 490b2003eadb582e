"""`python -m conch.web.openapi`: the gateway's OpenAPI, for the browser app's typed client."""

from __future__ import annotations

import json
import sys


def openapi() -> str:
    """The OpenAPI document as JSON, the same for the same code."""
    from conch.web.application import routes

    return json.dumps(routes().openapi(), indent=2, ensure_ascii=False, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(openapi())
