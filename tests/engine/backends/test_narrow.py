import ml_dtypes
import numpy as np
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import parser

from mien.engine.backends.narrow import _pack, _unpack, from_value, to_value
from mien.engine.backends.reference import Session

KINDS = [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.int4, ml_dtypes.uint4]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 5), (0,)])
def test_there_and_back(kind, shape):
    array = np.asarray(np.arange(np.prod(shape, dtype=int)).reshape(shape) % 8).astype(kind)
    back = from_value(to_value(onnxruntime, array))
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    np.testing.assert_array_equal(back.astype(np.float32), array.astype(np.float32))


@given(st.sampled_from([2, 4]), st.lists(st.integers(0, 15), min_size=1))
def test_packing_has_an_inverse(bits, numbers):
    words = (np.array(numbers) % 2**bits).astype(np.uint8)
    packed = _pack(words, bits)
    assert packed.size == -(-words.size * bits // 8)
    np.testing.assert_array_equal(_unpack(packed, bits, words.size), words)


def test_a_model_of_such_types_runs():
    text = """<ir_version: 10, opset_import: ["" : 21]> g (int4[n] x) => (bfloat16[n] y, float[n] z)
    { a = Cast<to = 1>(x) y = Cast<to = 16>(a) z = Neg(a) }"""
    y, z = Session(parser.parse_model(text)).run({"x": np.array([1, -2, 7], ml_dtypes.int4)})
    assert y.dtype == ml_dtypes.bfloat16
    assert y.astype(np.float32).tolist() == [1, -2, 7]
    assert z.tolist() == [-1, 2, -7]
