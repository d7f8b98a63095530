import numpy as np
import pytest

from mien.audio.pcm import Pcm
from mien.face.pose import FaceTrack
from mien.live.caller import BETWEEN_S, STEP_S, UNHEARD_S, Caller
from mien.live.events import Committed, Done, Failed, Held, Listening, Stretch, Unspoken
from mien.live.waterfall import Waterfall

HZ = 16_000
DONE = Done(1, "", Waterfall(1, 0.0))


def tone(seconds, rate_hz=HZ):
    return Pcm(np.ones(round(seconds * rate_hz), np.float32), rate_hz)


def sound(start_s):
    return Stretch(1, round(start_s * 24_000), 240, FaceTrack.empty(), Pcm.silence(0.01, 24_000), turn=1)


def begins(caller, at_s):
    """Push until something is said; return how long that took."""
    steps = 0
    while (piece := caller.next()) is not None and not piece.samples.any():
        steps += 1
        assert steps < 1000
    return at_s + steps * STEP_S


def spoken(caller):
    """Say the recording that begins now to its end, and hear that it was noticed."""
    caller.take(Listening(0, 0.0))
    while caller._left.size:
        caller.next()


def test_one_recording_is_said_as_it_is_and_then_it_is_over():
    caller = Caller([tone(0.05)])
    said = []
    while (piece := caller.next()) is not None:
        said.append(piece)
    np.testing.assert_array_equal(Pcm.join(said, HZ).samples, tone(0.05).samples)
    assert caller.said.duration_s == 0.05
    assert caller.share == 1.0


def test_the_next_is_said_when_the_answer_was_heard():
    caller = Caller([tone(0.1), tone(0.1, 48_000)])
    caller.next()
    spoken(caller)
    caller.take(Committed(1, "one", "en"))
    caller.take(sound(0.3))
    for _ in range(500):
        assert not caller.next().samples.any()
    caller.take(DONE)
    assert begins(caller, 0.0) == pytest.approx(BETWEEN_S)
    spoken(caller)
    assert caller.next() is None
    assert caller.rate_hz == HZ
    assert caller.said.samples.sum() == pytest.approx(0.2 * HZ, rel=0.05)


@pytest.mark.parametrize("end", [Unspoken("noise"), Committed(0, "", "en"), Failed(1, "no"), None])
def test_who_is_not_answered_goes_on_after_a_while(end):
    caller = Caller([tone(0.1), tone(0.1)])
    while not caller._left.size:
        caller.next()
    if end is None:
        while caller._left.size:
            caller.next()
    else:
        spoken(caller)
        caller.take(end)
    assert begins(caller, 0.0) == pytest.approx(UNHEARD_S, abs=0.05)


def test_the_last_interrupts_so_long_after_the_answer_began():
    caller = Caller([tone(0.1), tone(0.1), tone(0.1)], interrupt_s=1.0)
    caller.next()
    spoken(caller)
    caller.take(sound(0.2))
    caller.take(DONE)
    begins(caller, 0.0)
    spoken(caller)
    caller.take(Committed(2, "two", "en"))
    now_s = caller.said.duration_s
    caller.take(sound(now_s + 0.3))
    assert begins(caller, now_s) == pytest.approx(now_s + 1.3, abs=2 * STEP_S)
    caller.take(Held(2, 0))
    spoken(caller)
    assert caller.next() is None
