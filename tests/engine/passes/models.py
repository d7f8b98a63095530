"""Models in ONNX text, run by ONNX's own reference evaluator: another judge than the passes'."""

import numpy as np
import onnx
import onnx.reference
from onnx import parser

from mien.engine import passes


def parse(body, inputs="float[2, 3] x", outputs="float[a, b] y", weights="", opset=18):
    text = f'<ir_version: 9, opset_import: ["" : {opset}]> g ({inputs}) => ({outputs})'
    return parser.parse_model(f"{text} {f'<{weights}>' if weights else ''} {{ {body} }}")


def evaluate(model, **inputs):
    return onnx.reference.ReferenceEvaluator(model).run(None, inputs)


def same(before, after, **inputs):
    for a, b in zip(evaluate(before, **inputs), evaluate(after, **inputs), strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-6)


def ops(model):
    return [node.op_type for node in model.graph.node]


def apply(each, model, **inputs):
    """Run one pass as users do; return the model and its record; the given one must stay as it was."""
    before = model.SerializeToString()
    made, (record,) = passes.run(model, [each], [inputs])
    assert model.SerializeToString() == before
    onnx.checker.check_model(made)
    same(model, made, **inputs)
    return made, record


X = np.random.default_rng(7).standard_normal((2, 3)).astype(np.float32)
