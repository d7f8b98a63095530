import numpy as np
import pytest
from onnx import numpy_helper, parser

from mien.engine.backends import onnxruntime
from mien.engine.compare import compare
from mien.engine.samples import RandomSamples
from mien.errors import InputError


def engine(model):
    return onnxruntime.parse(model.SerializeToString())


def text(body, outputs="float[n] y"):
    return parser.parse_model(
        f'<ir_version: 9, opset_import: ["" : 17]> g (float[n] x) => ({outputs}) {{ {body} }}'
    )


def samples(model, count=4):
    return RandomSamples(engine(model).inputs, count, {"n": 12}, 0)


def test_a_model_is_itself(net):
    found = compare(engine(net), engine(net), samples(net))
    assert found.outputs["out"]["rel-error"] == 0
    assert found.to_json()["out"]["sqnr"] == "inf"
    assert found.worst("cosine") == pytest.approx(1.0)


def test_the_worst_output_counts(net):
    one, two = (
        text("y = Neg(x) z = Abs(x)", "float[n] y, float[n] z"),
        text("y = Neg(x) w = Abs(x) z = Add(w, x)", "float[n] y, float[n] z"),
    )
    found = compare(engine(one), engine(two), samples(one))
    assert found.outputs["y"]["rel-error"] == 0
    assert found.worst("rel-error") == found.outputs["z"]["rel-error"] == pytest.approx(1.0)
    assert found.worst("sqnr") == pytest.approx(0.0)


def test_a_changed_weight_shows(net):
    other = type(net)()
    other.CopyFrom(net)
    w = numpy_helper.to_array(other.graph.initializer[0]) * np.float32(1.01)
    other.graph.initializer[0].CopyFrom(numpy_helper.from_array(w, "w0"))
    assert 0.001 < compare(engine(net), engine(other), samples(net)).worst("rel-error") < 0.05


def test_models_that_are_not_the_same():
    one = text("y = Abs(x)")
    with pytest.raises(InputError, match="no output in common: y and z"):
        compare(engine(one), engine(text("z = Abs(x)", "float[n] z")), samples(one))
    with pytest.raises(InputError, match=r"output 'y' of sample 0 is \(24,\), the reference's \(12,\)"):
        compare(engine(one), engine(text("y = Concat<axis=0>(x, x)", "float[m] y")), samples(one))
