"""A persona whose mind has a language model: a small server of chat completions stands in its place."""

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.serve.client import connected

from mien.persona import spec as specs

TOOL = {
    "type": "function",
    "name": "get_weather",
    "description": "Tell the weather.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}


class Completions(BaseHTTPRequestHandler):
    """Calls a function that is offered; says what the last function returned."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append(body)
        if self.server.broken is not None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(self.server.broken)
            return
        last = body["messages"][-1]
        if last["role"] == "tool":
            delta = {"content": f"It is {json.loads(last['content'])['sky']} there."}
        else:
            call = {"name": "get_weather", "arguments": '{"city": "Bern"}'}
            delta = {"tool_calls": [{"index": 0, "id": "call_7", "function": call}]}
        chunks = [{"choices": [{"delta": delta}]}, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]
        data = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data.encode())

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def model():
    with ThreadingHTTPServer(("127.0.0.1", 0), Completions) as server:
        server.asked, server.broken = [], None
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def thinker(model, monkeypatch, tmp_path):
    """A persona with joe's voice, a little knowledge, and a language model."""
    mind = tmp_path / "thinker" / "mind"
    (mind / "knowledge").mkdir(parents=True)
    (mind / "knowledge" / "it.md").write_text("# Who are you?\n\n- what is your name\n\nI am Jack.\n")
    url = f"http://127.0.0.1:{model.server_port}"
    (mind / "model.yaml").write_text(f"url: {url}\nmodel: small\n")
    file = specs.folders()[-1] / "joe.toml"
    (mind.parent / "persona.toml").write_text(file.read_text())
    monkeypatch.setenv("MIEN_PERSONAS", str(tmp_path))
    return "thinker"


@pytest.mark.parametrize("modality", ["audio", "text"])
def test_a_function_is_called_by_the_client_and_its_result_is_told(server, thinker, model, modality):
    async def main():
        async with connected(server.ws, f"?persona={thinker}") as client:
            session = await client.update(
                tools=[TOOL], instructions="You are a weather man.", output_modalities=[modality]
            )
            await client.ask("Is it raining in Bern today, do you think?")
            called = (await client.until("response.done"))["response"]
            output = {"type": "function_call_output", "call_id": "call_7", "output": '{"sky": "sunny"}'}
            await client.send("conversation.item.create", item=output)
            await client.send("response.create")
            told = (await client.until("response.done"))["response"]
            await client.send("conversation.item.create", item=output)
            error = (await client.until("error"))["error"]
        return client, session, called, told, error

    client, session, called, told, error = asyncio.run(main())
    assert session["mien"]["warnings"] == []
    call = called["output"][-1]
    assert (called["status"], call["type"], call["name"]) == ("completed", "function_call", "get_weather")
    assert json.loads(call["arguments"]) == {"city": "Bern"}
    done = client.of("response.function_call_arguments.done")[0]
    assert (done["call_id"], done["arguments"]) == ("call_7", call["arguments"])
    content = told["output"][0]["content"][0]
    assert "sunny" in content.get("transcript", content.get("text"))
    first, second = model.asked[-2:]
    assert "weather man" in first["messages"][0]["content"]
    assert first["tools"][-1]["function"]["name"] == "get_weather"
    assert [message["role"] for message in second["messages"][-2:]] == ["assistant", "tool"]
    assert "call_7" in error["message"]


@pytest.mark.parametrize(
    "broken",
    [b"", b"\x00\xff\xfe" * 50, b"data: {{{\n\n", b'data: {"choices": 7}\n\n', b"data: [DONE]\n\n"],
    ids=["nothing", "bytes", "no JSON", "another shape", "no words"],
)
def test_a_model_that_streams_nonsense_or_nothing_is_stood_in_for(
    server, thinker, model, broken, monkeypatch
):
    monkeypatch.setattr(model, "broken", broken)

    async def main():
        async with connected(server.ws, f"?persona={thinker}") as client:
            await client.update(output_modalities=["text"])
            await client.ask("Is it raining in Bern today, do you think?")
            done = (await client.until("response.done"))["response"]
            await client.ask("what is your name")
            return done, (await client.until("response.done"))["response"]

    asked = len(model.asked)
    done, after = asyncio.run(main())
    assert len(model.asked) > asked
    assert done["status"] == "completed"
    assert done["output"][0]["content"][0]["text"].strip()
    assert after["output"][0]["content"][0]["text"].startswith("I am ")
