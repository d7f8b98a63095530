import numpy as np
import pytest

from mien.avatar.build.hair import _cut, hair_style, make_hair
from mien.avatar.build.hairstyles import STYLES
from mien.avatar.build.person import Hair
from mien.avatar.build.scalp import above_hairline, make_scalp, scalp_shade
from mien.errors import InputError

LOOKS = {name: Hair(name, (0.1, 0.1, 0.1), (0.2, 0.2, 0.2)) for name in STYLES}


def test_above_hairline_by_azimuth():
    line = ((0, 0.5), (180, -0.5))
    points = np.array([[0, 0.5, 1.0], [0, 0.0, -1.0], [1.0, 0.25, -0.02]])
    assert np.allclose(above_hairline(points, line), [0, 0.5, 0.25])


def test_an_unknown_style_names_the_nearest():
    with pytest.raises(InputError, match=r"no hair style 'bop'; did you mean 'bob'\?"):
        hair_style("bop")


def test_cut_ends_every_lock_at_its_height():
    paths = np.zeros((2, 5, 3))
    paths[..., 1] = [[0, -1, -2, -3, -4], [0, -0.1, -0.2, -0.3, -0.4]]
    ends = _cut(paths, np.array([-2.5, -2.5]))[:, -1, 1]
    assert np.allclose(ends, [-2.5, -0.4])


@pytest.mark.parametrize("style", sorted(STYLES))
def test_hair_stays_out_of_the_head_and_repeats(skin, style):
    scalp = make_scalp(skin, [])
    hair = make_hair(scalp, LOOKS[style])
    distance, _ = scalp.distance(hair.positions)
    assert np.isfinite(hair.positions).all()
    assert np.mean(distance < -0.03) < 0.02
    assert np.array_equal(hair.positions, make_hair(scalp, LOOKS[style]).positions)


def test_ears_and_face_stay_bare(skin):
    height = scalp_shade(skin, STYLES["short"].hairline)
    assert (height[skin.ears] < -0.2).all()
    nose = skin.draft.positions[:, 2].argmax()
    assert height[nose] < -0.5
