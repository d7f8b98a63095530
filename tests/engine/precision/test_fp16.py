import numpy as np
import pytest
from onnx import TensorProto, checker, helper, numpy_helper, parser

from mien.engine.backends import onnxruntime
from mien.engine.calibrate import Range
from mien.engine.precision import fp16, named, readback
from mien.engine.precision.plan import Plan


def run(model, **inputs):
    return onnxruntime.parse(model.SerializeToString()).run(**inputs)


def x(n=32):
    return np.random.default_rng(2).standard_normal((1, 4, n)).astype(np.float32)


def test_everything_in_half_computes_the_same_and_keeps_its_face(net):
    plan = fp16.candidates(net)
    made = fp16.convert(net, plan)
    checker.check_model(made, full_check=True)
    assert set(plan.nodes) == {node.name for node in net.graph.node}
    assert readback.check(made, plan) == {"fp16": 7}
    assert made.graph.input[0].type.tensor_type.elem_type == TensorProto.FLOAT
    assert made.graph.output[0].type.tensor_type.elem_type == TensorProto.FLOAT
    np.testing.assert_allclose(run(made, x=x())["out"], run(net, x=x())["out"], atol=5e-3)
    assert {t.data_type for t in made.graph.initializer} == {TensorProto.FLOAT16}


def test_a_mixed_plan_casts_each_tensor_once(net):
    plan = fp16.candidates(net).without(["bend", "second"], "kept")
    made = fp16.convert(net, plan)
    checker.check_model(made, full_check=True)
    assert readback.check(made, plan) == {"fp16": 5, "fp32": 2}
    casts = [node.input[0] for node in made.graph.node if node.op_type == "Cast"]
    assert sorted(casts) == ["a/fp16", "c", "out/fp16", "x"]
    np.testing.assert_allclose(run(made, x=x())["out"], run(net, x=x())["out"], atol=5e-3)


def test_a_constant_out_of_range_stays_and_is_named(loud_net):
    plan = fp16.fitting(loud_net, fp16.candidates(loud_net), {})
    assert plan.kept == {"loud": "constant 'gain' reaches 1e+05; fp16 ends at 65,504"}
    ranges = {"g": Range(-2e5, 2e5)}
    plan = fp16.fitting(loud_net, fp16.candidates(loud_net), ranges)
    assert set(plan.kept) == {"loud", "third"}
    made = fp16.convert(loud_net, plan)
    found, wanted = run(made, x=x())["out"], run(loud_net, x=x())["out"]
    np.testing.assert_allclose(found, wanted, atol=0.05)


def test_a_constant_that_would_vanish_stays():
    model = named(
        parser.parse_model(
            '<ir_version: 9, opset_import: ["" : 17]> g (float[n] x) => (float[n] y)'
            " <float eps = {1e-12}> { y = Add(x, eps) }"
        )
    )
    plan = fp16.fitting(model, fp16.candidates(model), {})
    assert plan.kept == {"Add_0": "constant 'eps' of 1e-12 would become 0 in fp16"}


def test_operators_without_half_and_whole_numbers_are_left_alone():
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[1, 2, n] x) => (float[1, 2, m] y, int64[3] shape)
    <float[3] scales = {1.0, 1.0, 2.0}>
    {
        shape = Shape(x)
        up = Resize<mode = "nearest">(x, , scales)
        z = Relu(up)
        y = Cast<to = 1>(z)
    }
    """
    model = named(parser.parse_model(text))
    plan = fp16.candidates(model)
    assert "Cast_3" not in plan.nodes
    made = fp16.convert(model, plan)
    checker.check_model(made, full_check=True)
    given = np.ones((1, 2, 3), np.float32)
    np.testing.assert_array_equal(run(made, x=given)["y"], run(model, x=given)["y"])


@pytest.mark.parametrize("inside", ["fp16", "fp32"])
def test_what_a_branch_reads_from_outside_is_there(inside):
    branch = helper.make_graph(
        [helper.make_node("Identity", ["a"], ["t"])],
        "b",
        [],
        [helper.make_tensor_value_info("t", TensorProto.FLOAT, None)],
    )
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], "relu"),
        helper.make_node("If", ["c"], ["y"], "if", then_branch=branch, else_branch=branch),
    ]
    graph = helper.make_graph(
        nodes,
        "g",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [2]),
            helper.make_tensor_value_info("c", TensorProto.BOOL, []),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    plan = fp16.candidates(model) if inside == "fp16" else Plan("fp16")
    assert "if" not in plan.nodes
    made = fp16.convert(model, plan)
    out = run(made, x=np.array([-1, 2], np.float32), c=np.array(True))["y"]
    np.testing.assert_array_equal(out, [0, 2])


def test_a_shared_weight_is_stored_in_both_forms_only_when_needed(net):
    plan = fp16.candidates(net)
    made = fp16.convert(net, plan.without(["third"], ""))
    kinds = {t.name: numpy_helper.to_array(t).dtype for t in made.graph.initializer}
    assert kinds["w2"] == np.float32
    assert kinds["w1/fp16"] == np.float16
    assert "w1" not in kinds
