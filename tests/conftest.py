import asyncio
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from living import Living
from wire.again import BAD, SHAPES, look_again
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
        "one provider's wire, or behind each; without it: without, and every third behind one",
    )


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "not_behind(*wires, why): can't be played behind the wire of these providers"
    )


def pytest_generate_tests(metafunc):
    """A learning test is played with the practice engine, and every third behind one provider's
    wire too, by its name. One that stands up a server of its own says what is behind which."""
    is_learning = metafunc.definition.path.parent.name == "learning"
    if not is_learning or "living" not in metafunc.fixturenames:
        return
    asked = metafunc.config.getoption("--wire")
    marks = metafunc.definition.iter_markers("not_behind")
    without = {wire for mark in marks for wire in mark.args}
    wires = [wire for wire in WIRES if wire not in without]
    if "server" in metafunc.fixturenames:
        wires = []
    if asked in ("", PRACTICE):
        name = f"{metafunc.definition.path.name}::{metafunc.definition.name}"
        drawn = crc32(name.encode())
        # Every third here, for the time it takes; every one with `make wires`.
        one = [wires[drawn % len(wires)]] if wires and not asked and drawn % 3 == 0 else []
        played = [PRACTICE, *one]
    else:
        played = [wire for wire in wires if asked in (wire, "all")]
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
    """Conch in a home of its own. Behind a wire its reviews come in one of the shapes a model may
    answer in; what it leaves behind is then looked at again with answers that are no good."""
    living = Living(tmp_path / "home")
    wire = getattr(request, "param", PRACTICE)
    if wire == PRACTICE:
        yield living
        return
    turn = crc32(request.node.name.encode())
    shape = list(SHAPES.values())[turn % len(SHAPES)]
    with StubServer() as stub:
        stub.otherwise = shape.answering()
        stub.engine(living.home, wire)
        living.start()
        yield living
        if request.config.getoption("--wire"):
            some = BAD[WIRES.index(wire) :: len(WIRES)]
        else:
            some = [BAD[turn // len(SHAPES) % len(BAD)]]
        for bad in some:
            folder = tmp_path / "again" / bad.name.replace(" ", "-")
            asyncio.run(look_again(living, stub, wire, bad, folder))
