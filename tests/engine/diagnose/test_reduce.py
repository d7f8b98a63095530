import numpy as np
import onnx
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import numpy_helper, parser

from mien.engine.diagnose.part import part
from mien.engine.diagnose.reduce import smallest
from mien.engine.graph import value_infos


def chain(operators):
    """A chain over `(2, 4)`; each third node also reads the first one's output."""
    lines, last = [], "x"
    for place, operator in enumerate(operators):
        lines.append(f"t{place} = {operator}({last})")
        last = f"t{place}"
        if place % 3 == 2:
            lines.append(f"s{place} = Add({last}, t0)")
            last = f"s{place}"
    text = f"g (float[2,4] x) => (float[2,4] {last}) {{ {' '.join(lines)} }}"
    return parser.parse_model(f'<ir_version: 9, opset_import: ["" : 17]> {text}')


def kinds(model):
    return {node.op_type for node in model.graph.node}


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["Relu", "Neg", "Abs"]), min_size=1, max_size=24), st.data())
def test_the_one_bad_node_is_found_alone(operators, data):
    place = data.draw(st.integers(0, len(operators) - 1))
    model = chain([*operators[:place], "Erf", *operators[place + 1 :]])
    found, count = smallest(model, lambda m: "Erf" in kinds(m))
    assert (count, kinds(found)) == (1, {"Erf"})
    onnx.checker.check_model(found)


def test_two_nodes_that_fail_together_are_both_kept():
    model = chain(["Relu", "Erf", "Neg", "Abs", "Neg", "Abs", "Sin", "Relu", "Neg"])
    found, count = smallest(model, lambda m: {"Erf", "Sin"} <= kinds(m))
    assert (count, kinds(found)) == (2, {"Erf", "Sin"})


def test_the_named_node_is_asked_first_then_with_those_before_it():
    model = chain(["Relu", "Erf", "Neg", "Sin"])
    asked = []
    names = [node.op_type for node in model.graph.node]

    def fails(candidate):
        asked.append([node.op_type for node in candidate.graph.node])
        return {"Neg", "Sin"} <= kinds(candidate)

    found, count = smallest(model, fails, names.index("Sin"))
    assert asked[0] == ["Sin"]
    assert kinds(found) == {"Neg", "Sin"} | ({"Add"} if count == 3 else set())


def test_what_never_fails_in_part_has_no_part_and_time_ends_the_search():
    model = chain(["Relu"] * 9)
    assert smallest(model, lambda m: False) is None
    assert smallest(model, lambda m: True, time_s=-1) is None


def test_a_part_brings_its_constants_and_asks_for_the_rest():
    model = parser.parse_model(
        """<ir_version: 9, opset_import: ["" : 17, "mine" : 1]> g (float[4] x) => (float[4] y, float[4] z) {
        two = Constant<value = float {2.0}>() a = Mul(x, two) b = Add(a, w) o = mine.Odd(b) y = Neg(o)
        z = If(flag) <then_branch = t () => (float[4] p) { p = Neg(b) },
                      else_branch = e () => (float[4] q) { q = Abs(a) }> }"""
    )
    model.graph.initializer.append(numpy_helper.from_array(np.ones(4, np.float32), "w"))
    model.graph.initializer.append(numpy_helper.from_array(np.array(True), "flag"))
    infos = value_infos(model)
    names = [node.op_type for node in model.graph.node]
    product = part(model, [names.index("Mul")], infos)
    assert [node.op_type for node in product.graph.node] == ["Constant", "Mul"]
    total = part(model, [names.index("Add")], infos)
    assert [info.name for info in total.graph.input] == ["a"]
    assert [tensor.name for tensor in total.graph.initializer] == ["w"]
    branch = part(model, [names.index("If")], infos)
    assert [info.name for info in branch.graph.input] == ["a", "b"]
    onnx.checker.check_model(branch, full_check=True)
    assert part(model, [names.index("Neg")], infos) is None  # nobody knows what mine.Odd returns
    assert part(model, [names.index("Odd")], infos).graph.output[0].name == "o"
