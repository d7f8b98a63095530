import dataclasses

import numpy as np
import pytest

from mien.avatar.build.hair import crumpled, hair_style, make_hair, splayed
from mien.avatar.build.hairstyles import STYLES
from mien.avatar.build.person import Hair
from mien.avatar.build.scalp import above_hairline, lay_ears, make_scalp, scalp_shade
from mien.errors import InputError

LOOKS = {name: Hair(name, (0.1, 0.1, 0.1), (0.2, 0.2, 0.2)) for name in STYLES}
GROWN = sorted(set(STYLES) - {"bald"})
MOST = {
    "afro": 36_000,
    "curls": 32_000,
    "wavy": 28_000,
    "long": 26_000,
}  # triangles before those never seen go


@pytest.fixture(scope="module")
def scalp(skin):
    return make_scalp(skin, [])


def test_above_hairline_by_azimuth():
    line = ((0, 0.5), (180, -0.5))
    points = np.array([[0, 0.5, 1.0], [0, 0.0, -1.0], [1.0, 0.25, -0.02]])
    assert np.allclose(above_hairline(points, line), [0, 0.5, 0.25])


def test_an_unknown_style_names_the_nearest():
    with pytest.raises(InputError, match=r"no hair style 'bop'; did you mean 'bob'\?"):
        hair_style("bop")


@pytest.mark.parametrize("style", GROWN)
def test_hair_stays_out_of_the_head_and_costs_what_it_may(scalp, style):
    (hair,) = make_hair(scalp, LOOKS[style])
    distance, _ = scalp.distance(hair.positions)
    assert np.isfinite(hair.positions).all()
    assert np.mean(distance < -0.03) < 0.02
    assert np.allclose(np.linalg.norm(hair.normals, axis=1), 1)
    assert len(hair.triangles) <= MOST.get(style, 19_000)


def test_the_same_hair_grows_twice(scalp):
    (hair,), (again,) = (make_hair(scalp, LOOKS["short"]) for _ in range(2))
    for name in ("positions", "color", "extra", "normals"):
        assert np.array_equal(getattr(hair, name), getattr(again, name))


def test_nothing_grows_on_a_bald_head(scalp, skin):
    assert make_hair(scalp, LOOKS["bald"]) == []
    assert (scalp_shade(skin, STYLES["bald"]) < -0.085).all()


@pytest.mark.parametrize("style", sorted(set(GROWN) - {"bun", "afro", "curls"}))
def test_the_face_stays_free(scalp, skin, style):
    """No hair before the eyes, nose and mouth."""
    (hair,) = make_hair(scalp, LOOKS[style])
    x, y, z = hair.positions.T
    assert not ((np.abs(x) < 0.4) & (y < 0.15) & (y > -1.1) & (z > 0.6)).any()


def test_ears_and_face_stay_bare(skin):
    height = scalp_shade(skin, STYLES["short"])
    assert (height[skin.ears] < -0.2).all()
    nose = skin.draft.positions[:, 2].argmax()
    assert height[nose] < -0.3


def test_a_buzz_cut_lets_skin_show_through(skin):
    closed = dataclasses.replace(STYLES["buzz"], cover=1.0)
    assert scalp_shade(skin, closed).max() > 0.1
    assert -0.085 < scalp_shade(skin, STYLES["buzz"]).max() < 0


@pytest.mark.parametrize(
    ("bent", "path"),
    [
        (False, [[0.9, y, 0.3] for y in (0.0, -0.6, -1.2, -1.8)]),
        (True, [[0.9, 0.0, 0.3], [0.9, -0.9, 0.3], [0.9, -0.6, 0.3], [0.9, -1.4, 0.3]]),  # turns back
        (True, [[0.9, -1.0, 0.3], [0.9, -1.2, 0.3], [1.1, -1.1, 0.3], [1.3, -1.2, 0.3]]),  # rises
        (True, [[0.4, y, 0.3] for y in (0.0, -0.6, -1.2, -1.8)]),  # ends on the throat
        (False, [[0.4, y, -0.6] for y in (0.0, -0.6, -1.2, -1.8)]),  # hangs behind
    ],
)
def test_ribbons_that_got_caught_are_found(bent, path):
    assert crumpled(np.array([path])).tolist() == [bent]


def test_ribbons_that_would_twist_are_found():
    paths = np.array([[[0.9, y, 0.3] for y in (-0.9, -1.2, -1.5)], [[x, -1.2, 0.3] for x in (0.9, 1.2, 1.5)]])
    assert splayed(paths, np.full((2, 3, 3), [1.0, 0.0, 0.0])).tolist() == [False, True]


def test_long_hair_lays_the_ears_flat(skin):
    draft = dataclasses.replace(
        skin.draft, positions=skin.draft.positions.copy(), normals=skin.draft.normals.copy()
    )
    laid = dataclasses.replace(skin, draft=draft)
    lay_ears(laid)
    before, after = (np.ptp(np.abs(each.draft.positions[skin.ears, 0])) for each in (skin, laid))
    assert after < 0.65 * before
    assert np.array_equal(laid.draft.positions[~skin.ears], skin.draft.positions[~skin.ears])
