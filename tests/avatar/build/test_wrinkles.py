"""Lines of age: none in the young, deeper and more of them with the years, where faces fold."""

import numpy as np
import pytest

from mien.avatar.build.wrinkles import wrinkles


def test_the_young_have_none(plate):
    assert not wrinkles(plate, 0.0).any()


def test_lines_deepen_and_multiply_with_age(plate):
    shown = [wrinkles(plate, age) for age in (0.2, 0.5, 0.9)]
    shares = [(folds > 0.08).mean() for folds in shown]
    assert 0 < shares[0] < shares[1] < shares[2] < 0.3
    assert shown[0].max() < shown[2].max() <= 1.2


@pytest.mark.parametrize("place", [(0.26, -0.52), (-0.26, -0.52), (0.15, 0.41), (0.55, 0.02), (0.3, -0.13)])
def test_faces_fold_here(plate, spread, place):
    assert spread(wrinkles(plate, 0.9), place).max() > 0.12


def test_the_tip_of_the_nose_stays_smooth_and_halves_differ(plate, spread):
    folds = wrinkles(plate, 0.9)
    assert np.abs(spread(folds, (0.0, -0.38))).max() < 0.05
    square = folds.reshape(160, 160)
    assert np.abs(square - square[:, ::-1]).max() > 0.1
