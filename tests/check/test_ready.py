import json
import os
import socket
import time

import pytest

from mien.check import Status
from mien.check.ready import persona, pins, results
from mien.check.ready import server as ready
from mien.check.ready.server import Server, _limits, _tokens
from mien.errors import InputError, MissingError


def figures(path, *rows, days=0.0):
    """Write figures as `mien bench say -o` does: (name, value, kept)."""
    table = {"figures": [{"name": name, "value": value, "kept": kept} for name, value, kept in rows]}
    path.write_text(json.dumps(table))
    old = time.time() - days * 86_400
    os.utime(path, (old, old))


SOAK = (("sessions", 8, None), ("answers", 400, None), ("underruns", 0, True))


@pytest.mark.parametrize(
    ("rows", "days", "status", "line"),
    [
        (SOAK, 1, Status.OK, "8 callers got 400 answers 1.0 days ago"),
        (SOAK, 27, Status.WARNING, "soon too old"),
        (SOAK, 31, Status.FAILED, "31 days old, allowed are 30"),
        ((*SOAK[:2], ("underruns", 3, False)), 1, Status.FAILED, "missed: underruns"),
        ((("A/V offset", 1, True),), 1, Status.FAILED, "no soak"),
    ],
)
def test_a_soak_is_whole_and_young(tmp_path, rows, days, status, line):
    figures(tmp_path / "soak.json", *rows, days=days)
    result = results.soak(tmp_path, 30.0)
    assert (result.status, line in result.line) == (status, True), result
    assert status is Status.OK or "mien bench live --sessions 8" in result.remedy


def test_the_newest_lips_count(tmp_path):
    offset = "1 min film: A/V offset, + picture first"
    figures(tmp_path / "old.json", (offset, 3.0, True), days=9)
    figures(tmp_path / "new.json", (offset, -22.0, False), ("A/V offset, standard error", 99.0, None), days=2)
    result = results.lips(tmp_path, 15.0, 30.0)
    assert (result.status, "-22.0 ms apart" in result.line) == (Status.FAILED, True)
    assert results.lips(tmp_path, 25.0, 30.0).status is Status.OK


def test_a_report_of_the_judge_and_of_all_benches_count(tmp_path):
    (tmp_path / "film.json").write_text(json.dumps({"av_offset_ms": 4.0}))
    assert results.lips(tmp_path, 15.0, 30.0).status is Status.OK
    (tmp_path / "film.json").unlink()
    facts = [["film: A/V offset", 6.5, "ms"]]
    report = {"format": 1, "made": "2020-01-01T00:00:00+00:00", "benches": [{"facts": facts}]}
    (tmp_path / "all.json").write_text(json.dumps(report))
    result = results.lips(tmp_path, 15.0, 30.0)
    assert (result.status, "days old" in result.line) == (Status.FAILED, True)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"figures": 3}', '{"figures": [[]], "benches": [7]}', "{}"])
def test_other_files_are_passed_over(tmp_path, text):
    (tmp_path / "other.json").write_text(text)
    assert results.read(tmp_path) == []
    assert results.lips(tmp_path, 15.0, 30.0).status is Status.FAILED


def test_pins(tmp_path):
    from importlib import metadata

    lock = tmp_path / "lock"
    lock.write_text(
        f"click=={metadata.version('click')} \\\n    --hash=sha256:0\nnumpy==1.0 ; python_version < '3'\n"
    )
    result = pins.pins(lock)
    assert (result.status, "instead of 1.0" in result.line) == (Status.FAILED, True)
    assert result.remedy == f"pip install --no-deps -r {lock}"
    lock.write_text(f"click=={metadata.version('click')}\nnumpy==1.0\nnumpy=={metadata.version('numpy')}\n")
    assert pins.pins(lock).status is Status.OK
    lock.write_text("nothing\n")
    assert pins.pins(lock).status is Status.FAILED
    none = pins.pins(None)
    assert (none.status, "> requirements.lock" in none.remedy) == (Status.WARNING, False), (
        "it overwrites no pins"
    )
    with pytest.raises(MissingError):
        pins.pins(tmp_path / "gone")


def test_a_persona_goes_through_its_list(tmp_path):
    figures(tmp_path / "say.json", ("film: A/V offset", 2.0, True))
    found = {finding.name: finding for finding in persona("joe", where=tmp_path)}
    assert list(found) == ["versions", "packs", "head", "mind", "engines", "renderer", "lips", "disk"]
    for name in ("packs", "head", "mind", "lips"):
        assert found[name].status is Status.OK, found[name]
    assert found["packs"].line.startswith("voice-joe, human")
    with pytest.raises(MissingError, match="no persona 'nobody'"):
        persona("nobody")


def test_a_server_that_is_not_fit_is_told_why(tmp_path):
    found = {finding.name: finding for finding in ready(Server(origins=("*",)), where=tmp_path)}
    for name in ("tokens", "TLS", "pages", "soak"):
        assert found[name].status is Status.FAILED, found[name]
        assert found[name].remedy
    assert found["limits"].status is Status.WARNING
    assert found["metrics"].status is Status.NOT_RUN


def test_a_key_that_others_may_read(tmp_path):
    key = tmp_path / "key"
    key.write_text("x" * 40)
    key.chmod(0o644)
    result = _tokens(Server(jwt_key=key))
    assert (result.status, result.remedy) == (Status.FAILED, f"chmod 600 {key}")
    key.chmod(0o600)
    assert _tokens(Server(jwt_key=key)).status is Status.OK
    key.write_text("short")
    with pytest.raises(InputError, match="32"):
        _tokens(Server(jwt_key=key))


def test_who_does_not_answer_refuses_nobody():
    with socket.socket() as bound:  # not listening: connections are refused
        bound.bind(("127.0.0.1", 0))
        result = _tokens(Server(url=f"http://127.0.0.1:{bound.getsockname()[1]}"))
    assert (result.status, "refused" in result.line) == (Status.FAILED, True), result


def test_limits_on_sessions():
    assert _limits(Server(each=2, longest_s=60)).status is Status.OK
    assert "--longest" in _limits(Server(each=2)).line
