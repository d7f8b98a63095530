import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from onnx import TensorProto, helper, parser

import mien.engine
from mien import packs
from mien.engine.backends.openvino import load
from mien.engine.runtime import Machine
from mien.engine.stop import Stop, Stopped
from mien.errors import CorruptError, InputError, MissingError

SUM = """
<ir_version: 9, opset_import: ["" : 18]>
agraph (float[2, n] x, float[1] k) => (float[2, n] y) { y = Add(x, k) }
"""
X, K = np.ones((2, 3), np.float32), np.array([4], np.float32)


@pytest.fixture
def opened(tmp_path):
    def opened(model):
        path = tmp_path / "m.onnx"
        path.write_bytes(model.SerializeToString())
        return load(path)

    return opened


def chain(length: int, size: int):
    """A model of that many products of square matrices, one after the other."""
    nodes = [helper.make_node("MatMul", [f"t{i}", "t0"], [f"t{i + 1}"]) for i in range(length)]
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [size, size]) for name in ("t0", f"t{length}")
    ]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def test_ports_say_names_types_and_shapes(opened):
    engine = opened(parser.parse_model(SUM))
    assert [(p.name, p.dtype, p.shape) for p in engine.inputs] == [
        ("x", np.float32, (2, None)),
        ("k", np.float32, (1,)),
    ]
    assert [p.name for p in engine.outputs] == ["y"]


def test_threads_share_an_engine(opened):
    engine = opened(parser.parse_model(SUM))
    with ThreadPoolExecutor(4) as pool:
        results = pool.map(lambda k: engine.run(x=X, k=np.array([k], np.float32))["y"][0, 0], range(50))
    assert list(results) == [k + 1 for k in range(50)]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"x": X}, "needs its input 'k'"),
        ({"x": X, "k": K, "kk": K}, "no input 'kk'; did you mean 'k'"),
        ({"x": X.astype(np.float64), "k": K}, "float64"),
        ({"x": X[:1], "k": K}, r"\(1, 3\)"),
    ],
)
def test_wrong_inputs_are_named(inputs, message, opened):
    with pytest.raises(InputError, match=message):
        opened(parser.parse_model(SUM)).run(**inputs)


def test_a_set_stop_starts_nothing(opened):
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        opened(parser.parse_model(SUM)).run(stop, x=X, k=K)


def test_a_stop_ends_a_run_in_another_thread_and_the_engine_goes_on(opened):
    engine, stop, small = opened(chain(600, 256)), Stop(), np.full((256, 256), 1e-3, np.float32)
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    with pytest.raises(Stopped):
        engine.run(stop, t0=small)
    timer.join()
    assert engine.run(Stop(), t0=np.zeros_like(small))["t600"].shape == (256, 256)


def test_the_engine_runs_tflite_as_it_is():
    file = packs.path("faces") / "face_landmark.tflite"
    served = mien.engine.load(file, machine=Machine(backend="openvino"))
    (port,) = served.inputs
    picture = np.random.default_rng(0).random((1, 192, 192, 3), np.float32)
    for name, values in load(file).run(**{port.name: picture}).items():
        np.testing.assert_array_equal(served.run(**{port.name: picture})[name], values)


@pytest.mark.parametrize("machine", [Machine(backend="openvin"), Machine(backend="openvino", device="cuda")])
def test_a_backend_that_is_none_is_named(machine, tmp_path):
    (tmp_path / "m.onnx").write_bytes(parser.parse_model(SUM).SerializeToString())
    with pytest.raises(InputError, match=r"no backend 'openvino?' on"):
        mien.engine.load(tmp_path / "m.onnx", machine=machine)


def test_what_can_not_be_computed_is_the_callers_error(opened):
    model = parser.parse_model(SUM.replace("float[1] k", "float[m] k"))
    with pytest.raises(InputError, match=r"can not compute x \(2, 3\), k \(2,\)"):
        opened(model).run(x=X, k=np.ones(2, np.float32))


def test_what_is_no_model_is_corrupt(tmp_path):
    (tmp_path / "bad.tflite").write_bytes(b"no model at all")
    with pytest.raises(CorruptError, match=r"bad\.tflite"):
        load(tmp_path / "bad.tflite")


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(MissingError, match=r"none\.tflite"):
        load(tmp_path / "none.tflite")
