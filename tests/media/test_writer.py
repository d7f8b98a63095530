from __future__ import annotations

import os
import sys
from fractions import Fraction

import av
import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.errors import InputError, ResourceError
from mien.media import FilmReader, FilmWriter

DARK = np.zeros((64, 64, 3), np.uint8)
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")


@pytest.mark.parametrize("fps", [25, 29.97, 30, 59.94, 12.5])
def test_mp4_presents_picture_i_at_exactly_i_over_fps(flash_and_click, fps):
    path = flash_and_click(fps=fps, rate_hz=None)
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        times = [frame.pts * stream.time_base for frame in container.decode(stream)]
        rate = stream.average_rate
    assert times == [i / rate for i in range(len(times))]
    assert rate == FilmWriter(path, size=(64, 64), fps=fps).fps
    assert len(times) == round(2 * rate) + round(2.5 * rate) - round(2 * rate)


def test_webm_presents_pictures_within_its_clock_of_a_millisecond(flash_and_click):
    reader = FilmReader(flash_and_click(".webm", fps=29.97))
    times = [time_s for time_s, _ in reader]
    np.testing.assert_allclose(times, [i * 1001 / 30000 for i in range(len(times))], atol=0.0005001)
    assert reader.fps == Fraction(30000, 1001)


def first_above(pcm, after_s, level=0.3):
    start = round(after_s * pcm.rate_hz)
    return (start + int(np.argmax(np.abs(pcm.samples[start:]) > level))) / pcm.rate_hz


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
@pytest.mark.parametrize(("fps", "rate_hz"), [(25, 16_000), (30, 22_050), (50, 24_000), (10, 48_000)])
def test_a_flash_and_a_click_stay_together(flash_and_click, suffix, fps, rate_hz):
    reader = FilmReader(flash_and_click(suffix, fps, rate_hz))
    sound, pictures = reader.audio(), [(t, int(rgb[32, 32, 0])) for t, rgb in reader]
    for moment in (1.0, 2.0):
        click = first_above(sound, moment - 0.05)
        flash = next(t for t, red in pictures if red > 120 and t > moment - 0.05)
        assert abs(click - moment) < 0.001
        assert abs(flash - moment) < 0.001
    assert 2.5 <= sound.duration_s < 2.6


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
@pytest.mark.parametrize("colour", [(220, 40, 40), (40, 200, 60), (30, 60, 220), (255, 255, 255), (0, 0, 0)])
def test_colours_survive_and_are_tagged_bt709_limited(tmp_path, suffix, colour):
    path = tmp_path / f"c{suffix}"
    with FilmWriter(path, size=(64, 64), fps=25) as writer:
        for _ in range(3):
            writer.picture(np.full((64, 64, 3), colour, np.uint8))
    with av.open(str(path)) as container:
        context = container.streams.video[0].codec_context
        assert (context.colorspace, context.color_primaries, context.color_trc) == (1, 1, 1)
        assert (context.color_range, context.pix_fmt) == (1, "yuv420p")
    (_, last) = list(FilmReader(path))[-1]
    np.testing.assert_allclose(last.mean((0, 1)), colour, atol=6)


def test_planes_are_taken_as_they_are(tmp_path):
    path = tmp_path / "planes.mp4"
    red = np.concatenate([np.full((64, 64), 63), np.full((16, 64), 102), np.full((16, 64), 240)]).astype(
        np.uint8
    )
    with FilmWriter(path, size=(64, 64), fps=25) as writer:
        writer.picture(red)
    ((_, rgb),) = FilmReader(path)
    np.testing.assert_allclose(rgb.mean((0, 1)), (255, 0, 0), atol=5)


def test_the_callers_array_may_be_drawn_into_again(tmp_path):
    path, canvas = tmp_path / "again.mp4", DARK.copy()
    with FilmWriter(path, size=(64, 64), fps=25) as writer:
        for level in range(0, 250, 10):
            canvas[:] = level
            writer.picture(canvas)
    levels = [float(rgb.mean()) for _, rgb in FilmReader(path)]
    np.testing.assert_allclose(levels, range(0, 250, 10), atol=4)


def test_mp4_begins_with_its_index(flash_and_click):
    data = flash_and_click().read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def write(path, error=None, count=3, **options):
    with FilmWriter(path, size=(64, 64), fps=25, **options) as writer:
        for _ in range(count):
            writer.picture(DARK)
        if error:
            raise error


