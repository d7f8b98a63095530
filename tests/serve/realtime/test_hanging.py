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
lost:
  examples:
    en: [I lost my key, my key is gone, I can not find the key]
  answer: ["I am sorry. Somebody will come."]
  then: hand_over
"""


@pytest.fixture(scope="module")
def silent_port():
    """A port that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.fixture(scope="module")
def keeper(silent_port, tmp_path_factory):
    """A persona with joe's voice, some knowledge, and an action that hangs."""
    tmp_path = tmp_path_factory.mktemp("personas")
    mind = tmp_path / "keeper" / "mind"
    (mind / "knowledge").mkdir(parents=True)
    (mind / "knowledge" / "it.md").write_text("# Who are you?\n\n- what is your name\n\nI am the keeper.\n")
    (mind / "intents.yaml").write_text(INTENTS.format(port=silent_port))
    (mind.parent / "persona.toml").write_text((specs.folders()[-1] / "joe.toml").read_text())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIEN_PERSONAS", str(tmp_path))
        yield "keeper"


def test_an_action_that_hangs_holds_up_nobody(server, keeper):
    async def main():
        async with connected(server.ws, f"?persona={keeper}") as client, connected(server.ws) as other:
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


@pytest.mark.parametrize("modality", ["audio", "text"])
def test_a_hand_over_is_told_before_the_answer_is_done(server, keeper, modality):
    async def main():
        async with connected(server.ws, f"?persona={keeper}") as client:
            await client.update(output_modalities=[modality])
            await client.ask("I lost my key")
            done = (await client.until("response.done"))["response"]
            return done, client.of("mien.hand_over"), client.kinds()

    done, told, kinds = asyncio.run(main())
    assert [(each["response_id"], each["reason"]) for each in told] == [(done["id"], "lost")]
    assert done["metadata"] == {"mien_hand_over": "lost"}, "for clients that know OpenAI's events alone"
    assert kinds.index("mien.hand_over") < kinds.index("response.done")


def test_an_answer_without_a_hand_over_tells_none(server, keeper):
    async def main():
        async with connected(server.ws, f"?persona={keeper}") as client:
            await client.update(output_modalities=["text"])
            await client.ask("what is your name")
            return (await client.until("response.done"))["response"]["metadata"], client.of("mien.hand_over")

    assert asyncio.run(main()) == (None, [])
