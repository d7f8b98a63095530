import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from models import X, apply, ops, parse

from mien.engine.passes import TRANSPOSES


def test_there_and_back_is_nothing():
    model = parse("a = Transpose<perm = [1, 0]>(x) b = Transpose<perm = [1, 0]>(a) y = Neg(b)")
    assert ops(apply(TRANSPOSES, model, x=X)[0]) == ["Neg"]


def test_one_that_is_read_stays():
    body = "a = Transpose<perm = [1, 0]>(x) b = Transpose<perm = [1, 0]>(a) y = Neg(b) z = Exp(a)"
    made, record = apply(TRANSPOSES, parse(body, outputs="float[2, 3] y, float[3, 2] z"), x=X)
    assert ops(made) == ["Transpose", "Neg", "Exp"]
    assert record.note == "1 transposes removed"


@settings(max_examples=25, deadline=None)
@given(st.lists(st.permutations(range(4)), min_size=1, max_size=5))
def test_any_chain_becomes_one_at_most(orders):
    body, last = "", "x"
    for i, order in enumerate(orders):
        body += f"t{i} = Transpose<perm = {list(order)}>({last}) "
        last = f"t{i}"
    model = parse(f"{body} y = Neg({last})", inputs="float[2, 3, 4, 5] x", outputs="float[a, b, c, d] y")
    x = np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)
    made, _ = apply(TRANSPOSES, model, x=x)
    assert ops(made).count("Transpose") <= 1
