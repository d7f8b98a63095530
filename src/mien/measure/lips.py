"""When the lips of a film are closed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mien.measure.phones import Heard
from mien.measure.sound import HOP_S
from mien.measure.speech import Span, covers, runs
from mien.measure.watch import FaceSeries

Doubles = NDArray[np.float64]

BILABIALS = frozenset({"p", "b", "m", "pʰ", "m̩"})
LABIODENTALS = frozenset({"f", "v", "ɱ", "ʋ"})

# In mouth widths. The landmark network reads sealed lips as 0.02 to 0.07, a real gap of 0.05 as 0.02 more.
SEALED_AT_MOST = 0.08
CLOSED_MARGIN = 0.025
CONTACT_MARGIN = 0.06
CLEAR_DIP_DB = 8.0
SETTLE_S = 0.12  # lips close and open beside a pause
LONGEST_CLOSURE_S = 0.22
NEIGHBOUR_S = 0.03  # a dip this far from a phone belongs to another
FARTHEST_CLOSURE_S = 0.15  # a closure farther from the phone belongs to another


def closed_below(aperture: Doubles) -> float:
    """Return the aperture under which lips count as closed: a little over the smallest 5 % of the film.

    `aperture` (T,) in mouth widths; NaN where there is no face. A film whose lips never meet has none closed.
    """
    known = aperture[~np.isnan(aperture)]
    sealed = float(np.percentile(known, 5)) if len(known) else 0.0
    return min(sealed, SEALED_AT_MOST) + CLOSED_MARGIN


def on_grid(series: FaceSeries, values: Doubles, end_s: float) -> Doubles:
    """Return the values at every `HOP_S`, by shape-preserving cubics; NaN beside pictures without a face."""
    from scipy.interpolate import PchipInterpolator

    grid = np.arange(round(end_s / HOP_S) + 1) * HOP_S
    known = ~np.isnan(values)
    if known.sum() < 4:
        return np.full(len(grid), np.nan)
    out = PchipInterpolator(series.times_s[known], values[known], extrapolate=False)(grid)
    for start, end in runs(~known):
        left = series.times_s[start - 1] if start else -np.inf
        right = series.times_s[end] if end < len(values) else np.inf
        out[(grid > left) & (grid < right)] = np.nan
    return np.asarray(out, np.float64)


def opening(grid: Doubles) -> Doubles:
    """Return the root of the aperture above the smallest: wide vowels then do not hide small moves."""
    known = grid[~np.isnan(grid)]
    sealed = float(np.percentile(known, 3)) if len(known) else 0.0
    return np.asarray(np.sqrt(np.clip(grid - sealed, 0, None)), np.float64)


def closures(grid: Doubles) -> list[Span]:
    """Return the short closings of the mouth: it falls under a quarter of its range and comes back.

    `grid` (n,): the mouth's `opening` at every `HOP_S`. The edges are interpolated; the middle is the event.
    """
    known = grid[~np.isnan(grid)]
    if not len(known):
        return []
    low, high = np.percentile(known, [5, 95])
    edge, risen = low + 0.25 * (high - low), low + 0.4 * (high - low)
    reach = round(0.2 / HOP_S)
    found = []
    for start, end in runs(grid < edge):
        beside = (grid[max(0, start - reach) : start], grid[end : end + reach])
        opens = all(len(side) and np.nanmax(np.append(side, -np.inf)) > risen for side in beside)
        if opens and (end - start) * HOP_S <= LONGEST_CLOSURE_S:
            found.append(Span(_crossing(grid, start - 1, edge), _crossing(grid, end - 1, edge)))
    return found


def _crossing(grid: Doubles, left: int, value: float) -> float:
    """Return when the aperture passes `value` between `left` and the next, seconds."""
    before, after = grid[left], grid[left + 1]
    part = (value - before) / (after - before) if after != before else 0.5
    return float((left + np.clip(part, 0, 1)) * HOP_S)


@dataclass(frozen=True, slots=True)
class Stillness:
    """Lips in pauses: `mean` and `deviation` of the aperture in mouth widths, `closed_share` of the pictures,
    `closed_at_end` of the film, `silence_s` looked at.
    """

    mean: float
    deviation: float
    closed_share: float
    silence_s: float


def stillness(series: FaceSeries, pauses: list[Span]) -> Stillness | None:
    """Judge the lips in the pauses, less the time it takes to close and open them; None without a picture."""
    inside = covers(pauses, series.times_s, SETTLE_S) & series.seen
    if inside.sum() < 3:
        return None
    aperture = series.in_mouths("aperture")
    quiet = aperture[inside]
    spread = [np.std(part) for part in _parts(series, pauses, aperture)]
    return Stillness(
        mean=float(quiet.mean()),
        deviation=float(np.median(spread)) if spread else float(np.std(quiet)),
        closed_share=float(np.mean(quiet < closed_below(aperture))),
        silence_s=sum(max(0.0, pause.length_s - 2 * SETTLE_S) for pause in pauses),
    )


def _parts(series: FaceSeries, pauses: list[Span], aperture: Doubles) -> list[Doubles]:
    """Return the apertures of each pause apart, where there are at least three."""
    parts = [aperture[covers([pause], series.times_s, SETTLE_S) & series.seen] for pause in pauses]
    return [part for part in parts if len(part) >= 3]


def closed_at_end(series: FaceSeries) -> bool | None:
    """Say whether the lips are closed in the last pictures (up to 3); None when there is no face."""
    aperture = series.in_mouths("aperture")
    last = aperture[-3:]
    if not len(last) or np.isnan(last).any():
        return None
    return bool(np.all(last < closed_below(aperture)))


@dataclass(frozen=True, slots=True)
class Articulation:
    """How the lips follow the phones: `recall` of `expected`; `timing_ms` (k,): seen minus heard middles."""

    expected: int
    met: int
    timing_ms: tuple[float, ...] = ()

    @property
    def recall(self) -> float | None:
        """Share met; None when none was expected."""
        return self.met / self.expected if self.expected else None


def closure_in(bright: Doubles, span: Span) -> Span:
    """Return the closure that the sound has near a bilabial: where it is dark, at half the depth of the dip.

    `bright` (n,): level above the nasal murmur at every `HOP_S`, dB. A phone's stated times are good to some
    40 ms, the dip's to a few. Without a clear dip the times stay as stated, and so they do when the dip
    begins after the phone has ended or ends before it: then it is the closure of a neighbour.
    """
    reach = round(0.06 / HOP_S)
    first, last = (round(at / HOP_S) for at in (span.start_s, span.end_s))
    near = bright[max(0, first - reach) : last + reach + 1]
    if not len(near):
        return span
    low = max(0, first - reach) + int(np.argmin(near))
    beside = (bright[max(0, low - 2 * reach) : low + 1], bright[low : low + 2 * reach + 1])
    depth = min(side.max() for side in beside) - bright[low]
    dark = runs(bright < bright[low] + depth / 2)
    start, end = next((run for run in dark if run[0] <= low < run[1]), (0, len(bright)))
    clear = depth >= CLEAR_DIP_DB and (end - start) * HOP_S <= LONGEST_CLOSURE_S
    own = start - NEIGHBOUR_S / HOP_S <= last and end + NEIGHBOUR_S / HOP_S >= first
    return Span(start * HOP_S, end * HOP_S) if clear and own else span


def articulation(
    series: FaceSeries, grid: Doubles, heard: Heard, kinds: frozenset[str], bright: Doubles | None = None
) -> Articulation:
    """Compare the lips with the phones of `kinds`, allowing one picture's time on both sides.

    `grid` (n,): the aperture at every `HOP_S`; `bright`: see `closure_in`, for bilabials. Contact is looser
    for labiodentals: the lower lip meets the teeth, which no landmark marks.
    """
    aperture = series.in_mouths("aperture")
    limit = closed_below(aperture) + (CONTACT_MARGIN if kinds is LABIODENTALS else 0.0)
    frame_s = float(np.median(np.diff(series.times_s))) if len(series) > 1 else 0.04
    shut = closures(opening(grid))
    expected, met, timing = 0, 0, []
    for stated in heard.spans(kinds):
        span = stated if bright is None else closure_in(bright, stated)
        part = _between(grid, span.start_s - frame_s, span.end_s + frame_s)
        if not len(part) or np.isnan(part).any():
            continue
        expected += 1
        met += bool(part.min() < limit)
        apart = [seen.middle_s - span.middle_s for seen in shut]
        nearest = min(apart, key=abs, default=FARTHEST_CLOSURE_S)
        if abs(nearest) < FARTHEST_CLOSURE_S:
            timing.append(nearest * 1e3)
    return Articulation(expected, met, tuple(timing))


def _between(grid: Doubles, start_s: float, end_s: float) -> Doubles:
    return grid[max(0, round(start_s / HOP_S)) : max(0, round(end_s / HOP_S) + 1)]
