import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, parser
from onnxruntime.quantization import QuantType, quantize_dynamic

from mien.engine import graph
from mien.engine.backends.onnxruntime import load
from mien.engine.dequantise import dequantise, is_dynamic
from mien.errors import InputError

RNG = np.random.default_rng(3)


def weight(name, *shape):
    return numpy_helper.from_array((RNG.standard_normal(shape) * 0.2).astype(np.float32), name)


def build(nodes, inputs, outputs, weights):
    made = helper.make_graph(nodes, "g", inputs, outputs, weights)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def tensor(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def matmul():
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"], "first"),
        helper.make_node("MatMul", ["h", "w"], ["out"], "second"),
    ]
    return build(nodes, [tensor("x", 1, 5, 16)], [tensor("out", 1, 5, 16)], [weight("w", 16, 16)])


def convolution():
    node = helper.make_node("Conv", ["x", "w", "b"], ["out"], "conv", dilations=[2], pads=[2, 2])
    weights = [weight("w", 6, 4, 3), weight("b", 6)]
    return build([node], [tensor("x", 1, 4, 20)], [tensor("out", 1, 6, 20)], weights)


def lstm():
    node = helper.make_node(
        "LSTM", ["x", "w", "r", "b"], ["out"], "lstm", hidden_size=8, direction="bidirectional"
    )
    weights = [weight("w", 2, 32, 4), weight("r", 2, 32, 8), weight("b", 2, 64)]
    return build([node], [tensor("x", 7, 1, 4)], [tensor("out", 7, 2, 1, 8)], weights)


def quantised(model, folder, **options):
    source, target = folder / "float.onnx", folder / "quantised.onnx"
    source.write_bytes(model.SerializeToString())
    quantize_dynamic(
        source,
        target,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul", "Conv", "LSTM"],
        **options,
    )
    return graph.load(target)


def run(model, folder, x):
    path = folder / "run.onnx"
    path.write_bytes(model.SerializeToString())
    return load(path).run(x=x)["out"]


@pytest.mark.parametrize("make", [matmul, convolution, lstm])
@pytest.mark.parametrize("per_channel", [False, True])
def test_the_float_model_is_nearer_to_the_original(make, per_channel, tmp_path):
    original = make()
    small = quantised(original, tmp_path, per_channel=per_channel)
    assert is_dynamic(small)
    restored = dequantise(small)
    assert not is_dynamic(restored)
    shape = [d.dim_value for d in original.graph.input[0].type.tensor_type.shape.dim]
    x = RNG.standard_normal(shape).astype(np.float32)
    truth = run(original, tmp_path, x)
    error = np.abs(run(restored, tmp_path, x) - truth).mean()
    assert error <= np.abs(run(small, tmp_path, x) - truth).mean()
    assert error < 0.02 * np.abs(truth).mean() + 1e-3


def test_a_weight_used_twice_is_stored_once(tmp_path):
    restored = dequantise(quantised(matmul(), tmp_path))
    assert len(restored.graph.initializer) == 1


def test_domains_without_nodes_go(tmp_path):
    restored = dequantise(quantised(lstm(), tmp_path))
    assert [opset.domain for opset in restored.opset_import] == [""]


def test_an_unusual_form_is_refused_with_its_node():
    text = """
    <ir_version: 9, opset_import: ["" : 18]>
    agraph (uint8[2, 3] x, uint8[3, 2] w) => (int32[2, 2] out) { out = MatMulInteger(x, w) }
    """
    model = parser.parse_model(text)
    model.graph.node[0].name = "lonely"
    with pytest.raises(InputError, match=r"'lonely' \(MatMulInteger\)"):
        dequantise(model)
