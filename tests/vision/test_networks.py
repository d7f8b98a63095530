from pathlib import Path

import numpy as np
import pytest

from mien import packs
from mien.errors import CorruptError, MissingError
from mien.vision.networks import Network, load


def test_a_network_normalises_by_itself() -> None:
    black_to_white = [load("face_landmark", low=low, high=high) for low, high in ((0.0, 1.0), (1.0, 0.0))]
    picture = np.random.default_rng(0).integers(0, 256, (192, 192, 3), dtype=np.uint8)
    plain, negative = black_to_white
    for own, turned in zip(plain(picture), negative(255 - picture), strict=True):
        np.testing.assert_allclose(own, turned, rtol=1e-3, atol=1e-2)


def test_a_missing_network_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"face_landmark\.tflite"):
        Network(tmp_path / "face_landmark.tflite", low=0, high=1)


def test_a_broken_network_is_named(tmp_path: Path) -> None:
    whole = (packs.path("faces") / "face_landmark.tflite").read_bytes()
    (tmp_path / "cut.tflite").write_bytes(whole[:100_000])
    with pytest.raises(CorruptError, match=r"cut\.tflite.*mien packs verify faces"):
        Network(tmp_path / "cut.tflite", low=0, high=1)
