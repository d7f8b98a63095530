from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mien.serve.realtime.sound import CLOCK_HZ, RATES_HZ, Incoming, Outgoing, decode, encode, of_base64
from mien.serve.refusals import RefusedError

KINDS = st.sampled_from(sorted(RATES_HZ))


def tone(samples):
    return np.sin(np.arange(samples) * 0.05).astype(np.float32) * 0.5


@given(
    kind=KINDS,
    voice_hz=st.sampled_from([16_000, 22_050, 24_000]),
    cuts=st.lists(st.integers(1, 4000), max_size=12),
)
def test_pieces_follow_each_other_on_the_clock_however_sound_is_cut(kind, voice_hz, cuts):
    out, start, pieces = Outgoing(voice_hz, kind), 1234, []
    for count in cuts:
        pieces += out.push(start, tone(count))
        start += count
    pieces += out.finish()
    width = 2 if kind == "audio/pcm" else 1
    per_sample = CLOCK_HZ // RATES_HZ[kind]
    for (before, data), (after, _) in pairwise(pieces):
        assert after == before + len(data) // width * per_sample
    total = sum(len(data) // width for _, data in pieces) * per_sample
    assert abs(total - sum(cuts) * CLOCK_HZ / voice_hz) <= per_sample
    if pieces:
        assert pieces[0][0] == out.at(1234)


def test_a_run_that_is_cut_leaves_nothing_behind():
    out = Outgoing(22_050, "audio/pcm")
    out.push(0, tone(3000))
    out.drop()
    assert out.finish() == []
    assert out.push(5000, tone(3000))[0][0] == out.at(5000)


def test_a_run_behind_a_gap_ends_the_one_before():
    out = Outgoing(22_050, "audio/pcm")
    first = out.push(0, tone(3000))
    second = out.push(9000, tone(3000))
    assert second[0][0] < out.at(3000) < second[-1][0] == out.at(9000)
    assert first[0][0] == 0


@pytest.mark.parametrize("kind", sorted(RATES_HZ))
def test_what_a_client_sends_is_heard_at_the_clocks_rate(kind):
    incoming, rate_hz = Incoming(kind), RATES_HZ[kind]
    sound = tone(rate_hz)
    heard = incoming.take(encode(sound, kind))
    assert heard.rate_hz == CLOCK_HZ
    assert abs(len(heard) - CLOCK_HZ) < 0.03 * CLOCK_HZ  # the filter's delay
    np.testing.assert_allclose(decode(encode(sound, kind), kind), sound, atol=0.02)


@pytest.mark.parametrize("text", ["AAA", "A A=", "ÄÖ==", "AAAA"])
def test_what_is_no_sound_is_refused(text):
    with pytest.raises(RefusedError):
        decode(of_base64(text), "audio/pcm")
