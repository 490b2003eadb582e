import pytest

from living import Living
from wire.relay import practised
from wire.server import StubServer

WIRES = ("openai", "anthropic", "google", "lmstudio")


def pytest_addoption(parser):
    parser.addoption(
        "--wire", default="", help="play with the practice script behind this provider's wire"
    )


@pytest.fixture
def living(tmp_path, request):
    living = Living(tmp_path / "home")
    wire = request.config.getoption("--wire")
    if not wire:
        yield living
        return
    with StubServer() as stub:
        stub.otherwise = practised
        stub.engine(living.home, wire)
        living.start()
        yield living
