from __future__ import annotations

import numpy as np

from mien.avatar.render.rings import Rings

# 3 x 3 vertices, 8 triangles.
GRID = np.array(
    [[i, i + 1, i + 3] for i in (0, 1, 3, 4)] + [[i, i + 2, i + 3] for i in (1, 2, 4, 5)], np.int32
)
POINTS = np.array([[x, y, 0] for y in range(3) for x in range(3)], np.float32)


def test_pairs_are_any_two_neighbours_inside_and_the_two_along_a_rim() -> None:
    v, u, w = Rings(GRID, 9).pairs(np.ones(9, np.bool_))
    middle = {frozenset(pair) for pair in zip(u[v == 4].tolist(), w[v == 4].tolist(), strict=True)}
    assert len(middle) == 15
    assert all(pair <= {1, 2, 3, 5, 6, 7} for pair in middle)
    assert [(u[v == 1].tolist(), w[v == 1].tolist())] == [([0], [2])]


def test_what_is_not_free_is_not_paired() -> None:
    free = np.ones(9, np.bool_)
    free[[4, 1]] = False
    assert not np.isin(Rings(GRID, 9).pairs(free)[0], (4, 1)).any()


def test_vertices_in_one_place_are_a_seam() -> None:
    points = POINTS.copy()
    points[8] = points[0]
    assert np.flatnonzero(Rings(GRID, 9).seams(points)).tolist() == [0, 8]


def test_no_two_neighbours_are_pulled_and_the_least_error_comes_first() -> None:
    v, u = np.array([1, 4, 7], np.int32), np.array([0, 3, 6], np.int32)
    error = np.array([0.5, 0.1, 0.2], np.float32)
    target = Rings(GRID, 9).apart(v, u, error)
    assert target.tolist() == [0, 1, 2, 3, 3, 5, 6, 7, 8]
