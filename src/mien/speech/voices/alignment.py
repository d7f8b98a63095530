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
FINE_REACH = round(0.35 * FRAME_HZ)  # about two syllables off the first pass


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """`path` (n,): for each 5 ms of the recording, the matching time in the reference, in frames of 5 ms.

    `cost`: mean distance on the path, about 0.6 for the same words and 1 for others. `ratio`: length of the
    recording's speech in that of the reference. `pauses`: stretches of silence in the recording, in frames.
    """

    path: NDArray[np.float32]
    cost: float
    ratio: float
    pauses: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One sound: its normalised features `(n, d)` without long pauses, and which frames those are."""

    frames: Frames
    kept: Path
    total: int


def align(recording: Pcm, reference: Pcm) -> Alignment:
    """Match each moment of `recording` to one of `reference`, which says the same words.

    Both are described by cepstra and their slopes, each normalised over its own speech, with pauses cut
    out: people pause where they like. A coarse pass finds the way, then the reference's timbre is moved
    towards the speaker's and a fine pass of 5 ms follows it. A minute takes 5 s on one core.
    """
    silent = pauses(features.energy_db(recording))
    ours = _side(recording, silent)
    theirs = _side(reference, pauses(features.energy_db(reference)))
    stretched, at = _stretch(theirs.frames, len(ours.frames))
    path = _coarse(ours.frames, stretched)
    path, cost = warp(ours.frames, _matched(ours.frames, stretched, path), path, FINE_REACH)
    matched = theirs.kept[at[path]].astype(np.float32)
    whole = np.interp(np.arange(ours.total), ours.kept, matched).astype(np.float32)
    return Alignment(whole, cost, len(ours.kept) / len(theirs.kept), silent)


def _side(pcm: Pcm, silent: tuple[Span, ...]) -> _Side:
    mel = features.log_mel(features.spectrum(pcm))
    kept = kept_frames(len(mel), silent)
    if not len(kept):
        kept = np.arange(len(mel))
    cepstra = features.mfcc(mel)
    columns = np.concatenate([cepstra, features.deltas(cepstra)], axis=1)[kept]
    mean, spread = columns.mean(axis=0), columns.std(axis=0)
    return _Side((columns - mean) / np.maximum(spread, 1e-3), kept, len(mel))


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
