import dataclasses

import numpy as np
import pytest
from onnx import TensorProto, numpy_helper

from mien.engine.backends import onnxruntime
from mien.engine.calibrate import Range, calibrate
from mien.engine.precision import int8, readback
from mien.engine.precision.plan import Plan
from mien.engine.samples import RandomSamples
from mien.engine.targets import choose
from mien.errors import CorruptError, InputError

CPU, RTX = choose("cpu-avx2").int8, choose("tensorrt-rtx").int8


@pytest.fixture
def ranges(net):
    ports = onnxruntime.parse(net.SerializeToString()).inputs
    names = int8.tensors(net, int8.candidates(net, CPU))
    return calibrate(net, RandomSamples(ports, 8, {"n": 64}, 0), names).ranges("minmax")


def relative(net, made):
    x = np.random.default_rng(9).standard_normal((1, 4, 64)).astype(np.float32)
    wanted = onnxruntime.parse(net.SerializeToString()).run(x=x)["out"]
    found = onnxruntime.parse(made.SerializeToString()).run(x=x)["out"]
    return np.linalg.norm(found - wanted) / np.linalg.norm(wanted)


def test_convolutions_with_weights_are_candidates(net):
    plan = int8.candidates(net, CPU)
    assert plan.nodes == dict.fromkeys(["first", "second", "third"], "int8")
    assert int8.tensors(net, plan) == ["x", "a", "r", "c", "g", "h"]


def test_the_file_holds_int8_and_the_backend_runs_it(net, ranges):
    plan = int8.candidates(net, CPU)
    made = int8.quantise(net, plan, ranges, CPU)
    assert readback.check(made, plan) == {"int8": 3, "fp32": 4}  # the sum reads int8 and is computed in float
    executed = readback.executed(made.SerializeToString(), onnxruntime.Options())
    assert executed == {"int8 QLinearConv": 3}
    assert 0 < relative(net, made) < 0.1


def test_only_the_plans_nodes_are_touched(net, ranges):
    plan = int8.candidates(net, CPU).without(["third"], "kept")
    made = int8.quantise(net, plan, ranges, CPU)
    assert readback.contained(made)["third"] == "fp32"
    assert readback.check(made, plan)["int8"] == 2
    assert int8.quantise(net, Plan("int8"), {}, CPU) == net


def test_a_symmetric_target_gets_zero_points_of_zero_and_float_biases(net, ranges):
    made = int8.quantise(net, int8.candidates(net, RTX), ranges, RTX)
    known = {t.name: numpy_helper.to_array(t) for t in made.graph.initializer}
    zeros = [known[n.input[2]] for n in made.graph.node if n.op_type.endswith("QuantizeLinear")]
    zeros += [known[n.input[2]] for n in made.graph.node if n.op_type == "DequantizeLinear"]
    assert zeros
    assert all(zero.dtype == np.int8 and not zero.any() for zero in zeros)
    assert TensorProto.INT32 not in {t.data_type for t in made.graph.initializer}
    assert 0 < relative(net, made) < 0.1


def test_weights_are_per_channel_and_of_seven_bits_where_the_target_says(net, ranges):
    for target, most in ((CPU, 64), (RTX, 127)):
        made = int8.quantise(net, int8.candidates(net, target), ranges, target)
        known = {t.name: numpy_helper.to_array(t) for t in made.graph.initializer}
        weight = next(value for name, value in known.items() if name.startswith("w1") and value.ndim == 3)
        scale = next(value for name, value in known.items() if name.startswith("w1") and "scale" in name)
        assert np.abs(weight).max() <= most
        assert scale.shape == (8,)


def test_a_tensor_without_a_range_is_named(net, ranges):
    del ranges["r"]
    with pytest.raises(InputError, match="tensor 'r' was never seen"):
        int8.quantise(net, int8.candidates(net, CPU), ranges, CPU)


def test_an_old_operator_set_and_a_model_without_candidates(net, ranges):
    with pytest.raises(InputError, match="no node to put into int8: the target takes Softmax"):
        int8.candidates(net, dataclasses.replace(CPU, operators=("Softmax",)))
    net.opset_import[0].version = 11
    with pytest.raises(InputError, match="int8 needs operator set 13, the model has 11"):
        int8.quantise(net, Plan("int8", {"first": "int8"}), ranges, CPU)


def test_reading_back_finds_what_is_not_as_planned(net, ranges):
    plan = int8.candidates(net, CPU)
    made = int8.quantise(net, plan.without(["second"], ""), ranges, CPU)
    with pytest.raises(CorruptError, match="'second' was to be int8 and is fp32"):
        readback.check(made, plan)
    with pytest.raises(CorruptError, match="'ghost' was to be int8 and is gone"):
        readback.check(made, Plan("int8", {"ghost": "int8"}))


def test_clipping_ranges_are_kept(net):
    tight = {n: Range(-0.5, 0.5) for n in int8.tensors(net, int8.candidates(net, RTX))}
    made = int8.quantise(net, int8.candidates(net, RTX), tight, RTX)
    known = {t.name: numpy_helper.to_array(t) for t in made.graph.initializer}
    scale = next(known[n.input[1]] for n in made.graph.node if n.op_type == "QuantizeLinear")
    assert scale == pytest.approx(0.5 / 127, rel=0.01)
