import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mien.avatar.build.depthmap import FAR, rasterise, visible

QUAD = np.array([[1, 1, 5], [9, 1, 5], [9, 9, 5], [1, 9, 5]], np.float32)
TRIANGLES = np.array([[0, 1, 2], [0, 2, 3]], np.int32)


def test_a_square_covers_its_pixels():
    depth, owner = rasterise(QUAD, TRIANGLES, 10, 12)
    assert (owner[1:9, 1:9] >= 0).all()
    assert (owner >= 0).sum() == 64
    assert np.allclose(depth[1:9, 1:9], 5)
    assert (depth[0] == FAR).all()


def test_both_windings_are_drawn():
    _, owner = rasterise(QUAD, TRIANGLES[:, ::-1].copy(), 10, 12)
    assert (owner >= 0).sum() == 64


def test_the_nearer_wins_whatever_the_order():
    points = np.concatenate([QUAD, QUAD - [0, 0, 2]]).astype(np.float32)
    both = np.concatenate([TRIANGLES, TRIANGLES + 4])
    for triangles in (both, both[::-1].copy()):
        depth, _ = rasterise(points, triangles, 10, 12)
        assert depth[4, 4] == 3


def test_what_leaves_the_picture_is_cut_off():
    depth, owner = rasterise(QUAD * [4, 4, 1] - [16, 16, 0], TRIANGLES, 10, 12)
    assert (owner >= 0).all()
    assert np.isfinite(depth).all()


@given(st.lists(st.floats(-50, 50, width=32), min_size=9, max_size=9))
def test_any_triangle_is_safe(numbers):
    depth, owner = rasterise(np.array(numbers, np.float32).reshape(3, 3), TRIANGLES[:1], 8, 8)
    assert ((owner == 0) == (depth < FAR)).all()


def test_visible_sees_what_is_in_front():
    depth, _ = rasterise(QUAD, TRIANGLES, 10, 12)
    points = np.array([[4, 4, 4], [4, 4, 5.05], [4, 4, 6], [0.5, 0.5, 9], [-3, 4, 9]], np.float32)
    assert visible(points, depth, 0.1).tolist() == [1, 1, 0, 1, 1]
