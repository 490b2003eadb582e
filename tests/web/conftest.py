import pytest

from webbing import Browser


@pytest.fixture
def dist(tmp_path):
    return tmp_path / "dist"


@pytest.fixture
async def browser(tmp_path, dist):
    browser = Browser(tmp_path / "home", dist)
    yield browser
    await browser.gateway.close()
    await browser.client.aclose()
    await browser.conch.close()
