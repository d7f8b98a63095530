from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mien.avatar.render.kernels.geometry import box
from mien.avatar.render.kernels.raster import cover
from mien.avatar.render.layout import BLOCK, BUCKETS, DEPTH_SCALE, EMPTY, ID_BITS, Lists

SIDE = 32


def faces(triangles: list[tuple[int, int, int]]) -> NDArray[np.int32]:
    return np.array([(*t, 0, 0, 1) for t in triangles], np.int32)


def show(
    points: NDArray[np.float32],
    triangles: NDArray[np.int32],
    ids: list[int],
    *,
    top: int = 0,
    rows: int = SIDE,
) -> NDArray[np.int64]:
    samples, farthest = np.full((rows, SIDE), -1, np.int64), np.full((rows // BLOCK, SIDE), -1, np.int64)
    lists = Lists(
        starts=np.zeros(2, np.int32),
        moving=np.zeros(1, np.int32),
        items=np.array(ids, np.int32),
        boxes=np.zeros((len(triangles), 4), np.int16),
        near=np.zeros(len(triangles), np.float32),
        order=np.zeros(len(triangles), np.int32),
        buckets=np.zeros(BUCKETS + 1, np.int32),
    )
    for t in range(len(triangles)):
        box(triangles, points, t, SIDE, SIDE, lists.boxes, lists.near)
    cover(triangles, points, lists, 0, np.int32(len(ids)), top, 0, SIDE - 1, samples, farthest)
    return samples


def grid(seed: int) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return a shaken net over the whole picture and beyond its borders."""
    rng = np.random.default_rng(seed)
    steps = np.linspace(-3, SIDE + 3, 7)
    x, y = np.meshgrid(steps, steps)
    points = np.stack([x, y, np.full_like(x, 0.5)], -1).reshape(-1, 3)
    points[:, :2] += rng.uniform(-1.8, 1.8, (49, 2)) * (rng.random((49, 1)) < 0.8)
    corners = [(r * 7 + c, r * 7 + c + 1, r * 7 + c + 7, r * 7 + c + 8) for r in range(6) for c in range(6)]
    return points.astype(np.float32), faces([t for a, b, c, d in corners for t in ((a, b, c), (c, b, d))])


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_a_net_covers_every_sample_once(seed: int) -> None:
    points, net = grid(seed)
    together = show(points, net, list(range(len(net))))
    assert (together != EMPTY).all()
    alone = sum((show(points, net, [t]) != EMPTY).astype(int) for t in range(len(net)))
    assert (alone == 1).all()


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.randoms(use_true_random=False))
def test_the_order_of_triangles_and_the_cut_into_bands_do_not_matter(seed: int, random: object) -> None:
    points, net = grid(seed)
    points[:, 2] = np.random.default_rng(seed).random(len(points))
    ids = list(range(len(net)))
    expected = show(points, net, ids)
    random.shuffle(ids)  # type: ignore[attr-defined]
    bands = [show(points, net, ids, top=top, rows=8) for top in range(0, SIDE, 8)]
    found = np.concatenate(bands)
    assert (found & ((1 << ID_BITS) - 1) == expected & ((1 << ID_BITS) - 1)).mean() > 0.995
    assert np.abs((found >> ID_BITS) - (expected >> ID_BITS)).max() < DEPTH_SCALE * 1e-5


def test_the_nearer_triangle_is_shown() -> None:
    points = np.array(
        [[0, 0, 0.6], [40, 0, 0.6], [0, 40, 0.6], [0, 0, 0.4], [40, 0, 0.4], [0, 40, 0.4]], np.float32
    )
    samples = show(points, faces([(0, 1, 2), (3, 4, 5)]), [0, 1])
    assert samples[3, 3] & 0xFFFFF == 1
    assert (samples[3, 3] >> ID_BITS) / DEPTH_SCALE == np.float32(0.4)


def test_what_is_left_out_behind_others_would_not_be_seen() -> None:
    """A hundred small triangles of many depths, near to far and in any order: only the near ones are drawn
    for certain, and the samples are the same.
    """
    rng = np.random.default_rng(1)
    corners = rng.uniform(0, SIDE, (100, 1, 2)) + rng.uniform(-9, 9, (100, 3, 2))
    depths = np.sort(rng.uniform(0.1, 0.9, 100))[:, None, None] + rng.uniform(0, 0.01, (100, 3, 1))
    points = np.concatenate([corners, depths], axis=2).reshape(-1, 3).astype(np.float32)
    net = faces([(3 * i, 3 * i + 1, 3 * i + 2) for i in range(100)])
    expected = np.min([show(points, net, [i]) for i in range(100)], axis=0)
    assert (show(points, net, list(range(100))) == expected).all()
    assert (show(points, net, rng.permutation(100).tolist()) == expected).all()


def test_both_windings_cover_the_same_samples() -> None:
    points = np.array([[2.3, 1.7, 0.5], [29.1, 8.2, 0.5], [11.4, 30.9, 0.5]], np.float32)
    one, other = (show(points, faces([t]), [0]) != EMPTY for t in ((0, 1, 2), (0, 2, 1)))
    assert one.any()
    assert (one == other).all()


def test_a_triangle_of_no_area_covers_nothing() -> None:
    points = np.array([[2, 2, 0.5], [10, 10, 0.5], [20, 20, 0.5]], np.float32)
    assert (show(points, faces([(0, 1, 2), (0, 0, 0)]), [0, 1]) == EMPTY).all()


def test_odd_rows_are_half_a_sample_to_the_right() -> None:
    points = np.array([[0, 0, 0.5], [10.5, 0, 0.5], [0, 99, 0.5], [10.5, 99, 0.5]], np.float32)
    samples = show(points, faces([(0, 1, 2), (2, 1, 3)]), [0, 1])
    assert (samples[0] != EMPTY).sum() == 11  # centres at 0.25, ... 10.25
    assert (samples[1] != EMPTY).sum() == 10  # centres at 0.75, ... 9.75
