from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageColor

from mien.errors import InputError, ResourceError
from mien.measure import Evidence, Report
from mien.measure.plot import MOUTH, SHUT, SOUND, WIDTH, draw

Judged = tuple[Report, Evidence, list[float]]


def test_mouth_sound_and_closures_are_drawn(judged: Judged, tmp_path: Path) -> None:
    draw(judged[0], judged[1], tmp_path / "plot.png")
    picture = np.asarray(Image.open(tmp_path / "plot.png").convert("RGB"))
    assert picture.shape[1] == WIDTH
    for color in (MOUTH, SOUND, SHUT):
        pixels = (picture[100:] == ImageColor.getrgb(color)).all(axis=2)
        assert pixels.sum() > 300
        assert np.flatnonzero(pixels.any(axis=0)).max() < WIDTH * 0.45 or color == SHUT  # 4 s of 10


def test_only_a_png_can_be_written(judged: Judged, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"plot\.svg is no name"):
        draw(judged[0], judged[1], tmp_path / "plot.svg")
    with pytest.raises(ResourceError, match="no folder"):
        draw(judged[0], judged[1], tmp_path / "nowhere" / "plot.png")
