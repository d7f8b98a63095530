from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mien.avatar.render import save_png, sheet
from mien.errors import InputError, ResourceError

PICTURE = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)


def test_a_saved_picture_is_read_back(tmp_path: Path) -> None:
    from PIL import Image

    save_png(PICTURE, tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as file:
        assert (np.array(file) == PICTURE).all()
    assert [file.name for file in tmp_path.iterdir()] == ["a.png"]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"can not write .*a\.png"):
        save_png(PICTURE, tmp_path / "none" / "a.png")


def test_a_sheet_holds_every_picture() -> None:
    made = sheet([PICTURE, PICTURE, PICTURE], columns=2, gap=2)
    assert made.shape == (10, 14, 3)
    assert (made[:4, 8:] == PICTURE).all()
    assert (made[6:, :6] == PICTURE).all()
    assert (made[6:, 8:] == 255).all()


@pytest.mark.parametrize(("pictures", "columns"), [([], 1), ([PICTURE], 0), ([PICTURE, PICTURE[:2]], 2)])
def test_a_sheet_of_nothing_or_of_mixed_sizes_is_refused(pictures: list[np.ndarray], columns: int) -> None:
    with pytest.raises(InputError, match="expected pictures of one size"):
        sheet(pictures, columns)
