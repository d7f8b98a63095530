"""Brows are hairs: no two alike, of two layers, on the skin."""

from dataclasses import replace

import numpy as np
import pytest

from mien.avatar.build.brows import POINTS, make_brows
from mien.avatar.build.draft import Cast, Draft
from mien.avatar.build.person import Strands, read_person
from mien.avatar.build.skin import Skin

LOOKS, BELOW = read_person("joe").strands, read_person("joe").skin.albedo


@pytest.fixture(scope="module")
def brows(cast: Cast, skin: Skin) -> Draft:
    return make_brows(cast, skin, LOOKS, BELOW)


def hairs(draft: Draft) -> np.ndarray:
    return draft.positions.reshape(-1, POINTS, 2, 3)


def colors(looks: Strands, cast: Cast, skin: Skin) -> np.ndarray:
    return make_brows(cast, skin, looks, BELOW).color.reshape(-1, POINTS * 2, 3)[:, 0]


def test_both_brows_have_their_hairs(brows):
    centres = hairs(brows).mean(axis=(1, 2))
    assert [(centres[:, 0] > 0).sum(), (centres[:, 0] < 0).sum()] == [LOOKS.brow_count] * 2


def test_hairs_vary_in_direction_width_and_colour(brows):
    paths = hairs(brows).mean(axis=2)
    along = paths[:, -1] - paths[:, 0]
    angle = np.degrees(np.arctan2(along[:, 1], np.abs(along[:, 0])))
    assert angle.std() > 12
    width = np.linalg.norm(hairs(brows)[:, 1, 0] - hairs(brows)[:, 1, 1], axis=1)
    assert width.std() > 0.15 * width.mean()
    assert brows.color[:, 0].std() > 0.15 * brows.color[:, 0].mean()


def test_hairs_taper(brows):
    width = np.linalg.norm(hairs(brows)[:, :, 0] - hairs(brows)[:, :, 1], axis=2)
    assert (width[:, -1] < 0.3 * width[:, 1]).all()


def test_grey_is_a_share_of_the_hairs(cast, skin):
    spread = []
    for grey in (0.0, 1.0):
        color = colors(replace(LOOKS, brow_grey=grey), cast, skin)
        spread.append(np.median(color[:, 0] / color[:, 2]))
    assert spread[1] < 0.8 * spread[0]


def test_brows_follow_the_forehead(brows):
    assert {"browDownLeft", "browInnerUp", "browOuterUpRight"} <= set(brows.morphs)
    raised = hairs(brows).mean() - brows.posed(browInnerUp=1.0).mean()
    assert abs(raised) > 1e-4


def test_brows_are_still_while_a_mouth_speaks(brows):
    assert not {name for name in brows.morphs if name.startswith(("jaw", "mouth"))}
