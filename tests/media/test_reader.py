from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
import pytest

from mien.errors import CorruptError, InputError, MissingError
from mien.media import FilmReader


def remux(path, out, *, audio_shift_s=0.0, video_shift_s=0.0, **options):
    """Copy a film's packets with its streams moved in time."""
    with av.open(str(path)) as old, av.open(str(out), "w", **options) as new:
        streams = {s.index: new.add_stream_from_template(s) for s in old.streams}
        for packet in old.demux():
            if packet.dts is None:
                continue
            shift_s = video_shift_s if packet.stream.type == "video" else audio_shift_s
            shift = round(shift_s / packet.time_base)
            packet.pts, packet.dts = packet.pts + shift, packet.dts + shift
            packet.stream = streams[packet.stream.index]
            new.mux(packet)
    return out


def flash_s(reader):
    return next(t for t, rgb in reader if rgb[32, 32, 0] > 120)


def click_s(reader, rate_hz=None):
    sound = reader.audio(rate_hz)
    return int(np.argmax(np.abs(sound.samples) > 0.3)) / sound.rate_hz


@pytest.mark.parametrize(("suffix", "shift_s"), [(".mp4", 0.2), (".mkv", 0.2), (".mkv", 0.05)])
def test_sound_that_starts_later_is_heard_later(flash_and_click, tmp_path, suffix, shift_s):
    film = remux(flash_and_click(), tmp_path / f"late{suffix}", audio_shift_s=shift_s)
    reader = FilmReader(film)
    assert abs(click_s(reader) - flash_s(reader) - shift_s) < 0.002


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_pictures_that_start_later_are_seen_later(flash_and_click, tmp_path, suffix):
    reader = FilmReader(remux(flash_and_click(), tmp_path / f"late{suffix}", video_shift_s=0.2))
    assert abs(flash_s(reader) - click_s(reader) - 0.2) < 0.002


def test_a_transport_stream_that_starts_at_some_time_starts_at_zero(flash_and_click, tmp_path):
    reader = FilmReader(remux(flash_and_click(), tmp_path / "a.ts"))
    times = [t for t, _ in reader]
    assert 0 <= times[0] < 0.1
    assert abs(flash_s(reader) - click_s(reader)) < 0.025  # AAC priming is not told in a transport stream


def test_sound_is_resampled_without_moving(flash_and_click):
    reader = FilmReader(flash_and_click(rate_hz=48_000))
    assert reader.audio(16_000).rate_hz == 16_000
    assert abs(click_s(reader, 16_000) - click_s(reader)) < 0.001


def test_stereo_becomes_mono(tmp_path):
    path = tmp_path / "stereo.mkv"
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=25)
        video.width = video.height = 64
        audio = out.add_stream("pcm_s16le", rate=16_000, layout="stereo")
        out.mux(video.encode(av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), "rgb24")))
        out.mux(video.encode(None))
        samples = np.zeros((1, 32_000), np.int16)
        samples[0, ::2] = 16_384
        frame = av.AudioFrame.from_ndarray(samples, "s16", "stereo")
        frame.sample_rate = 16_000
        out.mux(audio.encode(frame))
        out.mux(audio.encode(None))
    sound = FilmReader(path).audio()
    assert sound.duration_s == pytest.approx(1.0, abs=0.001)
    np.testing.assert_allclose(sound.samples[100:-100], 0.25, atol=0.001)


def test_a_variable_rate_keeps_its_times(tmp_path):
    path, at = tmp_path / "vfr.mp4", [0, 3, 4, 10, 50]
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=100)
        stream.width = stream.height = 64
        stream.codec_context.time_base = Fraction(1, 100)
        for pts in at:
            frame = av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), "rgb24")
            frame.pts, frame.time_base = pts, Fraction(1, 100)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    np.testing.assert_allclose([t for t, _ in FilmReader(path)], np.array(at) / 100, atol=1e-9)


def test_a_reader_can_be_read_again_and_says_what_it_is(flash_and_click):
    with FilmReader(flash_and_click(size=(96, 64))) as reader:
        assert reader.size == (96, 64)
        assert reader.fps == 25
        assert reader.has_audio
        assert reader.duration_s == pytest.approx(2.5, abs=0.05)
        assert len(list(reader)) == len(list(reader)) == 62
        time_s, rgb = next(iter(reader))
        assert (time_s, rgb.shape, rgb.dtype) == (0.0, (64, 96, 3), np.uint8)


def test_what_is_no_film_is_said_so(tmp_path, flash_and_click):
    with pytest.raises(MissingError, match="no film"):
        FilmReader(tmp_path / "none.mp4")
    (tmp_path / "text.mp4").write_text("not a film")
    with pytest.raises(CorruptError, match=r"text\.mp4 is not a film"):
        FilmReader(tmp_path / "text.mp4")
    with pytest.raises(InputError, match="has no sound"):
        FilmReader(flash_and_click(rate_hz=None)).audio()
    with av.open(str(tmp_path / "sound.wav"), "w") as out:
        stream = out.add_stream("pcm_s16le", rate=8000, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), "s16", "mono")
        frame.sample_rate = 8000
        out.mux(stream.encode(frame))
    with pytest.raises(InputError, match="has no pictures"):
        FilmReader(tmp_path / "sound.wav")


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
@pytest.mark.parametrize("share", [0.02, 0.5])
def test_a_film_that_is_cut_short_is_said_so(flash_and_click, suffix, share):
    path = flash_and_click(suffix)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(CorruptError, match=r"cut short|broken after"):
        list(FilmReader(path))
