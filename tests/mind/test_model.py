"""The language model's adapter against a server that speaks the protocol, well and badly."""

import json

import pytest

from mien.errors import InputError, MissingError
from mien.mind.model import LanguageModel, Settings
from mien.mind.model.prompt import messages
from mien.mind.model.sse import Events
from mien.mind.state import MindState

QUESTION = "which colours do your cards come in"
ANSWER = ["Our cards ", "are green", ". And blue."]


def delta(content=None, finish=None, **more):
    return {"choices": [{"index": 0, "delta": {"content": content, **more}, "finish_reason": finish}]}


def event(body):
    return f"data: {body if isinstance(body, str) else json.dumps(body)}\n\n".encode()


GOOD = [*(event(delta(text)) for text in ANSWER), event(delta(finish="stop")), event("[DONE]")]


def tool(arguments, name="balance"):
    half = len(arguments) // 2
    return [
        event(
            delta(
                tool_calls=[
                    {"index": 0, "id": "a", "function": {"name": name, "arguments": arguments[:half]}}
                ]
            )
        ),
        event(delta(tool_calls=[{"index": 0, "function": {"arguments": arguments[half:]}}])),
        event(delta(finish="tool_calls")),
    ]


def streams(server, chunks, hang=False):
    def reply(handler):
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.end_headers()
        for chunk in chunks:
            handler.wfile.write(chunk)
            handler.wfile.flush()
        if hang:
            server.hang.wait(5)

    server.reply = reply


@pytest.fixture
def ask(server, converse):
    def ask(chunks, *turns, hang=False, **settings):
        streams(server, chunks, hang)
        times = {"first_token_s": 0.4, "total_s": 0.6, **settings}
        model = LanguageModel(Settings(f"{server.url}/v1", "small", key="sk-1", **times))
        return converse(*(turns or [QUESTION]), model=model)

    return ask


def test_its_words_are_said_as_they_come(ask, server):
    said, answer = ask(GOOD)
    assert said == ["Our cards are green. And blue."]
    assert answer.state.history[-1] == ("assistant", said[0])
    command, path, headers, body = server.asked[0]
    assert (command, path, headers["Authorization"]) == ("POST", "/v1/chat/completions", "Bearer sk-1")
    assert body["stream"] is True
    assert body["max_tokens"] == 200
    assert body["messages"][-1] == {"role": "user", "content": QUESTION}
    assert {each["function"]["name"] for each in body["tools"]} == {"balance", "open_account", "lost_card"}


def test_however_the_stream_is_cut(ask):
    whole = b"".join(GOOD).replace(b"\n", b"\r\n")
    assert ask([whole[at : at + 7] for at in range(0, len(whole), 7)])[0] == [
        "Our cards are green. And blue."
    ]


def test_what_the_mind_knows_is_not_asked(ask, server):
    ask(GOOD, "when are you open?")
    assert server.asked == []


@pytest.mark.parametrize(
    ("chunks", "hang"),
    [
        ([], False),
        ([], True),
        ([event("[DONE]")], False),
        ([event("nonsense")], False),
        ([event({"choices": 3})], False),
        ([event({"error": {"message": "overloaded"}})], False),
        ([b'data: {"choi'], False),
        ([b'data: {"choi'], True),
        ([b"\xff\x00\xfe" * 50], False),
        ([b"x" * (1 << 21)], False),
        (tool("{not json"), False),
        (tool("[1]"), False),
        (tool("{}", name="rob_the_bank"), False),
    ],
)
def test_nothing_usable_is_answered_from_the_knowledge_and_logged(ask, caplog, chunks, hang):
    said, answer = ask(chunks, hang=hang)
    assert len(said[0]) > 10
    assert answer.state.history[-1] == ("assistant", said[0])
    assert "language model" in caplog.text


def test_what_came_before_it_broke_off_stays(ask, caplog):
    said, _ = ask(GOOD[:2], hang=True)
    assert said == ["Our cards are green"]
    assert "silent or not done" in caplog.text


def test_a_server_that_never_stops_is_stopped(ask, caplog):
    said, _ = ask([event(delta("blah " * 100))] * 50)
    assert len(said[0]) < 9000
    assert "over 8000 characters" in caplog.text


def test_a_refusal_is_answered_from_the_knowledge(server, converse, caplog):
    model = LanguageModel(Settings(server.url, "small"))  # the server answers {} with no stream
    said, _ = converse(QUESTION, model=model)
    assert said[0]
    assert "knowledge does" in caplog.text


def test_a_tool_call_begins_the_form_with_checked_values(ask):
    said, answer = ask(tool('{"account": "12345674"}'))
    assert "1 2 3 4 5 6 7 4" in said[0]
    assert answer.state.forms[-1].waiting == "confirm"
    said, answer = ask(tool('{"account": "99", "other": [1]}'))
    assert answer.state.forms[-1].values == {}


def test_the_history_is_cut_to_what_is_asked_for(bank):
    state = MindState()
    for number in range(30):
        state = state.said("user", f"question {number}").said("assistant", "answer " * 20)
    told = messages(bank[0], Settings("http://x", "m", history=500), state.said("user", "last"), [])
    assert told[-1] == {"role": "user", "content": "last"}
    assert sum(len(each["content"]) for each in told[1:]) <= 520
    assert told[1]["role"] == "user"


def test_events_may_span_lines_and_hold_comments():
    events = Events()
    assert events.feed(b": hi\nevent: x\ndata: a\ndata:b\n\nda") == ["a\nb"]
    assert events.feed("ta: 好".encode()[:-1]) == []
    assert events.feed("好".encode()[-1:] + b"\n\n") == ["好"]


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("model: m\n", InputError, "model.yaml:1: 'url' is missing"),
        ("url: localhost\nmodel: m\n", InputError, "model.yaml:1: url 'localhost' must begin with http://"),
        ("url: http://a\nmodel: m\nkey: sk-1\n", InputError, "no key 'key'; did you mean 'key_env'"),
        ("url: http://a\nmodel: m\nkey_env: NOT_SET_AT_ALL\n", MissingError, ":3: the environment variable"),
        ("url: http://a\nmodel: m\nmax_tokens: 0\n", InputError, "a number from 1 to 8192"),
    ],
)
def test_settings_that_are_wrong(tmp_path, text, kind, says):
    (tmp_path / "model.yaml").write_text(text)
    with pytest.raises(kind, match=says):
        Settings.read(tmp_path / "model.yaml")


def test_the_key_comes_from_the_environment_and_is_not_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("A_KEY", "sk-secret")
    (tmp_path / "model.yaml").write_text("url: http://a/v1/\nmodel: m\nkey_env: A_KEY\ntotal_s: 5\n")
    settings = Settings.read(tmp_path / "model.yaml")
    assert (settings.url, settings.key, settings.total_s) == ("http://a/v1", "sk-secret", 5)
    assert "secret" not in repr(settings)