@pytest.mark.parametrize("error", [RuntimeError("drawing failed"), KeyboardInterrupt()])
@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_after_an_error_the_old_file_is_untouched_and_nothing_else_is_left(tmp_path, error, suffix):
    path = tmp_path / f"film{suffix}"
    path.write_bytes(b"the old film")
    with pytest.raises(type(error)):
        write(path, error)
    assert path.read_bytes() == b"the old film"
    assert list(tmp_path.iterdir()) == [path]


def test_a_whole_film_replaces_the_old_one(tmp_path):
    path = tmp_path / "film.mp4"
    path.write_bytes(b"the old film")
    write(path)
    assert len(list(FilmReader(path))) == 3
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_a_film_without_a_picture_is_refused(tmp_path, suffix):
    with pytest.raises(InputError, match="would be empty: no picture was written"):
        write(tmp_path / f"a{suffix}", count=0)
    assert list(tmp_path.iterdir()) == []


def test_the_encoder_says_how_long_it_worked(tmp_path):
    with FilmWriter(tmp_path / "a.mp4", size=(64, 64), fps=25) as writer:
        for _ in range(5):
            writer.picture(DARK)
    assert writer.pictures == 5
    assert writer.busy_s > 0


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ((65, 64), "use 66x64"),
        ((64, 63), "use 64x64"),
        ((0, 64), "valid: 16x16"),
        ((9000, 64), "to 8192x8192"),
    ],
)
def test_an_impossible_size_says_what_is_possible(tmp_path, size, said):
    with pytest.raises(InputError, match=said):
        FilmWriter(tmp_path / "a.mp4", size=size, fps=25)


@pytest.mark.parametrize(
    "image",
    [DARK[:-1], DARK.astype(np.float32), DARK[..., 0], np.zeros((64, 64, 4), np.uint8)],
)
def test_a_picture_of_another_shape_is_refused(tmp_path, image):
    with FilmWriter(tmp_path / "a.mp4", size=(64, 64), fps=25) as writer:
        writer.picture(DARK)
        with pytest.raises(InputError, match=r"takes uint8 \(64, 64, 3\)"):
            writer.picture(image)


def test_sound_of_another_rate_is_refused(tmp_path):
    with FilmWriter(tmp_path / "a.mp4", size=(64, 64), fps=25, audio_rate_hz=16_000) as writer:
        writer.picture(DARK)
        with pytest.raises(InputError, match="16000 Hz, not 24000 Hz"):
            writer.audio(Pcm.silence(1, 24_000))


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ResourceError, match=r"no folder .*nowhere; make it first"):
        write(tmp_path / "nowhere" / "a.mp4")


def refusal(path, encoder):
    try:
        write(path, encoder=encoder)
    except InputError as error:
        return str(error)
    path.unlink()
    return None


def test_an_encoder_that_can_not_start_leaves_nothing(tmp_path):
    hardware = [name for name in ("h264_nvenc", "h264_qsv", "h264_v4l2m2m") if name in av.codecs_available]
    said = {name: refusal(tmp_path / "a.mp4", name) for name in hardware}
    if not any(said.values()):
        pytest.skip("every hardware encoder of this PyAV works here")
    assert all(f"encoder {name} can not start here" in text for name, text in said.items() if text)
    assert list(tmp_path.iterdir()) == []


@posix
@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_a_full_disk_is_said_so_and_leaves_nothing(tmp_path, suffix):
    import subprocess

    code = f"""
import resource, signal, numpy as np
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
from mien.media import FilmWriter
from mien.errors import ResourceError
noise = np.random.default_rng(0)
try:
    with FilmWriter("film{suffix}", size=(128, 128), fps=25) as writer:
        for _ in range(100):
            writer.picture(noise.integers(0, 255, (128, 128, 3), np.uint8))
except ResourceError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.startswith(f"disk full while writing film{suffix}"), done.stderr
    assert os.listdir(tmp_path) == []  # noqa: PTH208 (hidden files too)


def test_memory_does_not_grow_with_the_film(tmp_path):
    import resource

    with FilmWriter(tmp_path / "long.mp4", size=(320, 320), fps=25) as writer:
        picture = np.zeros((320, 320, 3), np.uint8)
        for _ in range(100):
            writer.picture(picture)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(500):
            writer.picture(picture)
        grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown_kb < 20_000  # 500 pictures are 150,000 kB
