import pytest

from living import Living


@pytest.fixture
def living(tmp_path):
    return Living(tmp_path / "home")
