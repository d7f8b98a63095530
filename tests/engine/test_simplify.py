import numpy as np
from onnx import parser

from mien.engine.backends import reference
from mien.engine.simplify import simplify

TEXT = """<ir_version: 9, opset_import: ["" : 17]> g (float[2, 3] x) => (float[2, 3] y) {
    s = Shape (x)
    f = Cast <to = 1> (s)
    m = ReduceSum <keepdims = 0> (f)
    y = Mul (x, m)
}"""
X = {"x": np.ones((2, 3), np.float32)}


def test_fewer_nodes_and_the_same_results():
    model = parser.parse_model(TEXT)
    made = simplify(model, [X])
    assert [node.op_type for node in made.graph.node] == ["Mul"]
    np.testing.assert_array_equal(reference.Session(made).run(X)[0], reference.Session(model).run(X)[0])


def test_a_model_that_does_not_run_on_the_samples_stays(caplog):
    model = parser.parse_model(TEXT)
    assert simplify(model, [{"z": X["x"]}]) is model
    assert "the model is not simplified" in caplog.text
