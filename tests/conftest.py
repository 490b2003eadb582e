from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from living import Living
from wire.relay import practised
from wire.server import StubServer

# Timings are never asserted: a busy machine draws slowly.
settings.register_profile("conch", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("conch")

PRACTICE = "practice"
WIRES = ("openai", "anthropic", "google", "lmstudio")


def pytest_addoption(parser):
    parser.addoption(
        "--wire",
        default="",
        choices=["", PRACTICE, *WIRES, "all"],
        help="play the learning tests only with the practice engine, only with its script behind "
        "one provider's wire, or behind each of them; without it: once without and once behind one",
    )


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "practice_only(why): played with the practice engine alone, behind no wire"
    )


def pytest_generate_tests(metafunc):
    """A learning test is played with the practice engine and behind one provider's wire, which one
    by its name. One that stands up a server of its own says itself what is behind which wire."""
    is_learning = metafunc.definition.path.parent.name == "learning"
    if not is_learning or "living" not in metafunc.fixturenames:
        return
    asked = metafunc.config.getoption("--wire")
    only_practice = metafunc.definition.get_closest_marker("practice_only") is not None
    if only_practice or "server" in metafunc.fixturenames:
        played = (PRACTICE,) if asked in ("", PRACTICE) else ()
    elif asked == "all":
        played = WIRES
    elif asked:
        played = (asked,)
    else:
        name = f"{metafunc.definition.path.name}::{metafunc.definition.name}"
        played = (PRACTICE, WIRES[crc32(name.encode()) % len(WIRES)])
    metafunc.parametrize("living", played, indirect=True)


def pytest_collection_modifyitems(config, items):
    """With `--wire` only the tests that are played behind it are left."""
    asked = config.getoption("--wire")
    if not asked:
        return
    left = [item for item in items if "living" in getattr(item, "fixturenames", ())]
    left = [item for item in left if not any(mark.name == "skip" for mark in item.own_markers)]
    config.hook.pytest_deselected(items=[item for item in items if item not in left])
    items[:] = left


@pytest.fixture
def living(tmp_path, request):
    living = Living(tmp_path / "home")
    wire = getattr(request, "param", PRACTICE)
    if wire == PRACTICE:
        yield living
        return
    with StubServer() as stub:
        stub.otherwise = practised
        stub.engine(living.home, wire)
        living.start()
        yield living
