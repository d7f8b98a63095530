from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.avatar.render import tone


@given(st.integers(0, 255))
def test_what_is_decoded_is_encoded_back(level: int) -> None:
    linear = tone.decode(np.array([level], np.uint8)).astype(np.float64)
    assert round(float(tone.encode(linear)[0] * 255)) == level


def test_middle_grey_by_the_standard() -> None:
    assert tone.decode(np.array([188], np.uint8))[0] == pytest.approx(0.5, abs=0.005)


def test_more_light_is_never_darker_and_never_clips_early() -> None:
    table = tone.table()
    assert (np.diff(table) >= 0).all()
    assert table[0] < 0.01
    assert table[tone.STEPS] < 250
    assert table[-1] == pytest.approx(255, abs=1)
