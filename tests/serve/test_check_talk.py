"""`mien check talk` and `mien ready server`, against a server that runs."""

import secrets
import time
import urllib.request

import jwt
import pytest

from mien.check import Status
from mien.check.ready import server as ready
from mien.check.ready.server import Server
from mien.check.talk import findings
from mien.serve.options import ServeOptions


def by_name(found):
    return {finding.name: finding for finding in found}


@pytest.fixture(scope="module")
def guarded(start, tmp_path_factory):
    """A server that wants tokens, the file of its key and a token."""
    key = tmp_path_factory.mktemp("keys") / "key"
    key.write_text(secrets.token_hex(32))
    key.chmod(0o600)
    token = jwt.encode({"aud": "mien", "sub": "me", "exp": time.time() + 600}, key.read_text(), "HS256")
    with start(ServeOptions(port=0, persona="joe", jwt_key=key, open_metrics=True)) as one:
        yield one.http, key, token


def test_a_server_is_asked_as_a_client_would(server, monkeypatch):
    monkeypatch.setattr("mien.check.call._ENOUGH_S", 2.0)
    found = by_name(findings(server.http))
    for name in ("name", "health", "clock", "tokens", "session"):
        assert found[name].status is Status.OK, found[name]
    assert found["answer"].status in (Status.OK, Status.WARNING), found["answer"]
    assert "first sound" in found["answer"].line
    assert "frames" in found["face"].line
    assert found["face"].status is not Status.FAILED, found["face"]
    assert found["TLS"].status is Status.NOT_RUN


def test_tokens(guarded):
    address, _, token = guarded
    without = by_name(findings(address))
    assert (without["tokens"].status, "--token" in without["tokens"].remedy) == (Status.WARNING, True)
    assert (without["session"].status, without["session"].line) == (
        Status.FAILED,
        "no session: the server says 401",
    )
    wrong = by_name(findings(address, token[:-3]))
    assert wrong["tokens"].status is Status.FAILED
    assert "not valid" in wrong["tokens"].line


def test_ready_sees_whether_metrics_are_read(guarded, tmp_path):
    address, key, token = guarded
    given = Server(url=address, token=token, jwt_key=key)
    before = by_name(ready(given, where=tmp_path))
    assert before["tokens"].status is Status.OK
    assert before["TLS"].status is Status.FAILED
    assert (before["metrics"].status, before["metrics"].line[:6]) == (Status.FAILED, "nobody")
    urllib.request.urlopen(f"{address}/metrics").close()
    assert by_name(ready(given, where=tmp_path))["metrics"].status is Status.OK


def test_nobody_is_there():
    found = by_name(findings("http://127.0.0.1:9"))
    assert found["name"].status is Status.FAILED
    assert found["name"].remedy == "nc -vz 127.0.0.1 9"
    assert found["face"].status is Status.NOT_RUN
