import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models import X, apply, ops, parse
from onnx import TensorProto
from onnx.helper import tensor_dtype_to_np_dtype

from mien.engine.passes import CASTS
from mien.engine.passes.casts import lossless

KINDS = [
    TensorProto.FLOAT16,
    TensorProto.FLOAT,
    TensorProto.DOUBLE,
    TensorProto.BOOL,
    TensorProto.INT8,
    TensorProto.UINT8,
    TensorProto.INT16,
    TensorProto.UINT16,
    TensorProto.INT32,
    TensorProto.UINT32,
    TensorProto.INT64,
    TensorProto.UINT64,
]


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_lossless_is_there_and_back(source, target):
    a, b = tensor_dtype_to_np_dtype(source), tensor_dtype_to_np_dtype(target)
    info = np.finfo(a) if a.kind == "f" else None if a.kind == "b" else np.iinfo(a)
    edges = [0, 1] if info is None else [info.min, info.max, 0, 1]
    fine = (
        [] if info is None else [info.tiny, 1 + info.eps] if a.kind == "f" else [info.max - 1, info.max // 3]
    )
    values = np.array([*edges, *fine], a)
    with np.errstate(all="ignore"):
        back = values.astype(b).astype(a)
        # A number that fits by chance comes back too: only the promise is checked.
        kept = np.array_equal(values, back) and (a.kind != "f" or b.kind == "f")
    assert kept or not lossless(source, target)


def test_there_and_back_is_nothing():
    model = parse("a = Cast<to = 11>(x) b = Cast<to = 1>(a) y = Neg(b)")
    assert ops(apply(CASTS, model, x=X)[0]) == ["Neg"]


def test_a_loss_on_the_way_stays():
    made, record = apply(CASTS, parse("a = Cast<to = 10>(x) b = Cast<to = 1>(a) y = Neg(b)"), x=X)
    assert ops(made) == ["Cast", "Cast", "Neg"]
    assert record.note == "nothing to do"


def test_a_cast_to_its_own_type_is_nothing():
    assert ops(apply(CASTS, parse("a = Cast<to = 1>(x) y = Neg(a)"), x=X)[0]) == ["Neg"]


def test_the_first_stays_when_someone_reads_it():
    model = parse(
        "a = Cast<to = 11>(x) b = Cast<to = 10>(a) c = Cast<to = 1>(b) "
        "d = Cast<to = 1>(a) y = Add(c, d) z = Exp(a)",
        outputs="float[2, 3] y, double[2, 3] z",
    )
    made, _ = apply(CASTS, model, x=X)
    assert ops(made) == ["Cast", "Cast", "Cast", "Add", "Exp"]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from([1, 6, 7, 10, 11]), min_size=2, max_size=5))
def test_any_chain_means_the_same(chain):
    body, last = "", "x"
    for i, kind in enumerate(chain):
        body += f"c{i} = Cast<to = {kind}>({last}) "
        last = f"c{i}"
    model = parse(f"{body} y = Cast<to = 1>({last})")
    made, record = apply(CASTS, model, x=np.array([[1.5, -2, 3], [300, -0.25, 7]], np.float32))
    assert len(made.graph.node) <= len(model.graph.node)
    assert not record.reason
