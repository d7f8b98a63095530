import numpy as np

from mien.avatar.build.draft import draft
from mien.avatar.build.geometry import unit
from mien.avatar.build.light import bake
from mien.avatar.model import KEY_LIGHT


def plane(centre, normal, half):
    """Return a square as a draft, facing `normal`."""
    normal = unit(np.array(normal, float))
    right = unit(np.cross([0.3, 1, 0.2], normal))
    up = np.cross(normal, right)
    corners = [centre + half * (x * right + y * up) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    made = draft(
        "plane", "skin", np.array([*corners, centre]), np.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])
    )
    made.find_normals()
    return made


def test_an_open_plane_is_lit_and_a_covered_one_is_dark():
    reports: list[float] = []
    key = np.array(KEY_LIGHT)
    free, below = plane(np.array([0.0, 0, 0]), key, 0.2), plane(np.array([0.0, -1.2, 0]), key, 0.2)
    roof = plane(np.array([0.0, -1.2, 0]) + 0.1 * unit(key), key, 0.8)
    seen = bake([free, below, roof], reports.append)
    assert (free.key_light > 0.99).all()
    assert (free.occlusion > 0.9).all()
    assert (below.key_light < 0.01).all()
    assert (below.occlusion[4] < 0.2).all()
    assert reports == sorted(reports)
    assert reports[-1] == 1.0
    assert [len(pixels) for pixels in seen] == [4, 4, 4]
    assert seen[0].min() > 1.5 * seen[1].max()  # what lies under a roof shows from fewer sides
