"""How good the lips of a track are, judged from its weights and the phones it was made for.

For the animator's own tests and the bench; the judge of finished films is `mien.measure` and shares nothing
with this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mien.face.phone import SILENCE, Phone
from mien.face.pose import ARKIT_NAMES, Array, FaceTrack, weights
from mien.face.visemes import Floats, visemes_of

# Millimetres between the lips at the middle of the mouth, per unit, measured on the face units of our head.
_GAP_MM = weights(
    {
        "jawOpen": 34.5, "mouthClose": -34.5, "mouthFunnel": 14.0, "mouthLowerDown": 1.9, "mouthUpperUp": 2.4,
        "mouthShrugUpper": 4.1, "mouthShrugLower": -4.9, "mouthRollLower": -3.8, "mouthRollUpper": -2.8,
        "mouthPress": -1.4, "mouthSmile": -1.5, "mouthPucker": -0.9, "mouthStretch": 0.2,
    }
).astype(np.float64)  # fmt: skip
NEUTRAL_GAP_MM = -1.7
"""The neutral lips press on each other."""
CLOSED_MM = 0.0
PAUSE_S = 0.2
SETTLE_S = 0.1
"""The lips may take this long at each edge of a pause, or a third of it."""
STILL = 0.004
"""Largest change of a mouth weight from frame to frame at 60 Hz that counts as still."""
_MOUTH = [i for i, name in enumerate(ARKIT_NAMES) if name.startswith(("jaw", "mouth", "tongue"))]
_ROLL, _JAW = ARKIT_NAMES.index("mouthRollLower"), ARKIT_NAMES.index("jawOpen")
_CONTACT_ROLL, _CONTACT_JAW = 0.5, 0.12


@dataclass(frozen=True, slots=True)
class LipReport:
    """Shares in [0, 1], nan where nothing was to judge; `jitter_mm`: RMS of what a 5-frame mean removes."""

    closure_recall: float
    contact_recall: float
    still_pauses: float
    jitter_mm: float
    median_jaw: float


def measure(track: FaceTrack, phones: Sequence[Phone], clock_hz: int) -> LipReport:
    """Judge a whole track against its phones."""
    gap = aperture_mm(track)
    contact = (track.weights[:, _ROLL] >= _CONTACT_ROLL) & (track.weights[:, _JAW] <= _CONTACT_JAW)
    speaking = _frames_of(track, [p for p in phones if p.symbol != SILENCE], clock_hz)
    jaw = track.weights[np.unique(np.concatenate(list(speaking) or [np.zeros(0, np.intp)])), _JAW]
    return LipReport(
        closure_recall=_recall(gap <= CLOSED_MM, track, _held(phones, "bilabial"), clock_hz),
        contact_recall=_recall(contact, track, _held(phones, "labiodental"), clock_hz),
        still_pauses=_share(_is_still(track, gap, *pause) for pause in pauses(phones, clock_hz)),
        jitter_mm=jitter_mm(gap),
        median_jaw=float(np.median(jaw)) if len(jaw) else float("nan"),
    )


def aperture_mm(track: FaceTrack) -> Floats:
    """Return how far the lips stand apart (T,), millimetres on our head; negative: they press."""
    return gap_mm(track.weights)


def gap_mm(units: Array) -> Floats:
    """Return the same from weights (T, 52) alone."""
    gap: Floats = (units * _GAP_MM).sum(axis=1) + NEUTRAL_GAP_MM
    return gap


def pauses(phones: Sequence[Phone], clock_hz: int) -> Iterator[tuple[float, float]]:
    """Yield start and end, seconds, of the silences longer than `PAUSE_S`, gaps between phones included."""
    start = 0
    for phone in phones:
        if phone.symbol != SILENCE:
            if phone.start - start > PAUSE_S * clock_hz:
                yield start / clock_hz, phone.start / clock_hz
            start = phone.end
    if phones and phones[-1].end - start > PAUSE_S * clock_hz:
        yield start / clock_hz, phones[-1].end / clock_hz


def _held(phones: Sequence[Phone], hold: str) -> list[Phone]:
    return [p for p in phones if p.symbol != SILENCE and visemes_of(p.symbol)[0].hold == hold]


def _frames_of(
    track: FaceTrack, phones: Iterable[Phone], clock_hz: int
) -> Iterator[np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """Yield for each phone the frames from one before it to one after it."""
    for phone in phones:
        first = np.ceil((phone.start / clock_hz - track.start_s) * track.rate_hz) - 1
        last = np.floor((phone.end / clock_hz - track.start_s) * track.rate_hz) + 1
        yield np.arange(max(int(first), 0), min(int(last), len(track) - 1) + 1)


def _recall(
    reached: np.ndarray[tuple[int], np.dtype[np.bool_]],
    track: FaceTrack,
    phones: Sequence[Phone],
    clock_hz: int,
) -> float:
    return _share(bool(reached[frames].any()) for frames in _frames_of(track, phones, clock_hz))


def _is_still(track: FaceTrack, gap: Floats, start_s: float, end_s: float) -> bool:
    edge = min(SETTLE_S, (end_s - start_s) / 3.0)
    low = int(np.ceil((start_s + edge - track.start_s) * track.rate_hz))
    high = int(np.floor((end_s - edge - track.start_s) * track.rate_hz)) + 1
    mouth = track.weights[max(low, 0) : high, _MOUTH]
    moved = np.abs(np.diff(mouth, axis=0)).max(initial=0.0)
    return bool((gap[max(low, 0) : high] <= CLOSED_MM).all() and moved <= STILL * 60.0 / track.rate_hz)


def jitter_mm(gap: Floats) -> float:
    """Return the RMS of what a mean over five frames removes from a gap (T,), mm."""
    if len(gap) < 5:
        return 0.0
    smooth = np.convolve(gap, np.full(5, 0.2), "valid")
    return float(np.sqrt(np.mean((gap[2:-2] - smooth) ** 2)))


def _share(judged: Iterable[bool]) -> float:
    results = list(judged)
    return sum(results) / len(results) if results else float("nan")
