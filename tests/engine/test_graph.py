import numpy as np
import onnx
import pytest
from onnx import parser

from mien.engine import graph
from mien.errors import CorruptError, InputError, MissingError

TEXT = """
<ir_version: 9, opset_import: ["" : 18]>
agraph (float[1, n] x, float[1, n] y) => (float[1, n] out) <float[1] two = {2.0}, float[1] unused = {3.0}>
{
    doubled = Mul(x, two)
    sum = Add(doubled, y)
    high = Ceil(sum)
    dead = Neg(x)
    out = Abs(high)
}
"""


@pytest.fixture
def model():
    return parser.parse_model(TEXT)


def evaluate(model, **inputs):
    session = onnx.reference.ReferenceEvaluator(model)
    return dict(zip(session.output_names, session.run(None, inputs), strict=True))


def row(*values):
    return np.array([values], np.float32)


def test_the_two_halves_of_a_cut_give_the_whole(model):
    first = graph.cut(model, [], ["sum"])
    second = graph.cut(model, ["sum"], ["out"])
    x, y = row(0.3, -1.2), row(1.0, 0.1)
    between = evaluate(first, x=x, y=y)["sum"]
    np.testing.assert_array_equal(evaluate(second, sum=between)["out"], evaluate(model, x=x, y=y)["out"])


def test_a_cut_keeps_only_what_it_needs(model):
    part = graph.cut(model, ["doubled"], ["high"])
    assert [node.op_type for node in part.graph.node] == ["Add", "Ceil"]
    assert [info.name for info in part.graph.input] == ["doubled", "y"]
    assert not part.graph.initializer
    onnx.checker.check_model(part)


def test_a_cut_at_an_unknown_tensor_names_the_nearest(model):
    with pytest.raises(InputError, match="no tensor 'dubled'; did you mean 'doubled'"):
        graph.cut(model, ["dubled"], ["out"])


def test_expose_adds_outputs_once_and_leaves_the_source(model):
    shown = graph.expose(model, ["sum", "out"])
    assert [info.name for info in shown.graph.output] == ["out", "sum"]
    assert len(model.graph.output) == 1
    np.testing.assert_allclose(evaluate(shown, x=row(1.0), y=row(0.5))["sum"], [[2.5]])


def test_expose_of_an_unknown_tensor_is_an_error(model):
    with pytest.raises(InputError, match="no tensor 'nowhere'"):
        graph.expose(model, ["nowhere"])


def test_rename_reaches_inputs_nodes_and_outputs(model):
    renamed = graph.rename(model, {"x": "a", "sum": "b", "out": "c"})
    assert set(evaluate(renamed, a=row(1.0), y=row(1.0))) == {"c"}


def test_prune_drops_dead_nodes_and_weights(model):
    pruned = graph.prune(model)
    assert "Neg" not in [node.op_type for node in pruned.graph.node]
    assert [tensor.name for tensor in pruned.graph.initializer] == ["two"]


def test_a_cut_follows_tensors_that_subgraphs_read():
    text = """
    <ir_version: 9, opset_import: ["" : 18]>
    agraph (float[n] x, bool c) => (float[n] out)
    {
        outer = Neg(x)
        out = If (c) <
            then_branch = t () => (float[n] a) { a = Abs(outer) },
            else_branch = e () => (float[n] b) { b = Identity(x) }
        >
    }
    """
    part = graph.cut(parser.parse_model(text), [], ["out"])
    assert [node.op_type for node in part.graph.node] == ["Neg", "If"]


def test_load_reads_what_was_written(model, tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    assert graph.load(path).graph.node[0].op_type == "Mul"


@pytest.mark.parametrize("data", [b"", b"not a model", b"PK\x03\x04" + bytes(100), b"\x08\x09"])
def test_what_is_no_model_is_corrupt(data, tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    with pytest.raises(CorruptError, match=r"m\.onnx"):
        graph.load(path)


def test_a_truncated_model_is_corrupt(model, tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString()[:-20])
    with pytest.raises(CorruptError):
        graph.load(path)


def test_a_model_over_the_limit_is_not_read(model, tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(CorruptError, match="the limit is 10"):
        graph.load(path, max_bytes=10)


def test_a_missing_model_is_missing(tmp_path):
    with pytest.raises(MissingError, match="no model"):
        graph.load(tmp_path / "none.onnx")
