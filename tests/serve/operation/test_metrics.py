"""What a server counts, seen as Prometheus sees it."""

import asyncio
import re

import httpx2
import jwt
import pytest
import websockets
from prometheus_client.parser import text_string_to_metric_families
from tests.serve.client import connected

from mien.serve.options import ServeOptions

LONG = "Please tell me everything that you know about the weather in the mountains of Switzerland."
SECRET = b"a secret of thirty-two bytes, or more"


def figures(server):
    """Return the value of each series by its name and its labels."""
    page = httpx2.get(f"{server.http}/metrics")
    assert page.status_code == 200
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(page.text)
        for sample in family.samples
        if not sample.name.endswith("_bucket")
    }


class Grown:
    """What grew while something was done."""

    def __init__(self, server):
        self.server, self.before = server, figures(server)

    def __getitem__(self, key):
        return figures(self.server).get(key, 0.0) - self.before.get(key, 0.0)


def test_a_conversation_is_counted_by_stage_stop_and_outcome(server, question):
    async def main():
        async with connected(server.ws) as client:
            await client.update(mien={"face": True})
            grown = Grown(server)
            await client.ask(LONG)
            for _ in range(4):
                await client.until("response.output_audio.delta")
            await client.say(question)
            await client.until("response.done")
            one = await client.until("response.output_audio.delta")
            await client.send("mien.presented", response_id="resp_of_somebody", ms=9000.0)
            await client.send("mien.presented", response_id=one["response_id"], ms=42.0, av_offset_ms=-12.0)
            await client.until("response.done")
            return grown

    grown = asyncio.run(main())
    assert grown["mien_turns_total", "interrupted"] == 1
    assert grown["mien_turns_total", "completed"] == 1
    for stage in ("pause", "words", "understanding", "breath", "endpoint", "sound", "sent"):
        assert 1 <= grown["mien_turn_stage_seconds_count", stage] <= 2
    assert grown["mien_turn_stage_seconds_sum", "sent"] > 0.0
    for what in ("sound", "face"):
        assert grown["mien_barge_in_stop_seconds_count", what] >= 1
        assert grown["mien_barge_in_stop_seconds_sum", what] > 0.0
    assert grown["mien_presented_delay_seconds_sum",] == pytest.approx(0.042)
    assert grown["mien_presented_av_offset_seconds_count",] == 1


def test_sessions_are_counted_as_they_come_go_and_are_refused(start):
    async def main(server):
        grown = Grown(server)
        async with websockets.connect(server.ws) as socket:
            name = re.search(r"sess_[\w-]+", await socket.recv())[0]
            with pytest.raises(websockets.InvalidStatus):
                await websockets.connect(server.ws).__aenter__()
            socket.transport.abort()
        await until(lambda: figures(server)["mien_sessions", "away"] == 1)
        async with websockets.connect(f"{server.ws}?session={name}"):
            await until(lambda: figures(server)["mien_sessions", "connected"] == 1)
        await until(lambda: figures(server)["mien_sessions", "connected"] == 0)
        return grown

    with start(ServeOptions(port=0, persona="joe", sessions=1)) as server:
        grown = asyncio.run(main(server))
        assert grown["mien_sessions_opened_total", "opened"] == 1
        assert grown["mien_sessions_opened_total", "resumed"] == 1
        assert grown["mien_sessions_refused_total", "no_place"] == 1
        assert grown["mien_sessions_closed_total", "left"] == 1
        assert figures(server)["mien_session_places",] == 1


async def until(true):
    """Ask the server again until it is so; it answers when it has done what it was told."""
    async with asyncio.timeout(10):
        while not await asyncio.to_thread(true):
            pass


def test_a_token_has_its_quota_and_a_session_its_length(start, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(SECRET)

    def address(server, who):
        return f"{server.ws}?token={jwt.encode({'aud': 'mien', 'exp': 4e9, 'sub': who}, SECRET, 'HS256')}"

    async def main(server):
        async with websockets.connect(address(server, "one")) as first:
            with pytest.raises(websockets.InvalidStatus) as refused:
                await websockets.connect(address(server, "one")).__aenter__()
            assert refused.value.response.status_code == 429
            async with websockets.connect(address(server, "other")):
                pass
            with pytest.raises(websockets.ConnectionClosed):
                while True:
                    await first.recv()
            return first.close_code

    options = ServeOptions(port=0, persona="joe", jwt_key=key, each=1, longest_s=1.0, open_metrics=True)
    with start(options) as server:
        grown = Grown(server)
        assert asyncio.run(main(server)) == 1008
        assert grown["mien_sessions_refused_total", "quota_exceeded"] == 1
        assert grown["mien_sessions_closed_total", "long"] == 1


def test_requests_are_counted_by_template_and_status(server):
    grown = Grown(server)
    for path in ("/v1/avatars/videos/one", "/v1/avatars/videos/two", "/nowhere", "/v1/models"):
        httpx2.get(server.http + path)
    httpx2.get(f"{server.http}/healthz", headers={"host": "evil.example"})
    assert grown["mien_http_requests_total", "/v1/avatars/videos/{name}", "404", "GET"] == 2
    assert grown["mien_http_requests_total", "/v1/models", "200", "GET"] == 1
    assert grown["mien_http_requests_total", "404", "GET", "unknown"] == 1
    assert grown["mien_http_requests_total", "421", "GET", "unknown"] == 1
    assert grown["mien_http_request_duration_seconds_count", "/v1/avatars/videos/{name}"] == 2


def test_engines_tell_their_batches(server):
    told = figures(server)
    names = {key[1] for key in told if key[0] == "mien_engine_batch_size_count"}
    assert {"piper-1/decoder"} & names or any(name.endswith("/decoder") for name in names)
    assert all(not re.search("[0-9a-f]{32}", name) for name in names)
    assert sum(value for key, value in told.items() if key[0] == "mien_engine_batch_size_count") > 10


def test_the_loop_and_the_server_are_watched(server):
    told = figures(server)
    assert told["mien_event_loop_lag_seconds_count",] >= 1
    assert told["mien_ready",] == 1.0
    assert told["mien_draining",] == 0.0


def test_figures_need_a_token_where_all_else_does(start, tmp_path):
    key = tmp_path / "key"
    key.write_bytes(SECRET)
    token = jwt.encode({"aud": "mien", "exp": 4e9}, SECRET, "HS256")
    with start(ServeOptions(port=0, persona="joe", jwt_key=key)) as server:
        assert httpx2.get(f"{server.http}/metrics").status_code == 401
        allowed = httpx2.get(f"{server.http}/metrics", headers={"authorization": f"Bearer {token}"})
        assert allowed.status_code == 200
    with start(ServeOptions(port=0, persona="joe", jwt_key=key, open_metrics=True)) as server:
        assert httpx2.get(f"{server.http}/metrics").status_code == 200


def test_names_follow_the_conventions(server):
    page = httpx2.get(f"{server.http}/metrics").text
    for name, kind in re.findall(r"^# TYPE (mien_\w+) (\w+)$", page, re.M):
        assert name.endswith("_total") == (kind == "counter") or name.endswith("_created")
        assert not re.search(r"_(ms|millis|kb|mb)\b", name)
