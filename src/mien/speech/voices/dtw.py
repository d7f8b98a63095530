"""Dynamic time warping of one sequence of frames onto another, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Frames = NDArray[np.float32]
Path = NDArray[np.int64]

# Frames of the reference that one frame of the query may go on, and what each costs beside the
# distance (which is 1 for a typical mismatch): no step is free, so the path prefers an even pace.
STEPS = (0, 1, 2, 3)
STEP_COST = np.array([0.25, 0.0, 0.25, 0.6], np.float32)


def warp(query: Frames, reference: Frames, centre: Path, reach: int) -> tuple[Path, float]:
    """Return for each frame of `query` (n, d) the frame of `reference` (m, d) that it matches, and the
    mean distance on that path.

    The path starts at 0, ends at m - 1 and goes on by `STEPS`; it stays within `reach` frames of `centre`
    (n,), a monotone guess (Sakoe and Chiba's band). The distance is the mean square over the columns.
    Memory: n * (2 * reach + 1) bytes.
    """
    low = _band(centre, len(reference), reach)
    total, choices = _accumulate(query, reference, low, 2 * reach + 1)
    path = np.empty(len(query), np.int64)
    path[-1] = len(reference) - 1
    for i in range(len(query) - 1, 0, -1):
        path[i - 1] = path[i] - STEPS[choices[i, path[i] - low[i]]]
    return path, total / len(query)


def _band(centre: Path, length: int, reach: int) -> Path:
    """Return the first reference frame of each row's window; row 0 holds frame 0, the last row the last."""
    width = 2 * reach + 1
    low = np.clip(centre - reach, 0, max(0, length - width))
    low = np.maximum.accumulate(low)
    low[0] = 0
    climb = STEPS[-1] * np.arange(len(low), dtype=np.int64)
    return np.minimum(low, climb)


def _accumulate(query: Frames, reference: Frames, low: Path, width: int) -> tuple[float, NDArray[np.uint8]]:
    padded = np.concatenate([reference, np.full((width, reference.shape[1]), 1e3, np.float32)])
    square = np.einsum("md,md->m", padded, padded)
    size = reference.shape[1]
    choices = np.zeros((len(query), width), np.uint8)
    before = np.full(width, np.inf, np.float32)
    before[0] = np.mean(np.square(query[0] - reference[0]))
    for i in range(1, len(query)):
        window = slice(low[i], low[i] + width)
        distance = (square[window] - 2.0 * (padded[window] @ query[i]) + query[i] @ query[i]) / size
        options = _options(before, int(low[i] - low[i - 1]), width)
        choices[i] = np.argmin(options, axis=0)
        before = np.take_along_axis(options, choices[i : i + 1].astype(np.intp), axis=0)[0] + distance
    return float(before[len(reference) - 1 - low[-1]]), choices


def _options(before: Frames, moved: int, width: int) -> Frames:
    """Return the cost of reaching each place of the new window by each step (4, width)."""
    room = np.full(width + moved + STEPS[-1], np.inf, np.float32)
    room[STEPS[-1] : STEPS[-1] + width] = before
    rows: Sequence[Frames] = [
        room[STEPS[-1] - step + moved : STEPS[-1] - step + moved + width] + cost
        for step, cost in zip(STEPS, STEP_COST, strict=True)
    ]
    return np.stack(rows)
