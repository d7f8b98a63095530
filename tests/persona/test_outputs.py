from __future__ import annotations

from pathlib import Path

import pytest

from mien.errors import InputError
from mien.persona.making import output_paths
from mien.persona.outputs import Film, check_film, kind


def test_a_folder_becomes_numbered_pictures(tmp_path: Path) -> None:
    assert output_paths([f"{tmp_path}/", "a.webm"]) == [tmp_path / "%05d.png", Path("a.webm")]
    assert kind(tmp_path / "%05d.png") == "pictures"


def test_only_webm_and_pictures_can_be_transparent() -> None:
    clear = Film(background="transparent")
    for name in ("a.webm", "%05d.png", "a.wav"):
        check_film(Path(name), clear)
    with pytest.raises(InputError, match="no transparency"):
        check_film(Path("a.mp4"), clear)
    check_film(Path("a.mp4"), Film())
