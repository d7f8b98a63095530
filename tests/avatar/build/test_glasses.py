import numpy as np
import pytest

from mien.avatar.build.glasses import FRAMES, make_glasses
from mien.avatar.build.person import Glasses
from mien.avatar.build.surface import Surface
from mien.errors import InputError


@pytest.fixture(scope="module", params=sorted(name for name, frame in FRAMES.items() if frame))
def glasses(cast, skin, request):
    return make_glasses(cast, skin, Glasses(request.param))[0]


def test_an_unknown_frame_names_the_nearest(cast, skin):
    with pytest.raises(InputError, match=r"no glasses 'rond'; did you mean 'round'\?"):
        make_glasses(cast, skin, Glasses("rond"))


def test_no_glasses_are_no_part(cast, skin):
    assert make_glasses(cast, skin, Glasses()) == []


def test_a_frame_is_closed_and_the_same_on_both_sides(glasses):
    points = glasses.positions
    assert np.isclose(points[:, 0].max(), -points[:, 0].min())
    assert np.allclose(np.linalg.norm(glasses.normals, axis=1), 1)
    assert len(glasses.triangles) < 3000


def test_eyes_look_through_the_lenses_and_no_frame_cuts_the_face(cast, skin, glasses):
    front = glasses.positions[glasses.positions[:, 2] > cast.eyes[0][2]]
    for eye in cast.eyes:
        assert np.linalg.norm(front[:, :2] - eye[:2], axis=1).min() > 0.1
    keep = ~skin.in_mouth & ~skin.ears
    surface = Surface.of(skin.draft.positions[keep], skin.draft.normals[keep])
    rims = front[front[:, 2] > front[:, 2].max() - 0.12]
    distance, _ = surface.distance(rims[np.abs(rims[:, 0]) > 0.14])
    assert distance.min() > -0.005


def test_temples_rest_on_the_ears(skin, glasses):
    ears = skin.draft.positions[skin.ears]
    arm = glasses.positions[glasses.positions[:, 2] < 0.4]
    gap = np.linalg.norm(arm[:, None] - ears[None, ::3], axis=2).min()
    assert gap < 0.08


@pytest.mark.parametrize("frame", ["round", "square"])
def test_lenses_glint_inside_their_rims_and_beside_the_eyes(cast, skin, frame):
    rims, glints = make_glasses(cast, skin, Glasses(frame))
    x, y, z = glints.positions.T
    assert (x > 0).sum() == (x < 0).sum()
    rim = rims.positions[rims.positions[:, 2] > z.min() - 0.05]
    assert rim[:, 1].min() < y.min() < y.max() < rim[:, 1].max()
    assert rim[:, 0].max() > x.max()
    for eye in cast.eyes:
        assert np.linalg.norm(glints.positions[:, :2] - eye[:2], axis=1).min() > 0.1
