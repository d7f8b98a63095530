import numpy as np
import pytest
from onnx import numpy_helper, parser

from mien.engine.backends import onnxruntime
from mien.engine.spread import spread

TEXT = """
<ir_version: 9, opset_import: ["" : %d]>
agraph (float[b, 4, n] x) => (float[b, 1, 1, m] out)
<float three = {3.0}, int64[1] one = {1}>
{
    up = ConvTranspose <strides = [4], pads = [2, 2]> (x, u)
    r = LeakyRelu <alpha = 0.2> (up)
    a = Conv <pads = [3, 3], dilations = [3]> (r, v)
    s = Add (a, up)
    c = Conv <pads = [8, 8], dilations = [4]> (s, w)
    d = Div (c, three)
    p = Conv <pads = [1, 1]> (d, post)
    t = Tanh (p)
    out = Unsqueeze (t, one)
}
"""
SHAPES = {"u": (4, 16, 8), "v": (16, 16, 3), "w": (16, 16, 5), "post": (1, 16, 3)}


def net(text=TEXT % 17):
    model = parser.parse_model(text)
    rng = np.random.default_rng(1)
    for name, shape in SHAPES.items():
        value = 0.3 * rng.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(value, name))
    return model


def outputs(model, x):
    return onnxruntime.parse(model.SerializeToString(), name="net").run(x=x)["out"]


@pytest.mark.parametrize("opset", [15, 18])
@pytest.mark.parametrize("threads", [2, 3, 5])
@pytest.mark.parametrize("length", [1, 2, 3, 7, 40, 101])
def test_parts_give_the_same_as_one_line(opset, threads, length):
    model = net(TEXT % opset)
    x = np.random.default_rng(length).standard_normal((2, 4, length)).astype(np.float32)
    made = spread(model, threads)
    assert any(node.op_type == "Split" for node in made.graph.node)
    np.testing.assert_allclose(outputs(made, x), outputs(model, x), atol=1e-5)


def test_the_parts_are_in_the_blocked_layout_and_the_last_convolution_is_not():
    convolutions = [node for node in spread(net(), 2).graph.node if node.op_type == "Conv"]
    assert [node.input[1].endswith("/2d") for node in convolutions] == [True, True, False]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Tanh (p)", "ReduceMean <axes = [2]> (p)"),  # only what comes before is cut
        ("pads = [8, 8], dilations = [4]", "pads = [16, 0], dilations = [4]"),
        ("pads = [1, 1]> (d", "pads = [1, 1], strides = [1]> (d"),
    ],
)
def test_what_hears_further_or_to_one_side_stays_outside_of_the_parts(old, new):
    assert old in TEXT
    model = net((TEXT % 17).replace(old, new))
    x = np.random.default_rng(3).standard_normal((1, 4, 30)).astype(np.float32)
    np.testing.assert_allclose(outputs(spread(model, 2), x), outputs(model, x), atol=1e-5)


def test_one_thread_and_a_wide_end_need_no_parts():
    assert not any(node.op_type == "Split" for node in spread(net(), 1).graph.node)
