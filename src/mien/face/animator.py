"""Phones and cues become a face, as a stream: give what is known, take the frames that are final."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mien.errors import InputError
from mien.face import coarticulation, constraints, gaze, mixer
from mien.face.blink import Blinker
from mien.face.curves import Times
from mien.face.emotion import Feelings
from mien.face.feeling import Cue, Emotion
from mien.face.gaze import Gazer
from mien.face.guard import Guard
from mien.face.head import Head
from mien.face.phone import Phone
from mien.face.pose import FaceTrack
from mien.face.prosody import Prosody
from mien.face.segments import Speech
from mien.face.visemes import Floats

LOOK_AHEAD_S = 0.25
LIP_LEAD_S = 0.011
"""The mouth moves this much before a voice's phones: lips touch before their closure is heard, and phones
begin a little late. It centres the offset that `mien.measure` reads from films of all voices.
"""
NEUTRAL = Emotion()
_REACH_S = 0.5
_BLOCK = 120


class Animator:
    """Turns the phones of one utterance into its face.

    Frame `i` is the face at `i / rate_hz` seconds of the utterance clock (`clock_hz` samples a second) and
    is final once all phones that start before `i / rate_hz + look_ahead_s` are known. However the phones are
    cut into calls, the frames are the same, bit for bit; so they are for the same `seed`.
    `energy` in [0, 1]: how much brows, head and mouth move; `mood`: the resting feeling.
    """

    look_ahead_s: float = LOOK_AHEAD_S

    def __init__(
        self,
        clock_hz: int,
        *,
        energy: float = 0.5,
        mood: Emotion = NEUTRAL,
        rate_hz: float = 60.0,
        seed: int = 0,
    ) -> None:
        _check_options(clock_hz, energy, rate_hz)
        self._clock_hz, self._rate_hz = clock_hz, rate_hz
        self._energy, self._seed = energy, seed
        self._speech = Speech(clock_hz)
        self._feelings = Feelings(mood, seed)
        self._prosody = Prosody(energy, seed)
        self._blinker, self._gazer = Blinker(seed), Gazer(seed)
        self._head = Head(energy, rate_hz, seed)
        self._guard = Guard(rate_hz)
        self._known = 0
        self._made = 0
        self._cued = 0
        self._finished = False

    @property
    def clamped(self) -> dict[str, int]:
        """How many values the guard had to change so far, for their `range` and for their `speed`."""
        return dict(self._guard.clamped)

    def feed(self, phones: Sequence[Phone]) -> None:
        """Give the next phones, in order; a gap between them is silence.

        Raises `InputError` for phones out of order, or where `advance` has already passed.
        """
        self._check_open()
        self._prosody.feed(self._speech.feed(phones, self._known))

    def cue(self, cue: Cue) -> None:
        """Give the next cue, in order; one that comes late takes effect in the first frame not yet final."""
        self._check_open()
        if cue.start < self._cued:
            raise InputError(f"cue at sample {cue.start} comes after one at {self._cued}: give cues in order")
        self._cued = cue.start
        start = max(cue.start / self._clock_hz, self._made / self._rate_hz)
        self._feelings.change(start, cue.emotion)
        self._gazer.look(start, cue.look)
        self._prosody.emphasise(start, cue.emphasis)

    def advance(self, known_until: int) -> FaceTrack:
        """Return the frames that became final, given that all phones that start before sample `known_until`
        have been fed.
        """
        self._check_open()
        if known_until < self._known:
            raise InputError(
                f"known_until {known_until} lies before {self._known}: the clock only moves forward"
            )
        self._known = known_until
        ready = (known_until / self._clock_hz - LOOK_AHEAD_S) * self._rate_hz
        return self._make(math.floor(ready) + 1, math.inf)

    def finish(self, end: int) -> FaceTrack:
        """Return the frames that remain up to sample `end`; the lips end closed and still."""
        self._check_open()
        if end < self._known:
            raise InputError(f"end {end} lies before {self._known}, up to where the face is known")
        self._finished = True
        return self._make(math.ceil(end * self._rate_hz / self._clock_hz - 1e-6), end / self._clock_hz)

    def _make(self, until: int, end_s: float) -> FaceTrack:
        start = self._made
        parts = [FaceTrack.empty(self._rate_hz, start / self._rate_hz)]
        for first in range(start, until, _BLOCK):
            self._made = min(first + _BLOCK, until)
            parts.append(self._block(np.arange(first, self._made) / self._rate_hz, end_s))
            self._forget(self._made / self._rate_hz)
        return FaceTrack.join(parts)

    def _block(self, times: Times, end_s: float) -> FaceTrack:
        segments, runs = self._speech.near(times[0] - _REACH_S, times[-1] + _REACH_S)
        ahead = times + LIP_LEAD_S
        activity = coarticulation.activity(runs, times, end_s)
        expression, attitude = self._feelings.at(times)
        brow, nod = self._prosody.at(times)
        eyes, interest = self._gazer.advance(times, activity)
        head = self._head.advance(times, activity, interest, nod, attitude)
        look = gaze.aim(eyes, head)
        speech = coarticulation.mouth(segments, ahead, self._energy)
        blink = self._blinker.advance(times, activity)
        layers = mixer.Layers(speech, activity, expression, brow, blink, gaze.lids(look))
        face = mixer.mix(times, layers, self._seed)
        constraints.apply(face, constraints.holds(segments, ahead), self._energy)
        return self._track(*self._guard.apply(face, head, look), times[0])

    def _track(self, face: Floats, head: Floats, look: Floats, start_s: float) -> FaceTrack:
        constraints.settle(face)
        rows = (face.astype(np.float32), head.astype(np.float32), look.astype(np.float32))
        return FaceTrack(*rows, self._rate_hz, float(start_s))

    def _forget(self, time_s: float) -> None:
        self._speech.drop_before(time_s)
        self._feelings.drop_before(time_s)
        self._prosody.drop_before(time_s)

    def _check_open(self) -> None:
        if self._finished:
            raise InputError("this face is finished: make a new Animator for the next utterance")


def _check_options(clock_hz: int, energy: float, rate_hz: float) -> None:
    if clock_hz <= 0:
        raise InputError(f"clock_hz {clock_hz} is not a sample rate; give the voice's rate, such as 22050")
    if not 0.0 <= energy <= 1.0:
        raise InputError(f"energy {energy} is outside 0 to 1")
    if not 1.0 <= rate_hz <= 1000.0:
        raise InputError(f"rate_hz {rate_hz} is outside 1 to 1000 frames a second")
