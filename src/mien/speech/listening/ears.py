"""The part of a listener that hears: voice activity and the end of a turn. It runs in threads, one hop at a
time, and its decisions depend on the sound alone.
"""

from __future__ import annotations

from collections.abc import Callable

from mien.audio.pcm import Samples
from mien.speech.listening.activity import HOP, HOP_S, RATE_HZ, Change, SileroVad, Thresholds, VoiceActivity
from mien.speech.listening.tape import Tape
from mien.speech.listening.turn import SmartTurn, TurnDetector, TurnOptions

_HEARS = 8 * RATE_HZ  # samples that the turn model takes


class Ears:
    """One stream. Places are samples at 16 kHz.

    `pre_roll_s`: sound before the first hop of speech that belongs to it.
    """

    def __init__(
        self,
        vad: SileroVad,
        turn: SmartTurn,
        thresholds: Thresholds,
        options: TurnOptions,
        pre_roll_s: float,
    ) -> None:
        self._vad, self._model = vad.fresh(), turn
        self._activity = VoiceActivity(thresholds)
        self._detector = TurnDetector(options)
        self._pre_roll = round(pre_roll_s * RATE_HZ)
        self._ended = 0
        self.tape = Tape()
        self.probabilities: list[float] = []  # of the hops since speech started

    @property
    def speaking(self) -> bool:
        """Whether a turn is open."""
        return self._activity.speaking

    @property
    def paused(self) -> bool:
        """Whether a turn is open and silent."""
        return self._activity.paused

    @property
    def started(self) -> int:
        """The first sample of speech."""
        return self._activity.first * HOP

    @property
    def start(self) -> int:
        """The first sample that belongs to the turn: the pre-roll, but nothing of the turn before."""
        return max(0, self._ended, self.started - self._pre_roll)

    @property
    def voiced_end(self) -> int:
        """The sample behind the last of speech."""
        return self._activity.voiced_end * HOP

    @property
    def resumed(self) -> int:
        """The first sample of speech behind the last pause."""
        return self._activity.resumed * HOP

    @property
    def voiced_s(self) -> float:
        """How long somebody spoke since the turn began, without the silence in between."""
        return self._activity.voiced * HOP_S

    @property
    def silent_s(self) -> float:
        """How long it has been silent since the last of speech."""
        return self._activity.silent * HOP_S

    @property
    def turn_probability(self) -> float:
        """What the turn model said last in this pause."""
        return self._detector.probability

    def step(self, hop: Samples) -> Change | None:
        """Hear 512 samples."""
        self.tape.add(hop)
        probability = self._vad.probability(hop)
        change = self._activity.step(probability)
        if self.speaking:
            self.probabilities.append(probability)
        if self.speaking and self._activity.silent == 1:
            self._detector.begin()
        return change

    def question(self) -> Callable[[], float] | None:
        """Return what asks the turn model about the turn so far, if it is to be asked now; that takes some
        60 ms, and its answer is given to `answer`.
        """
        if not self.speaking or not self._activity.silent or not self._detector.asks():
            return None
        sound = self.tape.cut(max(self.start, self.tape.end - _HEARS), self.tape.end)
        silent_s = self.silent_s
        return lambda: self._model.probability(sound, silent_s)

    def decides(self) -> bool:
        """Whether the turn model's answer is needed now."""
        return self._detector.decides(self.silent_s)

    def answer(self, probability: float) -> None:
        """Take what the turn model said."""
        self._detector.probability = probability

    def reads(self) -> bool:
        """Whether the words of the turn are needed now."""
        return self.paused and self._detector.reads(self.silent_s)

    def read(self, text: str, language: str) -> None:
        """Take the words of the turn."""
        self._detector.read(text, language)

    def is_over(self) -> bool:
        """Whether the turn is over."""
        return self.paused and self._detector.is_over(self.silent_s)

    def end(self) -> None:
        """Close the turn."""
        self._ended = self.voiced_end
        self._activity.end()
        self.probabilities = []

    def clear(self) -> None:
        """Close the turn as if nobody had spoken: what is still in the air does not begin another."""
        self.end()
        self._vad = self._vad.fresh()

    def forget(self, before: int) -> None:
        """Drop sound that nobody needs: before `before`, and not what the turn model or a pre-roll may."""
        kept = _HEARS if self.speaking else self._pre_roll + round(RATE_HZ)
        self.tape.forget(min(before, self.tape.end - kept))
