from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mien.errors import InputError
from mien.media import FilmWriter

SIZE = (64, 48)


def half() -> NDArray[np.uint8]:
    """Return a picture whose right half is clear."""
    picture = np.zeros((48, 64, 4), np.uint8)
    picture[:, :32] = 200, 60, 50, 255
    return picture


def planes(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    from mien.avatar.render.canvas import to_planes

    return to_planes(picture)


def decoded(path: Path) -> NDArray[np.uint8]:
    """Return the first picture as libvpx, which knows of alpha, decodes it."""
    import av

    context = av.CodecContext.create("libvpx-vp9", "r")
    with av.open(str(path)) as film:
        assert film.streams.video[0].metadata.get("ALPHA_MODE") == "1"
        for packet in film.demux(video=0):
            for frame in context.decode(packet):  # type: ignore[attr-defined]
                assert frame.format.name == "yuva420p"
                shown: NDArray[np.uint8] = frame.to_ndarray(format="rgba")
                return shown
    raise AssertionError("no picture")


@pytest.mark.parametrize("make", [half, lambda: planes(half())], ids=["rgba", "planes"])
def test_a_webm_film_keeps_its_transparency(tmp_path: Path, make: object) -> None:
    path = tmp_path / "film.webm"
    with FilmWriter(path, size=SIZE, fps=Fraction(30), alpha=True) as writer:
        for _ in range(3):
            writer.picture(make())  # type: ignore[operator]
    shown = decoded(path)
    assert (shown[:, :28, 3] > 245).all()
    assert (shown[:, 36:, 3] < 10).all()
    assert np.abs(shown[4:-4, 4:26, :3].astype(int) - (200, 60, 50)).mean() < 12


def test_mp4_can_not_be_transparent(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no transparency"):
        FilmWriter(tmp_path / "film.mp4", size=SIZE, fps=30, alpha=True)


def test_opaque_pictures_are_refused(tmp_path: Path) -> None:
    with FilmWriter(tmp_path / "film.webm", size=SIZE, fps=30, alpha=True) as writer:
        with pytest.raises(InputError, match="this film takes"):
            writer.picture(half()[..., :3])
        writer.picture(half())
