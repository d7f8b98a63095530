from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mien.avatar.render import background
from mien.errors import InputError, MissingError

SIZE = (32, 16)


def test_the_studio_is_calm_and_the_same_each_time() -> None:
    first, second = background.studio((64, 64)), background.studio((64, 64))
    assert (first == second).all()
    assert np.abs(np.diff(first.astype(int), axis=1)).max() < 12


def test_a_colour_fills_the_picture() -> None:
    assert (background.make(SIZE, "#00b140") == (0, 0xB1, 0x40)).all()


@pytest.mark.parametrize("color", ["#00b14", "#00b1400", "#gggggg", "#"])
def test_a_word_that_is_no_colour_is_refused(color: str) -> None:
    with pytest.raises(InputError, match="#rrggbb"):
        background.make(SIZE, color)


def test_a_file_covers_the_picture_whatever_its_shape(tmp_path: Path) -> None:
    from PIL import Image

    tall = np.zeros((90, 30, 3), np.uint8)
    tall[30:60] = (200, 10, 10)
    Image.fromarray(tall).save(tmp_path / "tall.png")
    made = background.make(SIZE, tmp_path / "tall.png")
    assert made.shape == (16, 32, 3)
    assert (made[8, 16] == (200, 10, 10)).all()
    assert (background.make(SIZE, str(tmp_path / "tall.png")) == made).all()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match=r"office\.png does not exist"):
        background.make(SIZE, tmp_path / "office.png")


def test_a_file_that_is_no_picture_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.png").write_bytes(b"not a picture")
    with pytest.raises(InputError, match="can not be read"):
        background.make(SIZE, tmp_path / "text.png")


def test_a_picture_is_copied() -> None:
    given = np.zeros((16, 32, 3), np.uint8)
    made = background.make(SIZE, given)
    given[:] = 9
    assert (made == 0).all()


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="expected uint8"):
        background.make(SIZE, np.zeros((16, 16, 3), np.uint8))


def test_a_name_that_no_file_has_is_refused() -> None:
    with pytest.raises(InputError, match="can not be read"):
        background.make(SIZE, "a\0b")
