from models import X, apply, ops, parse

from mien.engine.passes import DEAD, Status


def test_what_no_output_needs_goes():
    model = parse(
        "h = Mul(x, w) unread = Exp(h) y = Neg(h)", weights="float w = {2.0}, float[2] u = {1.0, 2.0}"
    )
    made, record = apply(DEAD, model, x=X)
    assert ops(made) == ["Mul", "Neg"]
    assert [t.name for t in made.graph.initializer] == ["w"]
    assert record.status is Status.KEPT
    assert record.note == "1 nodes removed; 1 weights removed"


def test_identities_go_except_those_that_name_an_output():
    model = parse("a = Identity(x) b = Identity(a) c = Neg(b) y = Identity(c)")
    made, _ = apply(DEAD, model, x=X)
    assert ops(made) == ["Neg", "Identity"]


def test_what_an_inner_graph_reads_stays():
    body = """a = Exp(x) b = Identity(a) s = ReduceSum<keepdims = 0>(x) c = Greater(s, zero)
    y = If(c) <then_branch = t () => (t1) { t1 = Neg(b) }, else_branch = e () => (e1) { e1 = Identity(b) }>"""
    made, _ = apply(DEAD, parse(body, weights="float zero = {0.0}"), x=X)
    assert ops(made) == ["Exp", "ReduceSum", "Greater", "If"]


def test_a_live_model_is_left_alone():
    assert apply(DEAD, parse("y = Neg(x)"), x=X)[1].status is Status.IDLE
