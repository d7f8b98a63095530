import numpy as np
import pytest

from mien.avatar.build.growth import cut, grow, plant
from mien.avatar.build.hairstyles import STYLES, Layer, Style
from mien.avatar.build.human import Doubles
from mien.avatar.build.scalp import above_hairline, make_scalp

EVEN = ((-9.0, 0.5), (9.0, 0.5))


@pytest.fixture(scope="module")
def scalp(skin):
    return make_scalp(skin, [])


def test_cut_ends_every_lock_at_its_height():
    paths = np.zeros((2, 5, 3))
    paths[..., 1] = [[0, -1, -2, -3, -4], [0, -0.1, -0.2, -0.3, -0.4]]
    ends = cut(paths, np.array([-2.5, -2.5]))[:, -1, 1]
    assert np.allclose(ends, [-2.5, -0.4])


def test_a_band_keeps_roots_at_the_hairline(scalp):
    style = STYLES["short"]
    layer = Layer(200, 3, EVEN, (0.01, 0.0), 0.01, 0.1, band=(-0.03, 0.06))
    height = above_hairline(plant(scalp, style, layer, np.random.default_rng(1)).points, style.hairline)
    assert len(height) > 50
    assert -0.15 < height.min() < height.max() < 0.18


def test_hair_thins_out_towards_its_line(scalp):
    style = STYLES["buzz"]
    layer = Layer(1500, 2, EVEN, (0.01, 0.0), 0.01, 0.1)
    roots = plant(scalp, style, layer, np.random.default_rng(1))
    inside = above_hairline(roots.points, style.hairline) > 0.4
    assert roots.width[inside].mean() > 1.3 * roots.width[~inside & (roots.points[:, 1] > 0.4)].min()
    assert (inside.sum() + (~inside).sum()) < 1450


def test_tied_hair_arrives_where_it_is_tied(scalp):
    style = STYLES["bun"]
    layer = style.layers[1]
    paths, facing = grow(scalp, style, layer, plant(scalp, style, layer, np.random.default_rng(1)))
    away = np.linalg.norm(paths[:, -1] - np.array(style.gather), axis=1)
    assert np.median(away) < style.bun
    assert paths.shape == facing.shape


def test_hair_that_strays_more_is_less_parallel(scalp):
    def ends(wander: float) -> Doubles:
        layer = Layer(200, 6, EVEN, (0.02, 0.0), 0.02, 0.1, wander=wander)
        style = Style(STYLES["short"].hairline, whorl=(0.0, 1.0, -0.6))
        return grow(scalp, style, layer, plant(scalp, style, layer, np.random.default_rng(1)))[0][:, -1]

    def spread(wander: float) -> float:
        return float(np.linalg.norm(ends(wander) - ends(0.0), axis=1).mean())

    assert spread(0.4) > 2 * spread(0.1) > 0
