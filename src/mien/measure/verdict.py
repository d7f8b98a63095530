"""A report against limits: what passes, what fails, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mien.errors import InputError, nearest
from mien.measure.report import Report


@dataclass(frozen=True, slots=True)
class Limit:
    """`field` of the report, its magnitude at most (`most`) or at least `value`."""

    field: str
    most: bool
    value: float

    def holds(self, report: Report) -> bool | None:
        """Say whether the report keeps the limit; None when the value is not known."""
        found = getattr(report, self.field)
        if found is None:
            return None
        return bool(abs(found) <= self.value if self.most else found >= self.value)


# What a good talking head reaches; the command's thresholds change the numbers. One limit for each field.
GOALS: Mapping[str, Limit] = {
    limit.field: limit
    for limit in (
        Limit("av_offset_ms", True, 15.0),
        Limit("av_drift_ms_per_10min", True, 5.0),
        Limit("duration_difference_ms", True, 250.0),
        Limit("closure_recall", False, 0.98),
        Limit("labiodental_recall", False, 0.95),
        Limit("closed_in_silence", False, 0.95),
        Limit("closed_at_end", False, 1.0),
        Limit("lip_stillness_std", True, 0.01),
        Limit("jitter", True, 0.003),
        Limit("face_share", False, 0.98),
        Limit("dropped_frames", True, 0.0),
        Limit("duplicated_frames", True, 0.0),
        Limit("clipped_share", True, 0.0001),
    )
}


def limits(given: Mapping[str, float]) -> dict[str, Limit]:
    """Return the goals with the given values; raises `InputError` for a field without a goal."""
    for name in given:
        if name not in GOALS:
            raise InputError(f"no limit on {name!r}{nearest(name, GOALS)}")
    return {name: Limit(name, goal.most, given.get(name, goal.value)) for name, goal in GOALS.items()}


def failures(report: Report, given: Mapping[str, float]) -> list[str]:
    """Return one line for each given limit that does not hold; a value that could not be had fails too."""
    lines = []
    for name in given:
        limit = limits(given)[name]
        if limit.holds(report):
            continue
        found = getattr(report, name)
        bound = "at most" if limit.most else "at least"
        why = report.reasons.get(name, "not known") if found is None else f"{found:.4g}"
        lines.append(f"{name} is {why}; wanted {bound} {limit.value:g}")
    return lines


def advice(report: Report) -> str:
    """Return the one thing to do next."""
    if report.face_share == 0:
        return "no face was found: measure a film of one person who faces the camera"
    if report.av_offset_ms is None:
        return f"lip-sync could not be judged: {report.reasons.get('av_offset_ms', 'not known')}"
    offset, error = report.av_offset_ms, report.av_offset_error_ms or 0.0
    if abs(offset) > max(GOALS["av_offset_ms"].value, 1.5 * error):
        return _shift(offset)
    if report.duplicated_frames + report.dropped_frames > 0.02 * report.frames:
        return "pictures are repeated or missing: encode at the rate at which they were made"
    if GOALS["closed_in_silence"].holds(report) is False:
        return "lips stand open in pauses: close them within 120 ms of the last sound"
    if GOALS["closure_recall"].holds(report) is False:
        return "lips miss closures on p, b, m: hold each for at least one picture"
    if abs(offset) > GOALS["av_offset_ms"].value:
        return f"the offset is uncertain (±{error:.0f} ms): measure a longer film"
    return "mouth and sound are in step"


def _shift(offset_ms: float) -> str:
    """Say how the sound has to be moved."""
    how = "leads" if offset_ms > 0 else "lags"
    move = "earlier" if offset_ms > 0 else "later"
    by = f"{abs(offset_ms):.0f} ms"
    return f"the picture {how} the sound by {by}: play the sound {by} {move}"
