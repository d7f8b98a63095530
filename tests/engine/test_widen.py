import numpy as np
import pytest
from onnx import numpy_helper, parser

from mien.engine.backends.onnxruntime import load
from mien.engine.widen import widen

TEXT = """
<ir_version: 9, opset_import: ["" : 18]>
agraph (float[1, 4, n] x) => (float[1, a, b] out, float[1, 4, n] side)
<float three = {3.0}>
{
    c = Conv <pads = [2, 4], dilations = [3]> (x, w, b)
    r = LeakyRelu <alpha = 0.2> (c)
    d = Div (r, three)
    up = ConvTranspose <strides = [4], pads = [2, 2]> (d, u)
    depth = Conv <group = 2, pads = [2, 2]> (up, g)
    s = Add (depth, up)
    out = Tanh (s)
    side = Neg (x)
}
"""


SHAPES = {"w": (6, 4, 3), "b": (6,), "u": (6, 2, 8), "g": (2, 1, 5)}


def with_weights():
    model = parser.parse_model(TEXT)
    rng = np.random.default_rng(1)
    for name, shape in SHAPES.items():
        model.graph.initializer.append(
            numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name)
        )
    return model


def run(model, folder, x):
    path = folder / "m.onnx"
    path.write_bytes(model.SerializeToString())
    return load(path).run(x=x)


@pytest.mark.parametrize("length", [1, 7, 64])
def test_the_numbers_stay_the_same(length, tmp_path):
    model = with_weights()
    x = np.random.default_rng(2).standard_normal((1, 4, length)).astype(np.float32)
    before, after = run(model, tmp_path, x), run(widen(model), tmp_path, x)
    for name, value in before.items():
        np.testing.assert_allclose(after[name], value, atol=1e-5)


def test_only_the_ends_change_shape():
    ops = [node.op_type for node in widen(with_weights()).graph.node]
    assert ops.count("Unsqueeze") == 1
    assert ops.count("Squeeze") == 1


def test_a_weight_that_is_computed_is_left_alone():
    text = """
    <ir_version: 9, opset_import: ["" : 18]>
    agraph (float[1, 4, n] x, float[6, 4, 3] w) => (float[1, 6, m] out) { out = Conv(x, w) }
    """
    assert [node.op_type for node in widen(parser.parse_model(text)).graph.node] == ["Conv"]


def test_a_convolution_too_narrow_for_all_threads_stays_one_dimensional(tmp_path):
    model = with_weights()  # its convolutions have six and two channels, a thread computes 32 at once
    kept = {node.op_type: node for node in widen(model, threads=2).graph.node}
    assert [a.ints for a in kept["Conv"].attribute if a.name == "pads"] == [[2, 2]]
    assert [a.ints for a in kept["ConvTranspose"].attribute if a.name == "strides"] == [[1, 4]]
    x = np.ones((1, 4, 9), np.float32)
    after = run(widen(model, threads=2), tmp_path, x)
    np.testing.assert_allclose(after["out"], run(model, tmp_path, x)["out"], atol=1e-5)
