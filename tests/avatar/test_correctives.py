"""Targets whose weights are products."""

import numpy as np

from mien.avatar import correctives
from mien.avatar.model import Avatar, Morph
from mien.face.pose import ARKIT_INDEX, weights


def mended(tiny: Avatar) -> Avatar:
    """Return the small head with a corrective in its first part."""
    moved = Morph(np.array([0], np.int32), np.ones((1, 3), np.float32), np.zeros((1, 3), np.float32))
    tiny.parts[0].morphs["jawOpen*mouthFunnel"] = moved  # type: ignore[index]
    return tiny


def test_a_corrective_weighs_the_product_of_its_drivers():
    places = correctives.pairs(["jawOpen*mouthFunnel", "tongueOut*tongueOut"])
    assert places.tolist() == [
        [ARKIT_INDEX["jawOpen"], ARKIT_INDEX["mouthFunnel"]],
        [ARKIT_INDEX["tongueOut"]] * 2,
    ]
    given = weights({"jawOpen": 0.5, "mouthFunnel": 0.4, "tongueOut": 0.3})
    widened = correctives.expand(np.stack([given, np.zeros(52, np.float32)]), places)
    assert widened.shape == (2, 54)
    assert np.array_equal(widened[0, :52], given)
    assert np.allclose(widened[0, 52:], [0.2, 0.09])
    assert not widened[1].any()


def test_a_head_without_correctives_keeps_its_52_weights(tiny):
    places = correctives.pairs(correctives.names_of(tiny))
    assert places.shape == (0, 2)
    assert correctives.expand(np.ones(52, np.float32), places).shape == (52,)


def test_the_correctives_of_all_parts_are_found(tiny):
    assert correctives.names_of(mended(tiny)) == ("jawOpen*mouthFunnel",)
    assert correctives.split(["jawOpen", "jawOpen*mouthFunnel"]) == (["jawOpen"], ["jawOpen*mouthFunnel"])
