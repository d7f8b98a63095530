"""What the face must know of the speech at a moment: visemes with their times, and runs between pauses.

Everything is in seconds on the utterance clock. What lies behind is dropped, so memory stays flat.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mien.errors import InputError
from mien.face.phone import SILENCE, Phone
from mien.face.visemes import Viseme, visemes_of

MIN_PAUSE_S = 0.12
"""Silence shorter than this is articulated through; from here on the lips close."""
KEEP_S = 1.0
_VOWEL_SHARE, _GLIDE_SHARE = 2.0, 1.4


@dataclass(frozen=True, slots=True)
class Segment:
    """A viseme from `start` to `end`; `stress` as in `Phone`; `phone_s`: how long its whole phone lasts."""

    viseme: Viseme
    start: float
    end: float
    stress: int
    phone_s: float


@dataclass(slots=True)
class Run:
    """A stretch of speech without a pause."""

    start: float
    end: float


def segments_of(phone: Phone, clock_hz: int) -> Iterator[Segment]:
    """Cut a phone into its visemes: a vowel takes the time of two consonants, a diphthong's glide less."""
    visemes = visemes_of(phone.symbol)
    shares = [_VOWEL_SHARE if viseme.vowel else 1.0 for viseme in visemes]
    if len(visemes) > 1 and visemes[-1].vowel:
        shares[-1] = _GLIDE_SHARE
    start, length = phone.start / clock_hz, (phone.end - phone.start) / clock_hz
    done = 0.0
    for viseme, share in zip(visemes, shares, strict=True):
        begin, done = done, done + share / sum(shares)
        yield Segment(viseme, start + begin * length, start + done * length, phone.stress, length)


@dataclass(slots=True)
class Speech:
    """What was fed and is not yet behind: `segments` and `runs` in order, `end` of the phones (samples)."""

    clock_hz: int
    segments: list[Segment] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    end: int = 0

    def feed(self, phones: Sequence[Phone], known_until: int) -> list[Segment]:
        """Take phones that follow each other from `known_until` or later; return the new segments."""
        fresh: list[Segment] = []
        for phone in phones:
            self._check(phone, known_until)
            self.end = phone.end
            if phone.symbol != SILENCE and phone.end > phone.start:
                fresh += segments_of(phone, self.clock_hz)
                self._extend_runs(phone.start / self.clock_hz, phone.end / self.clock_hz)
        self.segments += fresh
        return fresh

    def near(self, start_s: float, end_s: float) -> tuple[list[Segment], list[Run]]:
        """Return the segments that touch a stretch of time, and its runs with one more on each side."""
        low = bisect_left(self.segments, start_s, key=lambda segment: segment.end)
        high = bisect_right(self.segments, end_s, key=lambda segment: segment.start)
        first = bisect_left(self.runs, start_s, key=lambda run: run.end)
        last = bisect_right(self.runs, end_s, key=lambda run: run.start)
        return self.segments[low:high], self.runs[max(first - 1, 0) : last + 1]

    def drop_before(self, time_s: float) -> None:
        """Forget what ended more than `KEEP_S` before `time_s`."""
        oldest = time_s - KEEP_S
        del self.segments[: bisect_left(self.segments, oldest, key=lambda segment: segment.end)]
        del self.runs[: max(bisect_left(self.runs, oldest, key=lambda run: run.start) - 1, 0)]

    def _check(self, phone: Phone, known_until: int) -> None:
        earliest = max(self.end, known_until)
        if phone.start < earliest:
            raise InputError(
                f"phone {phone.symbol!r} starts at sample {phone.start}, but {earliest} is settled: "
                "feed phones in order, before advancing past them"
            )
        if phone.end < phone.start:
            raise InputError(
                f"phone {phone.symbol!r} ends at sample {phone.end}, before its start {phone.start}"
            )

    def _extend_runs(self, start: float, end: float) -> None:
        if self.runs and start - self.runs[-1].end < MIN_PAUSE_S:
            self.runs[-1].end = end
        else:
            self.runs.append(Run(start, end))
