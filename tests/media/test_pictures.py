from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mien.errors import InputError, ResourceError
from mien.media import PictureWriter


def shade(level: int, channels: int = 3) -> np.ndarray:
    return np.full((32, 48, channels), level, np.uint8)


@pytest.mark.parametrize("channels", [3, 4])
def test_pictures_are_numbered_from_zero_and_hold_what_was_given(tmp_path: Path, channels: int) -> None:
    with PictureWriter(tmp_path / "out" / "%03d.png", fps=30) as writer:
        for level in (10, 20):
            writer.picture(shade(level, channels))
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["000.png", "001.png"]
    with Image.open(tmp_path / "out" / "001.png") as picture:
        assert (np.array(picture) == shade(20, channels)).all()


def test_nothing_is_left_after_an_exception(tmp_path: Path) -> None:
    with pytest.raises(KeyError), PictureWriter(tmp_path / "out" / "%d.png", fps=30) as writer:
        writer.picture(shade(1))
        raise KeyError
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.png", "%d%d.png", "%s.png", "%05d.jpg", "%99d.png"])
def test_a_name_without_one_number_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="write it as"):
        PictureWriter(tmp_path / name, fps=30)


def test_no_picture_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="would be empty"), PictureWriter(tmp_path / "%d.png", fps=30):
        pass


def test_a_folder_that_can_not_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ResourceError), PictureWriter(tmp_path / "file" / "%d.png", fps=30):
        pass
