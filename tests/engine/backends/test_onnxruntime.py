import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from onnx import parser

from mien.engine.backends.onnxruntime import Options, load, parse
from mien.engine.stop import Stop, Stopped
from mien.errors import CorruptError, InputError, MissingError

DEFAULT = Options()
SUM = """
<ir_version: 9, opset_import: ["" : 18]>
agraph (float[2, n] x, int64[1] k) => (float[2, n] y) { c = Cast <to = 1> (k) y = Add(x, c) }
"""
# 2^30 rounds of matrix products: it ends only when it is stopped
ENDLESS = """
<ir_version: 9, opset_import: ["" : 18]>
agraph (float[64, 64] x) => (float[64, 64] y) <int64 rounds = {1073741824}>
{
    y = Loop (rounds, , x) <body = b (int64 i, bool c, float[64, 64] a) => (bool go, float[64, 64] d)
        { go = Identity(c) d = MatMul(a, a) }>
}
"""


def opened(tmp_path, text, options=DEFAULT):
    path = tmp_path / "m.onnx"
    path.write_bytes(parser.parse_model(text).SerializeToString())
    return load(path, options)


X, K = np.ones((2, 3), np.float32), np.array([4], np.int64)


def test_ports_say_names_types_and_shapes(tmp_path):
    engine = opened(tmp_path, SUM)
    assert [(p.name, p.dtype, p.shape) for p in engine.inputs] == [
        ("x", np.float32, (2, "n")),
        ("k", np.int64, (1,)),
    ]
    assert [p.name for p in engine.outputs] == ["y"]


def test_threads_share_an_engine(tmp_path):
    engine = opened(tmp_path, SUM, Options(threads=1, spin=False, arena=False))
    with ThreadPoolExecutor(4) as pool:
        results = pool.map(lambda k: engine.run(x=X, k=np.array([k], np.int64))["y"][0, 0], range(50))
    assert list(results) == [k + 1 for k in range(50)]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"x": X}, "needs its input 'k'"),
        ({"x": X, "k": K, "kk": K}, "no input 'kk'; did you mean 'k'"),
        ({"x": X.astype(np.float64), "k": K}, "float64"),
        ({"x": X[:1], "k": K}, r"\(1, 3\)"),
        ({"x": X[0], "k": K}, r"\(3,\)"),
    ],
)
def test_wrong_inputs_are_named(inputs, message, tmp_path):
    with pytest.raises(InputError, match=message):
        opened(tmp_path, SUM).run(**inputs)


def test_a_set_stop_starts_nothing(tmp_path):
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        opened(tmp_path, SUM).run(stop, x=X, k=K)


def test_a_stop_ends_a_run_in_another_thread(tmp_path):
    engine, stop = opened(tmp_path, ENDLESS, Options(threads=1)), Stop()
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    with pytest.raises(Stopped):
        engine.run(stop, x=np.zeros((64, 64), np.float32))
    timer.join()


def test_what_is_no_model_is_corrupt(tmp_path):
    path = tmp_path / "bad.onnx"
    path.write_bytes(b"no model at all")
    with pytest.raises(CorruptError, match=r"bad\.onnx"):
        load(path)


def test_an_unknown_operator_is_corrupt_and_named(tmp_path):
    with pytest.raises(CorruptError, match="Frobnicate"):
        opened(tmp_path, SUM.replace("Add", "Frobnicate"))


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(MissingError, match=r"none\.onnx"):
        load(tmp_path / "none.onnx")


def test_what_only_fails_while_it_runs_is_one_line_too():
    head = '<ir_version: 9, opset_import: ["" : 17]>'
    text = f"{head} g (float[n] x, float[m] y) => (float[k] z) {{ z = Add(x, y) }}"
    engine = parse(parser.parse_model(text).SerializeToString(), name="sum")
    message = r"^model 'sum' can not compute x \(2,\), y \(3,\): [^\n]+$"
    with pytest.raises(InputError, match=message):
        engine.run(x=np.zeros(2, np.float32), y=np.zeros(3, np.float32))
