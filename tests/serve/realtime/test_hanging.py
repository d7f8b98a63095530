"""A mind whose action never answers: its turn gets an apology, and nobody else waits."""

import asyncio
import socket

import pytest
from tests.serve.client import connected

from mien.persona import spec as specs

INTENTS = """
lamp:
  examples:
    en: [switch on the lamp, turn the lamp on please, light the lamp]
  action:
    method: POST
    url: http://127.0.0.1:{port}/lamp
    timeout_s: 1
    tries: 1
    failed: ["The lamp does not answer."]
  answer: ["It is on."]
"""


@pytest.fixture
def silent_port():
    """A port that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_an_action_that_hangs_holds_up_nobody(server, silent_port, monkeypatch, tmp_path):
    mind = tmp_path / "keeper" / "mind"
    (mind / "knowledge").mkdir(parents=True)
    (mind / "knowledge" / "it.md").write_text("# Who are you?\n\n- what is your name\n\nI am the keeper.\n")
    (mind / "intents.yaml").write_text(INTENTS.format(port=silent_port))
    (mind.parent / "persona.toml").write_text((specs.folders()[-1] / "joe.toml").read_text())
    monkeypatch.setenv("MIEN_PERSONAS", str(tmp_path))

    async def main():
        async with connected(server.ws, "?persona=keeper") as client, connected(server.ws) as other:
            await client.update(output_modalities=["text"])
            await other.update(output_modalities=["text"])
            await client.ask("switch on the lamp")
            await client.until("response.created")
            await other.ask("Hello")
            await other.until("response.done")
            waits = "response.done" not in client.kinds()
            told = await client.until("response.done")
            await client.ask("what is your name")
            after = await client.until("response.done")
        return waits, told["response"], after["response"]

    waits, told, after = asyncio.run(main())
    assert waits
    assert told["output"][0]["content"][0]["text"].strip() == "The lamp does not answer."
    assert after["output"][0]["content"][0]["text"].startswith("I am")
