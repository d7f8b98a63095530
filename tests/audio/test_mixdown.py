import numpy as np
import pytest

from mien.audio.mixdown import Mixdown

VOICE = np.sin(np.arange(4800) / 7.0).astype(np.float32)
QUIET = np.zeros_like(VOICE)


def mix(*channels: np.ndarray) -> np.ndarray:
    mixdown = Mixdown(len(channels))
    frames = np.stack(channels, axis=1)
    mixdown.push(frames[:1000])
    mixdown.push(frames[1000:])
    return mixdown.finish()


def test_stereo_is_averaged() -> None:
    assert np.allclose(mix(VOICE, VOICE), VOICE)


@pytest.mark.parametrize("channels", [(VOICE, -VOICE), (QUIET, VOICE), (QUIET, QUIET, VOICE, QUIET, QUIET)])
def test_a_voice_is_not_lost(channels: tuple[np.ndarray, ...]) -> None:
    assert np.abs(mix(*channels)).max() == pytest.approx(1.0, abs=0.01)


def test_surround_leaves_the_bass_channel_out_and_keeps_the_centre_strongest() -> None:
    noise = np.random.default_rng(0).standard_normal((6, 4800)).astype(np.float32)
    got = mix(*noise)
    shares = [abs(float(np.corrcoef(got, channel)[0, 1])) for channel in noise]
    assert np.argmax(shares) == 2
    assert shares[3] < 0.05


def test_nothing_stays_nothing() -> None:
    assert len(Mixdown(2).finish()) == 0


def test_what_is_no_number_passes_without_a_warning() -> None:
    endless = np.full_like(VOICE, np.inf)
    assert not np.isfinite(mix(endless, -endless)).any()
