import json

import numpy as np
import pytest
from onnx import numpy_helper, parser
from onnxruntime.quantization import QuantType, quantize_dynamic

from mien.engine import graph
from mien.engine.inspect import Summary, summarise

TEXT = """<ir_version: 9, opset_import: ["" : 18], producer_name: "maker">
g (float[batch, 4] x, int64[batch, n] ids) => (float[batch, 4] y, float[batch, n, 4] z)
<float[4, 4] w = {WEIGHTS}, float[9, 4] table = {TABLE}>
{ h = MatMul(x, w) y = Neg(h) z = Gather(table, ids) }"""


@pytest.fixture
def model():
    text = TEXT.replace("WEIGHTS", ", ".join(["0.5"] * 16)).replace("TABLE", ", ".join(["1.0"] * 36))
    return parser.parse_model(text)


def test_it_says_what_a_model_holds(model):
    summary = summarise(model)
    assert [str(face) for face in summary.inputs] == ["x: float32 (batch, 4)", "ids: int64 (batch, n)"]
    assert summary.free == {"batch": ("x[0]", "ids[0]"), "n": ("ids[1]",)}
    assert summary.parameters == 52
    assert summary.weights["float32"].bytes == 208
    assert summary.operators == {"MatMul": 1, "Neg": 1, "Gather": 1}
    assert summary.precision == ("weights by bytes: 100 % float32", "1 heavy operators (MatMul)")


def test_it_survives_json(model):
    summary = summarise(model)
    assert Summary.from_dict(json.loads(json.dumps(summary.to_dict()))) == summary


def test_inner_graphs_count():
    text = """<ir_version: 9, opset_import: ["" : 18]> g (bool c, float[2] x) => (float[2] y)
    { y = If(c) <then_branch = t () => (a) { a = Neg(x) }, else_branch = e () => (b) { b = Neg(x) }> }"""
    assert summarise(parser.parse_model(text)).operators == {"Neg": 2, "If": 1}


def test_a_quantised_model_is_said_to_be_one(model, tmp_path):
    weight = np.random.default_rng(1).standard_normal((4, 4)).astype(np.float32)
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(weight, "w"))
    (tmp_path / "a.onnx").write_bytes(model.SerializeToString())
    quantize_dynamic(
        tmp_path / "a.onnx", tmp_path / "b.onnx", op_types_to_quantize=["MatMul"], weight_type=QuantType.QInt8
    )
    lines = summarise(graph.load(tmp_path / "b.onnx")).precision
    assert any("1 of 1 heavy operators compute in int8" in line for line in lines)


def test_a_sequence_has_no_shape():
    text = (
        '<ir_version: 9, opset_import: ["" : 18]> g (seq(float[2]) s) => (int64 n) { n = SequenceLength(s) }'
    )
    assert str(summarise(parser.parse_model(text)).inputs[0]) == "s: sequence any shape"
