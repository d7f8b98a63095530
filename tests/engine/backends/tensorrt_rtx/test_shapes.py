import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import numpy_helper, parser

from mien.engine.backends.tensorrt_rtx.shapes import axes, parse, profile, seen, stated, usual
from mien.errors import InputError

MODEL = parser.parse_model(
    """<ir_version: 9, opset_import: ["" : 17]>
    g (float[batch,4,frames] x, float[batch,?] z, float[2] w) => (float[batch,4,frames] y) { y = Relu(x) }"""
)
MODEL.graph.initializer.append(numpy_helper.from_array(np.zeros(2, np.float32), "w"))


def test_free_axes_have_names():
    assert axes(MODEL) == {"batch": ["x", "z"], "frames": ["x"], "z.1": ["z"]}
    assert usual(MODEL)["batch"][2] < usual(MODEL)["frames"][2]


@given(st.lists(st.integers(1, 10_000), min_size=3, max_size=3).map(sorted))
def test_a_range_comes_back(sizes):
    assert parse([f"frames={':'.join(map(str, sizes))}"]) == {"frames": tuple(sizes)}


@pytest.mark.parametrize(
    "text", ["", "frames", "frames=", "frames=0", "frames=4:2:8", "frames=1:2", "=1:2:3"]
)
def test_another_form_is_refused(text):
    with pytest.raises(InputError, match=r"is no shape; write AXIS=LEAST:USUAL:MOST"):
        parse([text])


def test_a_profile_fills_the_shapes_in():
    sizes = parse(["batch=1", "frames=2:4:8", "z.1=3"])
    assert profile(MODEL, sizes) == {
        "x": ([1, 4, 2], [1, 4, 4], [1, 4, 8]),
        "z": ([1, 3], [1, 3], [1, 3]),
    }
    with pytest.raises(InputError, match=r"no size for the free axis batch, z.1; .*--shape batch=1:64:512"):
        profile(MODEL, parse(["frames=2"]))
    with pytest.raises(InputError, match=r"no input has a free axis 'frame'; did you mean 'frames'"):
        profile(MODEL, parse(["frame=2"]))


def test_sizes_come_from_samples():
    samples = [{"x": np.zeros((1, 4, n), np.float32), "z": np.zeros((1, 2), np.float32)} for n in (9, 3, 5)]
    assert seen(MODEL, samples) == {"batch": (1, 1, 1), "frames": (3, 5, 9), "z.1": (2, 2, 2)}


def test_an_input_without_a_shape_gets_that_of_its_samples():
    model = parser.parse_model(
        '<ir_version: 9, opset_import: ["" : 17]> g (float[] x, float[2] z) => (float[] y) { y = Relu(x) }'
    )
    model.graph.input[0].type.tensor_type.ClearField("shape")
    samples = [{"x": np.zeros((1, 4, n), np.float32), "z": np.zeros(2, np.float32)} for n in (5, 9)]
    assert axes(stated(model, {}, samples)) == {"x.2": ["x"]}
    assert axes(stated(model, parse(["x.0=1:2:4"]), samples[:1])) == {"x.0": ["x"]}
    assert stated(MODEL, {}, None) is MODEL
    with pytest.raises(InputError, match="input x states no shape; give samples"):
        stated(model, {}, None)
