import numpy as np
import pytest
from models import X, apply, evaluate, ops, parse

from mien.engine import passes
from mien.engine.passes import FOLD, STATIC_IF

BRANCHES = (
    "<then_branch = t () => (r) { h = Exp(x) r = Neg(h) }, else_branch = e () => (r2) { r2 = Identity(x) }>"
)


@pytest.mark.parametrize(("flag", "left"), [(1, ["Exp", "Neg", "Identity"]), (0, ["Identity", "Identity"])])
def test_the_branch_that_is_taken_stays(flag, left):
    made, record = apply(STATIC_IF, parse(f"y = If(c) {BRANCHES}", weights=f"bool c = {{{flag}}}"), x=X)
    assert ops(made) == left
    assert record.note == "1 branches chosen"


def test_a_condition_that_depends_on_the_input_is_said_so():
    body = f"s = ReduceSum<keepdims = 0>(x) c = Greater(s, z) out = If(c) {BRANCHES} y = Neg(out)"
    made, record = apply(STATIC_IF, parse(body, weights="float z = {0.0}"), x=X)
    assert "If" in ops(made)
    assert record.note == "kept: If(out) (its condition depends on the inputs)"


def test_folding_makes_conditions_constant():
    body = f"s = Shape(x) n = Gather(s, one) c = Equal(n, three) y = If(c) {BRANCHES}"
    model = parse(body, weights="int64 one = {1}, int64 three = {3}")
    made, records = passes.run(model, passes.STANDARD, [{"x": X}])
    assert ops(made) == ["Exp", "Neg", "Identity"] or ops(made) == ["Exp", "Neg"]
    assert not [record for record in records if record.reason]
    np.testing.assert_allclose(evaluate(made, x=X)[0], evaluate(model, x=X)[0], rtol=1e-6)


def test_an_if_inside_an_if_goes_too():
    inner = "<then_branch = a () => (p) { p = Neg(g) }, else_branch = b () => (q) { q = Exp(g) }>"
    body = f"""y = If(c) <then_branch = t () => (r) {{ g = Exp(x) k = Constant<value_int = 0>()
    b = Cast<to = 9>(k) r = If(b) {inner} }}, else_branch = e () => (r2) {{ r2 = Neg(x) }}>"""
    model = parse(body, weights="bool c = {1}")
    made, _ = passes.run(model, [STATIC_IF, FOLD, STATIC_IF], [{"x": X}])
    assert ops(made) == ["Exp", "Exp", "Identity", "Identity"]


def test_names_of_two_inlined_branches_do_not_meet():
    body = f"a = If(c) {BRANCHES} b = If(c) {BRANCHES} y = Add(a, b)"
    made, _ = apply(STATIC_IF, parse(body, weights="bool c = {1}"), x=X)
    assert "If" not in ops(made)
