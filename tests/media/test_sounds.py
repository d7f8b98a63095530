import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mien.audio.pcm import Pcm
from mien.errors import InputError
from mien.media.sounds import CODINGS, SoundStream, decode, read


def tone(seconds, rate_hz):
    return Pcm(np.sin(np.arange(round(seconds * rate_hz)) * 0.1).astype(np.float32) * 0.4, rate_hz)


def coded(kind, pcm, cuts=1):
    stream = SoundStream(kind, pcm.rate_hz)
    step = -(-len(pcm) // cuts)
    data = b"".join(stream.push(pcm.cut(at, at + step)) for at in range(0, len(pcm), step))
    data += stream.finish()
    stream.close()
    return data


@pytest.mark.parametrize("kind", [kind for kind in CODINGS if kind != "pcm"])
@pytest.mark.parametrize("rate_hz", [22_050, 24_000])
def test_what_was_encoded_is_heard_again(kind, rate_hz):
    heard = decode(coded(kind, tone(0.5, rate_hz), cuts=7), kind, 10.0)
    assert heard.duration_s == pytest.approx(0.5, abs=0.12)  # MP3 and AAC fill up their last frame
    middle = heard.samples[3000:6000]
    assert np.sqrt(np.mean(middle**2)) == pytest.approx(
        0.4 / np.sqrt(2), rel=0.06
    )  # LAME turns down a little


@given(cuts=st.integers(1, 40), rate_hz=st.sampled_from([22_050, 24_000]))
@settings(deadline=None, max_examples=20)
def test_bare_samples_do_not_depend_on_the_cuts(cuts, rate_hz):
    pcm = tone(0.1, rate_hz)
    data = coded("pcm", pcm, cuts)
    assert len(data) == 2 * 2400
    assert coded("wav", pcm, cuts)[44:] == data
    whole = np.frombuffer(coded("pcm", pcm), "<i2").astype(int)
    assert np.abs(np.frombuffer(data, "<i2") - whole).max() <= 1


def test_a_stream_that_is_dropped_is_closed():
    stream = SoundStream("mp3", 24_000)
    stream.push(tone(0.2, 24_000))
    stream.close()
    stream.close()


def test_no_more_is_decoded_than_was_asked_for():
    assert decode(coded("flac", tone(3.0, 24_000)), "long", 1.0).duration_s < 1.5


@pytest.mark.parametrize("data", [b"", b"garbage", bytes(1000)])
def test_what_is_no_sound_is_refused(data):
    with pytest.raises(InputError, match="the file"):
        decode(data, "the file", 10.0)


def test_an_unknown_format_is_named():
    with pytest.raises(InputError, match="midi"):
        SoundStream("midi", 24_000)


def test_a_file_that_is_no_sound_is_refused_by_name(tmp_path):
    bad = tmp_path / "bad.g722"
    bad.write_bytes(b"")
    with pytest.raises(InputError, match=r"bad\.g722"):
        read(bad)
