import io
import json
import sys
from dataclasses import asdict

import numpy as np
import pytest
from onnx import helper, numpy_helper, parser

from mien.engine.inspect import report
from mien.engine.sandbox import Outcome, call
from mien.engine.sandbox.call import _read, death
from mien.engine.sandbox.child import OUT_OF_MEMORY
from mien.engine.validate import Limits, validate_untrusted

GIB = 1 << 30
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows bounds only the time")


@pytest.fixture
def path(tmp_path):
    text = '<ir_version: 9, opset_import: ["" : 18]> g (float[n] x) => (float[n] y) { y = Neg(x) }'
    model = parser.parse_model(text)
    weight = numpy_helper.from_array(np.zeros(1 << 22, np.float32), "w")
    model.graph.initializer.append(weight)
    model.graph.node.append(helper.make_node("Neg", ["w"], ["z"]))
    file = tmp_path / "model.onnx"
    file.write_bytes(model.SerializeToString())
    return file


def run(path, **changes):
    settings = {"memory_bytes": 4 * GIB, "time_s": 60, "limits": asdict(Limits())}
    return call("validate", path, **(settings | changes))


def test_the_answer_comes_back(path):
    outcome = run(path)
    assert (outcome.answer, outcome.failure) == ([], "")


@posix
def test_too_much_memory_ends_the_child_only(path):
    outcome = run(path, memory_bytes=GIB // 64)
    assert outcome.answer is None
    assert "memory" in outcome.failure or "SIG" in outcome.failure


def test_a_child_that_takes_too_long_is_stopped(path):
    assert run(path, time_s=0.05).failure == "it was stopped after 0.05 s"


def test_a_task_that_fails_says_its_exit_code(path):
    assert run(path, limits={"no such limit": 1}).failure == "it failed (exit code 1)"


def test_giving_up_is_a_finding(path):
    (finding,) = validate_untrusted(path, Limits(time_s=0.05))
    assert finding.code == "stopped"
    assert "--trusted" in finding.remedy


@pytest.mark.parametrize(
    ("code", "text"),
    [(-11, "crashed (SIGSEGV)"), (-24, "stopped (SIGXCPU)"), (-77, "signal 77"), (OUT_OF_MEMORY, "memory")],
)
def test_everydeath_has_words(code, text):
    assert text in death(code)


def test_what_a_child_says_can_not_write_to_the_terminal(tmp_path):
    answer = io.BytesIO(json.dumps({"a\x1b": ["\x1b[2J", 1, None]}).encode())
    assert _read(answer, 0).answer == {"a�": ["�[2J", 1, None]}


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"[" + b" " * (17 << 20) + b"]"])
def test_what_is_no_answer_is_said_so(data):
    assert _read(io.BytesIO(data), 0).failure == "it answered in no known form"


@pytest.mark.parametrize("answer", [{}, [1], {"findings": None}, {"findings": [], "summary": {"nodes": 3}}])
def test_an_answer_of_another_form_is_a_finding(path, answer, monkeypatch):
    monkeypatch.setattr(report, "call", lambda *_, **__: Outcome(answer=answer))
    assert [finding.code for finding in report.inspect(path).findings] == ["stopped"]
