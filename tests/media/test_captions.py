import av
import numpy as np
import pytest

from mien.media import FilmWriter
from mien.media.captions import Caption

SAID = [Caption(0.9, 1.5, "两点见"), Caption(0.1, 0.4, "– When?")]


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_what_is_said_can_be_read_when_it_is_said(tmp_path, suffix):
    path = tmp_path / f"film{suffix}"
    with FilmWriter(path, size=(64, 64), fps=10, captions=SAID) as film:
        for _ in range(20):
            film.picture(np.zeros((64, 64, 3), np.uint8))
    with av.open(str(path)) as container:
        packets = list(container.demux(container.streams.subtitles[0]))
        pictures = container.streams.video[0]
        assert pictures.frames in (0, 20)
        shown = [
            (float(packet.pts * packet.time_base), float(packet.duration * packet.time_base), bytes(packet))
            for packet in packets
            if packet.pts is not None and len(bytes(packet)) > 2
        ]
    assert [(start, length) for start, length, _ in shown] == [(0.1, 0.3), (0.9, 0.6)]
    assert [data.decode().lstrip("\0\x09") for *_, data in shown] == ["– When?", "两点见"]


def test_a_film_without_captions_has_no_such_track(flash_and_click):
    with av.open(str(flash_and_click(".mp4"))) as container:
        assert not container.streams.subtitles
