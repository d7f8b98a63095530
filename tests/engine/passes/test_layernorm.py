import pytest
from models import X, apply, ops, parse

from mien.engine.passes import LAYERNORM, Status

MEAN = "m = ReduceMean <axes = [-1]> (x)\n d = Sub (x, m)"
BODY = f"""{MEAN}
 q = {{square}}
 v = ReduceMean <axes = [-1]> (q)
 e = Add (v, eps)
 r = Sqrt (e)
 n = Div (d, r)
 g = Mul ({{scaled}})
 y = Add (g, t)"""
WEIGHTS = "float eps = {1e-5}, float two = {2}, float[3] s = {1, -2, 0.5}, float[3] t = {0.1, 0, 3}"


def written_out(square="Pow (d, two)", scaled="n, s", opset=17, weights=WEIGHTS, body=BODY, **more):
    return parse(body.format(square=square, scaled=scaled), weights=weights, opset=opset, **more)


@pytest.mark.parametrize("square", ["Pow (d, two)", "Mul (d, d)"])
@pytest.mark.parametrize("scaled", ["n, s", "s, n"])
def test_nine_nodes_become_one(square, scaled):
    made, record = apply(LAYERNORM, written_out(square, scaled), x=X)
    assert ops(made) == ["LayerNormalization"]
    assert record.status is Status.KEPT
    assert record.note == "1 layer normalisations joined"


def test_an_older_operator_set_is_lifted():
    made, _ = apply(LAYERNORM, written_out(opset=15), x=X)
    assert made.opset_import[0].version == 17
    made, record = apply(LAYERNORM, written_out(opset=13), x=X)
    assert record.status is Status.IDLE
    assert made.opset_import[0].version == 13


def test_axes_may_be_an_input():
    body = BODY.replace("<axes = [-1]> (x)", "(x, last)").replace("<axes = [-1]> (q)", "(q, last)")
    weights = f"{WEIGHTS}, int64[1] last = {{-1}}"
    made, _ = apply(LAYERNORM, written_out(body=body, weights=weights, opset=18), x=X)
    assert ops(made) == ["LayerNormalization"]


@pytest.mark.parametrize(
    "changes",
    [
        {"weights": WEIGHTS.replace("{2}", "{3}")},
        {"weights": WEIGHTS.replace("float[3] s", "float[1,3] s")},
        {"weights": WEIGHTS.replace("float eps = {1e-5}", "float[3] eps = {1e-5, 1, 2}")},
        {"body": BODY.replace("[-1]", "[0]")},
        {"body": BODY.replace("Sub (x, m)", "Sub (m, x)")},
        {"outputs": "float[a, b] y, float[a, b] n"},
    ],
)
def test_what_only_looks_like_it_stays(changes):
    made, record = apply(LAYERNORM, written_out(**changes), x=X)
    assert record.status is Status.IDLE
    assert "Sqrt" in ops(made)
