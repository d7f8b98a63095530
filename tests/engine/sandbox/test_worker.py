import os
import queue
import signal
import subprocess
import sys

import onnx
import pytest

from mien.engine.sandbox import Worker
from mien.engine.sandbox.call import MAX_ANSWER, UNKNOWN_FORM
from mien.engine.sandbox.worker import _pump

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
GIB = 1 << 30
MODEL = """<ir_version: 9, opset_import: ["" : 17]>
negated (float[2] x) => (float[2] y) { y = Neg (x) }"""


@pytest.fixture
def worker():
    with Worker("onnxruntime", memory_bytes=12 * GIB) as child:
        yield child


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(onnx.parser.parse_model(MODEL), path)
    return path


def test_one_child_answers_again_and_again(worker, model):
    first = worker.ask(model, time_s=60)
    process = worker._child.pid
    assert first.answer["reports"] == []
    assert worker.ask(model, time_s=60) == first
    assert worker._child.pid == process


def test_a_crash_is_an_answer_and_the_next_question_is_answered(worker, model):
    worker.ask(model, time_s=60)
    worker._child.send_signal(signal.SIGSEGV)
    worker._child.wait()
    assert worker.ask(model, time_s=60).failure == "it crashed (SIGSEGV)"
    assert worker.ask(model, time_s=60).failure == ""


def test_a_child_that_takes_too_long_or_fails_is_replaced(worker, model, tmp_path):
    assert worker.ask(model, time_s=0.001).failure == "it was stopped after 0.001 s"
    assert worker.ask(tmp_path / "nothing", time_s=60).failure == "it failed (exit code 1)"
    assert worker.ask(model, time_s=60).failure == ""


def test_no_child_stays(model):
    with Worker("onnxruntime", memory_bytes=12 * GIB) as child:
        child.ask(model, time_s=60)
        process = child._child.pid
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_what_is_no_answer_is_not_taken_for_the_next_one(worker, model):
    first = worker.ask(model, time_s=60)
    worker._lines.put(b"x" * (MAX_ANSWER + 1))  # as from a child that its file has taken over
    worker._lines.put(b"{}")
    assert worker.ask(model, time_s=60).failure == UNKNOWN_FORM
    assert worker.ask(model, time_s=60) == first


def test_a_child_that_ends_before_it_hears_its_task(model):
    with Worker("onnxruntime", memory_bytes=12 * GIB) as child:
        child._started().kill()
        child._child.wait()
        assert child.ask(model, time_s=60).failure == "it was stopped (SIGKILL)"
        assert child.ask(model, time_s=60).failure == ""


def test_a_child_that_writes_without_being_asked_is_ended_before_it_fills_the_memory():
    flood = [sys.executable, "-c", "while True: print('{}' * 1000)"]
    lines = queue.SimpleQueue()
    with subprocess.Popen(flood, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        _pump(child, lines)
        assert child.wait() == -signal.SIGKILL
    assert lines.qsize() == 2  # its first line, and that it ended
