import pytest
from models import apply, ops, same
from styled import SAMPLE, SNAKE, WEIGHTS, block

from mien.engine import passes
from mien.engine.passes import INSTANCENORM, Status
from mien.engine.passes import SNAKE as SHORTEN


def joined(**changes):
    return passes.run(block(**changes), [INSTANCENORM], [SAMPLE])[0]


@pytest.mark.parametrize("square", ["Pow (o, two)", "Mul (o, o)"])
def test_its_scale_goes_into_what_is_around_it(square):
    model = joined(body=SNAKE.replace("Pow (o, two)", square))
    made, record = apply(SHORTEN, model, **SAMPLE)
    assert record.note == "1 activations shortened"
    signal = ops(made)[ops(made).index("InstanceNormalization") :]
    assert signal == ["InstanceNormalization", "Sin", "Mul", "Add", "Conv"]
    same(block(), made, **SAMPLE)


@pytest.mark.parametrize(
    "changes",
    [
        {"weights": WEIGHTS.replace("{2}", "{3}")},
        {"weights": WEIGHTS.replace("{2, 1, 0.25}", "{2, 1, 0.5}")},
        {"body": SNAKE.replace("Mul (a, h)", "Mul (a, x)")},
        {"body": SNAKE.replace("y = Conv", "l = ReduceSum (k)\n y0 = Conv") + "\n y = Add (y0, l)"},
        {"body": SNAKE.replace("Sin", "Cos")},
    ],
)
def test_what_only_looks_like_it_stays(changes):
    model = joined(**changes)
    made, record = apply(SHORTEN, model, **SAMPLE)
    assert record.status is Status.IDLE
    assert ops(made) == ops(model)


def test_weights_are_read_elsewhere_too():
    body = SNAKE.replace("y = Conv", "y0 = Conv") + "\n z = Conv <kernel_shape = [3], pads = [1, 1]> (x, c)"
    made, _ = apply(SHORTEN, joined(body=body + "\n y = Add (y0, z)"), **SAMPLE)
    assert ops(made).count("Conv") == 2
