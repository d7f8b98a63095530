import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import parser

from mien.engine.inspect.generate import FREE_SIZE, generate
from mien.errors import InputError


def model(inputs, body="y = Identity(x)", weights=""):
    head = '<ir_version: 9, opset_import: ["" : 18]>'
    return parser.parse_model(f"{head} g ({inputs}) => (float[a] y) {weights} {{ {body} }}")


def test_free_sizes_are_chosen():
    made = generate(model("float[batch, 3, frames] x, bool[2] b, int64[batch_size] lengths"))
    assert made["x"].shape == (1, 3, FREE_SIZE)
    assert made["x"].min() >= 0.1
    assert made["b"].all()
    assert made["lengths"].tolist() == [FREE_SIZE]


@given(st.integers(0, 1000))
def test_indices_stay_in_their_table(seed):
    text = "c = Cast<to = 7>(x) y = Gather(table, c)"
    made = generate(model("int32[1, n] x", text, "<float[3] table = {1.0, 2.0, 3.0}>"), seed)
    assert made["x"].dtype == np.int32
    assert set(made["x"].ravel()) <= {0, 1, 2}


@pytest.mark.parametrize("inputs", ["seq(float[2]) x", "string[2] x", "float[9000, 9000, 9000] x", "float x"])
def test_what_gives_nothing_to_go_by_is_named(inputs):
    if inputs == "float x":
        assert generate(model(inputs))["x"].shape == ()
    else:
        with pytest.raises(InputError, match="input 'x'"):
            generate(model(inputs))
