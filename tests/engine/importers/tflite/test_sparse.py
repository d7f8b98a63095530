import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from mien.engine.importers.tflite.sparse import Level, dense


@given(
    arrays.arrays(
        np.float32, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.sampled_from([0, 1, 2.5])
    )
)
def test_a_compressed_matrix_comes_back(matrix):
    rows, columns = np.nonzero(matrix)
    segments = np.searchsorted(rows, np.arange(matrix.shape[0] + 1))
    levels = [Level(matrix.shape[0], None, None), Level(0, segments, columns)]
    assert (dense(matrix[rows, columns], matrix.shape, (0, 1), (), levels) == matrix).all()


def test_blocks_and_another_order_of_axes():
    full = np.zeros((4, 6), np.float32)
    full[2:4, 0:3], full[0:2, 3:6] = np.arange(6).reshape(2, 3), 7
    # columns of blocks first: block column 0 has block row 1, block column 1 has block row 0
    levels = [
        Level(2, None, None),
        Level(0, np.array([0, 1, 2]), np.array([1, 0])),
        Level(2, None, None),
        Level(3, None, None),
    ]
    values = np.concatenate([full[2:4, 0:3].ravel(), full[0:2, 3:6].ravel()])
    assert (dense(values, (4, 6), (1, 0, 2, 3), (0, 1), levels) == full).all()


def test_levels_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        dense(np.ones(2, np.float32), (2,), (1,), (), [Level(2, None, None)])
    with pytest.raises(ValueError, match="without a size"):
        dense(np.ones(2, np.float32), (2,), (0,), (), [Level(0, None, None)])
