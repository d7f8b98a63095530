"""Teeth that stand as teeth do."""

import numpy as np
import pytest

from mien.avatar.build.draft import Cast, Draft
from mien.avatar.build.mouth import LOWER, TOOTH_COLUMNS, TOOTH_ROWS, UPPER, make_teeth

ONE = TOOTH_ROWS * TOOTH_COLUMNS


@pytest.fixture(scope="module")
def rows(cast: Cast) -> list[Draft]:
    return make_teeth(cast)


def tooth(row: Draft, k: int) -> np.ndarray:
    """Return the vertices of the k-th tooth of the left side, from the middle."""
    return row.positions[k * ONE : (k + 1) * ONE]


def test_lateral_incisors_are_shorter_than_central_ones_and_canines(rows):
    edges = [tooth(rows[0], k)[:, 1].min() for k in range(3)]
    assert edges[1] > edges[0] + 0.005
    assert edges[1] > edges[2] + 0.003


def test_no_gap_parts_the_central_teeth(rows):
    for row, arch in zip(rows, (UPPER, LOWER), strict=True):
        left, right = tooth(row, 0), tooth(row, len(arch.widths))
        assert left[:, 0].min() < right[:, 0].max()


def test_teeth_differ_a_little_in_colour_and_yellow_with_wear(cast, rows):
    enamel = rows[0].extra[:, 0] == 0
    means = rows[0].color[enamel].reshape(-1, ONE, 3).mean(axis=1)
    assert 0.004 < means[:, 1].std() < 0.05
    worn = make_teeth(cast, wear=1.0)[0].color
    assert np.array_equal(worn[~enamel], rows[0].color[~enamel])
    blue = (worn / rows[0].color)[enamel]
    assert (blue[:, 2] < blue[:, 0]).all()


def test_the_gum_reaches_down_between_teeth(rows):
    gum = rows[0].positions[rows[0].extra[:, 0] > 0]
    front = gum[np.abs(gum[:, 0]) < 0.2]
    rim = front[front[:, 1] < front[:, 1].min() + 0.03]
    assert np.ptp(rim[:, 1]) > 0.01
