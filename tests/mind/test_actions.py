import asyncio
import time
from dataclasses import replace

import pytest

from mien.mind.actions import Caller
from mien.mind.content import Action
from mien.mind.outcome import Outcome

from .conftest import send

VALUES = {"account": "12/34"}


def call(action, values=VALUES):
    async def run():
        caller = Caller()
        try:
            return await caller.call(action, values)
        finally:
            await caller.close()

    return asyncio.run(run())


@pytest.fixture
def action(server):
    return Action(
        "GET", f"{server.url}/a/{{account}}", timeout_s=0.5, tries=2, gives={"amount": "data.0.sum"}
    )


def test_the_answer_gives_its_fields_and_values_are_escaped(server, action):
    server.reply = lambda handler: send(handler, 200, {"data": [{"sum": 12.5}]})
    assert call(action) == Outcome("done", {"amount": "12.5"})
    assert server.asked[0][:2] == ("GET", "/a/12%2F34")


def test_a_post_sends_the_values_with_a_key(server, action, monkeypatch):
    monkeypatch.setenv("A_KEY", "secret")
    server.reply = lambda handler: send(handler, 201, {"data": [{"sum": 1}]})
    assert call(replace(action, method="POST", key_env="A_KEY")).kind == "done"
    _, _, headers, body = server.asked[0]
    assert body == VALUES
    assert headers["Authorization"] == "Bearer secret"


def test_what_may_pass_is_tried_again_under_one_key(server, action):
    answers = iter([(503, {}), (200, {"data": [{"sum": 1}]})])
    server.reply = lambda handler: send(handler, *next(answers))
    assert call(action).kind == "done"
    assert len({headers["Idempotency-Key"] for _, _, headers, _ in server.asked}) == 1


def test_a_refusal_is_not_tried_again(server, action):
    server.reply = lambda handler: send(handler, 404, {"error": "no such account"})
    assert call(action).kind == "refused"
    assert len(server.asked) == 1


def test_a_server_that_hangs_is_given_up(server, action):
    server.reply = lambda handler: server.hang.wait(5) and None
    began = time.perf_counter()
    assert call(action).kind == "failed"
    assert time.perf_counter() - began < 3
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b'{"data": []}', b'{"data": [{"sum": {}}]}', b"[" * 5000, b" " * (1 << 21)],
)
def test_nonsense_is_a_failure(server, action, body):
    server.reply = lambda handler: send(handler, 200, body)
    assert call(action).kind == "failed"


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "${NOT_SET_AT_ALL}/x", "http://[::bad/"])
def test_no_server_is_a_failure(url, action):
    assert call(replace(action, url=url)).kind == "failed"


def test_a_call_that_is_given_up_ends_at_once(server, action):
    async def run():
        caller, there = Caller(), asyncio.Event()
        loop = asyncio.get_running_loop()
        server.reply = lambda handler: loop.call_soon_threadsafe(there.set) and server.hang.wait(5) and None
        task = asyncio.create_task(caller.call(replace(action, timeout_s=60), VALUES))
        await there.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await caller.close()

    asyncio.run(run())
