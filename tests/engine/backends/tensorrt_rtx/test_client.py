import numpy as np
import pytest
from onnx import numpy_helper, parser

from mien.engine.backends import tensorrt_rtx
from mien.errors import InputError

pytest.importorskip("tensorrt_rtx_bindings", reason="the extra tensorrt-rtx is not installed")


def convolution(kind="float", quantised=False):
    body = "y = Conv(x, w)"
    if quantised:
        body = """s = Constant<value=float {0.02}>() z = Constant<value=int8 {0}>()
        q = QuantizeLinear(x, s, z) d = DequantizeLinear(q, s, z)
        e = DequantizeLinear(w, s, z) y = Conv(d, e)"""
    head = '<ir_version: 9, opset_import: ["" : 17]>'
    model = parser.parse_model(f"{head} g ({kind}[1,8,n,32] x) => ({kind}[1,8,m,30] y) {{ {body} }}")
    dtype = {"float": np.float32, "float16": np.float16}[kind]
    weight = np.random.default_rng(0).standard_normal((8, 8, 3, 3)) * (30 if quantised else 0.1)
    weight = weight.astype(np.int8 if quantised else dtype)
    model.graph.initializer.append(numpy_helper.from_array(weight, "w"))
    model.graph.node[-1].name = "conv"
    return model.SerializeToString()


PROFILE = {"x": ([1, 8, 16, 32], [1, 8, 32, 32], [1, 8, 64, 32])}


@pytest.mark.parametrize(
    ("model", "runs"),
    [
        (convolution(), "fp32 Conv"),
        (convolution("float16"), "fp16 Conv"),
        (convolution(quantised=True), "int8 Conv"),
    ],
)
def test_a_plan_is_read_back_without_a_gpu(model, runs):
    built = tensorrt_rtx.build(model, ["8.6", "12.0"], PROFILE)
    assert built.contents.capabilities == ("8.6", "12.0")
    assert built.contents.nodes == {"conv": runs}
    assert built.inputs["x"].endswith("(1, 8, -1, 32)")
    assert len(built.data) > 100_000


def test_a_refusal_is_one_line_with_the_node_and_the_librarys_reason():
    model = parser.parse_model(
        '<ir_version: 9, opset_import: ["" : 17]> g (float[2,4,4] x) => (float[2] y) { y = Det(x) }'
    )
    model.graph.node[0].name = "size"
    with pytest.raises(InputError, match=r"at node size \(Det\).*mien diagnose") as caught:
        tensorrt_rtx.build(model.SerializeToString(), ["8.9"], {})
    assert "\n" not in str(caught.value)


def test_a_build_without_sizes_is_refused():
    with pytest.raises(InputError, match="no optimization profile"):
        tensorrt_rtx.build(convolution(), ["8.9"], {})


def test_a_build_that_takes_too_long_ends():
    with pytest.raises(InputError, match=r"it was stopped after 0\.01 s"):
        tensorrt_rtx.build(convolution(), ["8.9"], PROFILE, time_s=0.01)
