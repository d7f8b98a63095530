import numpy as np
import pytest
from models import X, ops, parse

from mien.engine import passes
from mien.engine.passes import Condition, FunctionPass, Outcome, Status, edit
from mien.errors import InputError

MODEL = parse("h = Mul(x, w) y = Neg(h)", weights="float w = {2.0}")


def changing(op_type, **promises):
    def transform(model):
        made = edit.copied(model)
        made.graph.node[1].op_type = op_type
        return Outcome(made, changed=True, note=f"now {op_type}")

    return FunctionPass("changing", transform, **promises)


def run(each, **settings):
    made, (record,) = passes.run(MODEL, [each], [{"x": X}], **settings)
    return made, record


@pytest.mark.parametrize(
    ("op_type", "reason"),
    [
        ("Exp", "output 'y' differs by"),
        ("Nege", "ONNX Runtime can not load the model"),
        ("Sqrt", "NaN or infinite"),
        ("Shape", "ONNX Runtime can not load"),
    ],
)
def test_a_pass_that_changes_results_is_dropped(op_type, reason):
    made, record = run(changing(op_type))
    assert made is MODEL
    assert record.status is Status.DROPPED
    assert reason in record.reason


def test_a_tolerance_lets_it_pass():
    assert run(changing("Exp"), tolerance=1e9)[1].status is Status.KEPT


def test_what_a_pass_requires_must_hold():
    never = Condition("never", lambda model: "it never does")
    _, record = run(changing("Abs", requires=(never,)))
    assert (record.status, record.reason) == (Status.REFUSED, "it requires never: it never does")


def test_what_a_pass_ensures_must_hold():
    lost = Condition("no Abs", lambda model: "one is left" if "Abs" in ops(model) else "")
    made, record = run(changing("Abs", ensures=(lost,)))
    assert made is MODEL
    assert record.reason == "it broke its promise: no Abs: one is left"


def test_a_pass_that_fails_is_dropped():
    def fail(model):
        raise InputError("can not")

    assert run(FunctionPass("fails", fail))[1].reason == "can not"


def test_an_output_too_many_is_seen():
    def add(model):
        made = edit.copied(model)
        made.graph.output.add(name="h").CopyFrom(made.graph.output[0])
        made.graph.output[-1].name = "h"
        return Outcome(made, changed=True)

    assert run(FunctionPass("adds", add))[1].reason == "its inputs or outputs are not the same"


def test_without_samples_nothing_is_believed():
    with pytest.raises(InputError, match="at least one"):
        passes.run(MODEL, passes.STANDARD, [])


def test_samples_that_do_not_fit_are_said_so():
    with pytest.raises(InputError, match="can not run"):
        passes.run(MODEL, [changing("Abs")], [{"x": np.zeros((2, 4), np.float32)}])


def test_drawn_numbers_are_the_same_on_both_sides():
    model = parse("r = RandomNormalLike(x) i = Identity(r) y = Add(x, i)")
    made, (record,) = passes.run(model, [passes.DEAD], [{"x": X}, {"x": X + 1}])
    assert record.status is Status.KEPT
    assert record.error == 0
    assert not made.graph.node[0].attribute


def test_a_preview_runs_nothing():
    records = passes.preview(parse("a = Identity(x) y = Neg(a)"), [passes.DEAD])
    assert [record.status for record in records] == [Status.UNVERIFIED]
