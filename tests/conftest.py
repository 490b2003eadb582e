import pytest
from hypothesis import HealthCheck, settings

from living import Living
from wire.relay import practised
from wire.server import StubServer

# Timings are never asserted: a busy machine draws slowly.
settings.register_profile("conch", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("conch")

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
