import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnxruntime
import pytest
from onnx import parser

from mien.engine.backends import cuda
from mien.engine.backends.onnxruntime import Options, load, parse
from mien.errors import InputError, ResourceError

NET = """
<ir_version: 9, opset_import: ["" : 18]>
net (float[n, m] x) => (float[n, m] twice, int64[1] rows)
{
    twice = Add(x, x)
    shape = Shape(x)
    zero = Constant<value_ints = [0]>()
    rows = Gather(shape, zero)
}
"""


@pytest.fixture
def data():
    return parser.parse_model(NET).SerializeToString()


@pytest.fixture
def replay(data):
    """The launch as it is on a GPU, with its buffers on the host."""
    return cuda.Replay(onnxruntime, onnxruntime.InferenceSession(data), "cpu")


def test_every_run_has_its_own_results(replay):
    first = replay.run({"x": np.ones((2, 3), np.float32)})
    second = replay.run({"x": np.full((2, 3), 5, np.float32)})
    assert (first[0] == 2).all()
    assert (second[0] == 10).all()
    assert second[1].tolist() == [2]


def test_inputs_that_are_not_contiguous_are_copied(replay):
    x = np.arange(6, dtype=np.float32).reshape(3, 2).T
    assert replay.run({"x": x})[0].tolist() == (2 * x).tolist()


def test_other_shapes_run_without_the_capture_and_leave_it_as_it_is(replay):
    assert replay.run({"x": np.ones((2, 3), np.float32)})[0].shape == (2, 3)
    assert replay.run({"x": np.ones((4, 3), np.float32)})[1].tolist() == [4]
    assert replay.run({"x": np.full((2, 3), 4, np.float32)})[0].tolist() == [[8] * 3] * 2


def test_threads_take_turns(replay):
    with ThreadPoolExecutor(4) as pool:
        given = [np.full((8, 64), n, np.float32) for n in range(40)]
        for x, found in zip(given, pool.map(lambda x: replay.run({"x": x})[0], given), strict=True):
            assert (found == 2 * x).all()


def test_an_engine_that_is_captured_checks_and_names_as_any_other(data, tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(data)
    engine = load(path, Options(capture=True))
    assert engine.run(x=np.ones((1, 2), np.float32))["twice"].tolist() == [[2, 2]]
    with pytest.raises(InputError, match=r"no input .y."):
        engine.run(y=np.ones((1, 2), np.float32))


def test_convolutions_are_nhwc_where_that_is_faster():
    made = cuda.settings(1, tf32=True, capture=True)
    assert made["device_id"] == 1
    assert made["use_tf32"] == made["enable_cuda_graph"] == 1
    assert made["cudnn_conv_algo_search"] == "HEURISTIC"
    assert made["prefer_nhwc"] == 1
    assert cuda.settings(0, tf32=True, capture=False)["prefer_nhwc"] == 0


def test_every_thread_captures_once_and_alone(data, monkeypatch):
    replay = cuda.Replay(onnxruntime, onnxruntime.InferenceSession(data), "cpu")
    captured = []
    capture = cuda.Replay._capture

    def noted(self, inputs):
        captured.append((threading.get_ident(), self._turns._capturing, self._turns._runs))
        capture(self, inputs)

    monkeypatch.setattr(cuda.Replay, "_capture", noted)
    gate = threading.Barrier(3)

    def work(n):
        gate.wait(5)
        return [replay.run({"x": np.full((2, 3), n, np.float32)})[0][0, 0] for _ in range(5)]

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, (1, 2, 3))) == [[2] * 5, [4] * 5, [6] * 5]
    assert len({ident for ident, *_ in captured}) == len(captured) == 3
    assert all(alone and not runs for _, alone, runs in captured)


def test_a_capture_is_alone_on_its_device_and_goes_first():
    turns, order = cuda.Turns(), []
    inside, go_on = threading.Event(), threading.Event()

    def run(name):
        with turns.beside_others():
            order.append(name)
            inside.set()
            assert go_on.wait(20)

    def capture():
        with turns.alone():
            order.append("capture")

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(run, "first")
        assert inside.wait(20)
        capturing = pool.submit(capture)
        while not turns._waiting:
            assert not capturing.done()
        late = pool.submit(run, "late")
        go_on.set()
        for each in (first, capturing, late):
            each.result(20)
    assert order == ["first", "capture", "late"]


def test_runs_are_beside_each_other():
    turns, both = cuda.Turns(), threading.Barrier(2)

    def run():
        with turns.beside_others():
            both.wait(20)

    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(run) for _ in range(2)]:
            each.result(20)


def test_a_failed_capture_lets_the_others_go_on():
    turns = cuda.turns("cuda:7")
    with pytest.raises(ZeroDivisionError), turns.alone():
        _ = 1 / 0
    with turns.beside_others():
        pass
    assert cuda.turns("cuda") is cuda.turns("cuda:0") is not turns


@pytest.mark.skipif("CUDAExecutionProvider" in onnxruntime.get_available_providers(), reason="has CUDA")
def test_without_cuda_it_is_said(data):
    with pytest.raises(ResourceError, match="has no CUDA"):
        parse(data, Options(device="cuda"))
