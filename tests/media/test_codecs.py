from __future__ import annotations

from pathlib import Path

import pytest

from mien.errors import InputError
from mien.media.codecs import H264_ENCODER, film_format


@pytest.mark.parametrize(
    ("name", "codecs"), [("a.mp4", ("libx264", "aac")), ("b.WEBM", ("libvpx-vp9", "libopus"))]
)
def test_the_suffix_chooses_the_codecs(name, codecs, monkeypatch):
    monkeypatch.delenv(H264_ENCODER, raising=False)
    kind = film_format(Path(name))
    assert (kind.video, kind.audio) == codecs


@pytest.mark.parametrize("name", ["film.avi", "film", "film.mp3"])
def test_another_suffix_is_refused(name):
    with pytest.raises(InputError, match=r"\.mp4"):
        film_format(Path(name))


def test_a_configured_encoder_stands_in(monkeypatch):
    monkeypatch.setenv(H264_ENCODER, "h264_nvenc")
    assert film_format(Path("a.mp4")).video == "h264_nvenc"
    assert film_format(Path("a.mp4"), "libx264").video == "libx264"


def test_an_encoder_that_is_not_here_names_those_that_are():
    with pytest.raises(InputError, match=r"no H\.264 encoder 'libx265' here; available: .*libx264"):
        film_format(Path("a.mp4"), "libx265")


def test_a_rate_that_the_codec_lacks_becomes_48_khz():
    assert film_format(Path("a.mp4")).audio_rate_hz(22_050) == 22_050
    assert film_format(Path("a.mp4")).audio_rate_hz(20_000) == 48_000
    assert film_format(Path("a.webm")).audio_rate_hz(22_050) == 48_000
