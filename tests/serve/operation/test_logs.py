"""Lines of JSON for machines, in which nobody's words are."""

import asyncio
import io
import json
import logging
import time

import pytest
from tests.serve.client import connected

from mien.errors import InputError
from mien.serve.operation.logs import Lines, Logs
from mien.serve.options import ServeOptions

SAYS = "Rumpelstiltskin, marmalade."


@pytest.fixture
def written():
    """Everything that this process logs, as a server with `words` would write it."""
    handlers = []

    def begin(*, words):
        handler = logging.StreamHandler(io.StringIO())
        handler.setFormatter(Lines(words=words))
        logging.getLogger().addHandler(handler)
        logging.getLogger("mien").setLevel(logging.DEBUG)
        handlers.append(handler)
        return handler.stream

    yield begin
    for handler in handlers:
        logging.getLogger().removeHandler(handler)
    logging.getLogger("mien").setLevel(logging.NOTSET)


def conversation(server, monkeypatch, *, words):
    """Talk to a server that logs; return its answer."""
    watchers = server.site.house.watch.watchers
    monkeypatch.setattr(server.site.house.watch, "watchers", [*watchers, Logs(words=words)])

    async def main():
        async with connected(server.ws) as client:
            await client.ask(SAYS)
            response = (await client.until("response.done"))["response"]
            await client.send("conversation.item.retrieve", item_id="item_marmalade")
            await client.until("error")
        return response["output"][0]["content"][0]["transcript"]

    return asyncio.run(main())


def until_closed(stream):
    """Return what was logged once the server has noticed that the client left."""
    late = time.monotonic() + 10
    while '"closed"' not in stream.getvalue():
        assert time.monotonic() < late
    return stream.getvalue()


def test_what_people_say_is_not_logged(server, written, monkeypatch):
    stream = written(words=False)
    answer = conversation(server, monkeypatch, words=False)
    text = until_closed(stream)
    lines = [json.loads(line) for line in text.splitlines()]
    assert "marmalade" in answer.lower()
    for word in {"rumpelstiltskin", "marmalade", answer.lower()}:
        assert word not in text.lower()
    opened, turn, closed = (next(x for x in lines if x["message"] == m) for m in ("opened", "turn", "closed"))
    assert opened["session"] == turn["session"] == closed["session"]
    assert len(opened["session"]) == 14
    assert turn["outcome"] == "completed"
    assert turn["ms"]["sent"] > 0.0
    assert opened["persona"] == "joe"
    assert closed["ending"] == "left"


def test_they_are_logged_when_that_is_allowed(server, written, monkeypatch):
    stream = written(words=True)
    conversation(server, monkeypatch, words=True)
    turn = next(x for x in map(json.loads, stream.getvalue().splitlines()) if x["message"] == "turn")
    assert turn["asked"] == SAYS
    assert "marmalade" in turn["heard"].lower()


def test_errors_say_where_and_not_what(written):
    stream = written(words=False)
    said = "marmalade"
    try:
        raise ValueError(said)
    except ValueError:
        logging.getLogger("mien.serve").exception("a task broke")
    logging.getLogger("mien.mind.answer").warning("no answer to %r", said)
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first["exception"].startswith("ValueError\n")
    assert "test_errors_say_where" in first["exception"]
    assert second["message"] == "no answer to %r"
    assert said not in stream.getvalue()


def test_words_without_lines_are_refused():
    with pytest.raises(InputError, match="--log-json"):
        ServeOptions(log_words=True)
