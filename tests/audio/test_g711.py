import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from mien.audio import g711

LAWS = {
    "ULAW": (g711.encode_mulaw, g711.decode_mulaw),
    "ALAW": (g711.encode_alaw, g711.decode_alaw),
}


@pytest.mark.parametrize("law", LAWS)
def test_every_byte_means_what_it_means_to_libsndfile(law, tmp_path):
    raw = tmp_path / "all.raw"
    raw.write_bytes(bytes(range(256)))
    theirs, _ = soundfile.read(
        raw, dtype="float32", samplerate=8000, channels=1, subtype=law, format="RAW"
    )  # fmt: skip
    np.testing.assert_array_equal(LAWS[law][1](bytes(range(256))), theirs)


@pytest.mark.parametrize("law", LAWS)
def test_what_is_decoded_is_encoded_as_it_was(law):
    encode, decode = LAWS[law]
    codes = bytes(range(256))
    np.testing.assert_array_equal(decode(encode(decode(codes))), decode(codes))


@pytest.mark.parametrize("law", LAWS)
@given(value=st.floats(-1.5, 1.5, width=32))
def test_a_sample_comes_back_within_its_step(law, value):
    encode, decode = LAWS[law]
    back = float(decode(encode(np.array([value], np.float32)))[0])
    clipped = max(-1.0, min(1.0, value))
    assert abs(back - clipped) <= max(0.04 * abs(clipped), 12 / 32_768)
