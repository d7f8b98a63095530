"""The times of phones in a recording, from a voice that spoke the same words (dynamic time warping)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mien.audio import features
from mien.audio.features import FRAME_HZ
from mien.audio.pcm import Pcm
from mien.face.phone import Phone
from mien.speech.voices.dtw import Path, warp
from mien.speech.voices.pauses import Span, kept_frames, pauses

Frames = NDArray[np.float32]

COARSE = 8  # frames: the first pass looks at 40 ms
COARSE_REACH_S = 6.0  # plus a part of the whole:
COARSE_REACH = 0.12
PRIOR = 600.0  # frames: 3 s
WARPS = tuple(float(np.round(1.055**step, 3)) for step in range(-5, 7))  # 0.77 to 1.38 between two speakers
WARP_ROUNDS = 2  # the first warp is found on a path without one
WARP_FRAMES = 6_000  # 30 s of speech tell a vocal tract
FLOOR_DB = 45.0  # under the loudest bands: what is weaker is noise, or a coder's, not the speaker's
FINE_REACH = round(0.35 * FRAME_HZ)  # about two syllables off the first pass


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """`path` (n,): for each 5 ms of the recording, the matching time in the reference, in frames of 5 ms.

    `cost`: mean distance on the path, under 0.8 for the same words and 0.7 to 1 for others. `ratio`: length
    of the recording's speech in that of the reference. `warp`: how many times higher the speaker's formants
    are than the reference's. `speech_s`: the recording without pauses. `pauses`: its silences, in frames.
    """

    path: NDArray[np.float32]
    cost: float
    ratio: float
    warp: float
    speech_s: float
    pauses: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One sound without long pauses: power spectrum `(n, 257)`, which frames these are, and of how many."""

    power: Frames
    kept: Path
    total: int

    def frames(self, warp: float = 1.0, only: slice = slice(None)) -> Frames:
        """Return cepstra and their slopes `(n, 26)`, each with mean 0 and spread 1 over this speech."""
        mel = features.log_mel(self.power[only], warp)
        loud = np.percentile(mel, 95) if mel.size else 0.0
        cepstra = features.mfcc(np.maximum(mel, loud - np.float32(FLOOR_DB * np.log(10.0) / 10.0)))
        columns = np.concatenate([cepstra, features.deltas(cepstra)], axis=1)
        normal: Frames = (columns - columns.mean(axis=0)) / np.maximum(columns.std(axis=0), 1e-3)
        return normal


def align(recording: Pcm, reference: Pcm) -> Alignment:
    """Match each moment of `recording` to one of `reference`, which says the same words.

    Both are described by cepstra and their slopes, each normalised over its own speech, with pauses cut
    out: people pause where they like. A coarse pass finds the way, and on it the warp of frequency that
    makes the speaker's vocal tract as long as the reference's; then the reference's timbre is moved towards
    the speaker's and a fine pass of 5 ms follows.
    """
    silent = pauses(features.energy_db(recording))
    ours = _side(recording, silent)
    theirs = _side(reference, pauses(features.energy_db(reference)))
    stretched, at = _stretch(theirs.frames(), len(ours.kept))
    warp_by = _tract(ours, stretched)
    frames = ours.frames(warp_by)
    path = _coarse(frames, stretched)
    path, cost = warp(frames, _matched(frames, stretched, path), path, FINE_REACH)
    matched = theirs.kept[at[path]].astype(np.float32)
    whole = np.interp(np.arange(ours.total), ours.kept, matched).astype(np.float32)
    length = len(ours.kept)
    return Alignment(whole, cost, length / len(theirs.kept), warp_by, length / FRAME_HZ, silent)


def _side(pcm: Pcm, silent: tuple[Span, ...]) -> _Side:
    power = features.spectrum(pcm)
    kept = kept_frames(len(power), silent)
    if not len(kept):
        kept = np.arange(len(power))
    return _Side(power[kept], kept, len(power))


def _tract(ours: _Side, theirs: Frames) -> float:
    """Return the one of `WARPS` that brings the first half minute of ours nearest to `theirs`."""
    some = slice(0, WARP_FRAMES)
    found = 1.0
    for _ in range(WARP_ROUNDS):
        path = _coarse(ours.frames(found), theirs)[some]
        distances = [np.mean(np.square(ours.frames(by, some) - theirs[path])) for by in WARPS]
        found = WARPS[int(np.argmin(distances))]
    return found


def _stretch(frames: Frames, length: int) -> tuple[Frames, Path]:
    """Return `frames` resampled in time to `length`, and for each the frame it came from."""
    at = np.linspace(0, len(frames) - 1, length)
    nearest = np.rint(at).astype(np.int64)
    low = np.minimum(at.astype(np.int64), len(frames) - 2) if len(frames) > 1 else np.zeros(length, np.int64)
    part = (at - low)[:, None].astype(np.float32)
    high = np.minimum(low + 1, len(frames) - 1)
    return frames[low] * (1 - part) + frames[high] * part, nearest


def _coarse(ours: Frames, theirs: Frames) -> Path:
    """Return a first path from frames of 40 ms."""
    length = len(ours) // COARSE
    if length < 4:
        return np.arange(len(ours))
    pooled = [side[: length * COARSE].reshape(length, COARSE, -1).mean(axis=1) for side in (ours, theirs)]
    reach = round(COARSE_REACH_S * FRAME_HZ / COARSE + COARSE_REACH * length)
    path, _ = warp(pooled[0], pooled[1], np.arange(length), min(reach, length))
    middle = np.arange(length) * COARSE + COARSE // 2
    points = np.concatenate([[0], middle, [len(ours) - 1]])
    values = np.concatenate([[0], path * COARSE + COARSE // 2, [len(ours) - 1]])
    guess: Path = np.rint(np.interp(np.arange(len(ours)), points, values)).astype(np.int64)
    return guess


def _matched(ours: Frames, theirs: Frames, path: Path) -> Frames:
    """Return `theirs` moved towards our speaker: the affine map that fits best along the path.

    `PRIOR` frames' worth of "no change" keep a short or wrong text from being bent until it fits.
    """
    source = np.concatenate([theirs[path], np.ones((len(path), 1), np.float32)], axis=1)
    same = np.eye(source.shape[1], ours.shape[1], dtype=np.float32)
    square = source.T @ source + PRIOR * np.eye(source.shape[1], dtype=np.float32)
    fit = np.linalg.solve(square, source.T @ ours + PRIOR * same).astype(np.float32)
    return np.concatenate([theirs, np.ones((len(theirs), 1), np.float32)], axis=1) @ fit


def carry(phones: Sequence[Phone], reference_hz: int, alignment: Alignment) -> list[Phone]:
    """Return the phones (samples at `reference_hz`) at their times in the recording, in frames."""
    frames = np.arange(len(alignment.path))
    path = alignment.path + frames.astype(np.float32) * 1e-4  # strictly rising
    ends = np.array([[phone.start, phone.end] for phone in phones]) / reference_hz * FRAME_HZ
    moved = np.rint(np.interp(ends, path, frames)).astype(np.int64)
    return [replace(phone, start=int(a), end=int(b)) for phone, (a, b) in zip(phones, moved, strict=True)]
