import pytest

from terminal import Terminal


@pytest.fixture
def terminal(tmp_path):
    return Terminal(tmp_path / "home")
