from __future__ import annotations

import numpy as np

from mien.avatar.render import streaks


def test_strands_run_along_the_lock() -> None:
    texture = streaks.texture()
    assert texture.shape == (streaks.LENGTH, streaks.VARIANTS * streaks.WIDTH)
    assert np.abs(np.diff(texture, axis=0)).mean() < np.abs(np.diff(texture, axis=1)).mean() / 2


def test_no_lock_is_brighter_than_another() -> None:
    texture = streaks.texture()
    assert 0 <= texture.min() < texture.max() <= 1
    locks = texture.reshape(streaks.LENGTH, streaks.VARIANTS, streaks.WIDTH).mean(axis=(0, 2))
    assert np.ptp(locks) < 0.03
