import os
import signal
import sys

import pytest

from mien.engine.sandbox import Worker

pytest.importorskip("tensorrt_rtx_bindings", reason="the extra tensorrt-rtx is not installed")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
GIB = 1 << 30
ASKED = {"capabilities": ["8.9"], "profile": {}, "out": None}


@pytest.fixture
def worker():
    with Worker("tensorrt-rtx-build", memory_bytes=12 * GIB) as child:
        yield child


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_text("no model")
    return path


def test_one_child_answers_again_and_again(worker, text):
    first = worker.ask(text, time_s=60, **ASKED)
    process = worker._child.pid
    assert first.answer["reports"][0]["code"] == "MODEL_DESERIALIZE_FAILED"
    assert worker.ask(text, time_s=60, **ASKED) == first
    assert worker._child.pid == process


def test_a_crash_is_an_answer_and_the_next_question_is_answered(worker, text):
    worker.ask(text, time_s=60, **ASKED)
    worker._child.send_signal(signal.SIGSEGV)
    worker._child.wait()
    assert worker.ask(text, time_s=60, **ASKED).failure == "it crashed (SIGSEGV)"
    assert worker.ask(text, time_s=60, **ASKED).failure == ""


def test_a_child_that_takes_too_long_or_fails_is_replaced(worker, text, tmp_path):
    assert worker.ask(text, time_s=0.001, **ASKED).failure == "it was stopped after 0.001 s"
    assert worker.ask(tmp_path / "nothing", time_s=60, **ASKED).failure == "it failed (exit code 1)"
    assert worker.ask(text, time_s=60, **ASKED).failure == ""


def test_no_child_stays(text):
    with Worker("tensorrt-rtx-build", memory_bytes=12 * GIB) as child:
        child.ask(text, time_s=60, **ASKED)
        process = child._child.pid
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
