"""Pictures that are missing, shown twice, or out of step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.measure.speech import runs
from mien.measure.watch import FaceSeries

UNEVEN = 0.25  # of a picture's time
STILL_SHARE = 0.08  # of the usual change between pictures near it
MOVING_SHARE = 0.5
LONGEST_REPEAT = 2
NEAR = 15


@dataclass(frozen=True, slots=True)
class Cadence:
    """`rate_hz`: pictures a second (median interval). `variable`: the intervals differ. `duration_s`: to the
    end of the last picture. `dropped`: times for which no picture came. `duplicated`: pictures that repeat
    the one before while the film moves.
    """

    rate_hz: float
    variable: bool
    duration_s: float
    dropped: int
    duplicated: int


def cadence(series: FaceSeries) -> Cadence:
    """Judge the times and the differences of the pictures."""
    times = series.times_s
    if len(times) < 2:
        return Cadence(0.0, False, float(times[-1]) if len(times) else 0.0, 0, 0)
    gaps = np.diff(times)
    usual = float(np.median(gaps))
    dropped = int(np.sum(np.maximum(np.round(gaps / usual) - 1, 0)))
    uneven = np.abs(gaps / usual - np.maximum(np.round(gaps / usual), 1)) > UNEVEN
    mean = float(np.mean(gaps[~(gaps > 1.5 * usual)]))
    return Cadence(
        1 / mean, bool(uneven.mean() > 0.05), float(times[-1] + mean), dropped, repeated(series.change)
    )


def repeated(change: NDArray[np.float32]) -> int:
    """Count pictures that repeat the one before, at most two in a row, between pictures that move.

    `change` as in `FaceSeries`. A face at rest repeats nothing: it does not move before and after.
    """
    usual = np.array([np.median(change[max(1, i - NEAR) : i + NEAR + 1]) for i in range(len(change))])
    still, moving = change < STILL_SHARE * usual, change > MOVING_SHARE * usual
    still[:1] = False
    return sum(
        end - start
        for start, end in runs(still)
        if end - start <= LONGEST_REPEAT
        and end < len(change)
        and start > 1
        and moving[start - 1]
        and moving[end]
    )
