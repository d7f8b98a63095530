from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.errors import InputError
from mien.media.rates import exact_rate


@pytest.mark.parametrize(
    ("fps", "exact"),
    [
        (23.976, Fraction(24000, 1001)),
        (29.97, Fraction(30000, 1001)),
        (59.94, Fraction(60000, 1001)),
        (119.88, Fraction(120000, 1001)),
        (30000 / 1001, Fraction(30000, 1001)),
        (25, Fraction(25)),
        (30.0, Fraction(30)),
        (12.5, Fraction(25, 2)),
        (Fraction(997, 100), Fraction(997, 100)),
        (Fraction("29.97002997"), Fraction(30000, 1001)),
        (Fraction(10**20 + 1, 4 * 10**18), Fraction(25)),
        (Fraction(1, 10**20), Fraction(1, 1001)),
    ],
)
def test_a_rate_is_the_fraction_that_is_meant(fps, exact):
    assert exact_rate(fps) == exact


@given(st.integers(1, 240))
def test_a_whole_rate_stays_whole(fps):
    assert exact_rate(float(fps)) == fps


@pytest.mark.parametrize("fps", [0, -25, 241, float("inf"), float("nan")])
def test_an_impossible_rate_is_refused(fps):
    with pytest.raises(InputError, match="valid: above 0, up to 240"):
        exact_rate(fps)
