import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.avatar.build import geometry as g

CUBE = np.array([[x, y, z] for x in (-1.0, 1) for y in (-1.0, 1) for z in (-1.0, 1)])
FACES = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


def test_catmull_clark_makes_the_known_cube():
    matrix, quads = g.subdivide(FACES, 8)
    fine = matrix @ CUBE
    assert len(quads) == 24
    assert len(fine) == 26
    # A cube's corner goes to 5/9 of itself, an edge's middle to 3/4, a face's centre stays.
    assert np.allclose(fine[:8], CUBE * 5 / 9)
    assert np.allclose(np.sort(np.abs(fine[8:20]), axis=1), [0, 0.75, 0.75])
    assert np.allclose(np.sort(np.abs(fine[20:]), axis=1), [0, 0, 1])


@given(st.lists(st.floats(-10, 10), min_size=3, max_size=3))
def test_subdivision_moves_with_the_mesh(shift):
    matrix, _ = g.subdivide(FACES[:4], 8)
    assert np.allclose(matrix @ (CUBE + shift), matrix @ CUBE + shift)


def test_an_open_edge_stays_in_its_plane():
    matrix, quads = g.subdivide(FACES[:1], 8)
    flat = (matrix @ CUBE)[np.unique(quads)]
    assert np.allclose(flat[:, 0], -1)


def test_normals_of_a_cube_point_out():
    triangles = g.triangulate(FACES)
    normals = g.vertex_normals(CUBE, triangles)
    assert ((normals * CUBE).sum(1) > 0.9).all()
    assert np.allclose(np.linalg.norm(normals, axis=1), 1)


def test_welded_vertices_share_a_normal():
    triangles = np.array([[0, 1, 2], [3, 4, 5]])
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]])
    normals = g.vertex_normals(points, triangles, np.array([0, 1, 2, 0, 2, 3]))
    assert np.allclose(normals[0], normals[3])
    assert np.allclose(normals[0], np.array([1, 0, 1]) / 2**0.5)


@given(st.floats(-0.99, 0.99))
def test_clip_keeps_one_side_and_its_area(level):
    square = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    triangles = np.array([[0, 1, 2], [0, 2, 3]])
    kept, matrix, cut = g.clip(triangles, square[:, 0] - level)
    points = matrix @ square
    a, b, c = (points[kept[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)[:, 2].sum() / 2
    assert area == pytest.approx(2 * (1 + level))
    assert np.allclose(points[cut, 0], level)


def test_cast_back_hits_the_nearest():
    points = np.array([[-1.0, -1, 0], [1, -1, 0], [0, 1, 0], [-1, -1, 5], [1, -1, 5], [0, 1, 5]])
    corners, weights = g.cast_back(points, np.array([[0, 1, 2], [3, 4, 5]]), np.array([[0.0, -0.5]]))
    assert corners.tolist() == [[3, 4, 5]]
    assert np.allclose((points[corners] * weights[..., None]).sum(1), [[0, -0.5, 5]])


def test_relax_keeps_a_constant():
    triangles = g.triangulate(FACES)
    assert np.allclose(g.relax(np.full(8, 3.0), triangles, 4), 3)
    assert g.relax(CUBE[:, 0], triangles, 4).std() < CUBE[:, 0].std()
