from __future__ import annotations

import numpy as np
import pytest

from mien.avatar.foreign import retarget
from mien.avatar.foreign.names import VISEMES
from mien.face.pose import ARKIT_NAMES, weights

CLEAR = ("PP", "FF", "TH", "CH", "SS", "aa", "E", "I", "O", "U")  # the others look like one another


def driven(name: str) -> dict[str, float]:
    """Return the visemes that the ARKit weights of a viseme ask for."""
    total: dict[str, float] = {}
    for unit, weight in zip(ARKIT_NAMES, weights(retarget._table()["visemes"][name]), strict=True):
        for source, share in retarget._inverse().get(unit, {}).items():
            total[source] = total.get(source, 0.0) + share * float(weight)
    return total


@pytest.mark.parametrize("name", CLEAR)
def test_a_visemes_weights_ask_most_of_all_for_it(name):
    shares = driven(name)
    assert max(shares, key=lambda source: shares[source]) == f"viseme:{name}"
    assert shares[f"viseme:{name}"] > 0.4
    assert min(shares.values()) > -0.35


def test_a_still_mouth_asks_for_nothing():
    assert not any(driven("sil").values())


def test_the_table_names_what_there_is():
    table = retarget._table()
    assert set(table["visemes"]) == set(VISEMES)
    assert set(table["instead"]) <= set(ARKIT_NAMES)


@pytest.mark.parametrize(("side", "other"), [("left", "right"), ("upper", "lower")])
def test_two_halves_are_the_whole(side, other):
    points = np.random.default_rng(1).normal(0, 0.05, (500, 3))
    halves = retarget.half(points, side) + retarget.half(points, other)
    assert np.allclose(halves, 1)
    assert np.allclose(retarget.half(points, ""), 1)
