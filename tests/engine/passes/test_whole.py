import numpy as np
from models import ops, parse
from onnx import numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from mien.engine import graph, passes
from mien.engine.passes import DEQUANTISE, DEQUANTISE_TOLERANCE, WIDEN, Status

RNG = np.random.default_rng(5)


def test_a_quantised_model_becomes_float_within_its_rounding(tmp_path):
    model = parse(
        "y = MatMul(x, w)",
        inputs="float[2, 8] x",
        weights="float[8, 8] w = {" + ", ".join(["0.0"] * 64) + "}",
    )
    model.graph.initializer[0].CopyFrom(
        numpy_helper.from_array(RNG.standard_normal((8, 8)).astype(np.float32), "w")
    )
    (tmp_path / "a.onnx").write_bytes(model.SerializeToString())
    quantize_dynamic(tmp_path / "a.onnx", tmp_path / "b.onnx", weight_type=QuantType.QInt8)
    small = graph.load(tmp_path / "b.onnx")
    x = {"x": RNG.standard_normal((2, 8)).astype(np.float32)}
    made, (record,) = passes.run(small, [DEQUANTISE], [x], tolerance=DEQUANTISE_TOLERANCE)
    assert ops(made) == ["MatMul"]
    assert 0 < record.error < DEQUANTISE_TOLERANCE
    assert passes.run(small, [DEQUANTISE], [x])[1][0].status is Status.DROPPED


def test_widening_keeps_every_number():
    model = parse(
        "h = Conv(x, w) y = Relu(h)",
        inputs="float[1, 1, 9] x",
        outputs="float[1, 1, 7] y",
        weights="float[1, 1, 3] w = {1.0, 2.0, 3.0}",
    )
    _, (record,) = passes.run(model, [WIDEN], [{"x": RNG.standard_normal((1, 1, 9)).astype(np.float32)}])
    assert record.status is Status.KEPT
    assert record.note == "1 1-D convolutions in 2-D"


def test_float_models_are_left_alone():
    model = parse("y = Neg(x)")
    records = passes.run(model, [DEQUANTISE, WIDEN], [{"x": np.zeros((2, 3), np.float32)}])[1]
    assert [record.status for record in records] == [Status.IDLE, Status.IDLE]
