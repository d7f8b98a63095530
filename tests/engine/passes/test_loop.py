import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models import X, apply, ops, parse

from mien.engine import passes
from mien.engine.passes import STATIC_LOOP

BODY = """<body = b (int64 i, bool c, float[3] v) => (bool c2, float[3] w, float[3] s)
{ c2 = Identity(c) f = Cast<to = 1>(i) w = Add(v, f) s = Mul(w, x) }>"""


def loop(turns, opset=18, body=BODY):
    weights = f"int64 m = {{{turns}}}, bool on = {{1}}"
    outputs = "float[3] y, float[n, 3] all"
    return parse(f"y, all = Loop(m, on, x) {body}", "float[3] x", outputs, weights, opset)


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 7), st.sampled_from([11, 13, 18]))
def test_any_number_of_turns(turns, opset):
    made, record = apply(STATIC_LOOP, loop(turns, opset), x=X[0])
    assert "Loop" not in ops(made)
    assert ops(made).count("Mul") == turns
    assert record.note == "1 loops unrolled"


def test_too_many_turns_stay():
    _, record = apply(STATIC_LOOP, loop(5000), x=X[0])
    assert "5,000 turns are too many to unroll" in record.note


def test_a_body_that_decides_stays():
    ends = "k = Constant<value_float = 9.0>() t = ReduceMax<keepdims = 0>(v) c2 = Less(t, k)"
    body = BODY.replace("c2 = Identity(c)", ends)
    _, record = apply(STATIC_LOOP, loop(3, body=body), x=X[0])
    assert record.note.endswith("(its body decides when it ends)")


def test_turns_from_an_input_stay():
    model = parse(f"y, all = Loop(m, , x) {BODY}", "float[3] x, int64 m", "float[3] y, float[n, 3] all")
    _, (record,) = passes.run(model, [STATIC_LOOP], [{"x": X[0], "m": np.array(2)}])
    assert record.note.endswith("(its number of turns depends on the inputs)")


@pytest.mark.parametrize("turns", [0, -3])
def test_no_turns_is_what_was_given(turns):
    body = """<body = b (int64 i, bool c, float[3] v) => (bool c2, float[3] w)
    { c2 = Identity(c) w = Neg(v) }>"""
    model = parse(
        f"y = Loop(m, on, x) {body}",
        inputs="float[3] x",
        outputs="float[3] y",
        weights=f"int64 m = {{{turns}}}, bool on = {{1}}",
    )
    made, _ = apply(STATIC_LOOP, model, x=X[0])
    assert ops(made) == ["Constant", "Identity"]
