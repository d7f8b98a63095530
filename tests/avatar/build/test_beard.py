import numpy as np
import pytest

from mien.avatar.build.beard import BEARDS, make_beard, stubble
from mien.avatar.build.masks import read_mask
from mien.avatar.build.person import Beard
from mien.errors import InputError

GROWN = sorted(name for name, style in BEARDS.items() if style)


@pytest.fixture(scope="module", params=GROWN)
def beard(human, skin, request):
    return make_beard(human, skin, Beard(request.param, (0.1, 0.1, 0.1)))[0]


def test_an_unknown_beard_names_the_nearest(human, skin):
    with pytest.raises(InputError, match=r"no beard 'gotee'; did you mean 'goatee'\?"):
        make_beard(human, skin, Beard("gotee"))


def test_none_grows_none(human, skin):
    assert make_beard(human, skin, Beard()) == []


def test_stubble_grows_on_jaw_and_lip_and_nowhere_else(human, skin):
    weights, points = stubble(human, skin), skin.draft.positions
    lips = read_mask(human.mask("lips"), skin.mask_uvs) > 0.3
    mouth = points[lips & (points[:, 2] > 0.7), 1].mean()
    assert weights.min() >= 0
    assert weights.max() <= 1
    assert weights[lips].max() < 0.02
    assert (
        weights[(points[:, 1] > -0.25) & (np.abs(points[:, 0]) < 0.5)].max() == 0
    )  # eyes, nose, upper cheeks
    assert weights[points[:, 2] < 0.05].max() == 0
    chin = (np.abs(points[:, 0]) < 0.15) & (np.abs(points[:, 1] - mouth + 0.4) < 0.06) & (points[:, 2] > 0.7)
    assert weights[chin & ~skin.in_mouth].min() > 0.8


def test_no_strand_lies_over_the_lips(human, skin, beard):
    """At rest, and wherever face units take the mouth: strands move as their roots do."""
    points = skin.draft.positions
    lips = (read_mask(human.mask("lips"), skin.mask_uvs) > 0.6) & (points[:, 2] > 0.5)
    for pose in ({}, {"jawOpen": 0.6}, {"mouthPucker": 1.0}, {"mouthFunnel": 0.8, "jawOpen": 0.3}):
        shape, strands = skin.draft.posed(**pose)[lips], beard.posed(**pose)
        near = np.abs(strands[:, None, :2] - shape[None, ::4, :2]).max(axis=2) < 0.012
        assert near.any(axis=1).mean() < 0.02, pose


def test_a_beard_follows_its_skin(skin, beard):
    roots = beard.positions.reshape(-1, 3, 2, 3)[:, 0].mean(axis=1)
    near = np.linalg.norm(skin.draft.positions[None, ::3] - roots[::40, None], axis=2).argmin(axis=1)
    moved = skin.draft.morphs["jawOpen"][::3][near]
    own = beard.morphs["jawOpen"].reshape(-1, 6, 3)[::40, 0]
    assert np.linalg.norm(own - moved, axis=1).max() < 0.08
    assert set(beard.morphs) == set(skin.draft.morphs)
