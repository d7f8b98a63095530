import numpy as np
import pytest
from models import X, apply, ops, parse

from mien.engine.passes import FOLD, Status


def test_constants_are_computed_once():
    model = parse(
        "a = Add(u, v) b = Exp(a) y = Mul(x, b)", weights="float[3] u = {1.0, 2.0, 3.0}, float v = {1.0}"
    )
    made, record = apply(FOLD, model, x=X)
    assert ops(made) == ["Mul"]
    assert record.status is Status.KEPT


def test_a_known_shape_is_a_constant():
    made, _ = apply(FOLD, parse("s = Shape(x) y = Reshape(x, s)"), x=X)
    assert ops(made) == ["Reshape"]


def test_part_of_a_shape():
    made, _ = apply(FOLD, parse("s = Shape<start = 1>(x) f = Cast<to = 1>(s) y = Add(x, f)"), x=X)
    assert ops(made) == ["Add"]


def test_an_unknown_shape_stays():
    model = parse("s = Shape(x) y = Reshape(x, s)", inputs="float[n, 3] x")
    assert apply(FOLD, model, x=X)[1].status is Status.IDLE


def test_an_output_that_is_constant_stays_an_output():
    made, _ = apply(
        FOLD, parse("z = Exp(u) y = Neg(x)", outputs="float[2, 3] y, float z", weights="float u = {1.0}"), x=X
    )
    assert ops(made) == ["Constant", "Neg"]


@pytest.mark.parametrize(
    "body",
    [
        "r = RandomNormal<shape = [2, 3], seed = 1.0>() y = Add(x, r)",
        "r = RandomNormalLike(u) s = Mul(r, zero) y = Add(x, s)",
        "w = DequantizeLinear(q, u) y = Mul(x, w)",
        "s = Constant<value_ints = [3000, 3000]>() b = ConstantOfShape(s) c = Shape(b) f = Cast<to = 1>(c) "
        "g = ReduceSum<keepdims = 0>(b) y = Add(x, g)",
    ],
    ids=["draws", "draws like", "quantised", "bomb"],
)
def test_what_must_stay_stays(body):
    from mien.engine import passes

    model = parse(body, weights="float u = {1.0}, float zero = {0.0}, int8 q = {3}")
    made, _ = passes.run(model, [FOLD], [{"x": X}])
    kept = {"RandomNormal", "RandomNormalLike", "DequantizeLinear", "ConstantOfShape"}
    assert kept & set(ops(made))


def test_an_input_with_a_default_is_no_constant():
    model = parse("a = Exp(u) y = Mul(x, a)", inputs="float[2, 3] x, float u", weights="float u = {1.0}")
    made, record = apply(FOLD, model, x=X, u=np.array(2.0, np.float32))
    assert record.status is Status.IDLE
    assert ops(made) == ["Exp", "Mul"]


def test_old_models_state_every_initialiser_as_input():
    model = parse(
        "a = Exp(u) y = Mul(x, a)", inputs="float[2, 3] x, float u", weights="float u = {1.0}", opset=9
    )
    model.ir_version = 3
    made, _ = apply(FOLD, model, x=X)
    assert ops(made) == ["Constant", "Mul"]


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("s = Shape<start = 1>(x) f = Cast<to = 1>(s) y = Mul(x, f)", ["Mul"]),
        ("s = Shape(x) k = Gather(s, last) f = Cast<to = 1>(k) y = Mul(x, f)", ["Mul"]),
        (
            "s = Shape(x) k = Gather(s, nil) f = Cast<to = 1>(k) y = Mul(x, f)",
            ["Shape", "Gather", "Cast", "Mul"],
        ),
        ("s = Size(x) f = Cast<to = 1>(s) y = Mul(x, f)", ["Size", "Cast", "Mul"]),
    ],
    ids=["part", "last", "first", "size"],
)
def test_known_sizes_of_a_partly_known_shape(body, left):
    weights = "int64 last = {-1}, int64 nil = {0}"
    made, _ = apply(FOLD, parse(body, inputs="float[n, 3] x", weights=weights), x=X)
    assert ops(made) == left


def test_the_size_of_a_known_shape():
    made, _ = apply(FOLD, parse("s = Size(x) f = Cast<to = 1>(s) y = Mul(x, f)"), x=X)
    assert ops(made) == ["Mul"]
