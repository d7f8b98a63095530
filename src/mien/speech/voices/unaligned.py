"""A recording without its words: what the mouth does, from the sound alone.

No language is assumed. Each 5 ms is silence, a closure, a hiss, or voiced with more or less open
and spread or rounded lips (from where the energy of its spectrum lies); runs of the same kind are phones.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mien.audio import features
from mien.audio.features import FRAME_HZ
from mien.audio.pcm import Pcm
from mien.face.phone import SILENCE, Phone
from mien.speech.breath import Breath, Piece
from mien.speech.voice import SpeechChunk
from mien.speech.voices.pauses import pauses, threshold_db

Level = NDArray[np.float32]

CLOSURE, HISS, HUSH, OPEN, MID, SPREAD, ROUND = "m", "s", "ʃ", "a", "ə", "i", "u"
KINDS = (SILENCE, CLOSURE, HISS, HUSH, OPEN, MID, SPREAD, ROUND)

SHORTEST = round(0.03 * FRAME_HZ)  # the shortest phone a face can show
DIP_DB = 12.0  # a closure lies this far under the vowels beside it
DIP_REACH = round(0.08 * FRAME_HZ)  # which are this near
HISS_DB = 6.0  # a sibilant has this much more above 3.5 kHz than below 1 kHz
_LOW, _MIDDLE, _HIGH = (100.0, 1_000.0), (1_300.0, 2_800.0), (3_500.0, 7_500.0)
_CLOSE, _FIRST = (200.0, 450.0), (550.0, 1_100.0)  # first formant of close and of open vowels


class UnalignedVoice:
    """Speaks a recording whose words are not known: `script`, then `speak` what it gives."""

    def __init__(self, pcm: Pcm) -> None:
        self._pcm = pcm

    @property
    def rate_hz(self) -> int:
        """Sample rate of the recording, Hz."""
        return self._pcm.rate_hz

    @property
    def languages(self) -> frozenset[str]:
        """Empty: any language will do."""
        return frozenset()

    async def script(self, breaths: Sequence[Breath] = ()) -> tuple[Breath, ...]:
        """Return the one breath that the recording is, with the feeling of the first of `breaths`."""
        feeling = breaths[0] if breaths else Breath(())
        return (Breath((Piece(""),), emotion=feeling.emotion, look=feeling.look),)

    async def speak(self, breath: Breath) -> AsyncGenerator[SpeechChunk, None]:
        """Give the whole recording."""
        yield SpeechChunk(self._pcm, 0, await asyncio.to_thread(hear, self._pcm))


def hear(pcm: Pcm) -> tuple[Phone, ...]:
    """Return phones of `KINDS` that cover `pcm` without gap."""
    level = features.energy_db(pcm)
    kinds = _classify(features.spectrum(pcm), level)
    for start, end in pauses(level, 0.1):
        kinds[start:end] = KINDS.index(SILENCE)
    starts = _runs(_smooth(kinds))
    per_frame = pcm.rate_hz / FRAME_HZ
    ends = [*(round(start * per_frame) for start, _ in starts[1:]), len(pcm)]
    begins = [0, *ends[:-1]]
    return tuple(
        Phone(KINDS[kind], begin, end, 2 if KINDS[kind] == OPEN else 0)
        for (_, kind), begin, end in zip(starts, begins, ends, strict=True)
        if end > begin
    )


def _classify(power: Level, level: Level) -> NDArray[np.int64]:
    low, middle, high = (_band_db(power, band) for band in (_LOW, _MIDDLE, _HIGH))
    openness = _band_db(power, _FIRST) - _band_db(power, _CLOSE)
    loud = level >= threshold_db(level)
    voiced = loud & (high - low < 0)
    spread, rounded = _extremes(middle - low, voiced), _extremes(low - middle, voiced)
    kinds = np.full(len(level), KINDS.index(MID))
    kinds[spread & (openness < 0)] = KINDS.index(SPREAD)
    kinds[rounded & (openness < 0)] = KINDS.index(ROUND)
    kinds[voiced & (openness > np.median(openness[voiced]) if voiced.any() else voiced)] = KINDS.index(OPEN)
    kinds[high - low > HISS_DB] = KINDS.index(HISS)
    kinds[(high - low > HISS_DB) & (middle > high)] = KINDS.index(HUSH)
    kinds[_dips(level)] = KINDS.index(CLOSURE)
    return kinds


def _band_db(power: Level, band: tuple[float, float]) -> Level:
    """Return the level (T,) in dB between two frequencies in Hz."""
    bins = np.fft.rfftfreq(features.FFT, 1.0 / features.RATE_HZ)
    inside = (bins >= band[0]) & (bins < band[1])
    level: Level = 10.0 * np.log10(np.maximum(power[:, inside].sum(axis=1), features.FLOOR))
    return level


def _extremes(values: Level, among: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return where `values` lies in the upper third of those `among`: relative to this speaker."""
    if not among.any():
        return among
    return among & (values > np.percentile(values[among], 67))


def _dips(level: Level) -> NDArray[np.bool_]:
    """Return where the level is briefly `DIP_DB` under both sides: lips or tongue are shut."""
    padded = np.pad(level, DIP_REACH, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, DIP_REACH + 1)
    before, after = windows[: len(level)].max(axis=1), windows[-len(level) :].max(axis=1)
    shut: NDArray[np.bool_] = np.minimum(before, after) - level > DIP_DB
    return shut


def _smooth(kinds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the most frequent kind in 35 ms around each frame; closures and silence are kept."""
    reach = SHORTEST // 2
    padded = np.pad(kinds, reach, mode="edge")
    window = np.ones(2 * reach + 1)
    votes = np.stack([np.convolve(padded == k, window, "valid") for k in range(len(KINDS))])
    voted: NDArray[np.int64] = np.argmax(votes, axis=0)
    kept = np.isin(kinds, (KINDS.index(SILENCE), KINDS.index(CLOSURE)))
    return np.where(kept, kinds, voted)


def _runs(kinds: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return `(start, kind)` of each run; a run shorter than `SHORTEST` belongs to the one before."""
    out: list[tuple[int, int]] = []
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1), len(kinds)]
    for start, end in pairwise(edges):
        kind = int(kinds[start])
        if out and (kind == out[-1][1] or end - start < SHORTEST):
            continue
        out.append((int(start), kind))
    return out
