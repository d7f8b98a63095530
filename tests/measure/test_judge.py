from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.errors import CorruptError, InputError, MissingError
from mien.measure import Evidence, Report, measure
from mien.media import FilmWriter

from .acted import RATE_HZ, act, film
from .conftest import AHEAD_MS
from .photograph import talking

Judged = tuple[Report, Evidence, list[float]]


def test_the_offset_of_an_encoded_film(judged: Judged) -> None:
    report = judged[0]
    assert report.av_offset_ms == pytest.approx(AHEAD_MS, abs=8)
    assert report.av_method == "closures"
    assert report.av_confidence > 0.3


def test_the_lips_of_an_encoded_film(judged: Judged) -> None:
    report = judged[0]
    assert report.closures_expected == sum(p.symbol == "b" for p in act(4).phones)
    assert report.closure_recall is not None
    assert report.closure_recall >= 0.9
    assert report.closure_timing_error_ms == pytest.approx(AHEAD_MS, abs=12)
    assert report.closed_in_silence == 1.0
    assert report.closed_at_end is True
    assert report.lip_stillness_std is not None
    assert report.lip_stillness_std < 0.01


def test_the_film_itself(judged: Judged) -> None:
    report, evidence, shares = judged
    assert (report.width, report.height, report.frames) == (256, 256, len(evidence.series))
    assert report.frame_rate == pytest.approx(30)
    assert (report.dropped_frames, report.variable_frame_rate) == (0, False)
    assert report.face_share == 1.0
    assert report.blinks == 0
    assert report.jitter is not None
    assert report.jitter < 0.003
    assert abs(report.duration_difference_ms or 999) < 60
    assert shares == sorted(shares)
    assert 0.9 < shares[-1] <= 1.0
    assert "over 20 s are needed" in report.reasons["av_drift_ms_per_10min"]


@pytest.mark.parametrize(("fps", "ahead_ms"), [(25, 0.0), (Fraction(30000, 1001), -60.0)])
def test_other_rates(tmp_path: Path, fps: Fraction | float, ahead_ms: float) -> None:
    report = measure(film(tmp_path / "a.webm", act(3, seed=2), fps, ahead_ms=ahead_ms))
    assert report.frame_rate == pytest.approx(float(fps), abs=0.05)
    assert report.av_offset_ms == pytest.approx(ahead_ms, abs=10)


def test_a_silent_film_says_why_there_is_no_offset(tmp_path: Path) -> None:
    with FilmWriter(tmp_path / "mute.mp4", size=(256, 256), fps=25) as out:
        for aperture in (0.0, 0.1, 0.2, 0.1):
            out.picture(talking(aperture))
    report = measure(tmp_path / "mute.mp4")
    assert report.av_offset_ms is None
    assert report.reasons["av_offset_ms"] == report.reasons["speech_level_db"] == "the film has no sound"
    assert report.face_share == 1.0


def test_a_film_without_a_face_says_so(tmp_path: Path) -> None:
    with FilmWriter(tmp_path / "none.mp4", size=(128, 128), fps=25, audio_rate_hz=RATE_HZ) as out:
        out.audio(Pcm(act(2).sound.samples[:16_000], RATE_HZ))
        for level in range(25):
            out.picture(np.full((128, 128, 3), 10 * level, np.uint8))
    report = measure(tmp_path / "none.mp4")
    assert report.face_share == 0
    assert report.reasons["av_offset_ms"] == report.reasons["face_px"] == "no face is seen"
    assert (report.closed_at_end, report.jitter) == (None, None)
    report.to_json()


def test_what_is_no_film_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("this is no film")
    with pytest.raises(CorruptError, match=r"text\.mp4"):
        measure(tmp_path / "text.mp4")
    with pytest.raises(MissingError, match=r"none\.mp4"):
        measure(tmp_path / "none.mp4")
    with pytest.raises(InputError, match="no pictures"):
        measure(_sound_file(tmp_path))


def _sound_file(folder: Path) -> Path:
    import soundfile

    soundfile.write(folder / "a.wav", np.zeros(1600), 16_000)
    return folder / "a.wav"
