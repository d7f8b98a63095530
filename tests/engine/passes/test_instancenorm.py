import pytest
from models import apply, ops
from styled import INPUTS, NORM, SAMPLE, STYLED, WEIGHTS, block

from mien.engine.passes import INSTANCENORM, Status


def test_a_written_out_normalisation_becomes_one_node():
    made, record = apply(INSTANCENORM, block(NORM, inputs="float[2, 3, 10] x", out="n"), x=two())
    assert ops(made) == ["InstanceNormalization"]
    assert record.note == "1 channel normalisations joined"


def two():
    return SAMPLE["x"].reshape(2, 3, 10)


@pytest.mark.parametrize("scaled", ["s, n", "n, s"])
def test_a_style_becomes_its_scale_and_shift(scaled):
    made, _ = apply(INSTANCENORM, block(STYLED.replace("s, n", scaled), out="h"), **SAMPLE)
    assert ops(made) == ["Reshape", "Reshape", "InstanceNormalization"]


def test_a_style_that_is_not_a_number_a_channel_stays_outside():
    inputs = INPUTS.replace("float[1, 3, 1] t", "float[1, 3, 20] t")
    given = {**SAMPLE, "t": SAMPLE["x"]}
    made, _ = apply(INSTANCENORM, block(STYLED, inputs=inputs, out="h"), **given)
    assert ops(made) == ["InstanceNormalization", "Mul", "Add"]


@pytest.mark.parametrize(
    "changes",
    [
        {"body": NORM.replace("[2]", "[1]")},
        {"body": NORM.replace("Sub (x, m)", "Sub (m, x)")},
        {"body": NORM.replace("Mul (d, d)", "Mul (d, x)")},
        {"weights": WEIGHTS.replace("float eps = {1e-5}", "float[1, 3, 1] eps = {1e-5, 1, 2}")},
    ],
)
def test_what_only_looks_like_it_stays(changes):
    changes = {"body": NORM, "out": "n", "inputs": "float[1, 3, 20] x"} | changes
    made, record = apply(INSTANCENORM, block(**changes), x=SAMPLE["x"])
    assert record.status is Status.IDLE
    assert "Sqrt" in ops(made)
