import pytest
from onnx import parser

from mien.engine.precision import Plan, keep, named
from mien.errors import InputError


def test_every_node_gets_a_name_of_its_own():
    model = parser.parse_model(
        '<ir_version: 9, opset_import: ["" : 17]> g (float[n] x) => (float[n] y)'
        " { a = Abs(x) b = Neg(a) y = Abs(b) }"
    )
    model.graph.node[1].name = "Abs_0"
    model.graph.node[2].name = "Abs_0"
    names = [node.name for node in named(model).graph.node]
    assert names == ["Abs_0_", "Neg_1", "Abs_2"]
    assert model.graph.node[0].name == ""


def test_patterns_name_nodes():
    names = ["/dec/pre", "/dec/post", "/enc/pre"]
    assert keep(["/dec/*"], names) == ["/dec/pre", "/dec/post"]
    with pytest.raises(InputError, match="no node fits '/dec/poste'; did you mean '/dec/post'"):
        keep(["/dec/poste"], names)


def test_a_plan_remembers_why():
    plan = Plan("int8", {"a": "int8", "b": "int8"}).without(["a", "z"], "costly")
    assert plan.nodes == {"b": "int8"}
    assert plan.kept == {"a": "costly"}
    assert plan.only(["a"]).nodes == {}
