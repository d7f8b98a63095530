from __future__ import annotations

import numpy as np
import pytest

from mien.avatar.render import posture
from mien.face.pose import FacePose, weights


def test_rotations_are_rotations():
    turn = posture.rotation(0.4, -0.2, 0.3)
    assert np.allclose(turn @ turn.T, np.eye(3), atol=1e-6)
    assert np.linalg.det(turn) == pytest.approx(1, abs=1e-6)


def test_yaw_turns_to_the_left_of_the_head():
    assert np.allclose(posture.rotation(np.pi / 2, 0) @ [0, 0, 1], [1, 0, 0], atol=1e-6)


@pytest.mark.parametrize(("jaw", "wanted"), [(0.0, 0.0), (0.25, 0.4), (1.0, 1.0)])
def test_opening_follows_the_jaw(jaw, wanted):
    assert posture.opening(weights({"jawOpen": jaw})) == pytest.approx(wanted)


def test_light_falls_on_a_tongue_that_is_out():
    tip, out = (posture.opening(weights({"tongueOut": weight})) for weight in (0.4, 1.0))
    assert tip < 0.2
    assert out == 1.0


def test_a_blink_lowers_the_shadow_of_one_lid_further_than_the_lid():
    rest, left = posture.lids(FacePose().weights), posture.lids(weights({"eyeBlinkLeft": 0.5}))
    assert left[0] == pytest.approx(rest[0] - 0.7)
    assert left[1] == rest[1]
