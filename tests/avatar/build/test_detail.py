"""Heights in millimetres become slopes along u and v."""

from dataclasses import replace

import numpy as np
import pytest

from mien.avatar.build.detail import lip_creases, normal_map, relief
from mien.avatar.build.person import read_person
from mien.avatar.build.texture import Texels

SIZE = 160
LOOKS = replace(read_person("joe").skin, moles=())


@pytest.fixture
def texels() -> Texels:
    where = np.divmod(np.arange(SIZE * SIZE), SIZE)
    return Texels(SIZE, where, np.zeros((0, 3), np.int64), np.zeros((0, 3)))


def test_a_ramp_leans_against_its_rise(plate, texels):
    plate = replace(plate, points=0.4 * plate.points)  # so fine that nothing of the relief fades
    for axis, channel, slope in ((0, 0, 0.3), (1, 1, 0.3)):  # u grows with x, v with y
        height = slope * 100 * plate.points[:, axis]
        middle = normal_map(height, plate, texels)[40:120, 40:120].reshape(-1, 2)
        lean = (middle.astype(float) - 128) / 127
        assert np.allclose(lean[:, channel], -slope / np.sqrt(1 + slope**2), atol=0.02)
        assert np.allclose(lean[:, 1 - channel], 0, atol=0.02)


def test_steep_relief_stays_in_range(plate, texels):
    rough = normal_map(50 * np.sign(np.sin(plate.points[:, 0] * 300)), plate, texels)
    assert 50 < rough.min() < rough.max() < 206


def test_flat_is_flat(plate, texels):
    assert (normal_map(np.zeros(SIZE * SIZE), plate, texels) == 128).all()


def test_relief_is_fractions_of_a_millimetre_and_folds_go_in(plate):
    folds = np.where(np.abs(plate.points[:, 1] - 0.4) < 0.02, 1.0, 0.0)
    smooth, folded = (relief(plate, LOOKS, f) for f in (0 * folds, folds))
    assert 0.004 < smooth.std() < 0.1
    assert (folded - smooth)[folds > 0].max() < -0.3


def test_creases_of_the_lips_stand_upright(plate):
    creases = lip_creases(plate).reshape(SIZE, SIZE)
    across, along = (np.abs(np.diff(creases, axis=axis)).mean() for axis in (1, 0))
    assert across > 1.5 * along


def test_a_mole_stands_out(plate):
    none = np.zeros(len(plate.points))
    bumped = relief(plate, replace(LOOKS, moles=((0.3, -0.4, 8.0),)), none) - relief(plate, LOOKS, none)
    assert 0.2 < bumped.max() < 0.3
