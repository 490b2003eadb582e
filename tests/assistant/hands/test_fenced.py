"""Where bubblewrap is missing, landlock fences commands in, and they ask all the same."""

from __future__ import annotations

import pytest

from conch.assistant.hands import hands, landlock, running

FENCED = landlock.version() > 0
SECRET = "SECRET-OF-THE-PERSON"


@pytest.fixture
def unsealed(worker, monkeypatch):
    monkeypatch.setattr(running, "can_seal", lambda: False)
    monkeypatch.setattr(hands, "can_seal", lambda: False)
    worker.mode("full_trust")
    return worker


async def test_where_nothing_seals_a_command_asks_and_says_so(unsealed):
    took = await unsealed.does(("run_command", {"command": "echo x"}), allow=True)
    assert [ask.why for ask in took.asked] == [
        "Nothing on this computer seals commands: it could reach all you can."
    ]
    assert took.told == ["x\n"]


async def test_a_fenced_command_works_in_its_folder(unsealed):
    took = await unsealed.does(
        ("run_command", {"command": "mkdir -p a/b && echo x > a/b/c && mv a/b/c d && cat d"}),
        ("run_command", {"command": "f=$(mktemp) && echo y > $f && cat $f && ls /usr > /dev/null"}),
        allow=True,
    )
    assert len(took.asked) == 2
    assert took.told == ["x\n", "y\n"]


async def test_a_fenced_command_reads_no_key_and_writes_nothing_elsewhere(unsealed):
    key = unsealed.person / ".ssh" / "id_ed25519"
    took = await unsealed.does(
        ("run_command", {"command": f"cat {key}"}),
        ("run_command", {"command": "cat ../../settings.json; ls ../.."}),
        ("run_command", {"command": f"cat /proc/self/root{key}"}),
        ("run_command", {"command": f"cat {key.parent}/../.ssh/id_*"}),
        ("run_command", {"command": "cat /etc/shadow; cat /proc/$PPID/environ"}),
        ("run_command", {"command": f"touch {unsealed.person}/planted /usr/planted"}),
        ("run_command", {"command": "echo x > ../../memory/m_x.md"}),
        ("run_command", {"command": f"ln -s {key} link; cat link"}),
        allow=FENCED,
    )
    assert len(took.asked) >= 7
    said = "".join(took.told)
    assert SECRET not in said
    assert "sk-live" not in said
    assert "full_trust" not in said
    assert "root:" not in said
    assert not (unsealed.person / "planted").exists()
    assert not (unsealed.home.memory / "m_x.md").exists()
    if FENCED:
        assert "environ: Permission denied" in said
        assert said.count("ermission denied") >= 7
