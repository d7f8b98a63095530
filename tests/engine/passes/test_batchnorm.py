import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models import apply, ops
from onnx import TensorProto, helper, numpy_helper

from mien.engine import passes
from mien.engine.passes import BATCHNORM


def conv_norm(seed=0, channels=4, group=1, bias=True, op="Conv", epsilon=1e-5):
    rng = np.random.default_rng(seed)
    inner = (channels, 4 // group) if op == "Conv" else (4, channels // group)
    weights = {
        "w": rng.standard_normal((*inner, 3)),
        "b": rng.standard_normal(channels),
        "scale": rng.standard_normal(channels),
        "shift": rng.standard_normal(channels),
        "mean": rng.standard_normal(channels),
        "var": rng.uniform(0.01, 4, channels),
    }
    nodes = [
        helper.make_node(op, ["x", "w", "b"] if bias else ["x", "w"], ["h"], "conv", group=group),
        helper.make_node(
            "BatchNormalization", ["h", "scale", "shift", "mean", "var"], ["y"], "norm", epsilon=epsilon
        ),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 9])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, channels, None])],
        [numpy_helper.from_array(v.astype(np.float32), k) for k, v in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


X = np.random.default_rng(1).standard_normal((1, 4, 9)).astype(np.float32)


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 1000),
    st.sampled_from([(4, 1), (8, 1), (8, 2), (4, 4)]),
    st.booleans(),
    st.sampled_from(["Conv", "ConvTranspose"]),
    st.floats(1e-6, 0.1),
)
def test_the_convolution_does_it_all(seed, shape, bias, op, epsilon):
    channels, group = shape if op == "Conv" else (shape[0], 1)
    model = conv_norm(seed, channels, group, bias, op, epsilon)
    made, _ = apply(BATCHNORM, model, x=X)
    assert ops(made) == [op]
    assert len(made.graph.initializer) == 2


def test_a_transposed_convolution_in_groups_stays():
    _, (record,) = passes.run(conv_norm(0, 8, 2, op="ConvTranspose"), [BATCHNORM], [{"x": X}])
    assert record.note == "kept: norm (the convolution is transposed and grouped)"


def test_a_convolution_read_twice_stays_and_says_why():
    model = conv_norm()
    model.graph.output.append(helper.make_tensor_value_info("h", TensorProto.FLOAT, [1, 4, None]))
    made, record = apply(BATCHNORM, model, x=X)
    assert ops(made) == ["Conv", "BatchNormalization"]
    assert record.note == "kept: norm (the convolution is read elsewhere too)"


def test_one_in_training_mode_stays():
    model = conv_norm()
    norm = model.graph.node[1]
    norm.attribute.append(helper.make_attribute("training_mode", 1))
    norm.output.extend(["m", "v"])
    _, (record,) = passes.run(model, [BATCHNORM], [{"x": X}])
    assert record.note == "kept: norm (in training mode)"


@pytest.mark.parametrize("name", ["test_batchnorm_example", "test_batchnorm_epsilon"])
def test_onnx_own_cases_behind_a_unit_convolution(name):
    from onnx.backend.test.case.node.batch_normalization import _batchnorm_test_mode

    x = np.random.default_rng(2).standard_normal((2, 4, 4)).astype(np.float32)
    model = conv_norm(epsilon=1e-2 if "epsilon" in name else 1e-5, bias=False)
    unit = np.eye(4, dtype=np.float32)[:, :, None]
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(unit, "w"))
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 2
    model.graph.input[0].type.tensor_type.shape.dim[2].dim_value = 4
    model.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 2
    made, _ = apply(BATCHNORM, model, x=x)
    weights = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    expected = _batchnorm_test_mode(
        x,
        weights["scale"],
        weights["shift"],
        weights["mean"],
        weights["var"],
        1e-2 if "epsilon" in name else 1e-5,
    )
    from models import evaluate

    np.testing.assert_allclose(evaluate(made, x=x)[0], expected, rtol=1e-4, atol=1e-5)
