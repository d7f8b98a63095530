import numpy as np
import pytest
from onnx import checker, helper, numpy_helper

from mien.engine.backends import onnxruntime
from mien.engine.precision import readback, weights
from mien.errors import InputError


def test_larger_weights_are_stored_in_a_quarter(big_net):
    plan = weights.candidates(big_net)
    assert set(plan.nodes) == {"second"}
    made = weights.store(big_net, plan)
    checker.check_model(made, full_check=True)
    assert readback.check(made, plan)["w8"] == 1
    assert len(made.SerializeToString()) < 0.35 * len(big_net.SerializeToString())
    x = np.random.default_rng(0).standard_normal((1, 4, 50)).astype(np.float32)
    wanted = onnxruntime.parse(big_net.SerializeToString()).run(x=x)["out"]
    for folded in (False, True):
        engine = onnxruntime.parse(made.SerializeToString(), onnxruntime.Options(fold_weights=folded))
        found = engine.run(x=x)["out"]
        assert 0 < np.linalg.norm(found - wanted) / np.linalg.norm(wanted) < 0.01


def test_a_weight_that_two_nodes_read_is_stored_once():
    w = numpy_helper.from_array(np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32), "w")
    info = helper.make_tensor_value_info
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["y"], "a"),
        helper.make_node("MatMul", ["y", "w"], ["z"], "b"),
        helper.make_node("Gemm", ["z", "w"], ["out"], "c", transB=1),
    ]
    graph = helper.make_graph(nodes, "g", [info("x", 1, [2, 64])], [info("out", 1, [2, 64])], [w])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    made = weights.store(model, weights.candidates(model))
    checker.check_model(made, full_check=True)
    assert sum(node.op_type == "DequantizeLinear" for node in made.graph.node) == 2  # one for each axis
    assert "w" not in {tensor.name for tensor in made.graph.initializer}


def test_small_models_have_nothing_to_gain(net):
    with pytest.raises(InputError, match="no weights of 4,096 numbers"):
        weights.candidates(net)
